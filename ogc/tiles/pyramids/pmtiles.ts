/**
 * A pyramid as one PMTiles v3 file: a header, directories with the positions of tiles, and the tiles in the order of a
 * Hilbert curve. The directories are made from the lengths of the tiles; the tiles themselves are read when they are
 * sent.
 */
import { gzipSync } from "node:zlib";

export interface TileEntry {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

/** A tile with its position in the tile section of the file. */
export interface PlacedTile extends TileEntry {
  /** Its number (`tileNumber`). */
  readonly number: number;
  readonly offset: number;
}

export interface PmtilesLayout {
  /** Everything before the first tile. */
  readonly head: Buffer;
  /** The tiles in the order of their offsets. */
  readonly tiles: readonly PlacedTile[];
  readonly size: number;
}

export interface PmtilesFacts {
  readonly firstZoom: number;
  readonly lastZoom: number;
  /** The bounds in longitude and latitude: minx, miny, maxx, maxy. */
  readonly bounds: readonly [number, number, number, number];
  readonly metadata: object;
}

const HEADER_BYTES = 127;
/** The bytes that readers fetch first. The header and the root directory must fit into them. */
const ROOT_BYTES = 16_384;
const [VERSION, GZIP, MVT] = [3, 2, 1];
const E7 = 1e7;
/** Entries of a leaf directory. The number is doubled until the root has room for all leaves. */
const LEAF_ENTRIES = 4096;

/** The number of a tile: lower levels come first, and each level follows a Hilbert curve. */
export function tileNumber({ z, x, y }: Pick<TileEntry, "z" | "x" | "y">): number {
  let number = (4 ** z - 1) / 3;
  let [tx, ty] = [x, y];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const rx = Math.floor(tx / side) % 2;
    const ry = Math.floor(ty / side) % 2;
    number += side * side * ((3 * rx) ^ ry);
    if (ry === 0) {
      if (rx === 1) [tx, ty] = [side - 1 - (tx % side), side - 1 - (ty % side)];
      [tx, ty] = [ty, tx];
    }
    [tx, ty] = [((tx % side) + side) % side, ((ty % side) + side) % side];
  }
  return number;
}

class Varints {
  #bytes: number[] = [];

  add(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes.push((rest % 128) | 128);
    this.#bytes.push(rest);
  }

  get bytes(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

interface DirectoryEntry {
  readonly number: number;
  readonly offset: number;
  readonly length: number;
  /** 0 for a leaf directory. */
  readonly run: number;
}

/** Columns of the entries, one after the other. An offset of 0 means that the tile follows the one before. */
function directory(entries: readonly DirectoryEntry[]): Buffer {
  const out = new Varints();
  out.add(entries.length);
  entries.forEach(({ number }, index) => out.add(number - (entries[index - 1]?.number ?? 0)));
  for (const { run } of entries) out.add(run);
  for (const { length } of entries) out.add(length);
  entries.forEach(({ offset }, index) => {
    const before = entries[index - 1];
    out.add(before && offset === before.offset + before.length ? 0 : offset + 1);
  });
  return gzipSync(out.bytes);
}

interface Directories {
  readonly root: Buffer;
  readonly leaves: Buffer;
}

function directories(tiles: readonly PlacedTile[]): Directories {
  const all = tiles.map(({ number, offset, length }): DirectoryEntry => ({ number, offset, length, run: 1 }));
  const whole = directory(all);
  if (whole.length <= ROOT_BYTES - HEADER_BYTES) return { root: whole, leaves: Buffer.alloc(0) };
  for (let size = LEAF_ENTRIES; ; size *= 2) {
    const leaves: Buffer[] = [];
    const entries: DirectoryEntry[] = [];
    let offset = 0;
    for (let at = 0; at < all.length; at += size) {
      const leaf = directory(all.slice(at, at + size));
      entries.push({ number: all[at]!.number, offset, length: leaf.length, run: 0 });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = directory(entries);
    if (root.length <= ROOT_BYTES - HEADER_BYTES) return { root, leaves: Buffer.concat(leaves) };
  }
}

/** The layout of a file. `entries`: the tiles with content, in any order. */
export function layoutOf(entries: readonly TileEntry[], facts: PmtilesFacts): PmtilesLayout {
  let length = 0;
  const tiles = entries
    .map((entry) => ({ ...entry, number: tileNumber(entry) }))
    .sort((a, b) => a.number - b.number)
    .map((entry): PlacedTile => {
      const offset = length;
      length += entry.length;
      return { ...entry, offset };
    });
  const { root, leaves } = directories(tiles);
  const metadata = gzipSync(JSON.stringify(facts.metadata));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles", "latin1");
  header[7] = VERSION;
  const places = [root.length, metadata.length, leaves.length, length];
  let offset = HEADER_BYTES;
  places.forEach((size, index) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(size), 16 + 16 * index);
    offset += size;
  });
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(tiles.length), at);
  header[96] = 1; // tiles are in the order of their numbers
  header.set([GZIP, GZIP, MVT, facts.firstZoom, facts.lastZoom], 97);
  const [minx, miny, maxx, maxy] = facts.bounds;
  [minx, miny, maxx, maxy].forEach((side, index) => header.writeInt32LE(Math.round(side * E7), 102 + 4 * index));
  header[118] = facts.firstZoom;
  header.writeInt32LE(Math.round(((minx + maxx) / 2) * E7), 119);
  header.writeInt32LE(Math.round(((miny + maxy) / 2) * E7), 123);
  return { head: Buffer.concat([header, root, metadata, leaves]), tiles, size: offset };
}

/** The tiles that overlap the bytes `from` to `to` of the file. */
export function tilesWithin({ head, tiles }: PmtilesLayout, from: number, to: number): readonly PlacedTile[] {
  let [low, high] = [0, tiles.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { offset, length } = tiles[middle]!;
    if (head.length + offset + length <= from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < tiles.length && head.length + tiles[end]!.offset < to) end++;
  return tiles.slice(low, end);
}
