/**
 * Rows as JSON text from PostgreSQL itself, where that equals the text that this process would write: reading it is
 * cheaper.
 */
import { sql } from "postgraphile/pg-sql2";
import { quoteIdentifier, type Field, type NamedStatement } from "../../kernel/database/database.ts";
import type { Column } from "../../formats/column.ts";
import { nameOfPrepared, type Prepared } from "../statement/prepare.ts";
import { hasParts, type ColumnType } from "../../types/columnType.ts";
import { sqlToJson, type SqlToJson } from "../../types/sqlJson.ts";
import { rowOf } from "../../types/table.ts";

const ROW = "portolan row";

const made = new WeakMap<readonly Column[], NamedStatement | null>();

/** The statement with each row as one JSON object, or undefined. `columns`: as `columnsOf` gives them for `fields`. */
export function jsonStatement(
  prepared: Prepared,
  fields: readonly Field[],
  columns: readonly Column[],
): NamedStatement | undefined {
  let statement = made.get(columns);
  if (statement === undefined) made.set(columns, (statement = make(prepared, fields, columns) ?? null));
  return statement ?? undefined;
}

function make(
  { statement, parameterTypes: types }: Prepared,
  fields: readonly Field[],
  columns: readonly Column[],
): NamedStatement | undefined {
  if (statement.writes || fields.length === 0) return undefined;
  const shown: string[] = [];
  for (const [index, { name, type, cast, geometry, formatted }] of columns.entries()) {
    const toJson = jsonOf(type);
    if (!toJson || cast || geometry || formatted || name === ROW) return undefined;
    const { text } = sql.compile(toJson(sql.identifier(`c${index}`), type));
    shown.push(`${text} as ${quoteIdentifier(name)}`);
  }
  const row = quoteIdentifier(ROW);
  const names = fields.map((_field, index) => `c${index}`).join(", ");
  const text = `select pg_catalog.row_to_json(${row}) from (
select ${shown.join(", ")} from (
${statement.body}
) as q (${names})) as ${row}`;
  return { text, name: nameOfPrepared(text, types), types };
}

/** The expression to pass to `row_to_json` for a value; undefined for a type that PostgreSQL's JSON shows differently. */
export function jsonOf(type: ColumnType): SqlToJson | undefined {
  if (type.kind === "array") return jsonOf(type.element!) === sqlToJson.asItIs ? sqlToJson.asItIs : undefined;
  return hasParts(type) ? undefined : rowOf(type).sql.methods;
}
