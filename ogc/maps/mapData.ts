/** The statement that reads the rows of a layer, in the form of DATA in a mapfile. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Filter } from "../../server/filter/tree.ts";
import type { Bounds } from "../collections/bounds.ts";
import { sourceOf, type SpatialCollection, type CollectionColumn } from "../collections/collections.ts";
import { WGS84 } from "../crs/crs.ts";
import { planarType, straight, toSrid } from "../crs/geometryJson.ts";
import { BOX, toMapSql } from "./mapSql.ts";
import { SHAPES, type ShapeKind, type StyleClass } from "./style.ts";

/** The seam of a map: the place where a system ends in the east and begins again in the west. */
export interface Seam {
  readonly srid: number;
  /** The width of the system in its units. */
  readonly width: number;
  /** The map's sides; maxx is beyond the end of the system. */
  readonly bounds: Bounds;
}

const SHAPE_OF_TYPE: Readonly<Record<string, ShapeKind>> = {
  Point: "point",
  MultiPoint: "point",
  LineString: "line",
  MultiLineString: "line",
  CircularString: "line",
  CompoundCurve: "line",
  MultiCurve: "line",
  Polygon: "polygon",
  MultiPolygon: "polygon",
  CurvePolygon: "polygon",
  MultiSurface: "polygon",
  PolyhedralSurface: "polygon",
  Triangle: "polygon",
  Tin: "polygon",
};

/** The shapes of a collection. A column that takes any geometry is drawn as all three. */
export function shapesOf({ geometry }: SpatialCollection): readonly ShapeKind[] {
  const shape = geometry.geometryType === undefined ? undefined : SHAPE_OF_TYPE[geometry.geometryType];
  return shape ? [shape] : SHAPES;
}

/** Further columns of a layer's rows besides geometry and class: values that styles take from columns. */
export class Items {
  readonly #prefix: string;
  readonly #expressions = new Map<string, { readonly name: string; readonly value: SQL }>();

  constructor(prefix = "v") {
    this.#prefix = prefix;
  }

  /** The name under which the rows have the value of `expression`. */
  name(expression: SQL): string {
    const text = JSON.stringify(sql.compile(expression));
    const known = this.#expressions.get(text);
    if (known) return known.name;
    const name = `${this.#prefix}${this.#expressions.size}`;
    this.#expressions.set(text, { name, value: expression });
    return name;
  }

  /** MapServer's reference to that value. */
  reference(expression: SQL): string {
    return `[${this.name(expression)}]`;
  }

  get columns(): SQL[] {
    return [...this.#expressions.values()].map(({ name, value }) => sql`${value} as ${sql.identifier(name)}`);
  }
}

/** The rows of a statement. */
export const row = sql.identifier("t");
export const cell = ({ name }: CollectionColumn): SQL => sql`${row}.${sql.identifier(name)}`;
const fn = (schema: string, name: string): SQL => sql.identifier(schema, name);

/** The choice of rows for a map, besides its area. */
export interface RowChoice {
  readonly seam: Seam | undefined;
  /** The filter of the request. */
  readonly condition: Filter | undefined;
}

/** How the rows of a layer are drawn. */
interface Drawing {
  readonly shape: ShapeKind;
  /** The classes of the style that are drawn. */
  readonly active: readonly StyleClass[];
  readonly items: Items;
}

/** The statement for the rows of one layer, in the form of DATA. */
export function dataOf(
  collection: SpatialCollection,
  { shape, active, items }: Drawing,
  { seam, condition }: RowChoice,
): string {
  const { geometry, key, postgis } = collection;
  const plain = toSrid(cell(geometry), geometry.type, sridOf(collection), { tolerant: true });
  const sides = seam && sidesOf(seam, collection);
  const shown = toSrid(straight(cell(geometry), geometry), planarType(geometry.type), sridOf(collection), {
    tolerant: true,
  });
  const placed = sides?.place(shown) ?? shown;
  const wheres = active.map(({ where }) => (where ? filterToSql(where, row) : undefined));
  const conditions = [
    sql`${plain} operator(${sql.identifier(postgis)}.&&) ${sides?.box ?? BOX}`,
    // otherwise MapServer adds a condition of its own
    ...(sides ? [sql`${BOX} is not null`] : []),
    ...(condition ? [filterToSql(condition, row)] : []),
    // if every class has a condition, rows without a class are not needed
    ...(wheres.includes(undefined) ? [] : [sql`(${sql.join(wheres.filter(isCondition), " or ")})`]),
    // an empty line crashes MapServer
    ...(shapesOf(collection).length > 1
      ? [sql`not ${fn(postgis, "st_isempty")}(${drawn(shown, collection, shape)})`]
      : []),
  ];
  const columns = [
    sql`${drawn(placed, collection, shape)} as geom`,
    sql`${classOf(wheres)} as class`,
    ...items.columns,
  ];
  const order = key.length > 0 ? sql` order by ${sql.join(key.map(cell), ", ")}` : sql``;
  const rows = sql`select ${sql.join(columns, ", ")} from ${sourceOf(collection)} as ${row}${sides?.from ?? sql``} where ${sql.join(conditions, " and ")}${order}`;
  return `geom from (${toMapSql(rows)}) as q using unique class using srid=${seam?.srid ?? sridOf(collection)}`;
}

/**
 * The system of a layer's rows. If the column does not have a fixed system, each row is transformed to longitude and
 * latitude.
 */
export const sridOf = ({ geometry }: SpatialCollection): number => geometry.srid || WGS84;

const isCondition = (where: SQL | undefined): where is SQL => where !== undefined;

interface Sides {
  readonly from: SQL;
  /** The rectangle of the map in the system of the geometries, once for each side. */
  readonly box: SQL;
  place(plain: SQL): SQL;
}

/**
 * Both sides of a seam: each row may be drawn at its place, and once more beyond the end of the system. The statement
 * has the map's rectangle, because MapServer's own rectangle ends where the system does.
 */
function sidesOf({ srid, width, bounds: [minx, miny, maxx, maxy] }: Seam, collection: SpatialCollection): Sides {
  const { postgis } = collection;
  const own = sridOf(collection);
  const shift = sql.identifier("s", "shift");
  const isOwn = own === srid;
  const side = (moved: number, from: number, to: number): SQL =>
    sql`(${sql.value(moved)}::float8, array[${sql.join(
      [from, miny, to, maxy].map((each) => sql.value(each)),
      ", ",
    )}]::float8[])`;
  const sides = [side(0, minx, width / 2), side(width, -width / 2, maxx - width)];
  const asked = sql.identifier("s", "box");
  const stored = isOwn ? asked : sql`portolan.transform_bounds(${asked}, ${sql.literal(srid)}, ${sql.literal(own)})`;
  // if the rectangle cannot be transformed, every row is read
  const edge = (at: number, otherwise: number): SQL =>
    sql`coalesce(b.box[${sql.literal(at)}], ${sql.value(otherwise)})`;
  const box = [edge(1, -1e30), edge(2, -1e30), edge(3, 1e30), edge(4, 1e30), sql.literal(own)];
  return {
    from: sql` cross join (values ${sql.join(sides, ", ")}) as s(shift, box) cross join lateral (select ${stored} as box) as b`,
    box: sql`${fn(postgis, "st_makeenvelope")}(${sql.join(box, ", ")})`,
    place: (plain) => {
      const itself = isOwn ? plain : sql`portolan.try_transform(${plain}, ${sql.literal(srid)}, ${sql.value(postgis)})`;
      return sql`${fn(postgis, "st_translate")}(${itself}, ${shift}, 0)`;
    },
  };
}

/** The part of a geometry that a layer draws. `geometry`: without arcs and other curves. */
function drawn(geometry: SQL, collection: SpatialCollection, shape: ShapeKind): SQL {
  if (shapesOf(collection).length === 1) return geometry;
  const type = sql.literal({ point: 1, line: 2, polygon: 3 }[shape]);
  return sql`${fn(collection.postgis, "st_collectionextract")}(${geometry}, ${type})`;
}

/**
 * The number of the first class that matches a row; null for none. `wheres`: the conditions; undefined for a class of
 * every row.
 */
export function classOf(wheres: readonly (SQL | undefined)[]): SQL {
  const all = wheres.indexOf(undefined);
  const number = (index: number): SQL => sql.literal(index);
  if (all === 0) return number(0);
  const cases = wheres
    .slice(0, all < 0 ? undefined : all)
    .map((where, index) => sql`when ${where ?? sql.true} then ${number(index)}`);
  return sql`case ${sql.join(cases, " ")} ${all < 0 ? sql`` : sql`else ${number(all)} `}end`;
}
