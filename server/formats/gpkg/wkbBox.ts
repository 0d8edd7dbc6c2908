/** The box of a geometry in ISO well-known binary, little-endian, made of points, lines and polygons. */

/** minx, maxx, miny, maxy, in the order of a GeoPackage. */
export type Box = [minx: number, maxx: number, miny: number, maxy: number];

const POINT = 1;
const LINE = 2;
const POLYGON = 3;
/** Each geometry begins with its byte order and type. */
const HEAD_BYTES = 5;
const COUNT_BYTES = 4;

/** Undefined where no coordinate is a number. */
export function boxOf(wkb: Buffer): Box | undefined {
  const box: Box = [Infinity, -Infinity, Infinity, -Infinity];
  widen(wkb, 0, box);
  return box.every(Number.isFinite) ? box : undefined;
}

/** Extends the box by the geometry at `at`; returns its end. */
function widen(wkb: Buffer, at: number, box: Box): number {
  const code = wkb.readUInt32LE(at + 1);
  const kind = code % 1000;
  const dimensions = [2, 3, 3, 4][Math.floor(code / 1000)]!;
  let next = at + HEAD_BYTES;
  const count = (): number => {
    next += COUNT_BYTES;
    return wkb.readUInt32LE(next - COUNT_BYTES);
  };
  const points = (many: number): void => {
    for (let index = 0; index < many; index++, next += 8 * dimensions) {
      const [x, y] = [wkb.readDoubleLE(next), wkb.readDoubleLE(next + 8)];
      if (x < box[0]) box[0] = x;
      if (x > box[1]) box[1] = x;
      if (y < box[2]) box[2] = y;
      if (y > box[3]) box[3] = y;
    }
  };
  if (kind === POINT) points(1);
  else if (kind === LINE) points(count());
  else if (kind === POLYGON) for (let rings = count(); rings > 0; rings--) points(count());
  else for (let parts = count(); parts > 0; parts--) next = widen(wkb, next, box);
  return next;
}
