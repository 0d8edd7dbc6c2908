import { context, lambda, object, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLFieldConfigArgumentMap } from "postgraphile/graphql";
import type { SQL } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { behaves } from "./tables/behaviors.ts";
import { limitsOf } from "./tables/limits.ts";
import {
  asOfArgument,
  countRows,
  distinctArgument,
  findRows,
  orders,
  rowArguments,
  whereArgument,
} from "./rows/listArguments.ts";
import { annotate } from "./rows/fieldMetadata.ts";
import { readPage, type PageArguments, type PageQuery, type PageSource, type ReadPage } from "./rows/pageQuery.ts";
import { EdgesStep, PageStep, type EdgeStep } from "./rows/PageStep.ts";
import { byDefault, primaryKeyOf, rootTables, type AnyResource, type TableResource } from "./tables/resources.ts";
import { shapeOf, shownKeyOf } from "./tables/shapes.ts";
import { accesses } from "./tables/relationAccess.ts";
import { sourceAt } from "./tables/versions.ts";

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
      /** The account of the caller, for cursors, which are valid for that account only. Default: any account. */
      portolanAccount?: string;
    }
  }
}

/** The tables that have pages: those with a key, which gives every row a unique place in any order. */
function pagedTables(build: GraphileBuild.Build): TableResource[] {
  return rootTables(build).filter(
    (resource) =>
      primaryKeyOf(resource) &&
      behaves(build, "pgResource", resource, "resource:page") &&
      behaves(build, "pgResource", resource, "query:resource:list"),
  );
}

/** The source of a page; undefined where a column of the key is not shown. */
function sourceOf(build: GraphileBuild.Build, resource: TableResource): PageSource | undefined {
  const key = shownKeyOf(build, resource);
  return (
    key && {
      shape: shapeOf(build, resource),
      table: resource.from as SQL,
      key,
      limits: limitsOf(build.options, resource as AnyResource),
      sourceAt: sourceAt(build, resource),
    }
  );
}

function pageField(build: GraphileBuild.Build, resource: TableResource, page: PageSource) {
  const { GraphQLInt, GraphQLString } = build.graphql;
  const JSONType = build.getInputTypeByName("JSON");
  const rows = rowArguments(build, resource, []);
  const args: GraphQLFieldConfigArgumentMap = {
    ...whereArgument(build, resource),
    orderBy: { type: JSONType, extensions: orders(page.shape) },
    first: { type: GraphQLInt },
    after: { type: GraphQLString },
    last: { type: GraphQLInt },
    before: { type: GraphQLString },
    ...distinctArgument(build, resource),
    ...asOfArgument(build, rows.source),
  };
  const read: ReadPage = (all) => readPage(page, all);
  const plan = (_$root: Step, fieldArgs: FieldArgs): PageStep => {
    const given = Object.fromEntries(Object.keys(args).map((name) => [name, fieldArgs.getRaw(name)]));
    const asked = { account: context().get("portolanAccount"), hidden: context().get("portolanHidden") };
    const $args = object({ ...given, ...asked }) as unknown as Step<PageArguments>;
    const $page = lambda($args, (all): PageQuery => read(all), true);
    const $rows = findRows(resource, rows.source && fieldArgs.getRaw("asOf"), rows.source);
    $rows.apply(lambda($page, ({ apply }) => apply, true));
    $rows.setFirst(lambda($page, ({ limit }) => limit + 1, true));
    return new PageStep($rows, $page, () => countRows(resource, args, rows, fieldArgs));
  };
  const extensions = accesses(resource, "select");
  return { extensions, args, plan: annotate(plan, { kind: "page", resource, read }, args) };
}

export const PagePlugin: GraphileConfig.Plugin = {
  name: "PagePlugin",
  description: "`page<T>`: Relay's Cursor Connections",
  version: VERSION,
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
                plan: annotate(($page: PageStep) => $page.hasMore("next"), { kind: "pageMore", side: "next" }),
              },
              hasPreviousPage: {
                type: new GraphQLNonNull(GraphQLBoolean),
                plan: annotate(($page: PageStep) => $page.hasMore("previous"), { kind: "pageMore", side: "previous" }),
              },
              startCursor: {
                type: GraphQLString,
                plan: annotate(($page: PageStep) => $page.startCursor(), { kind: "pageCursor", end: "start" }),
              },
              endCursor: {
                type: GraphQLString,
                plan: annotate(($page: PageStep) => $page.endCursor(), { kind: "pageCursor", end: "end" }),
              },
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
          plan: annotate(($page: PageStep) => new EdgesStep($page), { kind: "pageEdges" }),
        },
        nodes: {
          type: new GraphQLNonNull(new GraphQLList(nodeType())),
          plan: annotate(($page: PageStep) => $page, { kind: "pageNodes" }),
        },
        pageInfo: {
          type: new GraphQLNonNull(build.getOutputTypeByName("PageInfo")),
          plan: annotate(($page: PageStep) => $page, { kind: "pageInfo" }),
        },
        totalCount: {
          type: new GraphQLNonNull(GraphQLInt),
          plan: annotate(($page: PageStep) => $page.toTotal(), { kind: "pageTotal" }),
        },
      }),
    }),
    "PagePlugin",
  );
  build.registerObjectType(
    nameOf("Edge"),
    {},
    () => ({
      fields: () => ({
        cursor: {
          type: new GraphQLNonNull(GraphQLString),
          plan: annotate(($edge: EdgeStep) => $edge.cursor(), { kind: "edgeCursor" }),
        },
        node: { type: nodeType(), plan: annotate(($edge: EdgeStep) => $edge.node(), { kind: "edgeNode" }) },
      }),
    }),
    "PagePlugin",
  );
}
