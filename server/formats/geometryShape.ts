/** The kind of geometry in a cell of a file, as detailed as a column's type can say it. */
import { badInput } from "../ground/errors.ts";
import { isObject } from "../types/json.ts";
import { EWKB, readWkbCode, WKB_TYPES } from "../types/wkb.ts";

export interface Shape {
  /** A type of GeoJSON; `Geometry` for every other. */
  readonly type: string;
  readonly z: boolean;
  readonly m: boolean;
  /** Undefined if the cell does not name it; 0 if EPSG has no code for it. */
  readonly srid: number | undefined;
}

const NAMES = ["geom", "geometry", "the_geom"];

/** A name for the geometries of a file that gives them none: the first that no column has. Throws `BAD_USER_INPUT`. */
export function freeGeometryName(columns: readonly string[]): string {
  return NAMES.find((name) => !columns.includes(name)) ?? badInput(`the file has the columns ${NAMES.join(", ")}`);
}

const WKT =
  /^(?:SRID=(?<srid>\d+);)?(?<type>(?:MULTI)?(?:POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION) ?(?<more>ZM?|M)? ?(?:EMPTY|[( ]*(?<position>[-+.\d eE]*))/i;
const BINARY = /^(?:SRID=(?<srid>\d+);)?(?<order>0[01])(?<code>[0-9a-f]{8})(?<rest>[0-9a-f]{8,})$/i;

/** The canonical name of a type written in any case. */
export function shapeName(name: string): string {
  return WKB_TYPES.find((type) => type.toLowerCase() === name.toLowerCase()) ?? "Geometry";
}

/** The shape of WKT, EWKT or hexadecimal WKB; undefined for any other text. */
export function shapeOfText(text: string): Shape | undefined {
  const wkt = WKT.exec(text)?.groups;
  if (wkt) {
    const { more = "", position = "", srid, type = "" } = wkt;
    const numbers = position.split(" ").filter((number) => number !== "").length;
    return {
      type: shapeName(type),
      z: /z/i.test(more) || (more === "" && numbers > 2),
      m: /m/i.test(more) || (more === "" && numbers > 3),
      srid: srid === undefined ? undefined : Number(srid),
    };
  }
  const binary = BINARY.exec(text)?.groups;
  if (!binary) return undefined;
  const uint = (hex: string): number => {
    const bytes = Buffer.from(hex, "hex");
    return binary["order"] === "01" ? bytes.readUInt32LE() : bytes.readUInt32BE();
  };
  return shapeOfCode(uint(binary["code"]!), binary["srid"], () => uint(binary["rest"]!));
}

/** `given`: the system that stands before the binary; `own`: the one within it. */
function shapeOfCode(code: number, given: string | undefined, own: () => number): Shape {
  const { type, z, m } = readWkbCode(code);
  return {
    type: WKB_TYPES[type - 1] ?? "Geometry",
    z,
    m,
    srid: given === undefined ? ((code & EWKB.srid) === 0 ? 0 : own()) : Number(given),
  };
}

/** The shape of a GeoJSON geometry; undefined for any other value. */
export function shapeOfGeoJson(cell: unknown): Shape | undefined {
  if (!isObject(cell) || !(Array.isArray(cell["coordinates"]) || Array.isArray(cell["geometries"]))) return undefined;
  let position: unknown = cell["coordinates"];
  while (Array.isArray(position) && Array.isArray(position[0])) position = position[0];
  return {
    type: shapeName(String(cell["type"])),
    z: Array.isArray(position) && position.length > 2,
    m: false,
    srid: undefined,
  };
}

/** The type of a column that holds them all: of many where one is, with a height where one has it, in 4326 where none says its system. */
export function geometryType(shapes: readonly Shape[]): string {
  const singles = new Set(shapes.map(({ type }) => type.replace("Multi", "")));
  const [only = "Geometry"] = singles;
  const isMany = shapes.some(({ type }) => type.startsWith("Multi"));
  const name = singles.size > 1 || only === "Geometry" ? "Geometry" : `${isMany ? "Multi" : ""}${only}`;
  const more = `${shapes.some(({ z }) => z) ? "Z" : ""}${shapes.some(({ m }) => m) ? "M" : ""}`;
  const { srid = 4326 } = shapes.find((shape) => shape.srid !== undefined) ?? {};
  return `geometry(${name}${more}${srid === 0 ? "" : `,${srid}`})`;
}
