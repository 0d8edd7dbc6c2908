/** The statements that read features: their JSON is made in PostgreSQL. */
import { sql, type SQL } from "pg-sql2";
import { GatewayError } from "../../server/kernel/errors.ts";
import { comparisonOf } from "../../server/filter/comparison.ts";
import { hasParts } from "../../server/types/columnType.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import { beyond, reversed } from "../../server/filter/keyset.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Filter } from "../../server/filter/tree.ts";
import { keyToSql } from "../../plugins/keyText.ts";
import { bboxCondition } from "../bboxSql.ts";
import { sourceOf, type Collection, type CollectionColumn } from "../collections.ts";
import type { Crs } from "../crs.ts";
import { geometryJson } from "./geometryJson.ts";
import type { Keyset } from "./keyset.ts";
import type { Bbox } from "../parameters/bbox.ts";
import type { Datetime } from "../parameters/datetime.ts";
import { propertyJson } from "./propertyJson.ts";

/** Which features. */
export interface Selection {
  readonly bbox?: Bbox | undefined;
  readonly datetime?: Datetime | undefined;
  readonly properties: ReadonlyMap<string, string>;
  readonly condition?: Filter | undefined;
}

/** Which of them, in the order of the key. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Keyset | undefined;
  readonly before?: Keyset | undefined;
  /** The last ones before `before`, instead of the first ones. */
  readonly last?: boolean;
}

export interface ReadOptions {
  readonly crs: Crs;
  /** A geometry that cannot be shown is NULL and no error. */
  readonly tolerant: boolean;
  /** All geometries are NULL, and none is looked at. */
  readonly skipGeometry?: boolean | undefined;
}

/**
 * Where what stands in a row: GeoJSON of the geometry or null, JSON of the properties, whether there is a geometry that
 * could not be shown (`t` or `f`), how many rows there are (only with `Page.last`), and from `key` on the text of each
 * column of the key.
 */
export const FEATURE_COLUMNS = { geometry: 0, properties: 1, failed: 2, count: 3, key: 4 };

const ROW = sql.identifier(Symbol("row"));
const PROPERTIES = sql.identifier(Symbol("properties"));

const column = ({ name }: CollectionColumn): SQL => sql`${ROW}.${sql.identifier(name)}`;

/** The features of a page. */
export function selectPage(collection: Collection, selection: Selection, page: Page, options: ReadOptions): SQL {
  const { key } = collection;
  const conditions = [
    ...selectionConditions(collection, selection, options),
    ...(page.after ? [beyondKey(key, page.after, "after")] : []),
    ...(page.before ? [beyondKey(key, page.before, "before")] : []),
  ];
  const order = page.last ? sql` desc` : sql``;
  const orders = (key.length > 0 ? key : sortable(collection)).map((each) => sql`${column(each)}${order}`);
  const orderBy = orders.length > 0 ? sql` order by ${sql.join(orders, ", ")}` : sql``;
  const limit = sql` limit ${sql.value(page.limit)}::int8 offset ${sql.value(page.offset)}::int8`;
  const rows = sql`${select(collection, options, page.last ? key.map(column) : [])}${where(conditions)}${orderBy}${limit}`;
  if (!page.last) return rows;
  // read from the end, given from the beginning
  const names = ["geometry", "properties", "failed", "count", ...key.map((_, index) => `key${index}`)];
  const sorts = key.map((_, index) => `sort${index}`);
  const all = [...names, ...sorts].map((name) => sql.identifier(name));
  const shown = names.map((name) =>
    name === "count" ? sql`(pg_catalog.count(*) over ())::int4` : sql`p.${sql.identifier(name)}`,
  );
  return sql`select ${sql.join(shown, ", ")} from (${rows}) p (${sql.join(all, ", ")}) order by ${sql.join(
    sorts.map((name) => sql`p.${sql.identifier(name)}`),
    ", ",
  )}`;
}

/** The feature of a key's text; text that can be no key's finds none. */
export function selectOne(collection: Collection, featureId: string, options: ReadOptions): SQL {
  return sql`${select(collection, options, [])}${where([keyToSql(collection.key, featureId, ROW)])}`;
}

/** How many features there are. */
export function countAll(collection: Collection, selection: Selection, options: Pick<ReadOptions, "tolerant">): SQL {
  return sql`select pg_catalog.count(*)::text as count from ${sourceOf(collection)} ${ROW}${where(
    selectionConditions(collection, selection, options),
  )}`;
}

function select(
  collection: Collection,
  { crs, tolerant, skipGeometry = false }: ReadOptions,
  more: readonly SQL[],
): SQL {
  const { geometry, columns, key } = collection;
  const own = column(geometry);
  const json = skipGeometry
    ? sql`null::text`
    : geometryJson(own, geometry.type, geometry.geometryType, crs, { tolerant });
  const values = columns
    .filter(({ number }) => number !== geometry.number)
    .map((each) => sql`${propertyJson(column(each), each.type, { tolerant })} as ${sql.identifier(each.name)}`);
  // a lateral row keeps the names of its columns, and costs nothing
  const [properties, source] =
    values.length > 0
      ? [
          sql`pg_catalog.row_to_json(${PROPERTIES})::text`,
          sql` cross join lateral (select ${sql.join(values, ", ")}) ${PROPERTIES}`,
        ]
      : [sql`'{}'`, sql``];
  const failed =
    tolerant && !skipGeometry
      ? sql`(${own} is not null and not coalesce(${json} is not null or ${isEmpty(collection)}, true))`
      : sql`false`;
  const shown = [json, properties, failed, sql`null::int4`, ...key.map((each) => sql`${column(each)}::text`), ...more];
  return sql`select ${sql.join(shown, ", ")} from ${sourceOf(collection)} ${ROW}${source}`;
}

function isEmpty({ geometry, postgis }: Collection): SQL {
  const value = geometry.geography
    ? sql`${column(geometry)}::${sql.identifier(postgis, "geometry")}`
    : column(geometry);
  return sql`${sql.identifier(postgis, "st_isempty")}(${value})`;
}

function where(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`` : sql` where ${sql.join([...conditions], " and ")}`;
}

function selectionConditions(
  collection: Collection,
  { bbox, properties, condition }: Selection,
  { tolerant }: Pick<ReadOptions, "tolerant">,
): SQL[] {
  return [
    ...(bbox ? [bboxCondition(collection, bbox, ROW, { tolerant })] : []),
    ...[...properties].map(([name, text]) => equals(collection, name, text)),
    ...(condition ? [filterToSql(condition, ROW)] : []),
  ];
}

/** `name=text` of a filterable column, in the filter language's own terms. Throws `INVALID_PARAMETER`. */
function equals(collection: Collection, name: string, text: string): SQL {
  const shape = {
    schema: collection.schema,
    relation: collection.relation,
    column: (wanted: string) => collection.columns.find((each) => each.name === wanted),
    related: () => undefined,
  };
  try {
    const filter = parseFilter({ [name]: { eq: text } }, shape);
    return filter ? filterToSql(filter, ROW) : sql.true;
  } catch (error) {
    if (error instanceof GatewayError)
      throw new GatewayError("INVALID_PARAMETER", error.message.replace(`where.${name}.eq:`, `${name}:`), {
        cause: error,
      });
    throw error;
  }
}

/** Rows beyond a place in the order of the key. Throws `INVALID_PARAMETER` for a place of another key. */
function beyondKey(key: readonly CollectionColumn[], place: Keyset, side: "after" | "before"): SQL {
  if (place.values.length !== key.length)
    throw new GatewayError("INVALID_PARAMETER", `${side}: is of another collection`);
  const terms = key.map((each) => ({ column: { ...each, notNull: true } }));
  return beyond(side === "after" ? terms : reversed(terms), place, ROW);
}

/** Without a key, the order is that of all columns that have one: what is equal in all of them looks the same anyway. */
function sortable({ columns }: Collection): CollectionColumn[] {
  return columns.filter(({ type }) => !hasParts(type) && !type.operators && comparisonOf(type).isOrdered);
}
