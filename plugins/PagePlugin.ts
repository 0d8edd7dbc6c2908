import { context, lambda, object, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import { limitsOf } from "./limits.ts";
import { asOfArgument, countRows, findRows, orders, rowArguments, whereArgument } from "./listArguments.ts";
import { readPage, type PageArguments, type PageQuery, type PageSource } from "./pageQuery.ts";
import { EdgesStep, PageStep, type EdgeStep } from "./PageStep.ts";
import { byDefault, primaryKeyOf, rootTables, type AnyResource, type TableResource } from "./resources.ts";
import { shapeOf, shownKeyOf } from "./shapes.ts";
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

/** Undefined where a column of the key is not shown. */
function sourceOf(build: GraphileBuild.Build, resource: TableResource): PageSource | undefined {
  const key = shownKeyOf(build, resource);
  return key && { shape: shapeOf(build, resource), key, limits: limitsOf(build.options, resource as AnyResource) };
}

function pageField(build: GraphileBuild.Build, resource: TableResource, page: PageSource) {
  const { GraphQLInt, GraphQLString } = build.graphql;
  const JSONType = build.getInputTypeByName("JSON");
  const rows = rowArguments(build, resource);
  const args: GraphQLFieldConfigArgumentMap = {
    ...whereArgument(build, resource),
    orderBy: { type: JSONType, extensions: orders(page.shape) },
    first: { type: GraphQLInt },
    after: { type: GraphQLString },
    last: { type: GraphQLInt },
    before: { type: GraphQLString },
    ...asOfArgument(build, rows.source),
  };
  const plan = (_$root: Step, fieldArgs: FieldArgs): PageStep => {
    const given = Object.fromEntries(Object.keys(args).map((name) => [name, fieldArgs.getRaw(name)]));
    const $args = object({ ...given, account: context().get("portolanAccount") }) as unknown as Step<PageArguments>;
    const $page = lambda($args, (read): PageQuery => readPage(page, read), true);
    const $rows = findRows(resource, rows.source && fieldArgs.getRaw("asOf"), rows.source);
    $rows.apply(lambda($page, ({ apply }) => apply, true));
    $rows.setFirst(lambda($page, ({ limit }) => limit + 1, true));
    return new PageStep($rows, $page, () => countRows(resource, rows, fieldArgs));
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
