/** The GraphQL types of aggregates. Operations with the same fields share one type, so that the schema stays small. */
import type { GraphQLFieldConfigMap, GraphQLOutputType } from "postgraphile/graphql";
import { ConstantStep, type FieldArgs, type Step } from "postgraphile/grafast";
import type { Column } from "../../server/filter/tree.ts";
import { rowOf } from "../../server/types/table.ts";
import { hasPeriods, type Period } from "./aggregateQuery.ts";
import { FAMILIES, isGroupable, resultType, suffixOf, type Operation } from "./aggregateResults.ts";
import type { GroupStep } from "./AggregateStep.ts";
import { annotate } from "../rows/fieldMetadata.ts";
import { ownTypeName } from "../NamingPlugin.ts";
import { isTableResource, relationsOf, type AnyCodec, type TableResource } from "../tables/resources.ts";
import { shapeOf } from "../tables/shapes.ts";

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

interface ResultField {
  readonly column: Column;
  readonly type: string;
}

/** Operations, grouped by the type that shows their results. */
export interface ResultType {
  readonly name: string;
  readonly fields: Readonly<Record<string, ResultField>>;
  readonly operations: readonly Operation[];
}

const resultTypes = new WeakMap<TableResource, readonly ResultType[]>();

/** The types of a table's results, without those that would have no field. */
export function resultTypesOf(build: GraphileBuild.Build, resource: TableResource): readonly ResultType[] {
  let known = resultTypes.get(resource);
  if (!known) resultTypes.set(resource, (known = findResultTypes(build, resource)));
  return known;
}

function findResultTypes(build: GraphileBuild.Build, resource: TableResource): ResultType[] {
  const { inflection } = build;
  return Object.entries(FAMILIES).flatMap(([family, operations]) => {
    const withFields = operations.map((operation) => ({ operation, fields: resultFields(build, resource, operation) }));
    const groups = Map.groupBy(withFields, ({ fields }) =>
      JSON.stringify(Object.entries(fields).map(([name, { type }]) => [name, type])),
    );
    groups.delete("[]");
    return [...groups.values()].map((members, index) => ({
      name: inflection.companionType(resource.codec, index === 0 ? family : suffixOf(members[0]!.operation)),
      fields: members[0]!.fields,
      operations: members.map(({ operation }) => operation),
    }));
  });
}

function resultFields(
  build: GraphileBuild.Build,
  resource: TableResource,
  operation: Operation,
): Record<string, ResultField> {
  const fields: Record<string, ResultField> = Object.create(null) as Record<string, ResultField>;
  for (const column of shapeOf(build, resource).columns) {
    const type = resultType(operation, column.type);
    if (!type) continue;
    const name = build.inflection.attribute({ codec: resource.codec, attributeName: column.name });
    const typeName =
      operation === "countDistinct" ? "Int!" : operation === "extent" ? "[Float!]" : rowOf(type).graphqlName;
    fields[name] = { column, type: typeName };
  }
  return fields;
}

/** The fields of a type of results. */
export function resultTypeFields(build: GraphileBuild.Build, { fields, operations }: ResultType): Fields {
  const { GraphQLFloat, GraphQLInt, GraphQLList, GraphQLNonNull } = build.graphql;
  return Object.fromEntries(
    Object.entries(fields).map(([name, { column, type }]) => {
      const toValue = rowOf(resultType(operations[0]!, column.type)!).value.fromText ?? ((text: string) => text);
      const plan = ($group: GroupStep): Step => $group.result(column, toValue);
      const outputType: GraphQLOutputType =
        type === "Int!"
          ? new GraphQLNonNull(GraphQLInt)
          : type === "[Float!]"
            ? new GraphQLList(new GraphQLNonNull(GraphQLFloat))
            : build.getOutputTypeByName(type);
      return [name, { type: outputType, plan: annotate(plan, { kind: "result", column }) }];
    }),
  ) as Fields;
}

/** Whether rows of the table can be grouped by a column of its own. */
export function hasGroups(build: GraphileBuild.Build, resource: TableResource): boolean {
  return shapeOf(build, resource).columns.some(({ type }) => isGroupable(type));
}

/** The fields of `<T>By`: the columns of the row, and the parents of which a row has at most one. */
export function groupFields(build: GraphileBuild.Build, resource: TableResource): Fields {
  const { codec } = resource;
  const shape = shapeOf(build, resource);
  const columns = shape.columns
    .filter(({ type }) => isGroupable(type))
    .map((column) => [
      build.inflection.attribute({ codec, attributeName: column.name }),
      groupField(build, codec, column),
    ]);
  const parents = relationsOf(build, codec).flatMap((relation) => {
    const name = build.inflection.relationField(relation);
    const remote = relation.remoteResource as TableResource;
    if (relation.isReferencee || name === undefined || !isTableResource(remote) || !hasGroups(build, remote)) return [];
    const known = shape.related(name)!;
    const type = build.getOutputTypeByName(build.inflection.companionType(remote.codec, "By"));
    const plan = ($group: GroupStep): Step => $group.parent(known);
    return [[name, { type, plan: annotate(plan, { kind: "groupParent", relation: known }) }]];
  });
  return Object.fromEntries([...columns, ...parents]) as Fields;
}

function groupField(build: GraphileBuild.Build, codec: AnyCodec, column: Column) {
  const { GraphQLID } = build.graphql;
  const columnCodec = (codec.attributes as Record<string, { codec: AnyCodec }>)[column.name]!.codec;
  const type = column.id ? GraphQLID : build.getGraphQLTypeByPgCodec(columnCodec, "output");
  if (!hasPeriods(column.type)) {
    const plan = ($group: GroupStep): Step => $group.group(column, undefined);
    return { type, plan: annotate(plan, { kind: "group", column }) };
  }
  const args = { unit: { type: build.getInputTypeByName(ownTypeName(build, "Period")) } };
  const plan = ($group: GroupStep, fieldArgs: FieldArgs): Step => $group.group(column, unitOf(fieldArgs));
  return { type, args, plan: annotate(plan, { kind: "group", column }, args) };
}

/** The period of a field. The statement depends on it, so each value of a variable has its own plan. */
function unitOf(fieldArgs: FieldArgs): Period | undefined {
  const $unit = fieldArgs.getRaw("unit");
  const unit = $unit instanceof ConstantStep ? ($unit.data as unknown) : ($unit as Step & { eval(): unknown }).eval();
  return (unit as Period | null) ?? undefined;
}
