/** The box of a geometry in ISO well-known binary, little-endian, made of points, lines and polygons. */
import { readWkbCode, WKB, WKB_HEAD_BYTES } from "../../types/wkb.ts";

/** minx, maxx, miny, maxy, in the order of a GeoPackage. */
export type Box = [minx: number, maxx: number, miny: number, maxy: number];

const COUNT_BYTES = 4;

/** Undefined where no coordinate is a number. */
export function boxOf(wkb: Buffer): Box | undefined {
  const box: Box = [Infinity, -Infinity, Infinity, -Infinity];
  walk(wkb, 0, (x, y) => {
    if (x < box[0]) box[0] = x;
    if (x > box[1]) box[1] = x;
    if (y < box[2]) box[2] = y;
    if (y > box[3]) box[3] = y;
  });
  return box.every(Number.isFinite) ? box : undefined;
}

/** Whether all coordinates in the plane are numbers. */
export function isFiniteWkb(wkb: Buffer): boolean {
  let isFinite = true;
  walk(wkb, 0, (x, y) => {
    isFinite &&= Number.isFinite(x) && Number.isFinite(y);
  });
  return isFinite;
}

/** Gives each position of the geometry at `at`; returns its end. */
function walk(wkb: Buffer, at: number, take: (x: number, y: number) => void): number {
  const { type, z, m } = readWkbCode(wkb.readUInt32LE(at + 1));
  const dimensions = 2 + Number(z) + Number(m);
  let next = at + WKB_HEAD_BYTES;
  const count = (): number => {
    next += COUNT_BYTES;
    return wkb.readUInt32LE(next - COUNT_BYTES);
  };
  const points = (many: number): void => {
    for (let index = 0; index < many; index++, next += 8 * dimensions) {
      take(wkb.readDoubleLE(next), wkb.readDoubleLE(next + 8));
    }
  };
  if (type === WKB.point) points(1);
  else if (type === WKB.lineString) points(count());
  else if (type === WKB.polygon) for (let rings = count(); rings > 0; rings--) points(count());
  else for (let parts = count(); parts > 0; parts--) next = walk(wkb, next, take);
  return next;
}
