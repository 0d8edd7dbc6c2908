/**
 * The glyphs of a range of characters in MapLibre's form: distances from outlines, in a protobuf (the format of
 * fontnik).
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import type * as opentype from "opentype.js";
import { PbfWriter } from "pbf";

/** The font of labels, also on drawn maps. */
export const FONT = "DejaVu Sans";
/** The number of characters in a range. Clients ask for no other ranges. */
export const RANGE = 256;
/** The last character that clients request. */
export const LAST = 0xffff;

/** The font size in pixels at which the distances are computed. Clients scale them. */
const SIZE = 24;
/** The margin around a glyph, in pixels. */
const BUFFER = 3;
/** The range of distances that a byte can hold, in pixels, and the part of it that is inside. */
const RADIUS = 8;
const CUTOFF = 0.25;
/** The distance from the upper edge of a line to its baseline. Clients centre capitals in a label with it. */
const ASCENT = 26;
/** The number of straight pieces of a curve. */
const PIECES = 4;
/** The number of glyphs that are computed before other work gets its turn. */
const AT_ONCE = 8;

type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

interface Glyph {
  readonly id: number;
  readonly advance: number;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly bitmap: Uint8Array | undefined;
}

let font: opentype.Font | undefined;

function readFont(): opentype.Font {
  const require = createRequire(import.meta.url);
  // loaded with the first glyph; Node cannot import the package by names because it is not a module
  const { parse } = require("opentype.js") as typeof opentype;
  const bytes = readFileSync(require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
  return parse(new Uint8Array(bytes).buffer);
}

/**
 * The glyphs of a range. `start`: the first character, a multiple of `RANGE`. Characters that the font lacks are left
 * out.
 */
export async function glyphRange(start: number): Promise<Buffer> {
  font ??= readFont();
  const glyphs: Glyph[] = [];
  for (let id = start; id < start + RANGE; id++) {
    const glyph = glyphOf(font, id);
    if (glyph) glyphs.push(glyph);
    if (id % AT_ONCE === 0) await setImmediate();
  }
  const pbf = new PbfWriter();
  pbf.writeMessage(1, writeStack, { range: `${start}-${start + RANGE - 1}`, glyphs });
  return Buffer.from(pbf.finish());
}

function writeStack({ range, glyphs }: { range: string; glyphs: readonly Glyph[] }, pbf: PbfWriter): void {
  pbf.writeStringField(1, FONT);
  pbf.writeStringField(2, range);
  for (const glyph of glyphs) pbf.writeMessage(3, writeGlyph, glyph);
}

function writeGlyph({ id, bitmap, width, height, left, top, advance }: Glyph, pbf: PbfWriter): void {
  pbf.writeVarintField(1, id);
  if (bitmap) pbf.writeBytesField(2, bitmap);
  pbf.writeVarintField(3, width);
  pbf.writeVarintField(4, height);
  pbf.writeSVarintField(5, left);
  pbf.writeSVarintField(6, top);
  pbf.writeVarintField(7, advance);
}

/** A glyph; undefined for a character that the font lacks. */
function glyphOf(font: opentype.Font, id: number): Glyph | undefined {
  const character = String.fromCodePoint(id);
  if (font.charToGlyphIndex(character) === 0) return undefined;
  const glyph = font.charToGlyph(character);
  const advance = Math.round(((glyph.advanceWidth ?? 0) * SIZE) / font.unitsPerEm);
  const edges = edgesOf(glyph.getPath(0, 0, SIZE).commands);
  if (edges.length === 0) return { id, advance, width: 0, height: 0, left: 0, top: -ASCENT, bitmap: undefined };
  const xs = edges.map(([x]) => x);
  const ys = edges.map(([, y]) => y);
  const [left, right] = [Math.floor(Math.min(...xs)), Math.ceil(Math.max(...xs))];
  const [upper, lower] = [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys))];
  const [width, height] = [right - left, lower - upper];
  const bitmap = distances(edges, {
    left: left - BUFFER,
    upper: upper - BUFFER,
    width: width + 2 * BUFFER,
    height: height + 2 * BUFFER,
  });
  return { id, advance, width, height, left, top: -upper - ASCENT, bitmap };
}

/** The outline in straight pieces. y goes down from the baseline. */
function edgesOf(commands: readonly opentype.PathCommand[]): Edge[] {
  const edges: Edge[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const to = (nextX: number, nextY: number): void => {
    if (nextX !== x || nextY !== y) edges.push([x, y, nextX, nextY]);
    [x, y] = [nextX, nextY];
  };
  for (const command of commands)
    switch (command.type) {
      case "M":
        [x, y, startX, startY] = [command.x, command.y, command.x, command.y];
        break;
      case "L":
        to(command.x, command.y);
        break;
      case "Q": {
        const [fromX, fromY] = [x, y];
        const along = (t: number, a: number, b: number, c: number): number =>
          (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t ** 2 * c;
        for (let piece = 1; piece <= PIECES; piece++) {
          const t = piece / PIECES;
          to(along(t, fromX, command.x1, command.x), along(t, fromY, command.y1, command.y));
        }
        break;
      }
      case "C": // not in a TrueType font
        to(command.x, command.y);
        break;
      case "Z":
        to(startX, startY);
    }
  return edges;
}

interface PixelBox {
  readonly left: number;
  readonly upper: number;
  readonly width: number;
  readonly height: number;
}

/** The distance of each pixel's middle from the outline, as a byte: 255 is far inside, 0 far outside. */
function distances(edges: readonly Edge[], { left, upper, width, height }: PixelBox): Uint8Array {
  const flat = Float64Array.from(edges.flat());
  const bytes = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const away = distance(flat, left + column + 0.5, upper + row + 0.5);
      bytes[row * width + column] = Math.max(0, Math.min(255, Math.round(255 - 255 * (away / RADIUS + CUTOFF))));
    }
  return bytes;
}

/**
 * The distance from a point to the nearest edge, negative where the outline winds around the point. `edges`: four
 * numbers each.
 */
function distance(edges: Float64Array, x: number, y: number): number {
  let least = Infinity;
  let winding = 0;
  for (let at = 0; at < edges.length; at += 4) {
    const x1 = edges[at]!;
    const y1 = edges[at + 1]!;
    const dx = edges[at + 2]! - x1;
    const dy = edges[at + 3]! - y1;
    const along = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy);
    const t = along < 0 ? 0 : along > 1 ? 1 : along;
    const awayX = x - x1 - t * dx;
    const awayY = y - y1 - t * dy;
    const square = awayX * awayX + awayY * awayY;
    if (square < least) least = square;
    if (y1 <= y !== y1 + dy <= y && x1 + ((y - y1) / dy) * dx > x) winding += y1 <= y ? 1 : -1;
  }
  return Math.sqrt(least) * (winding === 0 ? 1 : -1);
}
