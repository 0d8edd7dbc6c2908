/**
 * A map tile is cut out of a picture with a margin, so that symbols and labels on an edge are whole on both sides of
 * it. MapServer draws no point outside of its picture, and no label across its border.
 */
import { encode } from "jpeg-js";
import { PNG } from "pngjs";
import { spatial, type Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { JPEG, type Format } from "../exchange/formats.ts";
import { shapesOf } from "../maps/mapData.ts";
import type { Frame } from "../maps/mapFrame.ts";
import { invalid } from "../maps/mapProjection.ts";
import type { Style, StyleNumber } from "../maps/style.ts";
import { defaultStyle } from "../maps/styleDefaults.ts";
import { MM_PER_PIXEL } from "../exchange/parameters/table.ts";
import { sizeAt, type TileAddress, type TileMatrixSet } from "./tileMatrixSet.ts";
import type { Bounds } from "../collections/bounds.ts";

/** The margins in pixels. */
interface Margins {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface TileFrame {
  /** The drawn part. */
  readonly frame: Frame;
  readonly margins: Margins;
}

/** The length in pixels beyond which a label may be cut: about twenty letters. */
const LABEL_REACH = 128;
/** The margin in pixels for symbols whose size comes from a column. */
const COLUMN_REACH = 64;
const LEAST_REACH = 16;
const QUALITY = 85;

/** The largest side of a tile in pixels, since cutting a larger one out would delay other requests. */
const MAX_SIDE = 2048;
/** The largest side of the drawn picture in pixels. */
const MAX_DRAWN = 4096;

/**
 * The picture that is drawn for a tile, of the requested size and scale. `reach`: the distance from the tile, in pixels
 * of 0.28 mm, within which features may draw into it. The picture ends with the tile matrix set. Throws
 * `INVALID_PARAMETER`.
 */
export function tileFrame(
  { parameters }: Pick<Exchange, "parameters">,
  set: TileMatrixSet,
  { address, bounds, reach }: { readonly address: TileAddress; readonly bounds: Bounds; readonly reach: number },
): TileFrame {
  const { "mm-per-pixel": mmPerPixel = MM_PER_PIXEL } = parameters;
  const width = parameters.width ?? parameters.height ?? set.tileSize;
  const height = parameters.height ?? width;
  const side = Math.max(width, height);
  if (side > Math.max(MAX_SIDE, set.tileSize)) throw invalid(`width: a side of a tile has at most ${MAX_SIDE} pixels`);
  const { row, column } = address;
  const { span, columns, rows } = sizeAt(set, address.matrix);
  const margin = Math.ceil(Math.max(0, Math.min(reach * (MM_PER_PIXEL / mmPerPixel), side, (MAX_DRAWN - side) / 2)));
  const margins: Margins = {
    left: column === 0 ? 0 : margin,
    top: row === 0 ? 0 : margin,
    right: column === columns - 1 ? 0 : margin,
    bottom: row === rows - 1 ? 0 : margin,
  };
  const { left, top, right, bottom } = margins;
  const [cellX, cellY] = [span / width, span / height];
  const [minx, miny, maxx, maxy] = bounds;
  const frame: Frame = {
    crs: set.crs,
    bounds: [minx - left * cellX, miny - bottom * cellY, maxx + right * cellX, maxy + top * cellY],
    seam: undefined,
    width: width + left + right,
    height: height + top + bottom,
    scale: parameters["scale-denominator"] ?? (cellX * set.crs.metres * 1000) / mmPerPixel,
    mmPerPixel,
  };
  return { frame, margins };
}

/** The distance in pixels to which a style draws from a feature's position. */
export function reachOf(collection: Collection, style: Style | undefined): number {
  const classes = style ?? shapesOf(spatial(collection)).flatMap((shape) => defaultStyle(shape));
  if (classes.some(({ labels }) => labels.length > 0)) return LABEL_REACH;
  const lengths = classes.flatMap(({ styles }) => styles.flatMap(({ size = 8, width = 1 }) => [size, width]));
  return Math.max(LEAST_REACH, ...lengths.map(half));
}

function half(length: StyleNumber): number {
  return typeof length === "number" ? Math.ceil(length / 2) + 2 : COLUMN_REACH;
}

/** Cuts the tile out of the drawn PNG, and converts it to the format. */
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
