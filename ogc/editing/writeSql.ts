/** The statements that write features, with the names of the columns. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { keyToSql, keyValues } from "../../plugins/rows/keyText.ts";
import { baseOf, isDocument } from "../../server/types/columnType.ts";
import { isObject } from "../../server/types/json.ts";
import { arrayLiteral } from "../../server/types/literals.ts";
import { sourceOf, type Collection, type CollectionColumn } from "../collections/collections.ts";
import type { Crs } from "../crs/crs.ts";
import type { Change } from "./featureBody.ts";
import { columnSql, crsOf } from "./values.ts";

/** The row that is written. */
export const TARGET = sql.identifier(Symbol("target"));

const name = (column: Pick<CollectionColumn, "name">): SQL => sql.identifier(column.name);

function returningKey({ key }: Collection): SQL {
  return sql` returning ${sql.join(
    key.map((column) => sql`${TARGET}.${name(column)}::text`),
    ", ",
  )}`;
}

/** Rows that give values for the same columns, as texts. */
export interface Rows {
  readonly columns: readonly CollectionColumn[];
  /** The texts by column. */
  readonly texts: readonly (string | null)[][];
  /** Places of the rows in the body. */
  readonly places: number[];
}

/** The values to write. */
export interface Attempted {
  readonly collection: Collection;
  readonly crs: Crs;
  readonly rows: readonly Rows[];
  /** Whether the body was a list. Errors name the feature then. */
  readonly isList: boolean;
}

/**
 * Groups rows by the columns that they have, since a column that a row lacks takes its default. `prepare` receives each
 * row first.
 */
export function groupRows(changes: Iterable<Change>, prepare?: (change: Change) => void): readonly Rows[] {
  const groups = new Map<string, Rows>();
  let place = 0;
  for (const change of changes) {
    prepare?.(change);
    const { texts } = change;
    let key = "";
    for (const { number } of texts.keys()) key += `${number} `;
    let rows = groups.get(key);
    if (!rows) groups.set(key, (rows = { columns: [...texts.keys()], texts: [...texts].map(() => []), places: [] }));
    let at = 0;
    for (const text of texts.values()) rows.texts[at++]!.push(text);
    rows.places.push(place++);
  }
  return [...groups.values()];
}

/**
 * The statements that insert the rows, in their order. Each returns the keys of its rows as text, and has one parameter
 * for each column.
 */
export function insertRows(collection: Collection, { columns, texts, places }: Rows, crs: Crs): readonly SQL[] {
  const target = sql`insert into ${sourceOf(collection)} as ${TARGET}`;
  if (columns.length === 0) return places.map(() => sql`${target} default values${returningKey(collection)}`);
  const rows = sql.identifier(Symbol("rows"));
  const own = columns.map((column) => sql.identifier(Symbol(column.name)));
  const arrays = texts.map((each) => sql`pg_catalog.unnest(${sql.value(arrayLiteral(each))}::pg_catalog.text[])`);
  const values = columns.map((column, index) =>
    columnSql(column, sql`${rows}.${own[index]!}`, crsOf(column, collection, crs)),
  );
  return [
    sql`${target} (${sql.join(columns.map(name), ", ")}) select ${sql.join(values, ", ")} from rows from (${sql.join(
      arrays,
      ", ",
    )}) ${rows} (${sql.join(own, ", ")})${returningKey(collection)}`,
  ];
}

/** The new value of each given column; `undefined` stands for its default. */
export type Assignments = ReadonlyMap<CollectionColumn, SQL | undefined>;

/** The value that a body gives to a column, as SQL. */
export function valueSql(collection: Collection, column: CollectionColumn, text: string | null, crs: Crs): SQL {
  return columnSql(column, sql`${sql.value(text)}::pg_catalog.text`, crsOf(column, collection, crs));
}

/** The value of a merge patch, as SQL: an object in a json column is merged with the present value (RFC 7396). */
export function mergedSql(collection: Collection, column: CollectionColumn, { texts, json }: Change, crs: Crs): SQL {
  const value = valueSql(collection, column, texts.get(column) ?? null, crs);
  const base = baseOf(column.type);
  if (!isDocument(column.type) || !isObject(json(column))) return value;
  const own = sql`${TARGET}.${name(column)}::pg_catalog.jsonb`;
  return sql`portolan.merge_patch(${own}, ${value}::pg_catalog.jsonb)::${sql.identifier(base.schema, base.name)}`;
}

/** Updates a row. Returns its key as text, or no row where the condition does not hold. */
export function updateRow(
  collection: Collection,
  featureId: string,
  assignments: Assignments,
  condition: SQL | undefined,
): SQL {
  return updateRows(collection, assignments, rowOf(collection, featureId, condition));
}

/** Updates all rows for which a condition on `TARGET` holds. */
export function updateRows(collection: Collection, assignments: Assignments, condition: SQL): SQL {
  const set = [...assignments].map(([column, value]) => sql`${name(column)} = ${value ?? sql`default`}`);
  return sql`update ${sourceOf(collection)} as ${TARGET} set ${sql.join(set, ", ")} where ${condition}${returningKey(collection)}`;
}

/** Deletes a row. Returns the same as `updateRow`. */
export function deleteRow(collection: Collection, featureId: string, condition: SQL | undefined): SQL {
  return deleteRows(collection, rowOf(collection, featureId, condition));
}

/** Deletes all rows for which a condition on `TARGET` holds. */
export function deleteRows(collection: Collection, condition: SQL): SQL {
  return sql`delete from ${sourceOf(collection)} as ${TARGET} where ${condition}${returningKey(collection)}`;
}

/** The condition that `TARGET` is none of these features, which exist. */
export function noneOf({ key }: Collection, featureIds: readonly string[]): SQL {
  if (featureIds.length === 0) return sql.true;
  const keys = featureIds.map((id) => keyValues(key, id) ?? []);
  const others = sql.identifier(Symbol("others"));
  const places = key.map((column) => sql.identifier(Symbol(column.name)));
  const lists = key.map(
    (_, index) =>
      sql`pg_catalog.unnest(${sql.value(arrayLiteral(keys.map((values) => values[index] ?? null)))}::pg_catalog.text[])`,
  );
  const same = key.map(
    (column, index) => sql`${TARGET}.${name(column)}::pg_catalog.text = ${others}.${places[index]!}`,
  );
  return sql`not exists (select from rows from (${sql.join(lists, ", ")}) ${others} (${sql.join(places, ", ")}) where ${sql.join(same, " and ")})`;
}

/**
 * Counts the rows for which a condition on `TARGET` holds, and those of them for which a further condition holds.
 * `keeps`: whether each of the columns has these values in all of them.
 */
export function countRows(
  collection: Collection,
  condition: SQL,
  further: SQL | undefined,
  values: readonly (readonly [CollectionColumn, SQL])[],
): SQL {
  const keeps = values.map(
    ([column, value]) =>
      sql`coalesce(pg_catalog.bool_and(${TARGET}.${name(column)} is not distinct from ${value}), true)`,
  );
  return sql`select pg_catalog.count(*)::int4 as seen, pg_catalog.count(*) filter (where ${further ?? sql.true})::int4 as met, array[${
    keeps.length > 0 ? sql.join(keeps, ", ") : sql.blank
  }]::boolean[] as keeps from ${sourceOf(collection)} as ${TARGET} where ${condition}`;
}

function rowOf({ key }: Collection, featureId: string, condition: SQL | undefined): SQL {
  const isIt = keyToSql(key, featureId, TARGET);
  return condition ? sql`${isIt} and ${condition}` : isIt;
}

/** Whether the caller sees the row of a feature, whether `condition` holds, and whether its key has these values. */
export function findRow(
  collection: Collection,
  featureId: string,
  condition: SQL | undefined,
  keyValues: readonly (readonly [CollectionColumn, SQL])[] = [],
): SQL {
  const isSame = keyValues.map(([column, value]) => sql`${TARGET}.${name(column)} is not distinct from ${value}`);
  return sql`select ${condition ?? sql`true`} as holds, ${
    isSame.length > 0 ? sql.join(isSame, " and ") : sql`true`
  } as "keepsKey" from ${sourceOf(collection)} as ${TARGET} where ${rowOf(collection, featureId, undefined)}`;
}
