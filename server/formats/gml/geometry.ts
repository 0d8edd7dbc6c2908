/**
 * Geometries of GML 3.1 and 3.2 (OGC 03-105r1, 07-036; simple features of 10-100r3), written from well-known binary: PostGIS'
 * own function for it takes longer than all the rest of an answer.
 */
import type { ByteRow, Bytes } from "../../kernel/database/database.ts";
import { MOST_DECIMAL_BYTES, writeDecimal } from "../../types/fixedDecimal.ts";
import { readWkbCode, WKB, WKB_HEAD_BYTES } from "../../types/wkb.ts";

const bytesOf = (text: string): Buffer => Buffer.from(text);

/** An element: its name, and that of the property around each of its parts. */
interface Form {
  readonly open: Buffer;
  /** Up to the id. */
  readonly openWithId: Buffer;
  readonly close: Buffer;
  readonly openPart: Buffer;
  readonly closePart: Buffer;
}

const formOf = (name: string, part = ""): Form => ({
  open: bytesOf(`<gml:${name}`),
  openWithId: bytesOf(`<gml:${name} gml:id="`),
  close: bytesOf(`</gml:${name}>`),
  openPart: bytesOf(`<gml:${part}>`),
  closePart: bytesOf(`</gml:${part}>`),
});

/** By the codes of well-known binary, without its dimensions. */
const FORMS: Readonly<Record<number, Form>> = {
  [WKB.point]: formOf("Point"),
  [WKB.lineString]: formOf("LineString"),
  [WKB.polygon]: formOf("Polygon"),
  [WKB.multiPoint]: formOf("MultiPoint", "pointMember"),
  [WKB.multiLineString]: formOf("MultiCurve", "curveMember"),
  [WKB.multiPolygon]: formOf("MultiSurface", "surfaceMember"),
  [WKB.collection]: formOf("MultiGeometry", "geometryMember"),
};

/** `name`: of the positions' element; `before` and `after`: the tags around it. */
const positionsOf = (name: string, before = "", after = "") => ({
  flat: bytesOf(`${before}<gml:${name} srsDimension="2">`),
  high: bytesOf(`${before}<gml:${name} srsDimension="3">`),
  close: bytesOf(`</gml:${name}>${after}`),
});
const ringOf = (name: string) =>
  positionsOf("posList", `<gml:${name}><gml:LinearRing>`, `</gml:LinearRing></gml:${name}>`);
const POS = positionsOf("pos");
const POS_LIST = positionsOf("posList");
const EXTERIOR = ringOf("exterior");
const INTERIOR = ringOf("interior");

const SPACE = " ".charCodeAt(0);
const EMPTY_END = bytesOf("/>");

export interface GmlOptions {
  /** The most decimals of a coordinate. */
  readonly places: number;
  /** Whether the second axis comes first. */
  readonly flipped: boolean;
  /** The name of the system. */
  readonly srsName: string;
  /** Whether each geometry has an id (GML 3.2.1 §7.2.4.5). */
  readonly hasIds: boolean;
}

/** Writes one geometry after another. */
export class GmlWriter {
  readonly #places: number;
  readonly #flipped: boolean;
  /** The end of the first tag, from behind the id of the feature where geometries have ids. */
  readonly #outerEnd: Buffer;
  readonly #hasIds: boolean;
  #wkb = Buffer.alloc(1024);
  #view = new DataView(this.#wkb.buffer, this.#wkb.byteOffset, this.#wkb.length);
  #at = 0;
  #out!: Bytes;
  #id!: Bytes;
  #number = 0;
  #isFinite = true;

  /** `srsName` is escaped already. */
  constructor({ places, flipped, srsName, hasIds }: GmlOptions) {
    this.#places = places;
    this.#flipped = flipped;
    this.#outerEnd = bytesOf(`${hasIds ? '.g1"' : ""} srsName="${srsName}">`);
    this.#hasIds = hasIds;
  }

  /**
   * Writes the column `index`: a geometry in ISO well-known binary, little-endian, of points, lines and polygons. `id`:
   * of the feature, escaped. Returns false where a coordinate is not a number; the written bytes must then be
   * discarded.
   */
  write(row: ByteRow, index: number, id: Bytes, out: Bytes): boolean {
    const length = row.lengthOf(index);
    if (length > this.#wkb.length) {
      this.#wkb = Buffer.alloc(2 * length);
      this.#view = new DataView(this.#wkb.buffer, this.#wkb.byteOffset, this.#wkb.length);
    }
    row.copy(index, this.#wkb, 0);
    this.#at = 0;
    this.#out = out;
    this.#id = id;
    this.#number = 0;
    this.#isFinite = true;
    this.#geometry(true);
    return this.#isFinite;
  }

  #geometry(isOuter: boolean): void {
    const out = this.#out;
    const { type, z, m } = readWkbCode(this.#view.getUint32(this.#at + 1, true));
    this.#at += WKB_HEAD_BYTES;
    const form = FORMS[type];
    if (!form) throw new Error(`well-known binary of type ${type} was not expected`);
    out.putBytes(this.#hasIds ? form.openWithId : form.open);
    if (this.#hasIds) out.append(this.#id);
    this.#number++;
    if (isOuter) out.putBytes(this.#outerEnd);
    else out.put(this.#hasIds ? `.g${this.#number}">` : ">");
    const count = type === WKB.point ? 1 : this.#count();
    if (count === 0) {
      out.length--;
      return out.putBytes(EMPTY_END);
    }
    const dimensions = { z, bytes: 8 * (2 + Number(z) + Number(m)) };
    if (type === WKB.point) this.#positions(POS, 1, dimensions);
    else if (type === WKB.lineString) this.#positions(POS_LIST, count, dimensions);
    else if (type === WKB.polygon)
      for (let ring = 0; ring < count; ring++)
        this.#positions(ring === 0 ? EXTERIOR : INTERIOR, this.#count(), dimensions);
    else
      for (let part = 0; part < count; part++) {
        out.putBytes(form.openPart);
        this.#geometry(false);
        out.putBytes(form.closePart);
      }
    out.putBytes(form.close);
  }

  #positions(element: typeof POS, count: number, { z, bytes }: { readonly z: boolean; readonly bytes: number }): void {
    const out = this.#out;
    out.putBytes(z ? element.high : element.flat);
    out.reserve(count * 3 * MOST_DECIMAL_BYTES);
    const { view: target } = out;
    const view = this.#view;
    const places = this.#places;
    const first = this.#flipped ? 8 : 0;
    const second = 8 - first;
    let next = out.length;
    let from = this.#at;
    for (let index = 0; index < count; index++, from += bytes) {
      const a = view.getFloat64(from + first, true);
      const b = view.getFloat64(from + second, true);
      const c = z ? view.getFloat64(from + 16, true) : 0;
      if (!(Number.isFinite(a) && Number.isFinite(b) && Number.isFinite(c))) {
        this.#isFinite = false;
        break;
      }
      if (index > 0) target.setUint8(next++, SPACE);
      next = writeDecimal(a, places, target, next);
      target.setUint8(next++, SPACE);
      next = writeDecimal(b, places, target, next);
      if (!z) continue;
      target.setUint8(next++, SPACE);
      next = writeDecimal(c, places, target, next);
    }
    this.#at += count * bytes;
    out.length = next;
    out.putBytes(element.close);
  }

  #count(): number {
    const count = this.#view.getUint32(this.#at, true);
    this.#at += 4;
    return count;
  }
}
