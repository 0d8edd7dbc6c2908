/** Builds one geometry after the other as hexadecimal WKB of PostGIS' extended form, little-endian. */
import { badInput } from "../../ground/errors.ts";
import { EWKB, WKB_LITTLE_ENDIAN } from "../../types/wkb.ts";
import type { Dimensions } from "../dimensions.ts";

const ROOM_AT_FIRST = 64 * 1024;
/** A larger buffer is not kept for the next geometry. */
const MOST_KEPT = 1024 * 1024;

export class WkbBuilder {
  #bytes = Buffer.allocUnsafeSlow(ROOM_AT_FIRST);
  #length = 0;

  /** The head of a geometry or of a part. `type`: of `WKB`. */
  head(type: number, { z, m }: Dimensions): void {
    this.#reserve(5);
    this.#bytes[this.#length++] = WKB_LITTLE_ENDIAN;
    this.#write32((type | (z ? EWKB.z : 0) | (m ? EWKB.m : 0)) >>> 0);
  }

  /** How many parts, rings or positions follow. */
  count(count: number): void {
    this.#reserve(4);
    this.#write32(count);
  }

  /** Throws `BAD_USER_INPUT` for a number that is not finite. */
  ordinate(value: number): void {
    if (!Number.isFinite(value)) badInput("the geometry has a coordinate that is not a finite number");
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  /** The geometry with its system, as PostGIS reads it; a new one begins. `srid`: 0: unknown. */
  end(srid: number): string {
    const hex = this.#bytes.toString("hex", 0, this.#length);
    this.clear();
    return srid === 0 ? hex : `SRID=${srid};${hex}`;
  }

  /** Drops an unfinished geometry. */
  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > MOST_KEPT) this.#bytes = Buffer.allocUnsafeSlow(ROOM_AT_FIRST);
  }

  #write32(value: number): void {
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
