/** The pixels of a PNG, for tests that inspect maps. */
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

export function picture(bytes: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(bytes);
  const startOf = (column: number, row: number): number => (row * width + column) * 4;
  return {
    width,
    height,
    at(column, row) {
      const start = startOf(column, row);
      return `#${data.toString("hex", start, start + 4)}`;
    },
    count(colour) {
      const wanted = Number.parseInt(colour.slice(1).padEnd(8, "0"), 16);
      const mask = colour === "#" ? 0 : -1 << (4 * (9 - colour.length));
      let count = 0;
      for (let start = 0; start < data.length; start += 4) {
        if (((data.readInt32BE(start) ^ wanted) & mask) !== 0) continue;
        if (data[start + 3]! > 0 || colour.length === 9) count++;
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
          const start = startOf(column, row);
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
