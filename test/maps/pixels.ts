/** The pixels of a PNG, for tests that inspect maps. */
import { inflateSync } from "node:zlib";
import { PNG } from "pngjs";

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** `#rrggbbaa` of the pixel in this column and row, from the upper left corner. */
  at(column: number, row: number): string;
  /** The number of pixels of a colour that begins with these digits of `#rrggbbaa`, and is not transparent if these are fewer. */
  count(colour: string): number;
  /** Where a colour is. `tolerance`: how far each of red, green and blue may be from it. `within`: default the whole picture. */
  areaOf(colour: string, tolerance?: number, within?: Box): Area;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Area {
  readonly pixels: number;
  /** The first and the last column and row with the colour. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Bytes of a pixel: 3 or, with opacity, 4. */
  readonly size: number;
  readonly data: Buffer;
}

export function picture(bytes: Buffer): Picture {
  const { width, height, size, data } = pixelsOf(bytes);
  const at = (column: number, row: number): string => {
    const start = (row * width + column) * size;
    return `#${data.toString("hex", start, start + size)}${size === 3 ? "ff" : ""}`;
  };
  return {
    width,
    height,
    at,
    count(colour) {
      const wanted = Number.parseInt(colour.slice(1).padEnd(8, "0"), 16);
      const mask = colour === "#" ? 0 : -1 << (4 * (9 - colour.length));
      let count = 0;
      for (let start = 0; start < data.length; start += size) {
        const opacity = size === 3 ? 255 : data[start + 3]!;
        const value = (data[start]! << 24) | (data[start + 1]! << 16) | (data[start + 2]! << 8) | opacity;
        if (((value ^ wanted) & mask) === 0 && (opacity > 0 || colour.length === 9)) count++;
      }
      return count;
    },
    areaOf(colour, tolerance = 0, within = { x: 0, y: 0, width, height }) {
      const [red = 0, green = 0, blue = 0] = Buffer.from(colour.slice(1), "hex");
      const [firstRow, endRow] = [Math.max(0, within.y), Math.min(height, within.y + within.height)];
      const [firstColumn, endColumn] = [Math.max(0, within.x), Math.min(width, within.x + within.width)];
      let pixels = 0;
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let row = firstRow; row < endRow; row++)
        for (let column = firstColumn; column < endColumn; column++) {
          const start = (row * width + column) * size;
          if (Math.abs(data[start]! - red) > tolerance) continue;
          if (Math.abs(data[start + 1]! - green) > tolerance) continue;
          if (Math.abs(data[start + 2]! - blue) > tolerance) continue;
          pixels++;
          if (column < left) left = column;
          if (column > right) right = column;
          if (row < top) top = row;
          bottom = row;
        }
      return { pixels, left, top, right, bottom };
    },
  };
}

const HEADER = 8 + 8; // the signature, then length and type
const TRUE_COLOURS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** What browsers write is read here: the package takes twice as long for a dense screen. */
function pixelsOf(bytes: Buffer): Pixels {
  const [width, height] = [bytes.readUInt32BE(HEADER), bytes.readUInt32BE(HEADER + 4)];
  const [depth, colourType = 0, , , interlace] = bytes.subarray(HEADER + 8);
  const size = TRUE_COLOURS[colourType];
  if (size === undefined || depth !== 8 || interlace !== 0) return { ...PNG.sync.read(bytes), size: 4 };
  const parts: Buffer[] = [];
  let isTransparent = false;
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const [type, content] = [bytes.toString("latin1", at + 4, at + 8), at + 8];
    if (type === "IDAT") parts.push(bytes.subarray(content, content + bytes.readUInt32BE(at)));
    isTransparent ||= type === "tRNS";
  }
  if (isTransparent) return { ...PNG.sync.read(bytes), size: 4 };
  return { width, height, size, data: unfiltered(inflateSync(Buffer.concat(parts)), width * size, height, size) };
}

/** The bytes of the rows, each of which has its kind of filter before it. */
function unfiltered(filtered: Buffer, length: number, height: number, size: number): Buffer {
  const data = Buffer.allocUnsafe(length * height);
  let above = new Uint8Array(length);
  for (let row = 0; row < height; row++) {
    const from = row * (length + 1) + 1;
    const kind = filtered[from - 1]!;
    const line = data.subarray(row * length, (row + 1) * length);
    filtered.copy(line, 0, from, from + length);
    if (kind === 1) for (let n = size; n < length; n++) line[n]! += line[n - size]!;
    else if (kind === 2) for (let n = 0; n < length; n++) line[n]! += above[n]!;
    else if (kind === 3)
      for (let n = 0; n < length; n++) line[n]! += ((n < size ? 0 : line[n - size]!) + above[n]!) >> 1;
    else if (kind === 4) {
      for (let n = 0; n < size; n++) line[n]! += above[n]!;
      for (let n = size; n < length; n++) line[n]! += paeth(line[n - size]!, above[n]!, above[n - size]!);
    }
    above = line;
  }
  return data;
}

/** The neighbour that is closest to left + above − the one between them. */
function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [
    Math.abs(above - corner),
    Math.abs(left - corner),
    Math.abs(left + above - 2 * corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
