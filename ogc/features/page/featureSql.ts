/** The statements that read features. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { RowStatement } from "../../../server/kernel/database/database.ts";
import { GatewayError } from "../../../server/ground/errors.ts";
import { parseFilter } from "../../../server/filter/parse.ts";
import { ordered, reversed, type KeysetTerm } from "../../../server/filter/keyset.ts";
import { filterToSql } from "../../../server/filter/toSql.ts";
import type { Filter } from "../../../server/filter/tree.ts";
import { keyOfPlaces, keyTexts, keyToSql } from "../../../plugins/rows/keyText.ts";
import { rowVersion, type VersionRights } from "../../../plugins/writes/rowVersion.ts";
import { bboxCondition, plainBox, plainBoxCondition } from "../bboxSql.ts";
import {
  isSpatial,
  sourceOf,
  type Collection,
  type CollectionColumn,
  type SpatialCollection,
  type SpatialColumn,
} from "../../collections/collections.ts";
import { FEATURE_COLUMNS, type FeatureEncoding } from "../encoding.ts";
import type { Bbox } from "../../exchange/parameters/bbox.ts";
import type { Datetime } from "../../exchange/parameters/datetime.ts";
import { orderTerms, placeConditions, type Page } from "./pagePlace.ts";
import { shaped } from "./prepared.ts";
import { orderName } from "./sorting.ts";

/** The choice of features. */
export interface Selection {
  readonly bbox?: Bbox | undefined;
  readonly datetime?: Datetime | undefined;
  /** `name=value` of columns. */
  readonly equalities: ReadonlyMap<string, string>;
  readonly condition?: Filter | undefined;
}

/** The features that a request asks for. */
export interface Asked {
  readonly selection: Selection;
  readonly page: Page;
}

export interface ReadOptions {
  readonly encoding: FeatureEncoding;
  /** Gives NULL for a geometry that cannot be shown, instead of an error. */
  readonly tolerant: boolean;
  /** Leaves out rows that a filter cannot judge, without an error, because a part of the answer has been sent. */
  readonly lenient?: boolean | undefined;
  /** Gives NULL for all geometries, without reading them. */
  readonly skipGeometry?: boolean | undefined;
}

const ROW = sql.identifier(Symbol("row"));

const column = ({ name }: Pick<CollectionColumn, "name">): SQL => sql`${ROW}.${sql.identifier(name)}`;

/** An encoding of only the places of features. */
const PLACES: FeatureEncoding = {
  columns: [],
  size: 0,
  separator: "",
  geometry: () => sql`null::text`,
  values: () => ({ values: [] }),
  write: () => true,
};

/** The names of the columns of `selectPage`, in order. */
function namesOf({ key }: Collection, { order }: Page, { size }: FeatureEncoding): string[] {
  const places = key.length > 0 ? order.length + key.length : 0;
  return [
    ...Object.keys(FEATURE_COLUMNS).slice(0, FEATURE_COLUMNS.values),
    ...Array.from({ length: size }, (_, index) => `value${index}`),
    ...Array.from({ length: places }, (_, index) => `place${index}`),
  ];
}

const identifiers = (names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    ", ",
  );

/** The number of rows of a page, including one more, and the place of the last feature that belongs to it. */
export function selectEnd(
  collection: Collection,
  selection: Selection,
  page: Page,
  tolerance: Pick<ReadOptions, "tolerant" | "lenient">,
): SQL {
  const options = { encoding: PLACES, ...tolerance, skipGeometry: true };
  const rows = selectPage(collection, selection, { ...page, limit: page.limit + 1 }, options);
  const names = namesOf(collection, page, PLACES);
  const places = names.slice(FEATURE_COLUMNS.values).map((name) => sql`, ${sql.identifier(name)}`);
  const last = page.last ? sql`rows` : sql`least(rows, ${sql.value(page.limit)}::int8)`;
  // the rows of a subquery are numbered in its order
  return sql`select rows::text${sql.join(places, "")}
    from (select *, pg_catalog.row_number() over () as number, pg_catalog.count(*) over () as rows
      from (${rows}) p (${identifiers(names)})) p
    where number = ${last}`;
}

/** Whether geometries of a page have heights (`z`) and measures (`m`). */
export function selectDimensions(collection: SpatialCollection, selection: Selection, page: Page): SQL {
  const { geometry, postgis } = collection;
  const flag = (value: SQL): SQL =>
    sql`${sql.identifier(postgis, "st_zmflag")}(${value}::${sql.identifier(postgis, "geometry")})`;
  return sql`select coalesce(pg_catalog.bool_or(value0 in (2, 3)), false) as z, coalesce(pg_catalog.bool_or(value0 in (1, 3)), false) as m
    from ${geometriesOfPage(collection, geometry, { selection, page }, flag)}`;
}

/** The geometries of a page, unchanged, in a column `value0` of `p`. */
export function selectGeometries(collection: Collection, selection: Selection, page: Page): SQL {
  const { geometry } = collection;
  if (!geometry) throw new Error("the collection has no geometry");
  return geometriesOfPage(collection, geometry, { selection, page }, (value) => value);
}

function geometriesOfPage(
  collection: Collection,
  geometry: SpatialColumn,
  { selection, page }: Asked,
  show: (value: SQL) => SQL,
): SQL {
  const shown: FeatureEncoding = {
    ...PLACES,
    columns: [geometry],
    size: 1,
    values: (source) => ({ values: [show(source.column(geometry))] }),
  };
  const rows = selectPage(collection, selection, page, { encoding: shown, tolerant: true, skipGeometry: true });
  return sql`(${rows}) p (${identifiers(namesOf(collection, page, shown))})`;
}

/** The features of a page. */
function selectPage(collection: Collection, selection: Selection, page: Page, options: ReadOptions): SQL {
  const conditions = pageConditions(collection, selection, page, options);
  return pageOf(collection, page, options, {
    where: where(conditions),
    count: sql.value(page.limit),
    skipped: sql.value(page.offset),
  });
}

/**
 * Up to this many features, the limit is part of the text. As a parameter it would make PostgreSQL plan each page again.
 */
const FEW_OF_PAGE = 101;

const isFewOf = ({ offset, limit }: Page): boolean => offset === 0 && limit <= FEW_OF_PAGE;

/** The features of a page, as a statement that is kept. */
export function pageStatement(
  collection: Collection,
  selection: Selection,
  page: Page,
  options: ReadOptions,
): RowStatement {
  const { order, last, limit, offset } = page;
  const { bbox, condition, equalities } = selection;
  const isFew = isFewOf(page);
  const statement = shaped(collection, {
    shape: shapeOf(`page ${orderName(order)} ${last} ${isFew ? limit : offset > 0}`, options),
    conditions: pageConditions(collection, selection, page, options),
    values: isFew ? [] : [limit, offset],
    prepares: !(bbox || condition || equalities.size > 0),
    build: (where, places) => {
      const [count, skipped] = isFew ? [sql.literal(limit), sql.literal(0)] : places;
      return pageOf(collection, page, options, { where, count: count!, skipped: skipped! });
    },
  });
  return { ...statement, isBinary: binaryOf(options.encoding, namesOf(collection, page, options.encoding).length) };
}

/** For each of these columns, whether it comes in binary form; undefined if none does. */
function binaryOf({ hasBinaryGeometry = false }: FeatureEncoding, columns: number): readonly boolean[] | undefined {
  if (!hasBinaryGeometry) return undefined;
  return Array.from({ length: columns }, (_, index) => index === FEATURE_COLUMNS.geometry);
}

/** Up to this many features in a box are counted. */
const FEW = 1000;

/**
 * The first page of the features in a box that has few of them, with their number in its rows. In a box with more, the
 * number is
 * `TOO_MANY`, and the rows are arbitrary. Because the count stops there, one plan serves any box.
 */
export function fewStatement(
  collection: Collection,
  selection: Selection,
  page: Page,
  options: ReadOptions,
): RowStatement {
  const { order, limit } = page;
  const plain = isSpatial(collection) ? collection : undefined;
  const box = plain && selection.bbox && plainBox(plain, selection.bbox);
  return shaped(collection, {
    shape: shapeOf(`few ${orderName(order)} ${box !== undefined}`, options),
    conditions: box === undefined ? selectionConditions(collection, selection, options) : [],
    values: box === undefined ? [limit] : [limit, box],
    prepares: true,
    build: (otherwise, [most, text]) => {
      const where = plain && text ? sql` where ${plainBoxCondition(plain, text, ROW, options)}` : otherwise;
      const terms = orderTerms(collection, page);
      const few = sql.identifier(Symbol("few"));
      const place = collection.key.length > 0 ? terms.map((term) => sql`${column(term.column)}::text`) : [];
      const number = sql`(select pg_catalog.count(*)::int4 from ${few})`;
      const rows = rowsOf(collection, options, terms, sql`${where} limit ${sql.literal(TOO_MANY)}`);
      return sql`with ${few} as materialized ${rows} ${select(collection, options, place, { rows: few, version: number })}${orderBy(
        terms,
      )} limit ${most!}::int8`;
    },
  });
}

/** The limit of `fewStatement`'s count. */
export const TOO_MANY = FEW + 1;

function shapeOf(what: string, { encoding, tolerant, lenient, skipGeometry }: ReadOptions): string | undefined {
  return encoding.shape && `${what} ${tolerant} ${lenient} ${skipGeometry} ${encoding.shape}`;
}

function pageConditions(collection: Collection, selection: Selection, page: Page, options: ReadOptions): SQL[] {
  const limit = isFewOf(page) ? sql.literal(page.limit) : sql`${sql.value(page.limit + page.offset)}::int8`;
  const others = selectionConditions(collection, selection, options);
  return placeConditions(collection, page, ROW, { others, limit });
}

/** The rows of a page among all. */
interface Part {
  readonly where: SQL;
  readonly count: SQL;
  readonly skipped: SQL;
}

function pageOf(collection: Collection, page: Page, options: ReadOptions, { where, count, skipped }: Part): SQL {
  const all = orderTerms(collection, page);
  const inOrder = orderBy(page.last ? reversed(all) : all);
  const limit = sql` limit ${count}::int8 offset ${skipped}::int8`;
  const place = collection.key.length > 0 ? all : [];
  const more = [
    ...place.map((term) => sql`${column(term.column)}::text`),
    ...(page.last ? all.map((term) => column(term.column)) : []),
  ];
  const picked = sql`${where}${inOrder}${limit}`;
  const rows =
    page.offset > 0
      ? sql`${select(collection, options, more, { rows: rowsOf(collection, options, all, picked) })}${inOrder}`
      : sql`${select(collection, options, more)}${picked}`;
  if (!page.last) return rows;
  // read from the end, returned from the beginning
  const names = namesOf(collection, page, options.encoding);
  const sorts = all.map((_, index) => `sort${index}`);
  const shown = names.map((name) =>
    name === "count" ? sql`(pg_catalog.count(*) over ())::int4` : sql`p.${sql.identifier(name)}`,
  );
  return sql`select ${sql.join(shown, ", ")} from (${rows}) p (${identifiers([...names, ...sorts])}) order by ${sql.join(
    all.map((term, index) => ordered(sql`p.${sql.identifier(sorts[index]!)}`, term)),
    ", ",
  )}`;
}

/** The rows of a page with the columns that it needs. Rows that an offset skips are not made into features. */
function rowsOf(collection: Collection, { encoding }: ReadOptions, order: readonly KeysetTerm[], picked: SQL): SQL {
  const needed = new Set(
    [...geometryOf(collection), ...encoding.columns, ...order.map((term) => term.column)].map(({ name }) => name),
  );
  const columns = [...needed].map((name) => column({ name }));
  return sql`(select ${sql.join(columns, ", ")} from ${sourceOf(collection)} ${ROW}${picked})`;
}

function geometryOf({ geometry }: Collection): readonly CollectionColumn[] {
  return geometry ? [geometry] : [];
}

function orderBy(terms: readonly KeysetTerm[]): SQL {
  if (terms.length === 0) return sql``;
  return sql` order by ${sql.join(
    terms.map((term) => ordered(column(term.column), term)),
    ", ",
  )}`;
}

/** The statement for the feature of a key's text. A text that cannot be a key finds none. */
export function oneStatement(collection: Collection, featureId: string, options: ReadOptions): RowStatement {
  const texts = keyTexts(collection.key, featureId);
  const statement = shaped(collection, {
    shape: shapeOf("one", options),
    conditions: texts ? [] : [keyToSql(collection.key, featureId, ROW)],
    values: texts ?? [],
    prepares: true,
    build: (otherwise, places) => {
      const where = texts ? sql` where ${keyOfPlaces(collection.key, places, ROW)}` : otherwise;
      const key = collection.key.map((each) => sql`${column(each)}::text`);
      const version = rowVersion(versionRights(collection), ROW);
      return sql`${select(collection, options, key, { version })}${where}`;
    },
  });
  const columns = FEATURE_COLUMNS.values + options.encoding.size + collection.key.length;
  return { ...statement, isBinary: binaryOf(options.encoding, columns) };
}

/**
 * The input of row versions, as for GraphQL's `_version`. Past rows have no place in the table that would tell them
 * apart.
 */
export function versionRights({ columns, kind, isNarrow = false, instant }: Collection): VersionRights {
  const whole = "rpm".includes(kind) && !isNarrow && instant === undefined;
  return { whole, columns: columns.map(({ name }) => name) };
}

/** The number of features. */
export function countAll(
  collection: Collection,
  selection: Selection,
  options: Pick<ReadOptions, "tolerant" | "lenient">,
): SQL {
  return sql`select pg_catalog.count(*)::text as count from ${sourceOf(collection)} ${ROW}${where(
    selectionConditions(collection, selection, options),
  )}`;
}

function select(
  collection: Collection,
  { encoding, tolerant, skipGeometry = false }: ReadOptions,
  more: readonly SQL[],
  { rows = sourceOf(collection), version = sql`null::int4` }: { readonly rows?: SQL; readonly version?: SQL } = {},
): SQL {
  const { geometry } = collection;
  const source = { column, tolerant };
  const shown = skipGeometry ? sql`null::text` : encoding.geometry(source);
  const { values, from = sql`` } = encoding.values(source);
  const failed =
    geometry && tolerant && !skipGeometry
      ? sql`(${column(geometry)} is not null and not coalesce(${shown} is not null or ${isEmpty(geometry, collection)}, true))`
      : sql`false`;
  const all = [shown, failed, version, ...values, ...more];
  return sql`select ${sql.join(all, ", ")} from ${rows} ${ROW}${from}`;
}

function isEmpty(geometry: SpatialColumn, { postgis }: Collection): SQL {
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
  { tolerant, lenient }: Pick<ReadOptions, "tolerant" | "lenient">,
): SQL[] {
  return [
    ...(bbox ? [isSpatial(collection) ? bboxCondition(collection, bbox, ROW, { tolerant }) : sql.false] : []),
    ...[...equalities].map(([name, text]) => equals(collection, name, text)),
    ...(condition ? [filterToSql(condition, ROW, { lenient })] : []),
  ];
}

/** `name=text` of a filterable column, in the terms of the filter language. Throws `INVALID_PARAMETER`. */
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
