/**
 * Converts GeoJSON geometries to hexadecimal WKB, which takes half of the time of WKT and which PostgreSQL need not
 * parse number by number. It converts only simple geometries, which are nearly all; `parseGeometry` reads the others,
 * and reports faults.
 */
import { swap, type Axes } from "./axes.ts";
import { WGS84, type Geometry } from "./geometry.ts";
import { isObject } from "./json.ts";
import { EWKB, WKB, WKB_LITTLE_ENDIAN, WKB_TYPES } from "./wkb.ts";

const CODES = new Map<unknown, number>(WKB_TYPES.map((type, index) => [type, index + 1]));
/** Between the code of a type of many and that of its parts. */
const MANY = WKB.multiPoint - WKB.point;
/** Room for everything that is written at once; the longest is a position of three ordinates. */
const ROOM = 3 * 8;

const ROOM_AT_FIRST = 64 * 1024;
const MOST_KEPT = 1024 * 1024;

/** Shared by all geometries, which are read one after another. It grows for a large one, and shrinks again. */
let bytes = Buffer.allocUnsafeSlow(ROOM_AT_FIRST);
let view = new DataView(bytes.buffer);

function use(buffer: Buffer<ArrayBuffer>): void {
  bytes = buffer;
  view = new DataView(buffer.buffer);
}

class NotPlain extends Error {}

class WkbWriter {
  readonly #axes: Axes | undefined;
  readonly #dimensions: number;
  #at = 0;
  readonly bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];

  constructor(axes: Axes | undefined, dimensions: number) {
    this.#axes = axes;
    this.#dimensions = dimensions;
  }

  get hex(): string {
    return bytes.toString("hex", 0, this.#at);
  }

  header(code: number): void {
    this.#reserve();
    bytes[this.#at++] = WKB_LITTLE_ENDIAN;
    this.#integer(this.#dimensions === 3 ? EWKB.z + code : code);
  }

  count(parts: number): void {
    this.#reserve();
    this.#integer(parts);
  }

  position(json: unknown): void {
    if (!Array.isArray(json) || json.length !== this.#dimensions) throw new NotPlain();
    const [first, second] = [json[0] as number, json[1] as number];
    const third: unknown = this.#dimensions === 3 ? json[2] : 0;
    if (!Number.isFinite(first) || !Number.isFinite(second) || !Number.isFinite(third)) throw new NotPlain();
    const [x, y] = swap(this.#axes, first, second);
    if (this.#axes === undefined && (y < -90 || y > 90)) throw new NotPlain();
    this.#reserve();
    this.#ordinate(x);
    this.#ordinate(y);
    if (this.#dimensions === 3) this.#ordinate(third as number);
    const { bounds } = this;
    if (x < bounds[0]) bounds[0] = x;
    if (y < bounds[1]) bounds[1] = y;
    if (x > bounds[2]) bounds[2] = x;
    if (y > bounds[3]) bounds[3] = y;
  }

  #integer(value: number): void {
    view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  #ordinate(value: number): void {
    view.setFloat64(this.#at, value + 0, true); // -0 is 0, as in WKT
    this.#at += 8;
  }

  /** A line of at least two positions, or a ring of at least four that is closed. */
  line(json: unknown, isRing: boolean): void {
    const positions = listOf(json);
    if (positions.length < (isRing ? 4 : 2)) throw new NotPlain();
    this.count(positions.length);
    for (const each of positions) this.position(each);
    const [first, last] = [positions[0] as number[], positions.at(-1) as number[]];
    if (isRing && !first.every((ordinate, index) => ordinate === last[index])) throw new NotPlain();
  }

  #reserve(): void {
    if (this.#at + ROOM <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * bytes.length);
    bytes.copy(larger, 0, 0, this.#at);
    use(larger);
  }
}

function listOf(json: unknown): readonly unknown[] {
  if (!Array.isArray(json) || json.length === 0) throw new NotPlain();
  return json;
}

function write(writer: WkbWriter, code: number, json: unknown): void {
  writer.header(code);
  if (code === WKB.point) return writer.position(json);
  if (code === WKB.lineString) return writer.line(json, false);
  const parts = listOf(json);
  writer.count(parts.length);
  for (const part of parts)
    if (code === WKB.polygon) writer.line(part, true);
    else write(writer, code - MANY, part);
}

/** The number of ordinates of the first position. */
function dimensionsOf(coordinates: unknown): number {
  let list = coordinates;
  while (Array.isArray(list) && Array.isArray(list[0])) list = list[0];
  return Array.isArray(list) ? list.length : 0;
}

/** `axes`: as for `parseGeometry`. Undefined for a geometry that is wrong, empty, a collection, or names a system. */
export function plainGeometry(json: unknown, axes?: Axes): Geometry | undefined {
  if (!isObject(json) || json["crs"] !== undefined) return undefined;
  const code = CODES.get(json["type"]);
  const dimensions = dimensionsOf(json["coordinates"]);
  if (code === undefined || dimensions < 2 || dimensions > 3) return undefined;
  const writer = new WkbWriter(axes, dimensions);
  try {
    write(writer, code, json["coordinates"]);
    return { srid: axes?.srid ?? WGS84, wkt: writer.hex, bounds: writer.bounds };
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  } finally {
    if (bytes.length > MOST_KEPT) use(Buffer.allocUnsafeSlow(ROOM_AT_FIRST));
  }
}
