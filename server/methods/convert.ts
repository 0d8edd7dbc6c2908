/** What only PostgreSQL can make of a value: GeoJSON in the wanted reference system, and columns that a hint casts. */
import type { ForeignTransaction, TextRow } from "../database.ts";
import { quoteIdentifier } from "../database.ts";
import type { Column } from "./columns.ts";
import { readArray, type Item } from "./literals.ts";
import { baseOf, isGeometry, type Type } from "./types.ts";

/** The rows with these columns converted, in one statement for each column. */
export async function convertRows(
  transaction: ForeignTransaction,
  columns: readonly Column[],
  rows: readonly TextRow[],
  srs: number,
): Promise<readonly TextRow[]> {
  if (!columns.some(({ convert }) => convert)) return rows;
  const converted = rows.map((row) => [...row]);
  for (const [index, { convert, type }] of columns.entries()) {
    if (!convert) continue;
    const texts = rows.map((row) => row[index] ?? null);
    const results =
      convert === "geometry"
        ? await geometries(transaction, type, texts, srs)
        : await cast(transaction, convert.sql, texts);
    for (const [n, text] of results.entries()) converted[n]![index] = text;
  }
  return converted;
}

async function query(transaction: ForeignTransaction, text: string, values: unknown[]): Promise<(string | null)[]> {
  const { rows } = await transaction.query<[string | null]>({ text, values, rowMode: "array" });
  return rows.map(([value]) => value);
}

/** `sql`: the type as PostgreSQL itself wrote its name. */
function cast(transaction: ForeignTransaction, sql: string, texts: (string | null)[]): Promise<(string | null)[]> {
  return query(
    transaction,
    `select t.v::${sql}::pg_catalog.text from pg_catalog.unnest($1::pg_catalog.text[]) with ordinality as t (v, n) order by t.n`,
    [texts],
  );
}

/** GeoJSON of geometries (RFC 7946), of each in an array too; in a composite they stay as they are. */
async function geometries(
  transaction: ForeignTransaction,
  type: Type,
  texts: readonly (string | null)[],
  srs: number,
): Promise<(string | null)[]> {
  const base = baseOf(type);
  if (isGeometry(base)) return geojson(transaction, base, texts, srs);
  const element = base.kind === "a" ? baseOf(base.element!) : undefined;
  if (!element || !isGeometry(element)) return [...texts];
  const lists = texts.map((text) => (text === null ? null : readArray(text, element.delimiter)));
  const flat: (string | null)[] = [];
  const collect = (item: Item): void => void (isList(item) ? item.forEach(collect) : flat.push(item));
  for (const list of lists) if (list) collect(list);
  const converted = await geojson(transaction, element, flat, srs);
  let at = 0;
  // an array whose elements are JSON: PostgreSQL's quotes around each, so that it is read as an array again
  const rebuild = (item: Item): string => {
    if (isList(item)) return `{${item.map(rebuild).join(element.delimiter)}}`;
    const text = converted[at++] ?? null;
    return text === null ? "NULL" : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  };
  return lists.map((list) => list && rebuild(list));
}

function isList(item: Item): item is readonly Item[] {
  return Array.isArray(item);
}

async function geojson(
  transaction: ForeignTransaction,
  { schema, name }: Type,
  texts: readonly (string | null)[],
  srs: number,
): Promise<(string | null)[]> {
  const s = quoteIdentifier(schema);
  const value = `t.v::${s}.${quoteIdentifier(name)}::${s}.geometry`;
  return query(
    transaction,
    `
select ${s}.st_asgeojson(${s}.st_curvetoline(case
  when g.srid operator(pg_catalog.=) 0 or g.srid operator(pg_catalog.=) $2 then g.geom
  else ${s}.st_transform(g.geom, $2) end), 9, 0)
from pg_catalog.unnest($1::pg_catalog.text[]) with ordinality as t (v, n)
  cross join lateral (select ${value} as geom, ${s}.st_srid(${value}) as srid) g
order by t.n`,
    [texts, srs],
  );
}
