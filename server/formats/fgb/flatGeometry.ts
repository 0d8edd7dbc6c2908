/** Geometries of FlatGeobuf as WKB. */
import { badInput } from "../../ground/errors.ts";
import { WKB } from "../../types/wkb.ts";
import { WkbBuilder } from "../wkb/builder.ts";
import type { FlatTable } from "./flatTable.ts";

/** Fields of the table Geometry. */
const [ENDS, XY, Z, M, TYPE, PARTS] = [0, 1, 2, 3, 6, 7];
const MOST_DEPTH = 16;
const MANY = WKB.multiPoint - WKB.point;
/** A part or position takes more than this in the file. The limit stops files in which many parts point to one place. */
const BYTES_OF_PART = 8;

interface Positions {
  readonly xy: Float64Array;
  readonly zs: Float64Array;
  readonly ms: Float64Array;
}

export class FlatGeometry {
  readonly #srid: number;
  readonly #type: number;
  readonly #builder = new WkbBuilder();
  /** Bytes of the feature that parts and positions may still take. */
  #room = 0;

  /** `type`: of all geometries; 0: each has its own. */
  constructor(srid: number, type: number) {
    this.#srid = srid;
    this.#type = type;
  }

  /** As text for PostGIS; null for an empty one. `bytes`: of the feature. Throws `BAD_USER_INPUT`. */
  read(geometry: FlatTable, bytes: number): string | null {
    this.#builder.clear();
    this.#room = bytes;
    const type = this.#type || geometry.byte(TYPE);
    if (geometry.doubles(XY).length === 0 && geometry.tables(PARTS).length === 0) return null;
    this.#write(geometry, type, 0);
    return this.#builder.end(this.#srid);
  }

  #write(geometry: FlatTable, type: number, depth: number): void {
    this.#take(BYTES_OF_PART);
    if (depth > MOST_DEPTH) badInput("the geometry is nested too deeply");
    if (type < WKB.point || type > WKB.collection)
      badInput(`the geometry is of the type ${type}, which is not supported (an arc or surface)`);
    const positions = { xy: geometry.doubles(XY), zs: geometry.doubles(Z), ms: geometry.doubles(M) };
    const count = positions.xy.length / 2;
    if (!Number.isInteger(count) || [positions.zs, positions.ms].some(({ length }) => length !== 0 && length !== count))
      badInput("the feature is damaged: its positions have different numbers of ordinates");
    this.#take(count * BYTES_OF_PART);
    if (type === WKB.multiPolygon || type === WKB.collection) return this.#parts(geometry, type, depth);
    const dimensions = { z: positions.zs.length > 0, m: positions.ms.length > 0 };
    this.#builder.head(type, dimensions);
    if (type === WKB.point) {
      if (count !== 1) badInput("the feature is damaged: a point has one position");
      return this.#position(positions, 0);
    }
    if (type === WKB.lineString) return this.#sequence(positions, 0, count);
    const ends =
      type === WKB.multiPoint ? Array.from({ length: count }, (_, index) => index + 1) : endsOf(geometry, count);
    this.#builder.count(ends.length);
    for (const [index, end] of ends.entries()) {
      if (type !== WKB.polygon) this.#builder.head(type - MANY, dimensions);
      if (type === WKB.multiPoint) this.#position(positions, index);
      else this.#sequence(positions, ends[index - 1] ?? 0, end);
    }
  }

  #parts(geometry: FlatTable, type: number, depth: number): void {
    const parts = geometry.tables(PARTS);
    this.#take(parts.length * BYTES_OF_PART);
    // the head says the ordinates of its parts
    const first = deepest(parts[0]);
    this.#builder.head(type, { z: (first?.doubles(Z).length ?? 0) > 0, m: (first?.doubles(M).length ?? 0) > 0 });
    this.#builder.count(parts.length);
    for (const part of parts) this.#write(part, type === WKB.multiPolygon ? WKB.polygon : part.byte(TYPE), depth + 1);
  }

  #sequence(positions: Positions, from: number, to: number): void {
    this.#builder.count(to - from);
    for (let index = from; index < to; index++) this.#position(positions, index);
  }

  #position({ xy, zs, ms }: Positions, index: number): void {
    this.#builder.ordinate(xy[2 * index]!);
    this.#builder.ordinate(xy[2 * index + 1]!);
    if (zs.length > 0) this.#builder.ordinate(zs[index]!);
    if (ms.length > 0) this.#builder.ordinate(ms[index]!);
  }

  #take(bytes: number): void {
    this.#room -= bytes;
    if (this.#room < 0) badInput("the feature is damaged: it has more parts than fit into its size");
  }
}

function deepest(part: FlatTable | undefined): FlatTable | undefined {
  let found = part;
  for (let depth = 0; found && depth < MOST_DEPTH; depth++) {
    const [inner] = found.tables(PARTS);
    if (!inner) return found;
    found = inner;
  }
  return found;
}

/** Where rings or lines end, in positions; one where the file says none. */
function endsOf(geometry: FlatTable, count: number): readonly number[] {
  const ends = geometry.uints(ENDS);
  if (ends.length === 0) return [count];
  if (ends.some((end, index) => end < (ends[index - 1] ?? 0) || end > count))
    badInput("the feature is damaged: a part ends outside of it");
  return ends;
}
