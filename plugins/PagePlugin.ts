import { TYPES } from "postgraphile/@dataplan/pg";
import { constant, context, lambda, list, object, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import { sql } from "postgraphile/pg-sql2";
import { limitsOf } from "./limits.ts";
import { asOfArgument, findRows, rowArguments, whereArgument } from "./listArguments.ts";
import { readPage, type PageArguments, type PageQuery, type PageSource } from "./pageQuery.ts";
import { EdgesStep, PageStep, type EdgeStep } from "./PageStep.ts";
import { byDefault, primaryKeyOf, rootTables, type AnyResource, type TableResource } from "./resources.ts";
import { shapeOf } from "./shapes.ts";
import { accesses } from "./relationAccess.ts";

declare global {
  namespace GraphileBuild {
    interface BehaviorStrings {
      "resource:page": true;
    }
  }
  namespace GraphileConfig {
    interface Plugins {
      PagePlugin: true;
    }
  }
  namespace Grafast {
    interface Context {
      /** Who asks, for cursors, which are good for whom they were given to. Default: anybody. */
      portolanAccount?: string;
    }
  }
}

/** The tables that have pages: those with a key, which makes every order one that no two rows share. */
function pagedTables(build: GraphileBuild.Build): TableResource[] {
  return rootTables(build).filter(
    (resource) =>
      primaryKeyOf(resource) &&
      build.behavior.pgResourceMatches(resource, "resource:page") &&
      build.behavior.pgResourceMatches(resource, "query:resource:list"),
  );
}

function sourceOf(build: GraphileBuild.Build, resource: TableResource): PageSource | undefined {
  const shape = shapeOf(build, resource);
  const key = primaryKeyOf(resource)!.flatMap((name) => shape.columns.find((column) => column.name === name) ?? []);
  if (key.length < primaryKeyOf(resource)!.length) return undefined; // a column of the key is not shown
  return { shape, key, limits: limitsOf(build.options, resource as AnyResource) };
}

function pageField(build: GraphileBuild.Build, resource: TableResource, page: PageSource) {
  const { GraphQLInt, GraphQLString } = build.graphql;
  const JSONType = build.getInputTypeByName("JSON");
  const { source, toCallback } = rowArguments(build, resource);
  const args: GraphQLFieldConfigArgumentMap = {
    ...whereArgument(build, resource),
    orderBy: { type: JSONType },
    first: { type: GraphQLInt },
    after: { type: GraphQLString },
    last: { type: GraphQLInt },
    before: { type: GraphQLString },
    ...asOfArgument(build, source),
  };
  const plan = (_$root: Step, fieldArgs: FieldArgs): PageStep => {
    const given = Object.fromEntries(Object.keys(args).map((name) => [name, fieldArgs.getRaw(name)]));
    const $args = object({ ...given, account: context().get("portolanAccount") }) as unknown as Step<PageArguments>;
    const $page = lambda($args, (read): PageQuery => readPage(page, read), true);
    const find = (mode: "normal" | "aggregate") => findRows(resource, source && fieldArgs.getRaw("asOf"), source, mode);
    const $rows = find("normal");
    $rows.apply(lambda($page, ({ apply }) => apply, true));
    $rows.setFirst(lambda($page, ({ limit }) => limit + 1, true));
    const toTotal = (): Step<number> => {
      const $all = find("aggregate");
      const $where = list([constant(null), fieldArgs.getRaw("where"), constant(null)]);
      $all.apply(lambda($where as Step<readonly [null, unknown, null]>, toCallback, true));
      return $all.singleAsRecord().select(sql`count(*)`, TYPES.bigint, true) as unknown as Step<number>;
    };
    return new PageStep($rows, $page, toTotal);
  };
  return { extensions: accesses(resource, "select"), args, plan };
}

export const PagePlugin: GraphileConfig.Plugin = {
  name: "PagePlugin",
  description: "`page<T>`: Relay's Cursor Connections",
  version: "0.1.0",
  after: ["PgAttributesPlugin"],

  schema: {
    behaviorRegistry: { add: { "resource:page": { description: "has pages by cursor", entities: ["pgResource"] } } },
    entityBehavior: byDefault("resource:page"),

    hooks: {
      init(_, build) {
        const { GraphQLBoolean, GraphQLNonNull, GraphQLString } = build.graphql;
        build.registerObjectType(
          "PageInfo",
          {},
          () => ({
            fields: () => ({
              hasNextPage: {
                type: new GraphQLNonNull(GraphQLBoolean),
                plan: ($page: PageStep) => $page.hasMore("next"),
              },
              hasPreviousPage: {
                type: new GraphQLNonNull(GraphQLBoolean),
                plan: ($page: PageStep) => $page.hasMore("previous"),
              },
              startCursor: { type: GraphQLString, plan: ($page: PageStep) => $page.startCursor() },
              endCursor: { type: GraphQLString, plan: ($page: PageStep) => $page.endCursor() },
            }),
          }),
          "PagePlugin",
        );
        for (const resource of pagedTables(build)) registerTypes(build, resource);
        return _;
      },

      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootQuery) return fields;
        for (const resource of pagedTables(build)) {
          const source = sourceOf(build, resource);
          if (!source) continue;
          const fieldName = build.inflection.tableField("page", resource.codec);
          const type = build.getOutputTypeByName(build.inflection.companionType(resource.codec, "Connection"));
          const field = () => ({ type, ...pageField(build, resource, source) });
          build.extend(
            fields,
            { [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, field) },
            `PagePlugin adds ${fieldName}`,
          );
        }
        return fields;
      },
    },
  },
};

function registerTypes(build: GraphileBuild.Build, resource: TableResource): void {
  const { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLString } = build.graphql;
  const { inflection } = build;
  const nameOf = (suffix: string): string => inflection.companionType(resource.codec, suffix);
  const nodeType = () => build.getOutputTypeByName(inflection.tableType(resource.codec));
  const extensions = accesses(resource.codec, "select");
  build.registerObjectType(
    nameOf("Connection"),
    {},
    () => ({
      extensions,
      fields: () => ({
        edges: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(build.getOutputTypeByName(nameOf("Edge"))))),
          plan: ($page: PageStep) => new EdgesStep($page),
        },
        nodes: { type: new GraphQLNonNull(new GraphQLList(nodeType())), plan: ($page: PageStep) => $page },
        pageInfo: {
          type: new GraphQLNonNull(build.getOutputTypeByName("PageInfo")),
          plan: ($page: PageStep) => $page,
        },
        totalCount: { type: new GraphQLNonNull(GraphQLInt), plan: ($page: PageStep) => $page.toTotal() },
      }),
    }),
    "PagePlugin",
  );
  build.registerObjectType(
    nameOf("Edge"),
    {},
    () => ({
      fields: () => ({
        cursor: { type: new GraphQLNonNull(GraphQLString), plan: ($edge: EdgeStep) => $edge.cursor() },
        node: { type: nodeType(), plan: ($edge: EdgeStep) => $edge.node() },
      }),
    }),
    "PagePlugin",
  );
}
