/**
 * A map tile is drawn with some of what lies around it, which is cut off: symbols and labels over an edge are then whole
 * on both sides of it. MapServer draws no point outside of its picture, and no label over the end of it.
 */
import { encode } from "jpeg-js";
import { PNG } from "pngjs";
import type { Collection } from "../collections.ts";
import { JPEG, type Format } from "../formats.ts";
import { shapesOf } from "../maps/mapData.ts";
import type { Frame } from "../maps/mapFrame.ts";
import type { Style, StyleNumber } from "../maps/style.ts";
import { defaultStyle } from "../maps/styleDefaults.ts";
import { MM_PER_PIXEL } from "../parameters/table.ts";
import { scaleOf, sizeAt, type TileAddress, type TileMatrixSet } from "./tileMatrixSet.ts";
import type { Bounds } from "../bounds.ts";

/** Pixels. */
interface Margins {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface TileFrame {
  /** What is drawn. */
  readonly frame: Frame;
  readonly margins: Margins;
}

/** Of a label in pixels, beyond which it may be cut: the length of some twenty letters. */
const LABEL_REACH = 128;
/** Of symbols whose size a column says. */
const COLUMN_REACH = 64;
const LEAST_REACH = 16;
const QUALITY = 85;

/** `reach`: pixels beyond a tile from which something may be drawn into it. Beyond the set there is nothing. */
export function tileFrame(set: TileMatrixSet, address: TileAddress, bounds: Bounds, reach: number): TileFrame {
  const { matrix, row, column } = address;
  const { cell, columns, rows } = sizeAt(set, matrix);
  const margins: Margins = {
    left: column === 0 ? 0 : reach,
    top: row === 0 ? 0 : reach,
    right: column === columns - 1 ? 0 : reach,
    bottom: row === rows - 1 ? 0 : reach,
  };
  const { left, top, right, bottom } = margins;
  const [minx, miny, maxx, maxy] = bounds;
  const frame: Frame = {
    crs: set.crs,
    bounds: [minx - left * cell, miny - bottom * cell, maxx + right * cell, maxy + top * cell],
    seam: undefined,
    width: set.tileSize + left + right,
    height: set.tileSize + top + bottom,
    scale: scaleOf(set, matrix),
    mmPerPixel: MM_PER_PIXEL,
  };
  return { frame, margins };
}

/** How far in pixels a style draws from where a feature is. */
export function reachOf(collection: Collection, style: Style | undefined): number {
  const classes = style ?? shapesOf(collection).flatMap(defaultStyle);
  if (classes.some(({ labels }) => labels.length > 0)) return LABEL_REACH;
  const lengths = classes.flatMap(({ styles }) => styles.flatMap(({ size = 8, width = 1 }) => [size, width]));
  return Math.max(LEAST_REACH, ...lengths.map(half));
}

function half(length: StyleNumber): number {
  return typeof length === "number" ? Math.ceil(length / 2) + 2 : COLUMN_REACH;
}

/** The tile that is in a PNG of what was drawn, in the format. */
export function cutTile(image: Buffer, { left, top, right, bottom }: Margins, format: Format): Buffer {
  const isWhole = left + top + right + bottom === 0;
  if (isWhole && format !== JPEG) return image;
  const drawn = PNG.sync.read(image);
  const [width, height] = [drawn.width - left - right, drawn.height - top - bottom];
  const tile = new PNG({ width, height });
  PNG.bitblt(drawn, tile, left, top, width, height);
  if (format === JPEG) return encode({ width, height, data: tile.data }, QUALITY).data;
  return PNG.sync.write(tile, { deflateLevel: 3 });
}
