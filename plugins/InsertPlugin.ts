import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../server/ground/errors.ts";
import { parseFilter } from "../server/filter/parse.ts";
import { filterToSql } from "../server/filter/toSql.ts";
import type { Column } from "../server/filter/tree.ts";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { columnList, columnsOf, insertStatements } from "./writes/insertStatements.ts";
import { insertNested } from "./writes/nestedInsert.ts";
import { insertTable, nestedAccesses, RowTreeReader } from "./writes/nestedRows.ts";
import { primaryKeyOf, byDefault, type TableResource } from "./tables/resources.ts";
import { shapeOf, type TableShape } from "./tables/shapes.ts";
import { filters, reads } from "./tables/relationAccess.ts";
import { writeFields, type WriteField } from "./writes/writeField.ts";
import { returningRows, TARGET } from "./writes/returning.ts";
import type { MakeQueries } from "./writes/WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      InsertPlugin: true;
    }
  }
}

function readColumns(json: unknown, path: string, shape: TableShape): Column[] {
  if (!Array.isArray(json)) return badInput(`${path}: must be a list of column names`);
  const columns = new Set<Column>();
  for (const name of json as unknown[]) {
    const column =
      (typeof name === "string" && shape.column(name)) || badInput(`${path}: unknown column ${JSON.stringify(name)}`);
    if (columns.has(column)) return badInput(`${path}: the column ${JSON.stringify(name)} is given twice`);
    columns.add(column);
  }
  return [...columns];
}

/**
 * Reads `{columns, update, where}`. Default of `columns`: the primary key; of `update`: every given column. An empty
 * `update` changes nothing. `where`: a filter of the existing rows to update.
 */
function readOnConflict(json: unknown, shape: TableShape, key: readonly Column[], given: readonly Column[]): SQL {
  if (json === undefined || json === null) return sql.blank;
  if (typeof json !== "object" || Array.isArray(json)) return badInput("onConflict: must be an object");
  const { columns: rawColumns, update: rawUpdate, where, ...unknown } = json as Record<string, unknown>;
  for (const name of Object.keys(unknown)) return badInput(`onConflict: unknown member ${JSON.stringify(name)}`);
  const columns = rawColumns === undefined ? key : readColumns(rawColumns, "onConflict.columns", shape);
  if (columns.length === 0) return badInput("onConflict.columns: name the columns of a unique constraint");
  const update =
    rawUpdate === undefined
      ? given.filter((column) => !columns.includes(column))
      : readColumns(rawUpdate, "onConflict.update", shape);
  const filter = parseFilter(where, shape, { name: "onConflict.where" });
  if (update.length === 0 && filter) return badInput("onConflict.where: update must name at least one column");
  if (update.length === 0) return sql` on conflict (${columnList(columns)}) do nothing`;
  const set = update.map((column) => sql`${sql.identifier(column.name)} = excluded.${sql.identifier(column.name)}`);
  return sql` on conflict (${columnList(columns)}) do update set ${sql.join(set, ", ")}${filter ? sql` where ${filterToSql(filter, TARGET)}` : sql.blank}`;
}

function makeInsert(build: GraphileBuild.Build, resource: TableResource): MakeQueries {
  const table = insertTable(build, resource);
  const { shape } = table;
  const key = (primaryKeyOf(resource) ?? []).flatMap((column) => shape.column(column) ?? []);
  return ([data, objects, onConflict], returned, run) => {
    const hasData = data !== undefined && data !== null;
    if (hasData === (objects !== undefined && objects !== null)) return badInput("give either data or objects");
    const reader = new RowTreeReader();
    const nodes = hasData
      ? [reader.read(table, data, "data")]
      : (objects as unknown[]).map((object, index) => reader.read(table, object, `objects.${index}`));
    if (nodes.length === 0) return [];
    if (reader.isNested) {
      reader.checkSize(hasData ? "data" : "objects");
      if (onConflict !== undefined && onConflict !== null)
        return badInput("onConflict: cannot be combined with related rows");
      return insertNested(table, nodes, returned, run).then((batches) => ({ batches }));
    }
    const rows = nodes.map(({ row }) => row);
    const conflict = readOnConflict(onConflict, shape, key, columnsOf(rows));
    const places = returned === undefined;
    return insertStatements(resource, shape, rows, { conflict, places }).map(({ statement, place }) =>
      returningRows(resource, statement, { columns: returned, inputOrder: true, place }),
    );
  };
}

export const InsertPlugin: GraphileConfig.Plugin = {
  name: "InsertPlugin",
  description: "`insert<T>`: one row or many",
  version: VERSION,

  schema: {
    entityBehavior: byDefault("insert"),

    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootMutation) return fields;
        const { GraphQLList } = build.graphql;
        const JSONType = build.getInputTypeByName("JSON");
        const field: WriteField = {
          verb: "insert",
          right: "insert",
          description: "Returns the rows in the order of the input.",
          args(resource) {
            const { portolanReads: filterReads } = filters(shapeOf(build, resource));
            const extensions = reads((json) => nestedAccesses(insertTable(build, resource), json));
            return {
              data: {
                type: JSONType,
                description: "One row, with related rows under the names of their relations.",
                extensions,
              },
              objects: {
                type: new GraphQLList(JSONType),
                description: "Several rows. A missing column takes its default.",
                extensions,
              },
              onConflict: {
                type: JSONType,
                description: "`{columns, update, where}`: updates rows that already exist.",
                extensions: reads((json) => filterReads((json as { where?: unknown } | null)?.where)),
              },
            };
          },
          makeQueries: makeInsert,
        };
        return build.extend(fields, writeFields(build, context, field), "InsertPlugin adds insert<T>");
      },
    },
  },
};
