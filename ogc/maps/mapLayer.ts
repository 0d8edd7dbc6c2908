/** A collection and its style → layers of a mapfile, each with the statement that reads its rows. */
import { sql, type SQL } from "pg-sql2";
import { filterToSql } from "../../server/filter/toSql.ts";
import { sourceOf, type Collection, type CollectionColumn } from "../collections.ts";
import { WGS84 } from "../crs.ts";
import { toSrid } from "../features/geometryJson.ts";
import { BOX, toMapSql } from "./mapSql.ts";
import type { Bounds } from "../bounds.ts";
import { SHAPES } from "./style.ts";
import type {
  Drawing,
  Label,
  ScaleRange,
  ShapeKind,
  Style,
  StyleClass,
  StyleColour,
  StyleNumber,
  SymbolName,
} from "./style.ts";
import { defaultStyle } from "./styleDefaults.ts";

export interface MapLayer {
  readonly name: string;
  /** The block of the mapfile. */
  readonly text: string;
  /** Where it is drawn: the gateway chooses, for MapServer reckons scales by the equator and by other pixels. */
  readonly range?: ScaleRange;
}

/** Whether a layer is drawn at a scale: from `minScale` on, below `maxScale`. */
export function isDrawnAt({ range }: Pick<MapLayer, "range">, scale: number): boolean {
  return scale >= (range?.minScale ?? 0) && scale < (range?.maxScale ?? Infinity);
}

/** What a map goes over: where a system ends in the east it begins again in the west. */
export interface Seam {
  readonly srid: number;
  /** From one end to the other, in its units. */
  readonly width: number;
  /** Of the map; maxx is beyond the end. */
  readonly bounds: Bounds;
}

export interface LayerSource {
  /** Index of the collection among those of the map: makes names of layers unique. */
  readonly index: number;
  readonly style: Style | undefined;
  /** Connection URI. */
  readonly connection: string;
  /** What the map goes over: what is behind it is drawn beyond the end of the system. */
  readonly seam: Seam | undefined;
}

const MAX_LABEL_LENGTH = 200;
const MAX_LENGTH = 500;

/** The layers of a collection, the lowest first. */
export function vectorLayers(collection: Collection, { index, style, connection, seam }: LayerSource): MapLayer[] {
  return shapesOf(collection).flatMap((shape) => {
    const classes = style ?? defaultStyle(shape);
    return scaleSteps(classes).map(({ range, active }, step) => {
      const name = `l${index}_${shape}${step}`;
      const items = new Items();
      const blocks = active.map((one, number) => classBlock(one, number, shape, items));
      const text = layerBlock(name, shape, [
        "CONNECTIONTYPE POSTGIS",
        `CONNECTION '${connection}'`,
        'PROCESSING "CLOSE_CONNECTION=DEFER"',
        `DATA '${dataOf(collection, shape, active, items, seam)}'`,
        `PROJECTION "epsg:${seam?.srid ?? sridOf(collection)}" END`,
        "CLASSITEM 'class'",
        'ENCODING "UTF-8"',
        ...blocks,
      ]);
      return { name, text, range };
    });
  });
}

/** The layer of a raster. `file`: a path below the raster folder that was checked. */
export function rasterLayer({ geometry, raster }: Collection, index: number): MapLayer {
  const name = `l${index}_raster`;
  const text = block("LAYER", [
    `NAME '${name}'`,
    "TYPE RASTER",
    "STATUS ON",
    `METADATA "wms_title" "${name}" END`,
    `DATA '${raster?.file}'`,
    geometry.srid === 0 ? "PROJECTION AUTO END" : `PROJECTION "epsg:${geometry.srid}" END`,
    ...(raster?.isBytes ? [] : ['PROCESSING "SCALE=AUTO"']),
  ]);
  return { name, text };
}

/** The name of all layers of a legend together. */
export const LEGEND = "legend";

/** Layers without data, whose classes tell their names and symbols. */
export function legendLayers(collection: Collection, style: Style | undefined): MapLayer[] {
  return shapesOf(collection).map((shape) => {
    const name = `${LEGEND}_${shape}`;
    const blocks = (style ?? defaultStyle(shape)).map((one) => legendBlock(one, shape));
    return { name, text: layerBlock(name, shape, [`GROUP '${LEGEND}'`, ...blocks]) };
  });
}

function layerBlock(name: string, shape: ShapeKind, lines: string[]): string {
  return block("LAYER", [
    `NAME '${name}'`,
    `TYPE ${shape.toUpperCase()}`,
    "STATUS ON",
    `METADATA "wms_title" "${name}" END`,
    ...lines,
  ]);
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

/** A column that takes any geometry is drawn as all three. */
function shapesOf({ geometry }: Collection): readonly ShapeKind[] {
  const shape = geometry.geometryType === undefined ? undefined : SHAPE_OF_TYPE[geometry.geometryType];
  return shape ? [shape] : SHAPES;
}

interface ScaleStep {
  readonly range: ScaleRange;
  readonly active: readonly StyleClass[];
}

/**
 * The ranges between the limits of all classes and labels, each with those that are drawn in it: which class comes first
 * depends on the scale, which the database does not know.
 */
function scaleSteps(style: Style): ScaleStep[] {
  const limited = style.flatMap((one): ScaleRange[] => [one, ...one.labels]);
  const limits = limited.flatMap(({ minScale, maxScale }) => [minScale ?? 0, maxScale ?? Infinity]);
  const ends = [...new Set([0, ...limits, Infinity])].sort((a, b) => a - b);
  return ends.slice(0, -1).flatMap((from, index) => {
    const to = ends[index + 1] ?? Infinity;
    const isIn = ({ minScale = 0, maxScale = Infinity }: ScaleRange): boolean => minScale <= from && to <= maxScale;
    const active = style.filter(isIn).map((one) => ({ ...one, labels: one.labels.filter(isIn) }));
    const range = { ...(from > 0 && { minScale: from }), ...(to < Infinity && { maxScale: to }) };
    return active.length > 0 ? [{ range, active }] : [];
  });
}

/** What the rows of a layer have besides geometry and class: values for what styles take from columns. */
class Items {
  readonly #expressions = new Map<string, SQL>();

  /** MapServer's reference to the value of `expression` in each feature. */
  reference(expression: SQL): string {
    const name = `v${this.#expressions.size}`;
    this.#expressions.set(name, expression);
    return `[${name}]`;
  }

  get columns(): SQL[] {
    return [...this.#expressions].map(([name, expression]) => sql`${expression} as ${sql.identifier(name)}`);
  }
}

const row = sql.identifier("t");
const cell = ({ name }: CollectionColumn): SQL => sql`${row}.${sql.identifier(name)}`;
const fn = (schema: string, name: string): SQL => sql.identifier(schema, name);

/** The statement that gives the rows of one layer, as DATA has it. */
function dataOf(
  collection: Collection,
  shape: ShapeKind,
  active: readonly StyleClass[],
  items: Items,
  seam: Seam | undefined,
): string {
  const { geometry, key, postgis } = collection;
  const plain = toSrid(cell(geometry), geometry.type, sridOf(collection), { tolerant: true });
  const sides = seam && sidesOf(seam, collection);
  const placed = sides?.place(plain) ?? plain;
  const wheres = active.map(({ where }) => (where ? filterToSql(where, row) : undefined));
  const conditions = [
    sql`${plain} operator(${sql.identifier(postgis)}.&&) ${sides?.box ?? BOX}`,
    // else MapServer adds a condition of its own
    ...(sides ? [sql`${BOX} is not null`] : []),
    // where every class has a condition, the rows of none need not travel
    ...(wheres.includes(undefined) ? [] : [sql`(${sql.join(wheres.filter(isCondition), " or ")})`]),
    // MapServer does not survive an empty line
    ...(shapesOf(collection).length > 1 || isFaceted(collection)
      ? [sql`not ${fn(postgis, "st_isempty")}(${drawn(plain, collection, shape)})`]
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

/** What the rows of a layer are in: of a column that does not say, each row is brought into longitude and latitude. */
const sridOf = ({ geometry }: Collection): number => geometry.srid || WGS84;

const isCondition = (where: SQL | undefined): where is SQL => where !== undefined;

interface Sides {
  readonly from: SQL;
  /** The rectangle of the map as it is where the geometries are stored, once for each side. */
  readonly box: SQL;
  place(plain: SQL): SQL;
}

/**
 * Both sides of a seam: every row may be drawn where it is, and once more beyond the end of the system. Where the map is
 * stands in the statement, for MapServer's own rectangle ends where the system does.
 */
function sidesOf({ srid, width, bounds: [minx, miny, maxx, maxy] }: Seam, collection: Collection): Sides {
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
  // where the rectangle has no counterpart, every row is looked at
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

/** Types whose parts are polygons for MapServer when they stand alone, and nothing together. */
const FACETED: ReadonlySet<string | undefined> = new Set(["PolyhedralSurface", "Triangle", "Tin"]);
const isFaceted = ({ geometry }: Collection): boolean => FACETED.has(geometry.geometryType);

/** The part of a geometry that a layer draws. */
function drawn(geometry: SQL, collection: Collection, shape: ShapeKind): SQL {
  if (isFaceted(collection)) return facets(geometry, collection);
  if (shapesOf(collection).length === 1) return geometry;
  const type = sql.literal({ point: 1, line: 2, polygon: 3 }[shape]);
  const linear = sql`${fn(collection.postgis, "st_curvetoline")}(${geometry})`;
  const flat = shape === "polygon" ? withFacets(linear, collection) : linear;
  return sql`${fn(collection.postgis, "st_collectionextract")}(${flat}, ${type})`;
}

/** Only what may have triangles in it is taken apart: most rows are plain, and stay as they are. */
function withFacets(geometry: SQL, collection: Collection): SQL {
  const names = ["TIN", "TRIANGLE", "POLYHEDRALSURFACE", "GEOMETRYCOLLECTION"].map((name) => sql.value(name));
  const type = sql`${fn(collection.postgis, "geometrytype")}(${geometry})`;
  return sql`case when ${type} in (${sql.join(names, ", ")}) then ${facets(geometry, collection)} else ${geometry} end`;
}

/** The parts of a geometry, triangles as polygons. */
function facets(geometry: SQL, { postgis }: Collection): SQL {
  const part = sql.identifier("d", "geom");
  const ring = sql`${fn(postgis, "st_exteriorring")}(${part})`;
  const polygon = sql`case ${fn(postgis, "geometrytype")}(${part}) when ${sql.value("TRIANGLE")} then ${fn(postgis, "st_makepolygon")}(${ring}) else ${part} end`;
  return sql`(select ${fn(postgis, "st_collect")}(${polygon}) from ${fn(postgis, "st_dump")}(${geometry}) as d)`;
}

/** The number of the first class that a row fits in; null for none. */
function classOf(wheres: readonly (SQL | undefined)[]): SQL {
  const all = wheres.indexOf(undefined);
  const number = (index: number): SQL => sql.literal(index);
  if (all === 0) return number(0);
  const cases = wheres
    .slice(0, all < 0 ? undefined : all)
    .map((where, index) => sql`when ${where ?? sql.true} then ${number(index)}`);
  return sql`case ${sql.join(cases, " ")} ${all < 0 ? sql`` : sql`else ${number(all)} `}end`;
}

// Classes -----------------------------------------------------------------------------------------

function classBlock({ name, styles, labels }: StyleClass, number: number, shape: ShapeKind, items: Items): string {
  return block("CLASS", [
    `NAME "${displayText(name)}"`,
    `EXPRESSION '${number}'`,
    ...styles.flatMap((style) => drawingBlocks(style, shape, items)),
    ...labels.map((label) => labelBlock(label, shape, items)),
  ]);
}

function legendBlock({ name, styles }: StyleClass, shape: ShapeKind): string {
  return block("CLASS", [
    `NAME "${displayText(name)}"`,
    ...styles.flatMap((style) => drawingBlocks(constant(style), shape, new Items())),
  ]);
}

const TYPICAL = { width: 1, size: 8, angle: 0, opacity: 100, color: "#808080", outlineColor: "#404040" } as const;

/** A drawing as a legend shows it: something typical in place of what columns say. */
function constant(style: Drawing): Drawing {
  const fixed = Object.entries(style).map(([name, value]: [string, unknown]) => {
    const isColumn = typeof value === "object" && value !== null && "column" in value;
    return [name, isColumn ? TYPICAL[name as keyof typeof TYPICAL] : value];
  });
  return Object.fromEntries(fixed) as Drawing;
}

/** One drawing takes two of MapServer's where what is inside and the outline are not drawn alike. */
function drawingBlocks(drawing: Drawing, shape: ShapeKind, items: Items): string[] {
  const { color, outlineColor, width = 1, symbol, size, angle, opacity = 100 } = drawing;
  const colours = (keyword: string, value: StyleColour | undefined): string[] =>
    value === undefined ? [] : [`${keyword} ${colour(value, items)}`];
  const opaque = opacity === 100 ? [] : [`OPACITY ${number(opacity, 0, 100, 100, items)}`];
  const angles = angle === undefined ? [] : [`ANGLE ${number(angle, -360, 360, 0, items)}`];
  const length = (keyword: string, value: StyleNumber, fallback: number): string =>
    `${keyword} ${number(value, 0, MAX_LENGTH, fallback, items)}`;
  const pattern = drawing.pattern ? [`PATTERN ${drawing.pattern.join(" ")} END`] : [];
  const marks = (name: SymbolName): string[] => [`SYMBOL "${name}"`, length("SIZE", size ?? 8, 8), ...angles];

  switch (shape) {
    case "point": {
      if (size === 0) return []; // MapServer takes no such size
      const name = symbol === undefined || symbol === "hatch" ? "circle" : symbol;
      const isOpen = name === "cross" || name === "x";
      const lines = [...marks(name), ...colours("COLOR", color ?? (isOpen ? outlineColor : undefined)), ...opaque];
      const outline = isOpen ? [] : colours("OUTLINECOLOR", outlineColor);
      return [block("STYLE", [...lines, ...outline, ...(isOpen || outlineColor ? [length("WIDTH", width, 1)] : [])])];
    }
    case "line": {
      const stroke = color ?? outlineColor;
      const casing = color === undefined ? [] : colours("OUTLINECOLOR", outlineColor);
      const along = symbol === undefined || symbol === "hatch" ? [] : [...marks(symbol), "GAP -32"];
      const lines = [...colours("COLOR", stroke), length("WIDTH", width, 1), ...pattern, ...along, ...opaque];
      return [block("STYLE", [...lines, ...casing, ...(casing.length > 0 ? ["OUTLINEWIDTH 2"] : [])])];
    }
    case "polygon": {
      const hatch = symbol === "hatch" ? [length("WIDTH", width, 1)] : ["GAP 16"];
      const fill = symbol === undefined ? [] : [...marks(symbol), ...hatch];
      return [
        ...(color === undefined || (symbol !== undefined && size === 0)
          ? []
          : [block("STYLE", [...colours("COLOR", color), ...fill, ...opaque])]),
        ...(outlineColor === undefined
          ? []
          : [
              block("STYLE", [
                ...colours("OUTLINECOLOR", outlineColor),
                length("WIDTH", symbol === "hatch" ? 1 : width, 1),
                ...pattern,
                ...opaque,
              ]),
            ]),
      ];
    }
  }
}

function labelBlock(label: Label, shape: ShapeKind, items: Items): string {
  const { text, size = 10, color = "#202020", outlineColor, position } = label;
  const parts = text.map((part) => (typeof part === "string" ? sql.value(part) : sql`${cell(part)}::text`));
  const content = sql`pg_catalog.left(pg_catalog.concat(${sql.join(parts, ", ")}), ${sql.literal(MAX_LABEL_LENGTH)})`;
  const place =
    position === "follow" || (position === undefined && shape === "line")
      ? ["ANGLE FOLLOW", "POSITION CC"]
      : [`POSITION ${(position ?? { point: "auto", line: "cc", polygon: "cc" }[shape]).toUpperCase()}`];
  return block("LABEL", [
    `TEXT '${items.reference(content)}'`,
    'TYPE TRUETYPE FONT "sans"',
    `SIZE ${number(size, 4, 100, 10, items)}`,
    `COLOR ${colour(color, items)}`,
    ...(outlineColor === undefined ? [] : [`OUTLINECOLOR ${colour(outlineColor, items)} OUTLINEWIDTH 1`]),
    ...place,
    ...(shape === "point" ? ["OFFSET 6 6"] : []),
    "PARTIALS FALSE",
  ]);
}

/** A number, or a reference to one in each row between `least` and `most`. */
function number(value: StyleNumber, least: number, most: number, fallback: number, items: Items): string {
  if (typeof value === "number") return String(value);
  const literal = (each: number): SQL => sql`(${sql.literal(each)})::float8`;
  const within = sql`greatest(${literal(least)}, least(${literal(most)}, ${cell(value.column)}::float8))`;
  return items.reference(sql`coalesce(${within}, ${literal(fallback)})`);
}

/** `#rrggbb` in quotes, or a reference to one in each row; nothing is drawn where a row has none. */
function colour(value: StyleColour, items: Items): string {
  if (typeof value === "string") return `"${value}"`;
  const text = sql`${cell(value.column)}::text`;
  const isColour = sql`${text} operator(pg_catalog.~) ${sql.value("^#[0-9A-Fa-f]{6}$")}`;
  return items.reference(sql`case when ${isColour} then ${text} end`);
}

/** Text between double quotes that MapServer shows and nothing else: without the quotes, backslashes and references. */
function displayText(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replaceAll('"', "”")
    .replaceAll("\\", "⧵")
    .replaceAll("[", "(")
    .replaceAll("]", ")");
}

function block(keyword: string, lines: readonly string[]): string {
  return [keyword, ...lines.map((line) => line.replace(/^/gm, "  ")), "END"].join("\n");
}
