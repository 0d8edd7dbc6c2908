/** The box of a geometry in ISO well-known binary, little-endian, made of points, lines and polygons. */
import { readWkbCode, WKB, WKB_HEAD_BYTES } from "../../types/wkb.ts";

/** minx, maxx, miny, maxy, in the order of a GeoPackage. */
export type Box = [minx: number, maxx: number, miny: number, maxy: number];

const COUNT_BYTES = 4;

/** Undefined where no coordinate is a number. */
export function boxOf(wkb: Buffer): Box | undefined {
  const box = new RunningBox();
  return box.read(viewOf(wkb), 0) ? [box.minx, box.maxx, box.miny, box.maxy] : undefined;
}

/** The box of one geometry after another. */
export class RunningBox {
  minx = Infinity;
  maxx = -Infinity;
  miny = Infinity;
  maxy = -Infinity;

  /** Takes the geometry that begins at `at`. False where no coordinate is a number: then the sides say nothing. */
  read(wkb: DataView, at: number): boolean {
    this.minx = this.miny = Infinity;
    this.maxx = this.maxy = -Infinity;
    walk(wkb, at, this.#take);
    return (
      Number.isFinite(this.minx) &&
      Number.isFinite(this.maxx) &&
      Number.isFinite(this.miny) &&
      Number.isFinite(this.maxy)
    );
  }

  readonly #take: TakePoints = (wkb, from, count, bytes) => {
    let { minx, maxx, miny, maxy } = this;
    for (let at = from; count > 0; count--, at += bytes) {
      const x = wkb.getFloat64(at, true);
      const y = wkb.getFloat64(at + 8, true);
      if (x < minx) minx = x;
      if (x > maxx) maxx = x;
      if (y < miny) miny = y;
      if (y > maxy) maxy = y;
    }
    this.minx = minx;
    this.maxx = maxx;
    this.miny = miny;
    this.maxy = maxy;
  };
}

/** Whether all coordinates in the plane are numbers. */
export function isFiniteWkb(wkb: Buffer): boolean {
  let isFinite = true;
  walk(viewOf(wkb), 0, (view, from, count, bytes) => {
    for (let at = from; count > 0; count--, at += bytes)
      isFinite &&= Number.isFinite(view.getFloat64(at, true)) && Number.isFinite(view.getFloat64(at + 8, true));
  });
  return isFinite;
}

export function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Takes `count` positions of `bytes` each, the first at `from`. */
type TakePoints = (wkb: DataView, from: number, count: number, bytes: number) => void;

/** Gives the positions of the geometry at `at`, many at a time; returns its end. Makes no objects, since it runs for each row. */
function walk(wkb: DataView, at: number, take: TakePoints): number {
  const { type, z, m } = readWkbCode(wkb.getUint32(at + 1, true));
  const bytes = 8 * (2 + Number(z) + Number(m));
  let next = at + WKB_HEAD_BYTES;
  if (type === WKB.point) {
    take(wkb, next, 1, bytes);
    return next + bytes;
  }
  const count = wkb.getUint32(next, true);
  next += COUNT_BYTES;
  if (type === WKB.lineString) {
    take(wkb, next, count, bytes);
    return next + count * bytes;
  }
  for (let part = 0; part < count; part++) {
    if (type === WKB.polygon) {
      const points = wkb.getUint32(next, true);
      next += COUNT_BYTES;
      take(wkb, next, points, bytes);
      next += points * bytes;
    } else next = walk(wkb, next, take);
  }
  return next;
}
