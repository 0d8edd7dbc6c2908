/**
 * The index of a FlatGeobuf file: a packed R-tree over the boxes of its features, which are sorted along a Hilbert curve.
 */
import type { Box } from "./feature.ts";
import { NODE_SIZE } from "./header.ts";

/** Box and offset. */
const NODE_BYTES = 40;
const NOTHING: Box = [Infinity, Infinity, -Infinity, -Infinity];
const CURVE_SIDE = 0xffff;

export interface Index {
  readonly envelope: Box;
  readonly tree: Buffer;
  /** In the order of the tree. */
  readonly features: Buffer;
}

interface Leaf {
  readonly piece: Buffer;
  readonly start: number;
  readonly end: number;
  readonly box: Box;
  readonly place: number;
}

/**
 * `pieces`: features, each after its size, as many in all as there are `boxes`. Undefined where none of them has a box. A
 * feature without a box is placed where no search finds it.
 */
export function indexOf(pieces: readonly Buffer[], boxes: readonly (Box | undefined)[]): Index | undefined {
  const envelope = boxes.reduce<Box>((all, box) => (box ? around(all, box) : all), NOTHING);
  if (envelope[0] > envelope[2]) return undefined;
  const leaves: Leaf[] = [];
  for (const piece of pieces)
    for (let start = 0; start < piece.length;) {
      const end = start + 4 + piece.readUInt32LE(start);
      const box = boxes[leaves.length] ?? NOTHING;
      leaves.push({ piece, start, end, box, place: placeOf(box, envelope) });
      start = end;
    }
  leaves.sort((one, other) => one.place - other.place);
  const features = Buffer.allocUnsafe(leaves.reduce((sum, { start, end }) => sum + end - start, 0));
  const offsets: number[] = [];
  let at = 0;
  for (const { piece, start, end } of leaves) {
    offsets.push(at);
    at += piece.copy(features, at, start, end);
  }
  return {
    envelope,
    features,
    tree: treeOf(
      leaves.map(({ box }) => box),
      offsets,
    ),
  };
}

function around(one: Box, other: Box): Box {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}

/** The root first, each level after the one above it; an inner node has the number of its first child. */
function treeOf(boxes: readonly Box[], offsets: readonly number[]): Buffer {
  const levels: { box: Box; offset: number }[][] = [boxes.map((box, index) => ({ box, offset: offsets[index]! }))];
  do {
    const below = levels.at(-1)!;
    const count = Math.ceil(below.length / NODE_SIZE);
    levels.push(
      Array.from({ length: count }, (_, index) => {
        const children = below.slice(index * NODE_SIZE, (index + 1) * NODE_SIZE);
        return { box: children.reduce((all, { box }) => around(all, box), NOTHING), offset: index * NODE_SIZE };
      }),
    );
  } while (levels.at(-1)!.length > 1);
  const tree = Buffer.allocUnsafe(levels.reduce((sum, { length }) => sum + length, 0) * NODE_BYTES);
  let at = 0;
  let number = 0;
  for (const level of levels.toReversed()) {
    number += level.length;
    for (const { box, offset } of level) {
      for (const bound of box) at = tree.writeDoubleLE(bound, at);
      at = tree.writeBigUInt64LE(BigInt(level === levels[0] ? offset : number + offset), at);
    }
  }
  return tree;
}

/** The position of a box's centre on a Hilbert curve through the envelope. */
function placeOf(box: Box, [minx, miny, maxx, maxy]: Box): number {
  if (box === NOTHING) return Number.MAX_SAFE_INTEGER;
  const cell = (middle: number, low: number, high: number): number =>
    high > low ? Math.floor((CURVE_SIDE * (middle - low)) / (high - low)) : 0;
  let x = cell((box[0] + box[2]) / 2, minx, maxx);
  let y = cell((box[1] + box[3]) / 2, miny, maxy);
  let place = 0;
  for (let side = (CURVE_SIDE + 1) / 2; side >= 1; side /= 2) {
    const right = (x & side) > 0;
    const upper = (y & side) > 0;
    place += side * side * (upper ? (right ? 2 : 1) : right ? 3 : 0);
    if (upper) continue;
    // the two lower quarters are turned
    if (right) [x, y] = [CURVE_SIDE - x, CURVE_SIDE - y];
    [x, y] = [y, x];
  }
  return place;
}
