/** The text that identifies a row by its key. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../../server/ground/errors.ts";
import type { Column } from "../../server/filter/tree.ts";
import { typeName } from "../../server/filter/sqlTypes.ts";
import { convertedToSql, convertValue, type Converted } from "../../server/filter/values.ts";
import { rowOf } from "../../server/types/table.ts";

/** Whether the text can be a value of the column's type, as far as that is known without PostgreSQL. */
function canBe({ type }: Column, text: string): boolean {
  return !text.includes("\0") && (rowOf(type).canBe?.(text) ?? true);
}

/**
 * The texts of a key's values. The key of one column is its text; those of several are percent-encoded and joined by
 * commas. Undefined for a text that cannot be a key.
 */
function splitKey(columns: readonly Column[], text: string): string[] | undefined {
  if (columns.length === 1) return [text];
  const parts = text.split(",");
  if (parts.length !== columns.length) return undefined;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** The text of each value of a key; undefined for a text that cannot be a key. */
export function keyValues(columns: readonly Column[], text: string): readonly string[] | undefined {
  const values = splitKey(columns, text);
  return values && columns.every((column, index) => canBe(column, values[index]!)) ? values : undefined;
}

/** The values of a key, converted to the types of the columns. */
function valuesOf(columns: readonly Column[], text: string): Converted[] | undefined {
  const values = keyValues(columns, text);
  return values && columns.map(({ type }, index) => convertValue(values[index], type, "id"));
}

/**
 * The condition that a row of `alias` has the key `text`. A text that cannot be a key gives a condition that no row meets, and
 * which PostgreSQL tests once, before it reads the table (One-Time Filter). Citus 13.2 fails with system columns beside a
 * plain `false`. Throws `BAD_USER_INPUT` for a table without a primary key.
 */
export function keyToSql(columns: readonly Column[] | undefined, text: string, alias: SQL): SQL {
  if (!columns || columns.length === 0) return badInput("id: the table has no primary key");
  const values = valuesOf(columns, text);
  if (!values) return sql`pg_catalog.now() operator(pg_catalog.<) '-infinity'`;
  return isKey(
    columns,
    columns.map(({ type }, index) => convertedToSql(values[index]!, type)),
    alias,
  );
}

/**
 * PostgreSQL's texts of the values of a key, for `keyOfPlaces`. Undefined where `keyToSql` is needed. Throws
 * `BAD_USER_INPUT`.
 */
export function keyTexts(columns: readonly Column[], text: string): string[] | undefined {
  const values = valuesOf(columns, text);
  return values?.every((value) => typeof value === "string") ? values : undefined;
}

/** The condition that a row of `alias` has the key whose texts are in `places`. The SQL is the same for every key. */
export function keyOfPlaces(columns: readonly Column[], places: readonly SQL[], alias: SQL): SQL {
  return isKey(
    columns,
    columns.map(({ type }, index) => sql`${places[index]!}::${typeName(type)}`),
    alias,
  );
}

function isKey(columns: readonly Column[], values: readonly SQL[], alias: SQL): SQL {
  return sql.join(
    columns.map(({ name }, index) => sql`${alias}.${sql.identifier(name)} = ${values[index]!}`),
    " and ",
  );
}
