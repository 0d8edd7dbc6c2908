/** The pixels of a PNG, for tests that inspect maps. */
import { PNG } from "pngjs";

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** `#rrggbbaa` of the pixel in this column and row, from the upper left corner. */
  at(column: number, row: number): string;
  /** The number of pixels of this colour, `#rrggbb` with any opacity above 0, or `#rrggbbaa`. */
  count(colour: string): number;
}

export function picture(bytes: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(bytes);
  const at = (column: number, row: number): string =>
    `#${data.subarray((row * width + column) * 4, (row * width + column) * 4 + 4).toString("hex")}`;
  return {
    width,
    height,
    at,
    count(colour) {
      let count = 0;
      for (let row = 0; row < height; row++)
        for (let column = 0; column < width; column++) {
          const pixel = at(column, row);
          if (pixel === colour || (pixel.startsWith(colour) && pixel.slice(7) !== "00")) count++;
        }
      return count;
    },
  };
}
