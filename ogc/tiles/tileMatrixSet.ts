/** Tile matrix sets (OGC 17-083r4): the division of a plane into tiles, level by level. */
import type { Bounds } from "../collections/bounds.ts";
import { swap, swapCorners } from "../../server/types/axes.ts";
import { CRS84, WEB_MERCATOR, WORLD_MERCATOR, type Crs } from "../crs/crs.ts";

/** A tile matrix set. Each level has twice as many columns and rows as the one before. */
export interface TileMatrixSet {
  readonly id: string;
  readonly title: string;
  readonly uri: string;
  readonly crs: Crs;
  readonly orderedAxes: readonly [string, string];
  readonly wellKnownScaleSet?: string;
  /** The upper left corner, x first. */
  readonly origin: readonly [x: number, y: number];
  /** The side of a pixel on the first level, in units of `crs`. */
  readonly cellSize: number;
  /** The side of a tile in pixels. */
  readonly tileSize: number;
  readonly columns: number;
  readonly rows: number;
  readonly levels: number;
}

export interface TileAddress {
  /** The level, from 0. */
  readonly matrix: number;
  readonly row: number;
  readonly column: number;
}

const REGISTER = "http://www.opengis.net/def/tilematrixset/OGC/1.0";
const MERCATOR_EDGE = 20_037_508.342789244;

const mercator = {
  origin: [-MERCATOR_EDGE, MERCATOR_EDGE],
  cellSize: (2 * MERCATOR_EDGE) / 256,
  tileSize: 256,
  columns: 1,
  rows: 1,
  levels: 25,
} as const;

/** The registered sets that are always offered, the default first. */
export const REGISTERED: readonly TileMatrixSet[] = [
  {
    ...mercator,
    id: "WebMercatorQuad",
    title: "Google Maps Compatible for the World",
    uri: `${REGISTER}/WebMercatorQuad`,
    crs: WEB_MERCATOR,
    orderedAxes: ["X", "Y"],
    wellKnownScaleSet: "http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible",
  },
  {
    id: "WorldCRS84Quad",
    title: "CRS84 for the World",
    uri: `${REGISTER}/WorldCRS84Quad`,
    crs: CRS84,
    orderedAxes: ["Lon", "Lat"],
    wellKnownScaleSet: "http://www.opengis.net/def/wkss/OGC/1.0/GoogleCRS84Quad",
    origin: [-180, 90],
    cellSize: 180 / 256,
    tileSize: 256,
    columns: 2,
    rows: 1,
    levels: 18,
  },
  {
    ...mercator,
    id: "WorldMercatorWGS84Quad",
    title: "World Mercator WGS84 (ellipsoidal)",
    uri: `${REGISTER}/WorldMercatorWGS84Quad`,
    crs: WORLD_MERCATOR,
    orderedAxes: ["E", "N"],
    wellKnownScaleSet: "http://www.opengis.net/def/wkss/OGC/1.0/WorldMercatorWGS84",
  },
];

/** OGC 17-083r4: the side of a pixel to which scale denominators refer, in metres. */
const PIXEL_METRES = 0.00028;

/** The sizes on a level. `cell`: the side of a pixel; `span`: the side of a tile, in units of the set's system. */
export function sizeAt({ columns, rows, cellSize, tileSize }: TileMatrixSet, matrix: number) {
  const cell = cellSize / 2 ** matrix;
  return { columns: columns * 2 ** matrix, rows: rows * 2 ** matrix, cell, span: cell * tileSize };
}

/** The rectangle of a tile, x first; undefined for a tile outside of the set. */
export function boundsOf(set: TileMatrixSet, { matrix, row, column }: TileAddress): Bounds | undefined {
  if (matrix >= set.levels) return undefined;
  const { columns, rows, span } = sizeAt(set, matrix);
  if (column >= columns || row >= rows) return undefined;
  const [x, y] = set.origin;
  return [x + column * span, y - (row + 1) * span, x + (column + 1) * span, y - row * span];
}

/** The side of a pixel of a level in units of its system. */
export function cellSizeOf(set: TileMatrixSet, matrix: number): number {
  return sizeAt(set, matrix).cell;
}

export function scaleOf(set: TileMatrixSet, matrix: number): number {
  return (cellSizeOf(set, matrix) * set.crs.metres) / PIXEL_METRES;
}

/** The rectangle of the whole set, x first. */
export function wholeOf(set: TileMatrixSet): Bounds {
  const { columns, rows, span } = sizeAt(set, 0);
  const [x, y] = set.origin;
  return [x, y - rows * span, x + columns * span, y];
}

/** OGC 17-083r4 §8: the tiles of a level that are within a rectangle. */
export interface TileMatrixLimits {
  readonly tileMatrix: string;
  readonly minTileRow: number;
  readonly maxTileRow: number;
  readonly minTileCol: number;
  readonly maxTileCol: number;
}

/** The limits of each level around `bounds`, which is in the set's system. Tiles beyond the set are left out. */
export function limitsOf(set: TileMatrixSet, bounds: Bounds): readonly TileMatrixLimits[] {
  const [minx, miny, maxx, maxy] = bounds;
  const [x, y] = set.origin;
  return Array.from({ length: set.levels }, (_, matrix) => {
    const { columns, rows, span } = sizeAt(set, matrix);
    const place = (distance: number, count: number): number =>
      Math.min(Math.max(Math.floor(distance / span), 0), count - 1);
    return {
      tileMatrix: String(matrix),
      minTileRow: place(y - maxy, rows),
      maxTileRow: place(y - miny, rows),
      minTileCol: place(minx - x, columns),
      maxTileCol: place(maxx - x, columns),
    };
  });
}

export function isWithin(limits: TileMatrixLimits | undefined, { row, column }: TileAddress): boolean {
  if (!limits) return true;
  const { minTileRow, maxTileRow, minTileCol, maxTileCol } = limits;
  return row >= minTileRow && row <= maxTileRow && column >= minTileCol && column <= maxTileCol;
}

/** The definition in JSON (OGC 17-083r4, schema tileMatrixSet). */
export function toJson(set: TileMatrixSet): object {
  const { id, title, uri, crs, orderedAxes, wellKnownScaleSet, tileSize } = set;
  const [minx, miny, maxx, maxy] = wholeOf(set);
  const [x, y] = set.origin;
  const pointOfOrigin = swap(crs, x, y);
  const [lowX, lowY, highX, highY] = swapCorners(crs, [minx, miny, maxx, maxy]);
  return {
    id,
    title,
    uri,
    crs: crs.uri,
    orderedAxes,
    ...(wellKnownScaleSet !== undefined && { wellKnownScaleSet }),
    boundingBox: { lowerLeft: [lowX, lowY], upperRight: [highX, highY], crs: crs.uri },
    tileMatrices: Array.from({ length: set.levels }, (_, matrix) => {
      const { columns, rows, cell } = sizeAt(set, matrix);
      return {
        id: String(matrix),
        scaleDenominator: scaleOf(set, matrix),
        cellSize: cell,
        cornerOfOrigin: "topLeft",
        pointOfOrigin,
        tileWidth: tileSize,
        tileHeight: tileSize,
        matrixWidth: columns,
        matrixHeight: rows,
      };
    }),
  };
}
