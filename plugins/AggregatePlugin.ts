import { TYPES, pgClassExpression, pgSelect, pgSelectSingleFromRecord } from "postgraphile/@dataplan/pg";
import { lambda, object, operationPlan, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { AggregateQuery, PERIODS, accessesOfGroupBy, type AggregateSource } from "./aggregates/aggregateQuery.ts";
import { RESULT_SUFFIXES } from "./aggregates/aggregateResults.ts";
import { GroupsStep, groupsToText, Wanted, type GroupStep } from "./aggregates/AggregateStep.ts";
import { groupFields, hasGroups, resultTypeFields, resultTypesOf } from "./aggregates/aggregateTypes.ts";
import { behaves } from "./tables/behaviors.ts";
import { limitsOf } from "./tables/limits.ts";
import { asOfArgument, whereArgument, type AnySelect } from "./rows/listArguments.ts";
import { annotate, type ReadAggregate } from "./rows/fieldMetadata.ts";
import { ownTypeName } from "./NamingPlugin.ts";
import {
  allResources,
  byDefault,
  isTableResource,
  relationsOf,
  rootTables,
  type AnyCodec,
  type AnyRecord,
  type AnyRelation,
  type AnyResource,
  type TableResource,
} from "./tables/resources.ts";
import { joinOn } from "./rows/joinOn.ts";
import { shapeOf } from "./tables/shapes.ts";
import { reads, accesses } from "./tables/relationAccess.ts";
import { sourceAt } from "./tables/versions.ts";

declare global {
  namespace GraphileBuild {
    interface BehaviorStrings {
      "resource:aggregate": true;
    }
  }
  namespace GraphileConfig {
    interface Plugins {
      AggregatePlugin: true;
    }
  }
}

/** Declares and reads the arguments of an aggregate over `resource`. `atRoot`: with `asOf`, where there is history. */
function aggregateArguments(build: GraphileBuild.Build, resource: TableResource, atRoot: boolean) {
  const { GraphQLInt, GraphQLString } = build.graphql;
  const JSONType = build.getInputTypeByName("JSON");
  const shape = shapeOf(build, resource);
  const source: AggregateSource = {
    shape,
    from: resource.from as SQL,
    limits: limitsOf(build.options, resource as AnyResource),
    sourceAt: atRoot ? sourceAt(build, resource) : undefined,
  };
  const args: GraphQLFieldConfigArgumentMap = {
    ...whereArgument(build, resource),
    groupBy: {
      type: JSONType,
      description: 'Such as ["country_code", {"made": "month"}].',
      extensions: reads((groupBy) => accessesOfGroupBy(groupBy, shape)),
    },
    having: { type: JSONType },
    orderBy: { type: JSONType },
    limit: { type: GraphQLInt },
    offset: { type: GraphQLInt },
    ...asOfArgument(build, source.sourceAt),
    timeZone: { type: GraphQLString },
  };
  const read: ReadAggregate = (given) => new AggregateQuery(source, given);
  return { args, read };
}

/** Reads the arguments once for the whole operation, since they are the same for every row. */
function argumentsOf(args: GraphQLFieldConfigArgumentMap, fieldArgs: FieldArgs): Step<Record<string, unknown>> {
  return object(Object.fromEntries(Object.keys(args).map((name) => [name, fieldArgs.getRaw(name)])));
}

/** The groups of all rows of a table. */
function groupsOfTable(resource: TableResource, read: ReadAggregate, $args: Step<Record<string, unknown>>): GroupsStep {
  const wanted = new Wanted();
  const $rows = pgSelect({
    resource,
    identifiers: [],
    mode: "aggregate",
    from: {
      callback: ($root) =>
        $root.deferredSQL(
          lambda($args, (args): SQL => sql`(select ${groupsToText(read(args), wanted)} as answer offset 0)`, true),
        ),
    },
  }) as AnySelect;
  const $text = $rows.singleAsRecord().select(sql`${$rows.alias}.answer`, TYPES.text, true);
  return new GroupsStep($text, wanted);
}

/** The groups of the children of a row: an expression in the statement that selects the row. */
function groupsOfChildren(
  relation: AnyRelation,
  read: ReadAggregate,
  $record: AnyRecord,
  toArguments: () => Step<Record<string, unknown>>,
): GroupsStep {
  const wanted = new Wanted();
  const $rows = $record.getClassStep() as AnySelect;
  const $row =
    $rows.mode === "mutation"
      ? (pgSelectSingleFromRecord($record.resource as AnyResource, $record.record() as Step) as AnyRecord)
      : $record;
  const parent = $row.getClassStep().alias;
  const join = (children: SQL): SQL => joinOn(relation, parent, children);
  const $sql = operationPlan().withRootLayerPlan(() =>
    lambda(toArguments(), (args): SQL => groupsToText(read(args), wanted, join), true),
  );
  const $text = pgClassExpression($row, TYPES.text, true)`${$row.deferredSQL($sql)}`;
  return new GroupsStep($text as Step<string>, wanted);
}

function aggregateFields(build: GraphileBuild.Build, resource: TableResource) {
  const { GraphQLInt, GraphQLNonNull } = build.graphql;
  const { inflection } = build;
  const by = hasGroups(build, resource)
    ? {
        by: {
          type: build.getOutputTypeByName(inflection.companionType(resource.codec, "By")),
          plan: annotate(($group: GroupStep) => $group, { kind: "groups" }),
        },
      }
    : {};
  const results = resultTypesOf(build, resource).flatMap(({ name, operations }) =>
    operations.map((operation) => [
      operation,
      {
        type: new GraphQLNonNull(build.getOutputTypeByName(name)),
        plan: annotate(($group: GroupStep) => $group.results(operation), { kind: "results", operation }),
      },
    ]),
  );
  return {
    ...by,
    count: {
      type: new GraphQLNonNull(GraphQLInt),
      plan: annotate(($group: GroupStep) => $group.count(), { kind: "groupCount" }),
    },
    ...Object.fromEntries(results),
  };
}

function isAggregated(build: GraphileBuild.Build, resource: TableResource): boolean {
  return behaves(build, "pgResource", resource, "resource:aggregate");
}

export const AggregatePlugin: GraphileConfig.Plugin = {
  name: "AggregatePlugin",
  description:
    "`aggregate<T>` and `<relation>Aggregate`: the common values of groups of rows, and sums, means and the like",
  version: VERSION,
  after: ["PgAttributesPlugin", "RelationsPlugin", "ComputedColumnsPlugin"],

  schema: {
    behaviorRegistry: {
      add: { "resource:aggregate": { description: "rows may be aggregated", entities: ["pgResource"] } },
    },
    entityBehavior: byDefault("resource:aggregate"),

    hooks: {
      init(_, build) {
        build.registerEnumType(
          ownTypeName(build, "Period"),
          {},
          () => ({
            description: "Weeks are those of ISO 8601.",
            values: Object.fromEntries(PERIODS.map((value) => [value, { value }])),
          }),
          "AggregatePlugin",
        );
        for (const resource of allResources(build).filter(isTableResource)) registerTypes(build, resource);
        return _;
      },

      GraphQLObjectType_fields(fields, build, context) {
        const { isRootQuery, pgCodec, isPgClassType } = context.scope as {
          isRootQuery?: boolean;
          pgCodec?: AnyCodec;
          isPgClassType?: boolean;
        };
        const { GraphQLList, GraphQLNonNull } = build.graphql;
        const toType = (resource: TableResource) =>
          new GraphQLList(
            new GraphQLNonNull(build.getOutputTypeByName(build.inflection.companionType(resource.codec, "Aggregate"))),
          );
        if (isRootQuery)
          for (const resource of rootTables(build)) {
            if (!isAggregated(build, resource) || !behaves(build, "pgResource", resource, "query:resource:list"))
              continue;
            const fieldName = build.inflection.tableField("aggregate", resource.codec);
            const field = () => {
              const { args, read } = aggregateArguments(build, resource, true);
              const plan = (_$root: Step, fieldArgs: FieldArgs) =>
                groupsOfTable(resource, read, argumentsOf(args, fieldArgs));
              const type = toType(resource);
              return {
                extensions: accesses(resource, "select"),
                type,
                args,
                plan: annotate(plan, { kind: "aggregate", read }, args),
              };
            };
            build.extend(
              fields,
              { [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, field) },
              `AggregatePlugin adds ${fieldName}`,
            );
          }
        if (isPgClassType && pgCodec)
          for (const relation of relationsOf(build, pgCodec)) {
            const fieldName = build.inflection.childrenAggregateField(relation);
            const resource = relation.remoteResource as TableResource;
            if (fieldName === undefined || !isTableResource(resource) || !isAggregated(build, resource)) continue;
            const field = () => {
              const { args, read } = aggregateArguments(build, resource, false);
              const plan = ($record: AnyRecord, fieldArgs: FieldArgs) =>
                groupsOfChildren(relation, read, $record, () => argumentsOf(args, fieldArgs));
              return {
                type: toType(resource),
                args,
                plan: annotate(plan, { kind: "aggregate", read, relation }, args),
              };
            };
            build.extend(
              fields,
              { [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, field) },
              `AggregatePlugin adds ${fieldName}`,
            );
          }
        return fields;
      },
    },
  },
};

function registerTypes(build: GraphileBuild.Build, resource: TableResource): void {
  const { codec } = resource;
  const nameOf = (suffix: string): string => build.inflection.companionType(codec, suffix);
  const extensions = accesses(codec, "select");
  // groups of children use the names of shared values of a parent that has no aggregates itself
  build.registerObjectType(
    nameOf("By"),
    {},
    () => ({ extensions, fields: () => groupFields(build, resource) }),
    "AggregatePlugin",
  );
  if (!isAggregated(build, resource)) return;
  build.registerObjectType(
    nameOf("Aggregate"),
    {},
    () => ({ extensions, fields: () => aggregateFields(build, resource) }),
    "AggregatePlugin",
  );
  for (const suffix of RESULT_SUFFIXES)
    build.registerObjectType(
      nameOf(suffix),
      {},
      () => ({
        fields: () =>
          resultTypeFields(
            build,
            resultTypesOf(build, resource).find(({ name }) => name === nameOf(suffix))!,
          ),
      }),
      "AggregatePlugin",
    );
}
