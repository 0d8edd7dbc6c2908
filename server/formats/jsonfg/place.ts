/** Geometries as JSON-FG 1.0 (OGC 21-045r1) has them: those of GeoJSON, and arcs, surfaces, solids and measures beside them. */
import { readWkbCode, WKB_HEAD_BYTES } from "../../types/wkb.ts";

export interface PlaceOptions {
  /** Decimals of a coordinate. */
  readonly digits: number;
  /** Whether the second axis stands first in JSON. */
  readonly flipped: boolean;
}

const COUNT_BYTES = 4;
const DOUBLE_BYTES = 8;

/** The types of ISO's well-known binary, by their codes less one, as JSON-FG calls them; a surface of faces and a TIN have no name. */
const NAMES: readonly (string | undefined)[] = [
  ...["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"],
  ...["CircularString", "CompoundCurve", "CurvePolygon", "MultiCurve", "MultiSurface"],
  ...[undefined, undefined, undefined, undefined, "Polygon"],
];
/** Types whose parts stand in the member `geometries`. */
const OF_GEOMETRIES: ReadonlySet<number> = new Set([7, 9, 10, 11, 12]);
/** A surface of polygons, and one of triangles. */
const SURFACES: ReadonlySet<number> = new Set([15, 16]);
const [POINT, POLYGON, MULTI_POINT, TRIANGLE] = [1, 3, 4, 17];
const LINES: ReadonlySet<number> = new Set([2, 8]);

/** A position as JSON, or an array of such. */
type Coordinates = string;

interface Part {
  readonly type: number;
  /** Undefined where the type has `geometries`. */
  readonly coordinates: Coordinates | undefined;
  readonly geometries: readonly string[];
  /** The rings of a polygon, to find out whether faces enclose a solid. */
  readonly rings: readonly (readonly string[])[];
}

class Reader {
  readonly #wkb: Buffer;
  readonly #options: PlaceOptions;
  readonly #factor: number;
  #at = 0;
  hasHeights = false;
  hasMeasures = false;
  isFinite = true;

  constructor(wkb: Buffer, options: PlaceOptions) {
    this.#wkb = wkb;
    this.#options = options;
    this.#factor = 10 ** options.digits;
  }

  geometry(): string {
    const part = this.#part();
    return textOf(part);
  }

  #part(): Part {
    const { type, z, m } = readWkbCode(this.#wkb.readUInt32LE(this.#at + 1));
    this.#at += WKB_HEAD_BYTES;
    this.hasHeights ||= z;
    this.hasMeasures ||= m;
    const size = 2 + Number(z) + Number(m);
    const none = { type, coordinates: undefined, geometries: [], rings: [] };
    if (type === POINT) return { ...none, coordinates: this.#position(size) };
    if (LINES.has(type)) return { ...none, coordinates: listOf(this.#positions(size)) };
    if (type === POLYGON || type === TRIANGLE) {
      const rings = this.#many(() => this.#positions(size));
      return { ...none, rings, coordinates: listOf(rings.map(listOf)) };
    }
    const parts = this.#many(() => this.#part());
    if (OF_GEOMETRIES.has(type)) return { ...none, geometries: parts.map(textOf) };
    const coordinates = parts.flatMap((part) => part.coordinates ?? []);
    if (SURFACES.has(type) && z && encloses(parts)) return { ...none, coordinates: `[${listOf(coordinates)}]` };
    // an empty point among others has no position
    const shown = type === MULTI_POINT ? coordinates.filter((position) => !position.includes("null")) : coordinates;
    return { ...none, type: SURFACES.has(type) ? 6 : type, coordinates: listOf(shown) };
  }

  #many<Item>(read: () => Item): Item[] {
    const count = this.#wkb.readUInt32LE(this.#at);
    this.#at += COUNT_BYTES;
    return Array.from({ length: count }, read);
  }

  #positions(size: number): string[] {
    return this.#many(() => this.#position(size));
  }

  #position(size: number): string {
    const numbers = Array.from({ length: size }, () => {
      const value = this.#wkb.readDoubleLE(this.#at);
      this.#at += DOUBLE_BYTES;
      if (!Number.isFinite(value)) this.isFinite = false;
      return this.#rounded(value);
    });
    const [x, y, ...more] = numbers as [string, string, ...string[]];
    return `[${[...(this.#options.flipped ? [y, x] : [x, y]), ...more].join(",")}]`;
  }

  #rounded(value: number): string {
    if (!Number.isFinite(value)) return "null";
    const scaled = value * this.#factor;
    return String(Math.abs(scaled) < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / this.#factor : value);
  }
}

const listOf = (items: readonly string[]): string => `[${items.join(",")}]`;

function textOf({ type, coordinates, geometries }: Part): string {
  const name = SURFACES.has(type) ? "Polyhedron" : NAMES[type - 1];
  const content = coordinates === undefined ? `"geometries":${listOf(geometries)}` : `"coordinates":${coordinates}`;
  return `{"type":"${name}",${content}}`;
}

/** Whether each edge of a face is that of one other face, in the other direction: then they are the shell of a solid. */
function encloses(faces: readonly Part[]): boolean {
  const edges = new Set<string>();
  for (const { rings } of faces)
    for (const ring of rings)
      for (let index = 1; index < ring.length; index++) {
        const edge = `${ring[index - 1]} ${ring[index]}`;
        if (edges.has(edge)) return false;
        edges.add(edge);
      }
  if (edges.size === 0) return false;
  for (const edge of edges) {
    const [from, to] = edge.split(" ");
    if (!edges.has(`${to} ${from}`)) return false;
  }
  return true;
}

/** A geometry of the member `place`; undefined where a coordinate is infinite or no number. `wkb`: ISO's, little-endian. */
export function placeJson(wkb: Buffer, options: PlaceOptions): string | undefined {
  const reader = new Reader(wkb, options);
  const text = reader.geometry();
  if (!reader.isFinite && !text.startsWith('{"type":"MultiPoint"')) return undefined;
  return reader.hasMeasures ? `${text.slice(0, -1)},"measures":{"enabled":true}}` : text;
}

const CLASSES = "http://www.opengis.net/spec/json-fg-1/1.0/conf";
/** The conformance classes of places. A document that cannot know its geometries beforehand names them all. */
export const PLACE_CLASSES = ["polyhedra", "circular-arcs", "measures"] as const;
export type PlaceClass = (typeof PLACE_CLASSES)[number];

/** The member `conformsTo` of a document of features of one type. */
export function conformsTo(classes: readonly PlaceClass[] = PLACE_CLASSES): readonly string[] {
  return ["core", "types-schemas", ...classes].map((name) => `${CLASSES}/${name}`);
}

const NOT_OF_GEOJSON = /"type":"(?:Circular|Compound|Curve|MultiCurve|MultiSurface|Polyhedron)|"measures"/;

/** Whether GeoJSON has such a geometry too. */
export function isOfGeojson(place: string): boolean {
  return !NOT_OF_GEOJSON.test(place);
}
