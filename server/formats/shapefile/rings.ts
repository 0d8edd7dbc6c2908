/**
 * Sorts the rings of a Shapefile's polygon into polygons. A clockwise ring is an outer one, any other is a hole, and
 * nothing else in the file says which outer ring a hole belongs to (ESRI Shapefile Technical Description, 1998).
 */
import { badInput } from "../../ground/errors.ts";

/** Positions of a ring in the list of all: from `from`, up to `to`. */
export interface Ring {
  readonly from: number;
  readonly to: number;
}

interface Outer {
  readonly ring: Ring;
  readonly area: number;
  readonly box: readonly [minx: number, miny: number, maxx: number, maxy: number];
  readonly holes: Ring[];
}

/** The most comparisons for the rings of one polygon, about a second, so that a file cannot keep the service busy. */
const MOST_COMPARED = 100_000_000;

/** Polygons, each as its outer ring and its holes. A hole that lies in no ring becomes an outer one. `xy`: of all positions. */
export function polygonsOf(xy: Float64Array, rings: readonly Ring[]): readonly (readonly Ring[])[] {
  if (rings.length === 1) return [rings];
  const areas = rings.map((ring) => signedArea(xy, ring));
  const outers: Outer[] = [];
  const holes: Ring[] = [];
  for (const [index, ring] of rings.entries()) {
    if (areas[index]! > 0) holes.push(ring);
    else outers.push(outerOf(xy, ring, -areas[index]!));
  }
  if (outers.length === 1) return [[outers[0]!.ring, ...holes]];
  const alone: Ring[][] = [];
  const bySize = outers.toSorted((one, other) => one.area - other.area); // the hole belongs to the smallest ring around it
  const work = { left: MOST_COMPARED };
  for (const hole of holes) {
    const outer = bySize.find((each) => isWithin(xy, hole, each, work));
    if (outer) outer.holes.push(hole);
    else alone.push([hole]);
  }
  return [...outers.map(({ ring, holes: own }) => [ring, ...own]), ...alone];
}

/** Twice the area; below 0 where it goes round clockwise. */
function signedArea(xy: Float64Array, { from, to }: Ring): number {
  const [x0, y0] = [xy[2 * from]!, xy[2 * from + 1]!]; // relative to that position, so that large ordinates lose no digits
  let area = 0;
  for (let at = from; at + 1 < to; at++)
    area += (xy[2 * at]! - x0) * (xy[2 * at + 3]! - y0) - (xy[2 * at + 2]! - x0) * (xy[2 * at + 1]! - y0);
  return area;
}

function outerOf(xy: Float64Array, ring: Ring, area: number): Outer {
  let [minx, miny, maxx, maxy] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = ring.from; at < ring.to; at++) {
    minx = Math.min(minx, xy[2 * at]!);
    miny = Math.min(miny, xy[2 * at + 1]!);
    maxx = Math.max(maxx, xy[2 * at]!);
    maxy = Math.max(maxy, xy[2 * at + 1]!);
  }
  return { ring, area, box: [minx, miny, maxx, maxy], holes: [] };
}

/** Judged by the first position of the hole that is not on the ring. */
function isWithin(xy: Float64Array, hole: Ring, { ring, box }: Outer, work: { left: number }): boolean {
  for (let at = hole.from; at < hole.to; at++) {
    const x = xy[2 * at]!;
    const y = xy[2 * at + 1]!;
    const isInBox = x >= box[0] && y >= box[1] && x <= box[2] && y <= box[3];
    work.left -= isInBox ? ring.to - ring.from : 1;
    if (work.left < 0) badInput("the polygon has too many rings to find which hole is in which");
    if (!isInBox) return false;
    const side = sideOf(xy, ring, x, y);
    if (side !== 0) return side > 0;
  }
  return true; // the same line: a hole that fills it
}

/** 1: within the ring, 0: on it, -1: outside. */
function sideOf(xy: Float64Array, { from, to }: Ring, x: number, y: number): number {
  let isInside = false;
  for (let at = from; at + 1 < to; at++) {
    const x1 = xy[2 * at]!;
    const y1 = xy[2 * at + 1]!;
    const x2 = xy[2 * at + 2]!;
    const y2 = xy[2 * at + 3]!;
    const cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
    const isBeside = Math.min(x1, x2) <= x && x <= Math.max(x1, x2) && Math.min(y1, y2) <= y && y <= Math.max(y1, y2);
    if (cross === 0 && isBeside) return 0;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
  }
  return isInside ? 1 : -1;
}
