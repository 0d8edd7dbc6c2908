import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../server/kernel/errors.ts";
import type { Column } from "../server/filter/tree.ts";
import { primaryKeyOf, byDefault, rootTables, type TableResource } from "./resources.ts";
import { makeRowReader, type Row } from "./rowData.ts";
import { shapeOf, type TableShape } from "./shapes.ts";
import { accesses } from "./relationAccess.ts";
import { returningRows, selectWritten, TARGET, WriteStep, type MakeQueries } from "./WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      InsertPlugin: true;
    }
  }
}

/** PostgreSQL takes 65,535 parameters in a statement; a value may need several. */
const MAX_VALUES = 15_000;

function readColumns(json: unknown, path: string, shape: TableShape): Column[] {
  if (!Array.isArray(json)) return badInput(`${path}: must be a list of column names`);
  const columns = new Set<Column>();
  for (const name of json as unknown[]) {
    const column =
      (typeof name === "string" && shape.column(name)) || badInput(`${path}: unknown column ${JSON.stringify(name)}`);
    if (columns.has(column)) return badInput(`${path}: the column ${JSON.stringify(name)} is there twice`);
    columns.add(column);
  }
  return [...columns];
}

function list(columns: readonly Column[]): SQL {
  return sql.join(
    columns.map((column) => sql.identifier(column.name)),
    ", ",
  );
}

/** `{columns, update}`: without `columns` the primary key, without `update` every column given; an empty one changes nothing. */
function readOnConflict(json: unknown, shape: TableShape, key: readonly Column[], given: readonly Column[]): SQL {
  if (json === undefined || json === null) return sql.blank;
  if (typeof json !== "object" || Array.isArray(json)) return badInput("onConflict: must be an object");
  const { columns: rawColumns, update: rawUpdate, ...unknown } = json as Record<string, unknown>;
  for (const name of Object.keys(unknown)) return badInput(`onConflict: unknown member ${JSON.stringify(name)}`);
  const columns = rawColumns === undefined ? key : readColumns(rawColumns, "onConflict.columns", shape);
  if (columns.length === 0) return badInput("onConflict.columns: name the columns of a unique constraint");
  const update =
    rawUpdate === undefined
      ? given.filter((column) => !columns.includes(column))
      : readColumns(rawUpdate, "onConflict.update", shape);
  if (update.length === 0) return sql` on conflict (${list(columns)}) do nothing`;
  const set = update.map((column) => sql`${sql.identifier(column.name)} = excluded.${sql.identifier(column.name)}`);
  return sql` on conflict (${list(columns)}) do update set ${sql.join(set, ", ")}`;
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

function makeInsert(build: GraphileBuild.Build, resource: TableResource): MakeQueries {
  const shape = shapeOf(build, resource);
  const readRow = makeRowReader(build, resource, "insert");
  const key = (primaryKeyOf(resource) ?? []).flatMap((column) => shape.column(column) ?? []);
  return ([data, objects, onConflict], returned) => {
    const hasData = data !== undefined && data !== null;
    if (hasData === (objects !== undefined && objects !== null)) return badInput("give either data or objects");
    const rows: Row[] = hasData
      ? [readRow(data, "data")]
      : (objects as unknown[]).map((object, index) => readRow(object, `objects.${index}`));
    if (rows.length === 0) return [];
    const given = [...new Set(rows.flatMap((row) => [...row.keys()]))];
    const conflict = readOnConflict(onConflict, shape, key, given);
    // `insert … () values ()` is no SQL: rows of nothing but defaults name one column all the same.
    const columns = given.length > 0 ? given : shape.columns.slice(0, 1);
    const size = Math.max(1, Math.floor(MAX_VALUES / columns.length));
    return [...chunks(rows, size)].map((chunk) => {
      const tuples = chunk.map(
        (row) =>
          sql`(${sql.join(
            columns.map((column) => row.get(column) ?? sql`default`),
            ", ",
          )})`,
      );
      const statement = sql`insert into ${resource.from as SQL} as ${TARGET} (${list(columns)}) values ${sql.join(tuples, ", ")}${conflict}`;
      return returningRows(resource, statement, returned, true);
    });
  };
}

export const InsertPlugin: GraphileConfig.Plugin = {
  name: "InsertPlugin",
  description: "`insert<T>`: one row or many",
  version: "0.1.0",

  schema: {
    entityBehavior: byDefault("insert"),

    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootMutation) return fields;
        const { GraphQLList } = build.graphql;
        const JSONType = build.getInputTypeByName("JSON");
        for (const resource of rootTables(build)) {
          if (!build.behavior.pgResourceMatches(resource, "resource:insert")) continue;
          const type = build.getOutputTypeByName(build.inflection.tableType(resource.codec));
          const fieldName = build.inflection.tableField("insert", resource.codec);
          build.extend(
            fields,
            {
              [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, () => {
                const makeQueries = makeInsert(build, resource);
                return {
                  description: "Gives the rows in the order in which they came.",
                  extensions: accesses(resource, "insert"),
                  type: new GraphQLList(type),
                  args: {
                    data: { type: JSONType, description: "One row." },
                    objects: {
                      type: new GraphQLList(JSONType),
                      description: "Several rows; a column that one lacks takes its default.",
                    },
                    onConflict: {
                      type: JSONType,
                      description: "`{columns, update}`: what is there already is updated.",
                    },
                  },
                  plan(_$root, fieldArgs) {
                    const $arguments = ["data", "objects", "onConflict"].map((name) => fieldArgs.getRaw(name));
                    return selectWritten(resource, new WriteStep(resource, makeQueries, $arguments));
                  },
                };
              }),
            },
            `InsertPlugin adds ${fieldName}`,
          );
        }
        return fields;
      },
    },
  },
};
