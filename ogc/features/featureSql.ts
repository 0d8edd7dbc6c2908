/** The statements that read features: their JSON is made in PostgreSQL. */
import { sql, type SQL } from "pg-sql2";
import { GatewayError } from "../../server/kernel/errors.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import { beyond, reversed, type KeysetTerm } from "../../server/filter/keyset.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Filter } from "../../server/filter/tree.ts";
import { keyToSql } from "../../plugins/keyText.ts";
import { rowVersion, type VersionRights } from "../../plugins/rowVersion.ts";
import { bboxCondition } from "../bboxSql.ts";
import { sourceOf, type Collection, type CollectionColumn } from "../collections.ts";
import type { Crs } from "../crs.ts";
import { geometryJson } from "./geometryJson.ts";
import type { Keyset } from "./keyset.ts";
import type { Bbox } from "../parameters/bbox.ts";
import type { Datetime } from "../parameters/datetime.ts";
import { propertyJson } from "./propertyJson.ts";
import { orderName, sortableColumns } from "./sorting.ts";

/** Which features. */
export interface Selection {
  readonly bbox?: Bbox | undefined;
  readonly datetime?: Datetime | undefined;
  /** `name=value` of columns. */
  readonly equalities: ReadonlyMap<string, string>;
  readonly condition?: Filter | undefined;
}

/** Which of them. */
export interface Page {
  /** What they are sorted by before the key. */
  readonly order: readonly KeysetTerm[];
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
  /** What features are given with. Default: all but the geometry. */
  readonly given?: readonly CollectionColumn[];
  /** All geometries are NULL, and none is looked at. */
  readonly skipGeometry?: boolean | undefined;
}

/**
 * Where what stands in a row: GeoJSON of the geometry or null, JSON of the properties, whether there is a geometry that
 * could not be shown (`t` or `f`), how many rows there are (only with `Page.last`) or the version of the row (only of one
 * feature), and from `place` on the text of each column of the order and of the key.
 */
export const FEATURE_COLUMNS = { geometry: 0, properties: 1, failed: 2, count: 3, version: 3, place: 4 };

const ROW = sql.identifier(Symbol("row"));
const PROPERTIES = sql.identifier(Symbol("properties"));

const column = ({ name }: Pick<CollectionColumn, "name">): SQL => sql`${ROW}.${sql.identifier(name)}`;

/** The features of a page. */
export function selectPage(collection: Collection, selection: Selection, page: Page, options: ReadOptions): SQL {
  const { key } = collection;
  const all = [...page.order, ...(key.length > 0 ? key : sortableColumns(collection)).map(byKey)];
  const conditions = [
    ...selectionConditions(collection, selection, options),
    ...(page.after ? [beyondPlace(collection, page, page.after, "after")] : []),
    ...(page.before ? [beyondPlace(collection, page, page.before, "before")] : []),
  ];
  const orders = (page.last ? reversed(all) : all).map((term) => ordered(column(term.column), term));
  const orderBy = orders.length > 0 ? sql` order by ${sql.join(orders, ", ")}` : sql``;
  const limit = sql` limit ${sql.value(page.limit)}::int8 offset ${sql.value(page.offset)}::int8`;
  const place = key.length > 0 ? all : [];
  const more = [
    ...place.map((term) => sql`${column(term.column)}::text`),
    ...(page.last ? all.map((term) => column(term.column)) : []),
  ];
  const picked = sql`${where(conditions)}${orderBy}${limit}`;
  const rows =
    page.offset > 0
      ? sql`${select(collection, options, more, { rows: pickedFirst(collection, options, all, picked) })}${orderBy}`
      : sql`${select(collection, options, more)}${picked}`;
  if (!page.last) return rows;
  // read from the end, given from the beginning
  const names = ["geometry", "properties", "failed", "count", ...place.map((_, index) => `place${index}`)];
  const sorts = all.map((_, index) => `sort${index}`);
  const shown = names.map((name) =>
    name === "count" ? sql`(pg_catalog.count(*) over ())::int4` : sql`p.${sql.identifier(name)}`,
  );
  return sql`select ${sql.join(shown, ", ")} from (${rows}) p (${sql.join(
    [...names, ...sorts].map((name) => sql.identifier(name)),
    ", ",
  )}) order by ${sql.join(
    all.map((term, index) => ordered(sql`p.${sql.identifier(sorts[index]!)}`, term)),
    ", ",
  )}`;
}

/** The rows of a page with the columns that it needs: rows that an offset skips are not made into features. */
function pickedFirst(
  collection: Collection,
  { given = collection.columns }: ReadOptions,
  order: readonly KeysetTerm[],
  picked: SQL,
): SQL {
  const needed = new Set([collection.geometry, ...given, ...order.map((term) => term.column)].map(({ name }) => name));
  const columns = [...needed].map((name) => column({ name }));
  return sql`(select ${sql.join(columns, ", ")} from ${sourceOf(collection)} ${ROW}${picked})`;
}

/** The key's columns are never null. */
const byKey = (each: CollectionColumn): KeysetTerm => ({ column: { ...each, notNull: true } });

function ordered(value: SQL, { direction, nulls }: KeysetTerm): SQL {
  const side = nulls === undefined ? sql`` : nulls === "FIRST" ? sql` nulls first` : sql` nulls last`;
  return sql`${value}${direction === "DESC" ? sql` desc` : sql``}${side}`;
}

/** The feature of a key's text; text that can be no key's finds none. */
export function selectOne(collection: Collection, featureId: string, options: ReadOptions): SQL {
  const key = collection.key.map((each) => sql`${column(each)}::text`);
  const version = rowVersion(versionRights(collection), ROW);
  return sql`${select(collection, options, key, { version })}${where([keyToSql(collection.key, featureId, ROW)])}`;
}

/** What the versions of rows are made of: as GraphQL's `_version`. What once was is not told from another by where it stands. */
export function versionRights({ columns, kind, isNarrow = false, instant }: Collection): VersionRights {
  const whole = "rpm".includes(kind) && !isNarrow && instant === undefined;
  return { whole, columns: columns.map(({ name }) => name) };
}

/** How many features there are. */
export function countAll(collection: Collection, selection: Selection, options: Pick<ReadOptions, "tolerant">): SQL {
  return sql`select pg_catalog.count(*)::text as count from ${sourceOf(collection)} ${ROW}${where(
    selectionConditions(collection, selection, options),
  )}`;
}

function select(
  collection: Collection,
  { crs, tolerant, given, skipGeometry = false }: ReadOptions,
  more: readonly SQL[],
  { rows = sourceOf(collection), version = sql`null::int4` }: { readonly rows?: SQL; readonly version?: SQL } = {},
): SQL {
  const { geometry, columns } = collection;
  const own = column(geometry);
  const json = skipGeometry
    ? sql`null::text`
    : geometryJson(own, geometry.type, geometry.geometryType, crs, { tolerant });
  const values = (given ?? columns.filter(({ number }) => number !== geometry.number)).map(
    (each) => sql`${propertyJson(column(each), each.type, { tolerant })} as ${sql.identifier(each.name)}`,
  );
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
  const shown = [json, properties, failed, version, ...more];
  return sql`select ${sql.join(shown, ", ")} from ${rows} ${ROW}${source}`;
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
  { bbox, equalities, condition }: Selection,
  { tolerant }: Pick<ReadOptions, "tolerant">,
): SQL[] {
  return [
    ...(bbox ? [bboxCondition(collection, bbox, ROW, { tolerant })] : []),
    ...[...equalities].map(([name, text]) => equals(collection, name, text)),
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

/** Rows beyond a place in the order of a page. Throws `INVALID_PARAMETER` for a place of another one. */
function beyondPlace({ key }: Collection, { order }: Page, place: Keyset, side: "after" | "before"): SQL {
  const terms = [...order, ...key.map(byKey)];
  const keyValues = place.values.slice(order.length);
  if (place.values.length !== terms.length || place.order !== orderName(order) || keyValues.includes(null))
    throw new GatewayError("INVALID_PARAMETER", `${side}: is of another collection or order`);
  return beyond(side === "after" ? terms : reversed(terms), place, ROW);
}
