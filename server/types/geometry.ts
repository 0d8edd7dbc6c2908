/**
 * Geometries from outside: GeoJSON (RFC 7946) and EWKT, read in full here, since PostGIS reports bad ones as internal
 * errors. Both become EWKT.
 */
import { badInput } from "../ground/errors.ts";
import { swapPosition, type Axes } from "./axes.ts";
import { finiteNumber, isObject, type JsonObject } from "./json.ts";
import { at, quote, show } from "./show.ts";

/** [minx, miny, maxx, maxy]. */
export type Bounds = readonly [number, number, number, number];

export interface Geometry {
  /** 4326 for GeoJSON; of EWKT its own, 0 when it names none. */
  readonly srid: number;
  /** WKT without the SRID. From `plainGeometry`: hexadecimal WKB, which PostGIS accepts in the same place. */
  readonly wkt: string;
  /** Over its positions; undefined when it is empty or has arcs, which reach beyond them. */
  readonly bounds: Bounds | undefined;
}

export const WGS84 = 4326;
const EXPECTED = "a GeoJSON geometry or EWKT";
const DEEPEST_COLLECTION = 16;

/** The rule for the positions of a list. */
type Line = "point" | "line" | "ring" | "arc";

/** For each type: its list of positions, or the type of its members; `tagged`: members that name their own type. */
interface Rule {
  readonly line?: Line;
  readonly member?: string;
  readonly tagged?: readonly string[];
}

const RULES = new Map<string, Rule>([
  ["POINT", { line: "point" }],
  ["LINESTRING", { line: "line" }],
  ["RING", { line: "ring" }],
  ["CIRCULARSTRING", { line: "arc" }],
  ["POLYGON", { member: "RING" }],
  ["TRIANGLE", { member: "RING" }],
  ["MULTIPOINT", { member: "POINT" }],
  ["MULTILINESTRING", { member: "LINESTRING" }],
  ["MULTIPOLYGON", { member: "POLYGON" }],
  ["POLYHEDRALSURFACE", { member: "POLYGON" }],
  ["TIN", { member: "TRIANGLE" }],
  ["COMPOUNDCURVE", { member: "LINESTRING", tagged: ["LINESTRING", "CIRCULARSTRING"] }],
  ["CURVEPOLYGON", { member: "RING", tagged: ["LINESTRING", "CIRCULARSTRING", "COMPOUNDCURVE"] }],
  ["MULTICURVE", { member: "LINESTRING", tagged: ["LINESTRING", "CIRCULARSTRING", "COMPOUNDCURVE"] }],
  ["MULTISURFACE", { member: "POLYGON", tagged: ["POLYGON", "CURVEPOLYGON"] }],
  ["GEOMETRYCOLLECTION", {}],
]);

const LINES: Record<Line, { readonly fits: (positions: readonly Position[]) => boolean; readonly expected: string }> = {
  point: { fits: (positions) => positions.length === 1, expected: "one position" },
  line: { fits: (positions) => positions.length >= 2, expected: "at least two positions" },
  ring: { fits: isClosedRing, expected: "a ring of at least four positions, the last equal to the first" },
  arc: {
    fits: ({ length }) => length >= 3 && length % 2 === 1,
    expected: "an odd number of positions, at least three",
  },
};

type Position = readonly number[];

function isClosedRing(positions: readonly Position[]): boolean {
  const [first, last] = [positions[0], positions.at(-1)];
  return positions.length >= 4 && first!.every((ordinate, index) => ordinate === last![index]);
}

/** Writes WKT and keeps account of what concerns the whole geometry: bounds, arcs, and one number of dimensions. */
class Writer {
  readonly path: string;
  /** Undefined: GeoJSON and EWKT state these themselves. */
  readonly axes: Axes | undefined;
  #dimensions = 0;
  #bounds: [number, number, number, number] | undefined;
  hasArcs = false;

  constructor(path: string, axes: Axes | undefined) {
    this.path = path;
    this.axes = axes;
  }

  fail(problem: string): never {
    return badInput(`${this.path}: ${problem}`);
  }

  get bounds(): Bounds | undefined {
    return this.hasArcs ? undefined : this.#bounds;
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  /** States the number of ordinates of a position. Throws when another was stated before. */
  setDimensions(count: number): void {
    if (this.#dimensions !== 0 && this.#dimensions !== count) {
      this.fail("all positions of a geometry must have the same number of coordinates");
    }
    this.#dimensions = count;
  }

  line(kind: Line, given: readonly Position[]): string {
    if (kind === "arc") this.hasArcs = true;
    const { axes } = this;
    const positions = axes?.flipped ? given.map((position) => swapPosition(axes, position)) : given;
    let text = "";
    for (const position of positions) {
      this.setDimensions(position.length);
      const [x, y] = position as [number, number];
      this.#extend(x, y);
      text += position.length === 2 ? `${text && ","}${x} ${y}` : `${text && ","}${position.join(" ")}`;
    }
    const { fits, expected } = LINES[kind];
    if (!fits(positions)) this.fail(`expected ${expected}`);
    return `(${text})`;
  }

  #extend(x: number, y: number): void {
    const b = this.#bounds;
    if (!b) this.#bounds = [x, y, x, y];
    else {
      b[0] = Math.min(b[0], x);
      b[1] = Math.min(b[1], y);
      b[2] = Math.max(b[2], x);
      b[3] = Math.max(b[3], y);
    }
  }
}

// EWKT --------------------------------------------------------------------------------------------

const TOKEN = /\s*(?:([A-Za-z]+)|([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)|([(),])|(\S))/y;
const END = "the end";

interface Tag {
  readonly type: string;
  /** The original text, e.g. ` ZM`. */
  readonly dimensions: string;
}

class WktReader {
  readonly #text: string;
  readonly #writer: Writer;
  #position = 0;
  #token = "";
  #isNumber = false;

  constructor(text: string, writer: Writer) {
    this.#text = text;
    this.#writer = writer;
    this.#next();
  }

  /** The whole text as WKT. */
  read(): string {
    const wkt = this.#tagged(undefined, 0);
    if (this.#token !== END) this.#unexpected("the end");
    return wkt;
  }

  #next(): void {
    TOKEN.lastIndex = this.#position;
    const match = TOKEN.exec(this.#text);
    if (match) this.#position = TOKEN.lastIndex;
    this.#isNumber = match?.[2] !== undefined;
    this.#token = match ? (match[1]?.toUpperCase() ?? match[2] ?? match[3] ?? match[4] ?? END) : END;
  }

  #unexpected(expected: string): never {
    const found = this.#token === END ? END : quote(this.#token);
    return this.#writer.fail(`expected ${EXPECTED}: ${expected} instead of ${found} at character ${this.#position}`);
  }

  #accept(token: string): boolean {
    if (this.#token !== token) return false;
    this.#next();
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) this.#unexpected(`"${token}"`);
  }

  #tag(allowed: readonly string[] | undefined): Tag {
    const match = /^([A-Z]+?)(ZM|Z|M)?$/.exec(this.#token);
    const type = match?.[1] ?? "";
    if (type === "RING" || !RULES.has(type) || (allowed && !allowed.includes(type)))
      this.#unexpected("a geometry type");
    this.#next();
    let dimensions = match?.[2] ?? "";
    for (const written of ["ZM", "Z", "M"]) if (dimensions === "" && this.#accept(written)) dimensions = written;
    if (dimensions !== "") this.#writer.setDimensions(2 + dimensions.length);
    return { type, dimensions: dimensions === "" ? "" : ` ${dimensions}` };
  }

  #tagged(allowed: readonly string[] | undefined, depth: number): string {
    if (depth > DEEPEST_COLLECTION) this.#writer.fail("the geometry is nested too deeply");
    const { type, dimensions } = this.#tag(allowed);
    return `${type}${dimensions}${this.#body(type, depth)}`;
  }

  #body(type: string, depth: number): string {
    if (this.#accept("EMPTY")) return " EMPTY";
    const rule = RULES.get(type)!;
    if (rule.line)
      return this.#writer.line(
        rule.line,
        this.#list(() => this.#positionOf()),
      );
    return `(${this.#list(() => this.#memberOf(type, rule, depth)).join(",")})`;
  }

  #memberOf(type: string, rule: Rule, depth: number): string {
    if (rule.member === undefined) return this.#tagged(undefined, depth + 1);
    if (type === "MULTIPOINT" && this.#isNumber) return this.#writer.line("point", [this.#positionOf()]);
    const untagged = this.#token === "(" || this.#token === "EMPTY";
    return untagged || !rule.tagged ? this.#body(rule.member, depth + 1).trim() : this.#tagged(rule.tagged, depth + 1);
  }

  #list<Item>(read: () => Item): Item[] {
    this.#expect("(");
    const items = [read()];
    while (this.#accept(",")) items.push(read());
    this.#expect(")");
    return items;
  }

  #positionOf(): Position {
    const position: number[] = [];
    while (this.#isNumber) {
      position.push(finiteNumber(Number(this.#token), this.#writer.path, "finite coordinates"));
      this.#next();
    }
    if (position.length < 2 || position.length > 4) this.#unexpected("two to four coordinates");
    return position;
  }
}

function fromEwkt(text: string, path: string, axes: Axes | undefined): Geometry {
  const [prefix, digits] = (axes ? undefined : /^\s*SRID\s*=\s*(\d{1,6})\s*;/i.exec(text)) ?? ["", "0"];
  const writer = new Writer(path, axes);
  const wkt = new WktReader(text.slice(prefix.length), writer).read();
  return { srid: axes?.srid ?? Number(digits), wkt, bounds: writer.bounds };
}

// GeoJSON -----------------------------------------------------------------------------------------

const GEOJSON_TYPES = new Map([
  ["Point", "POINT"],
  ["LineString", "LINESTRING"],
  ["Polygon", "POLYGON"],
  ["MultiPoint", "MULTIPOINT"],
  ["MultiLineString", "MULTILINESTRING"],
  ["MultiPolygon", "MULTIPOLYGON"],
  ["GeometryCollection", "GEOMETRYCOLLECTION"],
]);

/** Names under which GeoJSON of 2008 may state what RFC 7946 takes for granted. */
const WGS84_NAMES =
  /^(urn:ogc:def:crs:(OGC:[\d.]*:CRS84|EPSG:[\d.]*:4326)|EPSG:4326|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/1\.3\/CRS84)$/i;

/** RFC 7946 §4 has no `crs`. Ignoring a system other than WGS 84 would misplace the geometry. */
function refuseOtherCrs(json: JsonObject, path: string): void {
  const crs = json.crs;
  if (crs === undefined || crs === null) return;
  const name = isObject(crs) && isObject(crs.properties) ? crs.properties.name : undefined;
  if (typeof name === "string" && WGS84_NAMES.test(name)) return;
  badInput(`${path}: GeoJSON is in WGS 84 (RFC 7946) and cannot have another "crs"; use EWKT, "SRID=…;…"`);
}

function listOf(json: unknown, path: string, expected: string): readonly unknown[] {
  return Array.isArray(json) ? json : badInput(`${path}: expected ${expected}, got ${show(json)}`);
}

/** Whether it is a valid position. There are many positions, and making a path for each would cost more than the rest. */
function isPosition(json: unknown, axes: Axes | undefined): json is Position {
  return (
    Array.isArray(json) &&
    (json.length === 2 || json.length === 3) &&
    json.every(Number.isFinite) &&
    (axes !== undefined || Math.abs(json[1] as number) <= 90)
  );
}

/** The position. Throws its fault. */
function position(json: unknown, path: string, axes: Axes | undefined): Position {
  if (isPosition(json, axes)) return json;
  const ordinates = listOf(json, path, "a position [longitude, latitude]");
  if (ordinates.length < 2 || ordinates.length > 3) {
    badInput(`${path}: expected a position of two or three numbers, got ${ordinates.length}`);
  }
  const numbers = ordinates.map((ordinate) => finiteNumber(ordinate, path, "a position of numbers"));
  return badInput(`${path}: the latitude ${numbers[1]} is not between -90 and 90`);
}

function coordinatesToWkt(json: unknown, type: string, writer: Writer, path: string): string {
  const coordinates = listOf(json, path, `the coordinates of a ${type}`);
  const rule = RULES.get(type)!;
  if (coordinates.length === 0 && type !== "RING") return " EMPTY";
  if (rule.line === "point") return writer.line("point", [position(coordinates, path, writer.axes)]);
  if (rule.line)
    return writer.line(
      rule.line,
      coordinates.map((each, index) =>
        isPosition(each, writer.axes) ? each : position(each, at(path, index), writer.axes),
      ),
    );
  const parts = coordinates.map((each, index) => coordinatesToWkt(each, rule.member!, writer, at(path, index)).trim());
  return `(${parts.join(",")})`;
}

function geoJsonToWkt(json: unknown, writer: Writer, path: string, depth: number): (z: string) => string {
  if (depth > DEEPEST_COLLECTION) badInput(`${path}: the geometry is nested too deeply`);
  const type = isObject(json) && typeof json.type === "string" ? GEOJSON_TYPES.get(json.type) : undefined;
  if (!isObject(json) || type === undefined) {
    return badInput(`${path}: expected ${EXPECTED}, got ${isObject(json) ? `"type": ${show(json.type)}` : show(json)}`);
  }
  refuseOtherCrs(json, path);
  if (type !== "GEOMETRYCOLLECTION") {
    const body = coordinatesToWkt(json.coordinates, type, writer, at(path, "coordinates"));
    return (z) => `${type}${z}${body}`;
  }
  const membersPath = at(path, "geometries");
  const parts = listOf(json.geometries, membersPath, "a list of geometries").map((each, index) =>
    geoJsonToWkt(each, writer, at(membersPath, index), depth + 1),
  );
  if (parts.length === 0) return (z) => `${type}${z} EMPTY`;
  return (z) => `${type}${z}(${parts.map((part) => part(z)).join(",")})`;
}

function fromGeoJson(json: unknown, path: string, axes: Axes | undefined): Geometry {
  const writer = new Writer(path, axes);
  const write = geoJsonToWkt(json, writer, path, 0);
  return { srid: axes?.srid ?? WGS84, wkt: write(writer.dimensions === 3 ? " Z" : ""), bounds: writer.bounds };
}

/** The mark of an empty part, in the WKT of `parseGeometry`. */
const EMPTY_PART = /(?<=[(,])(?:[A-Z]+(?: ZM?| M)? )?EMPTY(?:,|(?=\)))|,(?:[A-Z]+(?: ZM?| M)? )?EMPTY(?=\))/g;

/** The same points without empty parts, because PostgreSQL crashes on those in some comparisons. */
export function withoutEmptyParts(geometry: Geometry): Geometry {
  let { wkt } = geometry;
  for (let before = ""; before !== wkt;) {
    before = wkt;
    wkt = wkt.replaceAll(EMPTY_PART, "").replaceAll(/ ?\(\)/g, " EMPTY");
  }
  return { ...geometry, wkt };
}

/**
 * Reads a geometry. `json`: a GeoJSON geometry object (WGS 84, longitude first, two or three dimensions), or a string of WKT
 * or EWKT. `axes`: the system of the coordinates of GeoJSON or WKT; a caller that gives it must check that they are in its
 * range. Throws `BAD_USER_INPUT` for anything else, for rings that are not closed and lines too short.
 */
export function parseGeometry(json: unknown, path: string, axes?: Axes): Geometry {
  return typeof json === "string" ? fromEwkt(json, path, axes) : fromGeoJson(json, path, axes);
}
