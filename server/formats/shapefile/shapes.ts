/** Shapes of a .shp file as WKB (ESRI Shapefile Technical Description, 1998). */
import { badInput } from "../../ground/errors.ts";
import { WKB } from "../../types/wkb.ts";
import type { Shape } from "../geometryShape.ts";
import { WkbBuilder } from "../wkb/builder.ts";
import { polygonsOf, type Ring } from "./rings.ts";

/** Types of shapes; with a height 10 more, with a measure alone 20 more. */
const [NOTHING, POINT, LINE, POLYGON, POINTS] = [0, 1, 3, 5, 8];
const NAMES = new Map([
  [POINT, "Point"],
  [LINE, "MultiLineString"],
  [POLYGON, "MultiPolygon"],
  [POINTS, "MultiPoint"],
]);
/** A measure below this means that there is none. */
const NO_MEASURE = -1e38;
const POSITION_BYTES = 16;
const ORDINATE_BYTES = 8;
const BOX_BYTES = 32;
const RANGE_BYTES = 16;

/** The geometries that a file says it has; undefined where it has none. */
export function shapeOfFile(type: number, srid: number): Shape | undefined {
  const name = NAMES.get(type % 10);
  return name === undefined ? undefined : { type: name, z: hasHeights(type), m: hasMeasures(type), srid };
}

const hasHeights = (type: number): boolean => type > 10 && type < 20;
const hasMeasures = (type: number): boolean => type > 20 && type < 30;

/** The positions of a shape; `zs` and `ms` are empty where it has no heights or measures. */
interface Positions {
  readonly xy: Float64Array;
  readonly zs: Float64Array;
  readonly ms: Float64Array;
}

export class ShapeReader {
  readonly #srid: number;
  readonly #builder = new WkbBuilder();

  /** `srid`: 0: unknown. */
  constructor(srid: number) {
    this.#srid = srid;
  }

  /** The content of a record as text for PostGIS; null for the empty shape. Throws `BAD_USER_INPUT`. */
  read(content: Buffer): string | null {
    if (content.length < 4) return cut();
    const type = content.readInt32LE(0);
    if (type === NOTHING) return null;
    if (!NAMES.has(type % 10) || type > 30 || type < 0)
      return badInput(`the shape is of the type ${type}${type === 31 ? " (MultiPatch)" : ""}, which is not supported`);
    this.#builder.clear();
    if (type % 10 === POINT) this.#point(content, type);
    else if (type % 10 === POINTS) this.#points(content, type);
    else this.#lines(content, type);
    return this.#builder.end(this.#srid);
  }

  #point(content: Buffer, type: number): void {
    const at = 4 + POSITION_BYTES;
    const positions = {
      xy: doubles(content, 4, 2),
      zs: hasHeights(type) ? doubles(content, at, 1) : NONE,
      ms: measures(content, at + (hasHeights(type) ? ORDINATE_BYTES : 0), 1, type),
    };
    this.#builder.head(WKB.point, dimensionsOf(positions));
    this.#position(positions, 0);
  }

  #points(content: Buffer, type: number): void {
    const count = countAt(content, 4 + BOX_BYTES);
    const positions = positionsAt(content, 8 + BOX_BYTES, count, type);
    this.#builder.head(WKB.multiPoint, dimensionsOf(positions));
    this.#builder.count(count);
    for (let index = 0; index < count; index++) {
      this.#builder.head(WKB.point, dimensionsOf(positions));
      this.#position(positions, index);
    }
  }

  /** Lines and polygons: parts, each with its first position. */
  #lines(content: Buffer, type: number): void {
    const [parts, count] = [countAt(content, 4 + BOX_BYTES), countAt(content, 8 + BOX_BYTES)];
    const at = 12 + BOX_BYTES;
    if (at + 4 * parts > content.length) cut();
    const starts = Array.from({ length: parts }, (_, index) => content.readInt32LE(at + 4 * index));
    const positions = positionsAt(content, at + 4 * parts, count, type);
    const rings = starts.map((from, index): Ring => ({ from, to: starts[index + 1] ?? count }));
    if (rings.some(({ from, to }) => from < 0 || from > to || to > count))
      badInput("a part of the shape is outside of it");
    if (type % 10 === POLYGON) this.#polygons(positions, rings);
    else this.#many(positions, rings, WKB.lineString, (ring) => this.#sequence(positions, ring));
  }

  #polygons(positions: Positions, rings: readonly Ring[]): void {
    this.#many(positions, polygonsOf(positions.xy, rings), WKB.polygon, (polygon) => {
      this.#builder.count(polygon.length);
      for (const ring of polygon) this.#sequence(positions, ring);
    });
  }

  /** One is written as such, more than one as one of many. */
  #many<Part>(positions: Positions, parts: readonly Part[], type: number, write: (part: Part) => void): void {
    const dimensions = dimensionsOf(positions);
    if (parts.length !== 1) {
      this.#builder.head(type + WKB.multiPoint - WKB.point, dimensions);
      this.#builder.count(parts.length);
    }
    for (const part of parts) {
      this.#builder.head(type, dimensions);
      write(part);
    }
  }

  #sequence(positions: Positions, { from, to }: Ring): void {
    this.#builder.count(to - from);
    for (let index = from; index < to; index++) this.#position(positions, index);
  }

  #position({ xy, zs, ms }: Positions, index: number): void {
    this.#builder.ordinate(xy[2 * index]!);
    this.#builder.ordinate(xy[2 * index + 1]!);
    if (zs.length > 0) this.#builder.ordinate(zs[index]!);
    if (ms.length > 0) this.#builder.ordinate(ms[index]! > NO_MEASURE ? ms[index]! : 0);
  }
}

const NONE = new Float64Array();

function cut(): never {
  return badInput("the shape is shorter than its head states");
}

function dimensionsOf({ zs, ms }: Positions): { readonly z: boolean; readonly m: boolean } {
  return { z: zs.length > 0, m: ms.length > 0 };
}

function countAt(content: Buffer, at: number): number {
  const count = at + 4 <= content.length ? content.readInt32LE(at) : -1;
  return count < 0 || count > content.length ? cut() : count;
}

function doubles(content: Buffer, at: number, count: number): Float64Array {
  if (at + ORDINATE_BYTES * count > content.length) cut();
  const values = new Float64Array(count);
  for (let index = 0; index < count; index++) values[index] = content.readDoubleLE(at + ORDINATE_BYTES * index);
  return values;
}

function positionsAt(content: Buffer, at: number, count: number, type: number): Positions {
  const behind = at + POSITION_BYTES * count;
  const heights = hasHeights(type) ? RANGE_BYTES + ORDINATE_BYTES * count : 0;
  return {
    xy: doubles(content, at, 2 * count),
    zs: heights > 0 ? doubles(content, behind + RANGE_BYTES, count) : NONE,
    ms: measures(content, behind + heights + RANGE_BYTES, count, type),
  };
}

/** Measures may be missing, or all be the mark that there is none. */
function measures(content: Buffer, at: number, count: number, type: number): Float64Array {
  const isThere = at + ORDINATE_BYTES * count <= content.length;
  if (!isThere || !(hasMeasures(type) || hasHeights(type))) return NONE;
  const values = doubles(content, at, count);
  return values.some((value) => value > NO_MEASURE) ? values : NONE;
}
