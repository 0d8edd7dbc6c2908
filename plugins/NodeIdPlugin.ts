import { TYPES } from "postgraphile/@dataplan/pg";
import { lambda, list, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLInterfaceType, GraphQLObjectType } from "postgraphile/graphql";
import { sql } from "postgraphile/pg-sql2";
import type { Column } from "../server/filter/tree.ts";
import { badInput } from "../server/ground/errors.ts";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { behaves } from "./tables/behaviors.ts";
import { keyText } from "../server/types/keyText.ts";
import { keyToSql } from "./rows/keyText.ts";
import { findRows } from "./rows/listArguments.ts";
import { annotate } from "./rows/fieldMetadata.ts";
import { nodeFieldName, ownTypeName } from "./NamingPlugin.ts";
import { readNodeId, writeNodeId } from "./rows/nodeId.ts";
import {
  allResources,
  databaseNameOf,
  isTableResource,
  type AnyCodec,
  type AnyRecord,
  type TableResource,
} from "./tables/resources.ts";
import { shownKeyOf } from "./tables/shapes.ts";
import { reads } from "./tables/relationAccess.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      NodeIdPlugin: true;
    }
  }
}

interface NodeTable {
  readonly resource: TableResource;
  readonly key: readonly Column[];
}

const tables = new WeakMap<object, ReadonlyMap<string, NodeTable>>();

/** The tables whose rows have a `nodeId`, by the name of their type: those with a key that is shown. */
function nodeTables(build: GraphileBuild.Build): ReadonlyMap<string, NodeTable> {
  const known = tables.get(build.input.pgRegistry);
  if (known) return known;
  const found = new Map<string, NodeTable>();
  for (const resource of allResources(build).filter(isTableResource)) {
    if (!behaves(build, "pgResource", resource, "query:resource:list")) continue;
    if (build.inflection.ownField(resource.codec, "nodeId") !== "nodeId") continue;
    const key = shownKeyOf(build, resource);
    if (key) found.set(build.inflection.tableType(resource.codec), { resource, key });
  }
  tables.set(build.input.pgRegistry, found);
  return found;
}

function nodeTableOf(build: GraphileBuild.Build, scope: object): (NodeTable & { typeName: string }) | undefined {
  const { pgCodec, isPgClassType } = scope as { pgCodec?: AnyCodec; isPgClassType?: boolean };
  if (!isPgClassType || !pgCodec) return undefined;
  const typeName = build.inflection.tableType(pgCodec);
  const table = nodeTables(build).get(typeName);
  return table?.resource.codec === pgCodec ? { ...table, typeName } : undefined;
}

/** The row of a key; none where it does not exist, or the caller may not see it. */
function findRow({ resource, key }: NodeTable, $key: Step<string>): Step {
  const $rows = findRows(resource, undefined, undefined);
  $rows.apply(
    lambda(
      $key,
      (text) => (query: { alias: typeof $rows.alias; where(condition: typeof $rows.alias): void }) =>
        query.where(keyToSql(key, text, query.alias)),
      true,
    ) as never,
  );
  return $rows.single();
}

export const NodeIdPlugin: GraphileConfig.Plugin = {
  name: "NodeIdPlugin",
  description: "`nodeId`, and `node(nodeId)`: Relay's Global Object Identification",
  version: VERSION,
  after: ["PgAttributesPlugin", "RelationsPlugin", "ComputedColumnsPlugin"],

  schema: {
    hooks: {
      init(_, build) {
        const { GraphQLID, GraphQLNonNull } = build.graphql;
        build.registerInterfaceType(
          ownTypeName(build, "Node"),
          {},
          () => ({
            description: "A row of a table that has a key.",
            fields: { nodeId: { type: new GraphQLNonNull(GraphQLID) } },
            planType: ($nodeId: Step) => {
              const $found = lambda($nodeId, (nodeId) => {
                const read = readNodeId(nodeId);
                if (!read || !nodeTables(build).has(read.typeName))
                  return badInput("nodeId: does not belong to this schema");
                return read;
              });
              return {
                $__typename: lambda($found, ({ typeName }) => typeName),
                planForType: (type: GraphQLObjectType) =>
                  findRow(
                    nodeTables(build).get(type.name)!,
                    lambda($found, ({ key }) => key),
                  ),
              };
            },
          }),
          "NodeIdPlugin",
        );
        return _;
      },

      GraphQLObjectType_interfaces(interfaces, build, context) {
        if (!nodeTableOf(build, context.scope)) return interfaces;
        return [...interfaces, build.getTypeByName(ownTypeName(build, "Node")) as GraphQLInterfaceType];
      },

      GraphQLObjectType_fields(fields, build, context) {
        const { GraphQLID, GraphQLNonNull } = build.graphql;
        const table = nodeTableOf(build, context.scope);
        if (table) {
          const { key, typeName } = table;
          const plan = ($row: AnyRecord): Step => {
            const { alias } = $row.getClassStep();
            const $key = list(
              key.map(({ name }) => $row.select(sql`${alias}.${sql.identifier(name)}::text`, TYPES.text, true) as Step),
            ) as Step<readonly (string | null)[]>;
            return lambda(
              $key,
              (values) => (values.includes(null) ? null : writeNodeId(typeName, keyText(values))),
              true,
            );
          };
          const field = () => ({
            type: new GraphQLNonNull(GraphQLID),
            plan: annotate(plan, { kind: "nodeId", typeName, columns: key.map(({ name }) => name) }),
          });
          return build.extend(
            fields,
            { nodeId: context.fieldWithHooks({ fieldName: "nodeId" }, field) },
            "NodeIdPlugin adds nodeId",
          );
        }
        if (!context.scope.isRootQuery || nodeTables(build).size === 0) return fields;
        const extensions = reads((nodeId) => {
          const read = readNodeId(nodeId);
          const name = read && nodeTables(build).get(read.typeName);
          const relation = name && databaseNameOf(name.resource);
          return relation ? [{ ...relation, request: "select" }] : [];
        });
        const field = () => ({
          description: "The row of a nodeId; null where it does not exist, or the caller may not see it.",
          type: build.getOutputTypeByName(ownTypeName(build, "Node")),
          args: { nodeId: { type: new GraphQLNonNull(GraphQLID), extensions } },
          plan: (_$root: Step, fieldArgs: FieldArgs) => fieldArgs.getRaw("nodeId"),
        });
        const fieldName = nodeFieldName(build);
        return build.extend(
          fields,
          { [fieldName]: context.fieldWithHooks({ fieldName }, field) },
          `NodeIdPlugin adds ${fieldName}`,
        );
      },
    },
  },
};
