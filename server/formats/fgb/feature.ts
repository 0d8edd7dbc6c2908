/**
 * A feature of FlatGeobuf: a size and a FlatBuffers table, laid out by hand, because a builder would take each coordinate
 * one by one. Places are aligned from the size on.
 */
import type { Bytes } from "../../kernel/database/database.ts";
import { readWkbCode, WKB, WKB_HEAD_BYTES } from "../../types/wkb.ts";
import type { Dimensions } from "../dimensions.ts";
import type { ColumnTypeCode } from "./columnType.ts";

/** minx, miny, maxx, maxy. */
export type Box = readonly [number, number, number, number];

/** The slots of the table Geometry, in the order of its schema; t and tm are never used. */
const SLOT = { ends: 0, xy: 1, z: 2, m: 3, type: 6, parts: 7 } as const;
type Slot = (typeof SLOT)[keyof typeof SLOT];
/** The place of a slot's field in the table. */
const FIELDS = [4, 8, 12, 16, 0, 0, 24, 20] as const;
const SLOTS_BYTES = 4 + 2 * FIELDS.length;
const GEOMETRY_BYTES = 28;
const FEATURE_BYTES = 12;
const GEOMETRY_FIELD = 4;
const PROPERTIES_FIELD = 8;
/** The place of the slot of a feature's geometry, from the feature's beginning. */
const GEOMETRY_SLOT = 12;

/** A reader that has the whole file in memory reads coordinates in place, so each part is aligned. */
export const FGB_ALIGNMENT = 8;

export class FeatureWriter {
  readonly #dimensions: Dimensions;
  #out!: Bytes;
  /** The beginnings of the feature, of its table, and of its properties. */
  #start = 0;
  #table = 0;
  #properties = 0;
  #wkb = Buffer.alloc(1024);
  #at = 0;
  #minx = 0;
  #miny = 0;
  #maxx = 0;
  #maxy = 0;

  /** The dimensions of every geometry; missing ones are 0, further ones are left out. */
  constructor(dimensions: Dimensions) {
    this.#dimensions = dimensions;
  }

  /** Begins a feature, whose properties follow, and then `end`. */
  begin(out: Bytes): void {
    this.#out = out;
    this.#start = out.length;
    out.reserve(64);
    this.#u32(0); // its size
    this.#u32(12); // where its table is, from here
    this.#u16(8);
    this.#u16(FEATURE_BYTES);
    this.#u16(GEOMETRY_FIELD);
    this.#u16(PROPERTIES_FIELD);
    this.#table = out.length;
    this.#u32(8); // where the slots are, backwards
    this.#u32(0);
    this.#u32(0);
    this.#refer(this.#table + PROPERTIES_FIELD);
    this.#properties = out.length;
    this.#u32(0); // how many bytes they are
  }

  /** `text`: the value as PostgreSQL's text. */
  property(index: number, type: ColumnTypeCode, text: string): void {
    const out = this.#out;
    out.reserve(16);
    this.#u16(index);
    switch (type) {
      case "Bool":
        out.buffer[out.length++] = text === "t" ? 1 : 0;
        return;
      case "Int":
        out.length = out.buffer.writeInt32LE(Number(text), out.length);
        return;
      case "Long":
        out.length = out.buffer.writeBigInt64LE(BigInt(text), out.length);
        return;
      case "Float":
        out.length = out.buffer.writeFloatLE(Number(text), out.length);
        return;
      case "Double":
        out.length = out.buffer.writeDoubleLE(Number(text), out.length);
        return;
      default: {
        const at = out.length;
        this.#u32(0);
        out.put(text);
        out.buffer.writeUInt32LE(out.length - at - 4, at);
      }
    }
  }

  /**
   * `wkb`: hexadecimal; undefined without a geometry. Returns the box of the geometry. A geometry with a coordinate that is
   * not a number is left out.
   */
  end(wkb: string | undefined): Box | "not finite" | undefined {
    const out = this.#out;
    out.buffer.writeUInt32LE(out.length - this.#properties - 4, this.#properties);
    const behind = out.length;
    const box = wkb === undefined ? undefined : this.#geometry(wkb);
    if (!Array.isArray(box)) {
      out.length = behind;
      out.buffer.writeUInt32LE(0, this.#table + GEOMETRY_FIELD);
      out.buffer.writeUInt16LE(0, this.#start + GEOMETRY_SLOT);
    }
    this.#align(FGB_ALIGNMENT);
    out.buffer.writeUInt32LE(out.length - this.#start - 4, this.#start);
    return box;
  }

  #geometry(hex: string): Box | "not finite" {
    const bytes = hex.length / 2;
    if (this.#wkb.length < bytes) this.#wkb = Buffer.alloc(2 * bytes);
    this.#wkb.write(hex, "hex");
    this.#at = 0;
    this.#minx = this.#miny = Infinity;
    this.#maxx = this.#maxy = -Infinity;
    this.#align(4);
    this.#part(this.#table + GEOMETRY_FIELD);
    const box: Box = [this.#minx, this.#miny, this.#maxx, this.#maxy];
    return box.every(Number.isFinite) ? box : "not finite";
  }

  /** Writes the table of the next geometry, to which the offset at `referrer` will point. */
  #part(referrer: number): void {
    const out = this.#out;
    const { type, z, m } = readWkbCode(this.#wkb.readUInt32LE(this.#at + 1));
    this.#at += WKB_HEAD_BYTES;
    out.reserve(SLOTS_BYTES + GEOMETRY_BYTES);
    this.#u16(SLOTS_BYTES);
    this.#u16(GEOMETRY_BYTES);
    out.buffer.fill(0, out.length, out.length + SLOTS_BYTES - 4 + GEOMETRY_BYTES);
    out.length += SLOTS_BYTES - 4;
    const table = out.length;
    this.#refer(referrer);
    out.buffer.writeUInt32LE(SLOTS_BYTES, table);
    out.length += GEOMETRY_BYTES;
    this.#setSlot(table, SLOT.type);
    out.buffer[table + FIELDS[SLOT.type]] = type;
    if (type <= WKB.multiLineString) this.#coordinates(table, type, { z, m });
    else this.#parts(table);
  }

  #parts(table: number): void {
    const count = this.#count();
    this.#out.reserve(8 + 4 * count);
    this.#field(table, SLOT.parts);
    this.#u32(count);
    const first = this.#out.length;
    for (let index = 0; index < count; index++) this.#u32(0);
    for (let index = 0; index < count; index++) {
      this.#align(4);
      this.#part(first + 4 * index);
    }
  }

  /** For a geometry without parts of its own. */
  #coordinates(table: number, kind: number, own: Dimensions): void {
    const out = this.#out;
    this.#align(8, 4);
    this.#field(table, SLOT.xy);
    const countAt = out.length;
    out.length += 4;
    const [ends, zs, ms]: [number[], number[], number[]] = [[], [], []];
    let points = 0;
    const sequence = (count: number): void => {
      this.#points(count, own, zs, ms);
      ends.push((points += count));
    };
    const hasMany = kind !== WKB.point && kind !== WKB.lineString;
    const sequences = hasMany ? this.#count() : 1;
    for (let index = 0; index < sequences; index++) {
      if (kind === WKB.multiPoint || kind === WKB.multiLineString) this.#at += WKB_HEAD_BYTES;
      sequence(kind === WKB.point || kind === WKB.multiPoint ? 1 : this.#count());
    }
    out.buffer.writeUInt32LE(2 * points, countAt);
    if (ends.length > 1 && kind !== WKB.multiPoint) this.#ends(table, ends);
    if (this.#dimensions.z) this.#doubles(table, SLOT.z, points, zs);
    if (this.#dimensions.m) this.#doubles(table, SLOT.m, points, ms);
  }

  #points(count: number, { z, m }: Dimensions, zs: number[], ms: number[]): void {
    const out = this.#out;
    out.reserve(16 * count);
    const { buffer } = out;
    const from = out.length;
    if (!z && !m) {
      this.#wkb.copy(buffer, from, this.#at, this.#at + 16 * count);
      this.#at += 16 * count;
    } else {
      for (let index = 0; index < count; index++) {
        this.#wkb.copy(buffer, from + 16 * index, this.#at, this.#at + 16);
        this.#at += 16;
        if (z) zs.push(this.#double());
        if (m) ms.push(this.#double());
      }
    }
    out.length = from + 16 * count;
    for (let at = from; at < out.length; at += 16) {
      const [x, y] = [buffer.readDoubleLE(at), buffer.readDoubleLE(at + 8)];
      this.#minx = Math.min(this.#minx, x);
      this.#miny = Math.min(this.#miny, y);
      this.#maxx = Math.max(this.#maxx, x);
      this.#maxy = Math.max(this.#maxy, y);
    }
  }

  #ends(table: number, ends: readonly number[]): void {
    this.#align(4);
    this.#out.reserve(4 + 4 * ends.length);
    this.#field(table, SLOT.ends);
    this.#u32(ends.length);
    for (const end of ends) this.#u32(end);
  }

  /** 0 for an ordinate that the geometry lacks. */
  #doubles(table: number, slot: Slot, count: number, values: readonly number[]): void {
    const out = this.#out;
    this.#align(8, 4);
    out.reserve(4 + 8 * count);
    this.#field(table, slot);
    this.#u32(count);
    for (let index = 0; index < count; index++) out.length = out.buffer.writeDoubleLE(values[index] ?? 0, out.length);
  }

  #count(): number {
    const count = this.#wkb.readUInt32LE(this.#at);
    this.#at += 4;
    return count;
  }

  #double(): number {
    const value = this.#wkb.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  /** Makes the field of a table refer to the object that is written next. */
  #field(table: number, slot: Slot): void {
    this.#setSlot(table, slot);
    this.#refer(table + FIELDS[slot]);
  }

  #setSlot(table: number, slot: Slot): void {
    this.#out.buffer.writeUInt16LE(FIELDS[slot], table - SLOTS_BYTES + 4 + 2 * slot);
  }

  /** Makes the offset at `at` point to the object that is written next. */
  #refer(at: number): void {
    this.#out.buffer.writeUInt32LE(this.#out.length - at, at);
  }

  /** `rest`: the remainder of the place divided by `size`. */
  #align(size: number, rest = 0): void {
    const out = this.#out;
    out.reserve(12 + size);
    while ((out.length - this.#start) % size !== rest) out.buffer[out.length++] = 0;
  }

  #u16(value: number): void {
    this.#out.length = this.#out.buffer.writeUInt16LE(value, this.#out.length);
  }

  #u32(value: number): void {
    this.#out.length = this.#out.buffer.writeUInt32LE(value, this.#out.length);
  }
}
