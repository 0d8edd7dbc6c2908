/** Conversions that only PostgreSQL can make: GeoJSON in the wanted reference system, and columns that a hint casts. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { TextRow, Transaction } from "../../kernel/database/database.ts";
import { GatewayError, mayBeOfValue, sqlstateOf } from "../../ground/errors.ts";
import { geometryColumn, type Column } from "../../formats/column.ts";
import { geojsonOf, wkbOf } from "../../formats/geometry.ts";
import type { GeometryForm } from "../../formats/writer.ts";
import { baseOf, holdsGeometry, type ColumnType } from "../../types/columnType.ts";
import { arrayLiteral, compositeLiteral, readArray, readComposite, type ArrayItem } from "../../types/literals.ts";
import { delimiterOf } from "../../types/table.ts";

type Queries = Pick<Transaction, "query">;

/** Whether rows with such columns have something to convert. */
export const isConverted = (columns: readonly Column[]): boolean =>
  columns.some(({ cast, geometry }) => cast ?? geometry);

export interface ConvertOptions {
  /** EPSG code of geometries. */
  readonly srs: number;
  /** The form of the first geometry column. Default GeoJSON. */
  readonly form?: GeometryForm | undefined;
}

/** The rows with these columns converted, in one statement for each column. */
export async function convertRows(
  transaction: Queries,
  columns: readonly Column[],
  rows: readonly TextRow[],
  { srs, form }: ConvertOptions,
): Promise<readonly TextRow[]> {
  if (!isConverted(columns)) return rows;
  const binary = form && geometryColumn(columns);
  const converted = rows.map((row) => [...row]);
  for (const [index, column] of columns.entries()) {
    if (!column.cast && !column.geometry) continue;
    const texts = rows.map((row) => row[index] ?? null);
    const results = await convertColumn(transaction, column, texts, { srs, form: index === binary ? form : undefined });
    for (const [n, text] of results.entries()) converted[n]![index] = text;
  }
  return converted;
}

async function convertColumn(
  transaction: Queries,
  { name, type, cast: hint, geometry }: Column,
  texts: readonly (string | null)[],
  { srs, form }: ConvertOptions,
): Promise<readonly (string | null)[]> {
  const values = hint
    ? await cast(transaction, hint.sql, texts).catch((error: unknown) => {
        throw notOfHint(error, name);
      })
    : texts;
  if (geometry && form) return inForm(transaction, type, values, { srs, form });
  return geometry ? geometries(transaction, type, values, srs) : values;
}

async function query(transaction: Queries, text: string, values: readonly unknown[]): Promise<(string | null)[]> {
  const { rows } = await transaction.query<[string | null]>({ text, values, rowMode: "array" });
  return rows.map(([value]) => value);
}

/** `typeName`: as PostgreSQL itself wrote it. */
function cast(transaction: Queries, typeName: string, texts: readonly (string | null)[]): Promise<(string | null)[]> {
  return query(
    transaction,
    `select t.v::${typeName}::pg_catalog.text from pg_catalog.unnest($1::pg_catalog.text[]) with ordinality as t (v, n) order by t.n`,
    [texts],
  );
}

/** Texts of one type with GeoJSON (RFC 7946) for each geometry, in arrays and composites too. */
async function geometries(
  transaction: Queries,
  type: ColumnType,
  texts: readonly (string | null)[],
  srs: number,
): Promise<(string | null)[]> {
  const found = new Map<ColumnType, string[]>();
  for (const text of texts)
    if (text !== null)
      replace(type, text, (geometry, value) => {
        const list = found.get(geometry);
        if (list) list.push(value);
        else found.set(geometry, [value]);
        return value;
      });
  const converted = new Map<ColumnType, Iterator<string | null>>();
  for (const [geometry, values] of found)
    converted.set(geometry, (await geojson(transaction, geometry, values, srs)).values());
  return texts.map((text) =>
    text === null ? null : replace(type, text, (geometry) => converted.get(geometry)!.next().value as string | null),
  );
}

/** PostgreSQL's text of a value, each geometry in it replaced, in order; null where `by` gives it for the whole. */
function replace(
  type: ColumnType,
  text: string,
  by: (geometry: ColumnType, value: string) => string | null,
): string | null {
  if (!holdsGeometry(type)) return text;
  if (type.kind === "geometry") return by(type, text);
  if (type.kind === "composite") {
    const values = readComposite(text).map((value, index) => {
      const attribute = type.attributes?.[index];
      return value === null || !attribute ? value : replace(attribute.type, value, by);
    });
    return compositeLiteral(values);
  }
  const element = type.element!;
  const delimiter = delimiterOf(element);
  const item = (each: ArrayItem): ArrayItem => {
    if (each === null) return null;
    return typeof each === "string" ? replace(element, each, by) : each.map(item);
  };
  return arrayLiteral(readArray(text, delimiter).map(item), delimiter);
}

/** The error for a reference system that the database does not have. */
export function noReferenceSystem(srs: number, cause?: unknown): GatewayError {
  return new GatewayError("INVALID_PARAMS", `srs: there is no reference system ${srs}`, { cause });
}

/** A value that does not fit the type in its column's hint, or a type without a cast to it. */
function notOfHint(error: unknown, column: string): unknown {
  const sqlstate = sqlstateOf(error);
  if (!sqlstate?.startsWith("23") && !mayBeOfValue(error)) return error; // 23: the constraint of a domain
  const message = `type_hints: ${column}: ${(error as Error).message}`;
  return new GatewayError("INVALID_PARAMS", message, { sqlstate, cause: error, members: { parameter: column } });
}

const FORMS = {
  geojson: geojsonOf,
  straight: (value: SQL, type: ColumnType, srs: number) => wkbOf(value, type, { srs }),
  exact: (value: SQL, type: ColumnType, srs: number) => wkbOf(value, type, { srs, isExact: true }),
};

function geojson(
  transaction: Queries,
  type: ColumnType,
  texts: readonly (string | null)[],
  srs: number,
): Promise<(string | null)[]> {
  return inForm(transaction, type, texts, { srs, form: "geojson" });
}

async function inForm(
  transaction: Queries,
  type: ColumnType,
  texts: readonly (string | null)[],
  { srs, form }: { readonly srs: number; readonly form: keyof typeof FORMS },
): Promise<(string | null)[]> {
  const { schema, name } = baseOf(type);
  const value = sql`t.v::${sql.identifier(schema, name)}`;
  const { text, values } = sql.compile(sql`
select ${FORMS[form](value, type, srs)}${form === "geojson" ? sql.blank : sql`::pg_catalog.text`}
from pg_catalog.unnest(${sql.value(texts)}::pg_catalog.text[]) with ordinality as t (v, n)
order by t.n`);
  return query(transaction, text, values).catch((error: unknown) => {
    throw (error as Error).message.includes(`Cannot find SRID (${srs})`) ? noReferenceSystem(srs, error) : error;
  });
}
