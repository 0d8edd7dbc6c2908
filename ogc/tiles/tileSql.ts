/** The statement that makes the layer of a vector tile, entirely in PostGIS. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { RowStatement } from "../../server/kernel/database/database.ts";
import { operatorIn, postgis } from "../../server/filter/sqlTypes.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Filter } from "../../server/filter/tree.ts";
import type { ColumnType } from "../../server/types/columnType.ts";
import { rowOf } from "../../server/types/table.ts";
import { bboxCondition } from "../features/bboxSql.ts";
import type { Bounds } from "../collections/bounds.ts";
import { sourceOf, type SpatialCollection, type CollectionColumn } from "../collections/collections.ts";
import { CRS84, WGS84, type Crs } from "../crs/crs.ts";
import { planar, planarType, straight, toSrid } from "../crs/geometryJson.ts";
import { shaped } from "../features/page/prepared.ts";
import { propertyJson } from "../features/propertyJson.ts";
import { row as ROW, shapesOf } from "../maps/mapData.ts";
import type { TileTag } from "./tileTag.ts";

/** The side of a tile in its own units. */
const EXTENT = 4096;
/** The buffer around a tile in its units, so that a symbol across an edge is whole on both sides. */
const BUFFER = 64;
/** The number of values of a rectangle. */
const SIDES = 4;
/** A name that no column has. */
const GEOMETRY = "portolan:geometry";
const FEATURE_ID = "portolan:id";

export interface LayerQuery {
  readonly crs: Crs;
  /** The rectangle in `crs`, x first. */
  readonly bounds: Bounds;
  /** Attributes of features, besides their id. */
  readonly given: readonly CollectionColumn[];
  /** Further values that a style needs: named expressions, and their columns. */
  readonly styled: { readonly values: readonly SQL[]; readonly columns: readonly CollectionColumn[] } | undefined;
  readonly condition: Filter | undefined;
  /** The most features. */
  readonly limit: number;
  readonly order: TileTag["order"];
  /**
   * Whether to select the most important features, because there are more than fit. Otherwise one more is read, to
   * notice that.
   */
  readonly ranked: boolean;
  /** Whether to leave out a geometry that cannot be shown, without an error. */
  readonly tolerant: boolean;
}

const SHOWN = sql.identifier(Symbol("shown"));
const column = ({ name }: Pick<CollectionColumn, "name">): SQL => sql`${ROW}.${sql.identifier(name)}`;
const number = (value: number): SQL => float8(sql.value(String(value)));
const float8 = (value: SQL): SQL => sql`${value}::float8`;

/**
 * Gives one row: `tile`, the bytes of one layer; `count`, the number of features that were read; `inside`, whether one
 * of them is within the tile itself.
 */
export function selectLayer(collection: SpatialCollection, query: LayerQuery): RowStatement {
  const { bounds, crs, given, styled, order, ranked, tolerant } = query;
  const [minx, miny, maxx, maxy] = bounds;
  const margin = ((maxx - minx) * BUFFER) / EXTENT;
  const outer: Bounds = [minx - margin, miny - margin, maxx + margin, maxy + margin];
  const isBoxed = isToldByBoxes(collection);
  const boxes = isBoxed ? [outer, bounds].map((each) => sidesNear(collection, crs, each)) : [];
  const names = given.map(({ name }) => name);
  const { condition } = query;
  return shaped(collection, {
    shape: JSON.stringify(["tile", crs.srid, names, styled !== undefined, order, ranked, tolerant]),
    conditions: [
      ...(isBoxed ? [] : [candidates(collection, query, outer)]),
      ...(condition ? [filterToSql(condition, ROW)] : []),
    ],
    values: [...boxes.flat(), ...bounds].map(String),
    // to find the most important of many rows, PostgreSQL needs a plan for their number
    prepares: !ranked,
    build: (where, places) => {
      const at = places.slice(-SIDES).map(float8);
      if (!isBoxed) return layerOf(collection, query, { where, near: [], at });
      const [around, near] = [places.slice(0, SIDES), places.slice(SIDES, -SIDES)].map((sides) => sides.map(float8));
      const boxed = sql`${where}${condition ? sql` and ` : sql` where `}${overlapsBox(collection, query, around!)}`;
      return layerOf(collection, query, { where: boxed, near: near!, at });
    },
  });
}

/**
 * The same without `inside`, for many tiles in one statement, in their order. A statement for each would take longer
 * than making a small tile. Undefined where boxes do not tell which rows are near.
 */
export function selectLayers(
  collection: SpatialCollection,
  query: Omit<LayerQuery, "bounds" | "condition">,
  tiles: readonly Bounds[],
): RowStatement | undefined {
  if (!isToldByBoxes(collection)) return undefined;
  const { crs } = query;
  const sidesOf = (bounds: Bounds): readonly number[] => {
    const [minx, miny, maxx, maxy] = bounds;
    const margin = ((maxx - minx) * BUFFER) / EXTENT;
    const outer: Bounds = [minx - margin, miny - margin, maxx + margin, maxy + margin];
    return [...sidesNear(collection, crs, outer), ...bounds];
  };
  const all = tiles.map(sidesOf);
  const names = Array.from({ length: 2 * SIDES }, (_, index) => `side${index}`);
  const places = names.map((name) => sql`${TILE}.${sql.identifier(name)}`);
  const arrays = names.map(
    (_, index) => sql`pg_catalog.unnest(${sql.value(all.map((sides) => sides[index]!))}::float8[])`,
  );
  const [around, at] = [0, SIDES].map((from) => places.slice(from, from + SIDES));
  const own = { ...query, bounds: tiles[0]!, condition: undefined };
  const box = storedBox(collection, crs, around!);
  const where = sql` where ${column(collection.geometry)} ${operatorIn(collection.postgis, "&&")} ${box}`;
  return sql.compile(sql`select l.* from rows from (${sql.join(arrays, ", ")})
    with ordinality ${TILE} (${sql.join(
      names.map((name) => sql.identifier(name)),
      ", ",
    )}, number)
    cross join lateral (${layerOf(collection, own, { where, near: undefined, at: at! })}) l order by ${TILE}.number`);
}

const TILE = sql.identifier(Symbol("tile"));

/** The values that differ from tile to tile. */
interface Places {
  readonly where: SQL;
  /**
   * The sides of the tile (`sidesNear`), if boxes tell which rows are inside; undefined where `inside` is not needed.
   */
  readonly near: readonly SQL[] | undefined;
  /** The sides of the tile in its own system. */
  readonly at: readonly SQL[];
}

function layerOf(collection: SpatialCollection, query: LayerQuery, { where, near, at }: Places): SQL {
  const { geometry, id, postgis: schema } = collection;
  const { crs, limit } = query;
  const order = orderOf(collection, query);
  const moved = toSrid(clipped(collection, crs), planarType(geometry.type), crs.srid, { tolerant: query.tolerant });
  const box = sql`(select ${envelope(at, crs.srid, collection)})`; // computed once, not for each row
  const shape = sql`${fn(schema, "st_asmvtgeom")}(${moved}, ${box}, ${sql.literal(EXTENT)}, ${sql.literal(BUFFER)}, true)`;
  const inside =
    near &&
    sql`,
    coalesce(pg_catalog.bool_or(${insideOf(collection, crs, near)}), false) as inside`;
  const values = [
    sql`${shape} as ${sql.identifier(GEOMETRY)}`,
    ...featureId(collection),
    ...attributes(collection, query.given),
    ...(query.styled?.values ?? []),
  ];
  const name = sql`${sql.value(id)}::text`;
  const named = [geometry, ...collection.key, ...query.given, ...(query.styled?.columns ?? [])];
  const used = named.filter((each, index) => named.findIndex((other) => other.name === each.name) === index);
  const idName = hasFeatureId(collection) ? sql`, ${sql.literal(FEATURE_ID)}` : sql``;
  // PostGIS leaves out rows without geometry; a filter here would compute each shape twice
  return sql`select ${fn(schema, "st_asmvt")}(${SHOWN}, ${name}, ${sql.literal(EXTENT)}, ${sql.literal(
    GEOMETRY,
  )}${idName}) as tile,
    pg_catalog.count(*)::int4 as count${inside ?? sql``}
    from (select ${sql.join(used.map(column), ", ")} from ${sourceOf(collection)} ${ROW}${where}${order} limit ${sql.literal(
      limit + (query.ranked ? 0 : 1),
    )}) ${ROW} cross join lateral (select ${sql.join(values, ", ")}) ${SHOWN}`;
}

const fn = (schema: string, name: string): SQL => sql.identifier(schema, name);

function envelope(sides: readonly SQL[], srid: number, { postgis: schema }: SpatialCollection): SQL {
  return sql`${fn(schema, "st_makeenvelope")}(${sql.join([...sides], ", ")}, ${sql.literal(srid)})`;
}

/** The latitude beyond which there is nothing in Mercator, on any sphere or ellipsoid. */
const MERCATOR_LATITUDE = 85.1;
const MERCATORS: readonly number[] = [3857, 3395];

/**
 * The geometry without the parts beyond Mercator's world, which has no poles. They are cut off before it is
 * transformed.
 */
function clipped(collection: SpatialCollection, crs: Crs): SQL {
  const { geometry, postgis: schema } = collection;
  const { srid } = crs;
  const value = straight(column(geometry), geometry);
  if (!MERCATORS.includes(srid) || geometry.srid !== WGS84) return value;
  const isBesideTile = geometry.geometryType === "Point" && isKnownNear(collection, crs); // by `candidates`
  if (isBesideTile && !geometry.geography) return value;
  const edges = [-360, -MERCATOR_LATITUDE, 360, MERCATOR_LATITUDE, WGS84].map((edge) => sql.literal(edge));
  const world = sql`${fn(schema, "st_makeenvelope")}(${sql.join(edges, ", ")})`;
  const inside = sql`${planar(column(geometry), geometry.type)} operator(${sql.identifier(schema)}.@) ${world}`;
  return sql`(case when ${inside} then ${value} else ${fn(schema, "st_clipbybox2d")}(${value}, ${world}) end)`;
}

/** The condition for rows near a rectangle, where boxes do not tell. Parts outside of the tile are cut off later. */
function candidates(collection: SpatialCollection, { crs, tolerant }: LayerQuery, outer: Bounds): SQL {
  const { geometry, postgis: schema } = collection;
  if (geometry.geography) {
    const bounds = degreesOf(crs, outer) ?? WORLD;
    return bboxCondition(collection, { bounds, crs: CRS84, heights: undefined }, ROW, { tolerant });
  }
  return sql`${toSrid(column(geometry), geometry.type, crs.srid, { tolerant: true })} ${operatorIn(schema, "&&")} ${envelope(outer.map(number), crs.srid, collection)}`;
}

/** The condition for rows near a rectangle by their boxes, which an index finds. */
function overlapsBox(collection: SpatialCollection, { crs, ranked }: LayerQuery, sides: readonly SQL[]): SQL {
  const { geometry, postgis: schema } = collection;
  const box = storedBox(collection, crs, sides);
  // the subquery hides the box from the planner, which then has one plan for all tiles; planning takes longer than
  // making a small tile
  return sql`${column(geometry)} ${operatorIn(schema, "&&")} ${ranked ? box : sql`(select ${box})`}`;
}

/** Whether boxes tell that a row is inside a rectangle. Otherwise every row counts as inside. */
const isToldByBoxes = ({ geometry }: SpatialCollection): boolean => !geometry.geography && geometry.srid !== 0;

function insideOf(collection: SpatialCollection, crs: Crs, near: readonly SQL[]): SQL {
  if (!isToldByBoxes(collection)) return sql`true`;
  const { geometry, postgis: schema } = collection;
  return sql`${column(geometry)} ${operatorIn(schema, "&&")} (select ${storedBox(collection, crs, near)})`;
}

const WORLD: Bounds = [-180, -90, 180, 90];

/** Whether the sides of rectangles can be computed in the storage system without PostGIS. */
function isKnownNear({ geometry: { srid } }: SpatialCollection, crs: Crs): boolean {
  return srid === crs.srid || (srid === WGS84 && degreesOf(crs, WORLD) !== undefined);
}

/** The sides of a rectangle in the storage system if they can be computed, else in its own system. */
function sidesNear(collection: SpatialCollection, crs: Crs, bounds: Bounds): Bounds {
  const { srid } = collection.geometry;
  return (srid !== crs.srid && srid === WGS84 && degreesOf(crs, bounds)) || bounds;
}

/** The rectangle of these sides in the storage system. It is as large as possible if it cannot be transformed. */
function storedBox(collection: SpatialCollection, crs: Crs, near: readonly SQL[]): SQL {
  const { srid } = collection.geometry;
  if (isKnownNear(collection, crs)) return envelope(near, srid, collection);
  const side = (at: number, otherwise: number): SQL => sql`coalesce(b[${sql.literal(at)}], ${number(otherwise)})`;
  const sides = [side(1, -1e30), side(2, -1e30), side(3, 1e30), side(4, 1e30)];
  return sql`(select ${envelope(sides, srid, collection)} from portolan.transform_bounds(array[${sql.join([...near], ", ")}], ${sql.literal(crs.srid)}, ${sql.literal(srid)}) b)`;
}

const RADIUS = 6_378_137;
/** Half the width of the world, in metres. */
const EDGE = Math.PI * RADIUS;

/** A rectangle of Web Mercator, or of degrees, in degrees. Undefined for other systems. */
export function degreesOf({ srid, geographic }: Crs, [minx, miny, maxx, maxy]: Bounds): Bounds | undefined {
  const clip = (value: number, limit: number): number => Math.min(Math.max(value, -limit), limit);
  if (geographic && srid === WGS84) return [clip(minx, 180), clip(miny, 90), clip(maxx, 180), clip(maxy, 90)];
  if (srid !== 3857) return undefined;
  const longitude = (x: number): number => (clip(x, EDGE) / EDGE) * 180;
  const latitude = (y: number): number => (Math.atan(Math.sinh(y / RADIUS)) * 180) / Math.PI;
  return [longitude(minx), latitude(miny), longitude(maxx), latitude(maxy)];
}

/** The order that decides which features a full tile shows: that of `@tile`, else by size, and points by key. */
function orderOf(collection: SpatialCollection, { order, ranked }: LayerQuery): SQL {
  if (!ranked) return sql``;
  if (order) {
    const by = order.descending ? sql` desc nulls last` : sql``;
    return sql` order by ${column(order.column)}${by}`;
  }
  const { geometry, key, postgis: schema } = collection;
  const plain = geometry.geography ? sql`${column(geometry)}::${fn(schema, "geometry")}` : column(geometry);
  const shapes = shapesOf(collection);
  const size =
    shapes.length > 1
      ? sql`(case ${fn(schema, "st_dimension")}(${plain}) when 2 then ${postgis(geometry.type, "st_area", plain)} when 1 then ${postgis(geometry.type, "st_length", plain)} else 0 end) desc nulls last`
      : shapes[0] === "point"
        ? undefined
        : sql`${postgis(geometry.type, shapes[0] === "line" ? "st_length" : "st_area", plain)} desc nulls last`;
  const terms = [...(size ? [size] : []), ...key.map(column)];
  return terms.length > 0 ? sql` order by ${sql.join(terms, ", ")}` : sql``;
}

const isWhole = (type: ColumnType): boolean => rowOf(type).schema["type"] === "integer";

function hasFeatureId({ key }: SpatialCollection): boolean {
  const [only, ...more] = key;
  return only !== undefined && more.length === 0 && isWhole(only.type);
}

/** Mapbox Vector Tile 2.1 §4.2: the id of a feature is an unsigned integer. */
function featureId(collection: SpatialCollection): SQL[] {
  if (!hasFeatureId(collection)) return [];
  const value = column(collection.key[0]!);
  return [sql`(case when ${value} >= 0 then ${value}::int8 end) as ${sql.identifier(FEATURE_ID)}`];
}

function attributes({ key }: SpatialCollection, given: readonly CollectionColumn[]): SQL[] {
  const [first, ...more] = key;
  const text = (each: CollectionColumn): SQL => sql`portolan.encode_key(${column(each)}::text)`;
  const id =
    more.length > 0
      ? sql.join([first!, ...more].map(text), " || ',' || ")
      : first && (attribute(column(first), first.type) ?? sql`${column(first)}::text`);
  return [
    ...(id ? [sql`${id} as id`] : []),
    ...given
      .filter(({ name }) => !(id && name === "id"))
      .map((each) => sql`${attribute(column(each), each.type) ?? asText(each)} as ${sql.identifier(each.name)}`),
  ];
}

function asText(each: CollectionColumn): SQL {
  return sql`(pg_catalog.to_json(${propertyJson(column(each), each.type, { tolerant: true })}) #>> '{}')`;
}

/** The value as text, number or boolean, the types of a vector tile. Undefined for a type with parts. */
function attribute(value: SQL, type: ColumnType): SQL | undefined {
  switch (type.kind) {
    case "boolean":
      return sql`${value}::bool`;
    case "integer":
    case "bigint":
      // money has no direct cast to float8
      return isWhole(type) ? sql`${value}::int8` : sql`${value}::numeric::float8`;
    case "float":
      return sql`${value}::float8`;
    case "text":
      return sql`${value}::text`;
    case "datetime":
    case "interval":
      return sql`(pg_catalog.to_json(${value}) #>> '{}')`;
    default:
      return undefined;
  }
}

/** The default columns of a tile: those whose values it can hold unchanged. */
export function plainColumns({ columns }: Pick<SpatialCollection, "columns">): readonly CollectionColumn[] {
  return columns.filter(({ type }) => attribute(sql`null`, type) !== undefined);
}
