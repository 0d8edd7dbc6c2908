/** The area and size of a map: rectangle, system and pixels. */
import type { Collection } from "../collections/collections.ts";
import { swapCorners } from "../../server/types/axes.ts";
import { CRS84, type Crs } from "../crs/crs.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { boundsAround, type Bounds } from "../collections/bounds.ts";
import type { Seam } from "./mapData.ts";
import { aroundBoth, invalid, localMetres, transformed, worldOf, worldWidth } from "./mapProjection.ts";
import type { Bbox } from "../exchange/parameters/bbox.ts";
import { MAX_PIXELS, MM_PER_PIXEL } from "../exchange/parameters/table.ts";

export interface Frame {
  readonly crs: Crs;
  /** The rectangle in `crs`, x or longitude first. Over a seam, maxx is beyond the end of the system. */
  readonly bounds: Bounds;
  readonly seam: Seam | undefined;
  readonly width: number;
  readonly height: number;
  /** Scale denominator, which selects the styles. */
  readonly scale: number;
  readonly mmPerPixel: number;
}

const DEFAULT_SIZE = 1024;
const WORLD: Bounds = [-180, -90, 180, 90];
/** Half the side, in degrees, of the rectangle around data that are a single point. */
const POINT_MARGIN = 0.001;
type Place = Pick<Frame, "crs" | "bounds" | "seam">;
type Size = Pick<Frame, "width" | "height">;

/**
 * The frame that the parameters of OGC 20-058 §6.3 ("Subsetting and scaling the map") describe. `bbox` and `subset` are
 * a rectangle; `width`, `height` or `scale-denominator` give its size. Without them, `center` and `scale-denominator`
 * choose a rectangle of that size; otherwise it is the extent of the data. A missing side follows from the aspect
 * ratio; without both, the width is 1024. Undefined: the rectangle is outside the world. Throws `INVALID_PARAMETER`.
 */
export async function frameOf(exchange: Exchange, collections: readonly Collection[]): Promise<Frame | undefined> {
  const { parameters } = exchange;
  const { "scale-denominator": scale, "mm-per-pixel": mmPerPixel = MM_PER_PIXEL } = parameters;
  refuseContradictions(parameters);
  const crs = crsOf(exchange, collections);
  const box = await boxOf(exchange, collections);
  if (box === "outside") return undefined;
  const metres = scale === undefined ? undefined : (scale * mmPerPixel) / 1000;
  const isAround = !box && (parameters.center !== undefined || scale !== undefined);
  const framed = isAround
    ? await around(exchange, collections, crs, metres)
    : await sized(exchange, await placed(exchange, box ?? (await wholeOf(exchange, collections)), crs), metres);
  const [minx, , maxx] = framed.bounds;
  const nominal = (((maxx - minx) / framed.width) * crs.metres * 1000) / mmPerPixel;
  return { ...framed, scale: scale ?? nominal, mmPerPixel };
}

/** Refuses the combinations that OGC 20-058 §6.3 lists as always invalid. */
function refuseContradictions(parameters: Exchange["parameters"]): void {
  const given = (["bbox", "subset", "center", "scale-denominator", "width", "height"] as const).filter(
    (name) => parameters[name] !== undefined,
  );
  const both = (one: (typeof given)[number], other: (typeof given)[number]): boolean =>
    given.includes(one) && given.includes(other);
  for (const [one, other] of [
    ["center", "bbox"],
    ["center", "subset"],
    ["subset", "bbox"],
  ] as const)
    if (both(one, other)) throw invalid(`${one}: does not go with ${other}; each says where the map is`);
  const box = given.find((name) => name === "bbox" || name === "subset");
  const side = given.find((name) => name === "width" || name === "height");
  if (box && side && given.includes("scale-denominator"))
    throw invalid(`scale-denominator: cannot be combined with both ${box} and ${side}; leave out one of the three`);
}

/**
 * The system in `crs`. Without it, and if `ogc.mapCrs` says so, the storage system that all collections share, as far
 * as it is known.
 */
function crsOf({ parameters: { crs: asked }, config }: Exchange, collections: readonly Collection[]): Crs {
  const stored = config.mapCrs === "storage" ? commonCrs(collections) : undefined;
  return asked ?? stored ?? CRS84;
}

/** The storage system that all collections share; undefined where they differ. */
export function commonCrs(collections: readonly Collection[]): Crs | undefined {
  const [first, ...others] = collections.map(({ storageCrs }) => storageCrs);
  return others.every((crs) => crs?.uri === first?.uri) ? first : undefined;
}

/** The requested rectangle; undefined where none was requested. Throws `INVALID_PARAMETER`. */
async function boxOf(
  exchange: Exchange,
  collections: readonly Collection[],
): Promise<Pick<Bbox, "bounds" | "crs"> | "outside" | undefined> {
  const { bbox, subset } = exchange.parameters;
  if (!subset) {
    if (bbox && (bbox.bounds[0] === bbox.bounds[2] || bbox.bounds[1] >= bbox.bounds[3]))
      throw invalid("bbox: a map needs a rectangle with an area");
    return bbox;
  }
  const { crs } = subset;
  const whole = subset.x && subset.y ? undefined : await placed(exchange, await wholeOf(exchange, collections), crs);
  const [west, south, east, north] = whole?.bounds ?? EVERYWHERE;
  const [low, high] = subset.x ?? [west, east];
  const [from, to] = subset.y ?? [south, north];
  const [left, bottom, right, top] = worldOf(crs, false) ?? EVERYWHERE;
  // low > high crosses the antimeridian; parts beyond the end of the world are missing, the rest is shown
  const crosses = low > high && low < right && high > left;
  const bounds: Bounds = [
    low >= right && low > high ? left : Math.max(low, left),
    Math.max(from, bottom),
    high <= left && low > high ? right : Math.min(high, right),
    Math.min(to, top),
  ];
  if (bounds[1] >= bounds[3] || (!crosses && bounds[0] >= bounds[2])) return "outside";
  return { bounds, crs };
}

const EVERYWHERE: Bounds = [-Infinity, -Infinity, Infinity, Infinity];

async function wholeOf(exchange: Exchange, collections: readonly Collection[]): Promise<Pick<Bbox, "bounds" | "crs">> {
  return { bounds: await extentOf(exchange, collections), crs: CRS84 };
}

/** The rectangle in the system of the map. */
async function placed(exchange: Exchange, box: Pick<Bbox, "bounds" | "crs">, crs: Crs): Promise<Place> {
  if (box.bounds[0] <= box.bounds[2])
    return { crs, bounds: await transformed(exchange, box.bounds, box.crs, crs), seam: undefined };
  const width = worldWidth(crs);
  const bounds = await aroundBoth(exchange, box, crs, width ?? 0);
  return { crs, bounds, seam: width === undefined ? undefined : { srid: crs.srid, width, bounds } };
}

/** The size in pixels. `metres`: metres of the world in a pixel; undefined where the request gives the size itself. */
async function sized(exchange: Exchange, place: Place, metres: number | undefined): Promise<Place & Size> {
  const { crs, bounds, seam } = place;
  if (metres === undefined) return { ...place, ...sizeOf(exchange.parameters, bounds) };
  const [minx, miny, maxx, maxy] = bounds;
  const middle = (minx + maxx) / 2;
  const x = seam && middle > seam.width / 2 ? middle - seam.width : middle;
  const local = await localMetres(exchange, { x, y: (miny + maxy) / 2, crs }, crs);
  const width = Math.max(1, Math.round(((maxx - minx) * local.alongX) / metres));
  const height = Math.max(1, Math.round(((maxy - miny) * local.alongY) / metres));
  if (width > MAX_PIXELS || height > MAX_PIXELS)
    throw invalid(
      `scale-denominator: the picture would have ${width} by ${height} pixels, more than ${MAX_PIXELS} on a side; use a greater scale-denominator or a smaller rectangle`,
    );
  return { ...place, width, height };
}

/** The rectangle around `center` with the given size, at the given scale or that of the whole extent. */
async function around(
  exchange: Exchange,
  collections: readonly Collection[],
  crs: Crs,
  metres: number | undefined,
): Promise<Place & Size> {
  const { width, height, center } = exchange.parameters;
  const size = { width: width ?? height ?? DEFAULT_SIZE, height: height ?? width ?? DEFAULT_SIZE };
  const needsWhole = !center || metres === undefined;
  const whole = needsWhole ? (await placed(exchange, await wholeOf(exchange, collections), crs)).bounds : undefined;
  const middle = whole && { x: (whole[0] + whole[2]) / 2, y: (whole[1] + whole[3]) / 2, crs };
  const local = await localMetres(exchange, center ?? middle!, crs);
  const cell = whole && metres === undefined ? (whole[2] - whole[0]) / DEFAULT_SIZE : undefined;
  const halfX = ((cell ?? metres! / local.alongX) * size.width) / 2;
  const halfY = ((cell ?? metres! / local.alongY) * size.height) / 2;
  const { x, y } = local;
  const bounds: Bounds = [x - halfX, y - halfY, x + halfX, y + halfY];
  // rasters are not drawn across the antimeridian, so their maps end there
  return {
    ...(collections.some(({ raster }) => raster) ? { crs, bounds, seam: undefined } : overSeam(crs, bounds)),
    ...size,
  };
}

/**
 * The rectangle with its seam. One that reaches beyond one end of the world continues at the other, unless it is wider
 * than the world.
 */
function overSeam(crs: Crs, bounds: Bounds): Place {
  const width = worldWidth(crs);
  const [minx, miny, maxx, maxy] = bounds;
  const isOver = width !== undefined && maxx - minx < width && (minx < -width / 2 || maxx > width / 2);
  if (!isOver) return { crs, bounds, seam: undefined };
  const shift = minx < -width / 2 ? width : 0;
  const moved: Bounds = [minx + shift, miny, maxx + shift, maxy];
  return { crs, bounds: moved, seam: { srid: crs.srid, width, bounds: moved } };
}

/** The header `Content-Bbox`, in the order of axes of its system. Across the antimeridian, west is above east. */
export function contentBbox({ crs, seam, bounds: [minx, miny, beyond, maxy] }: Frame): string {
  const maxx = beyond - (seam?.width ?? 0);
  return swapCorners(crs, [minx, miny, maxx, maxy]).join(",");
}

function sizeOf({ width, height }: Exchange["parameters"], [minx, miny, maxx, maxy]: Bounds) {
  const ratio = (maxy - miny) / (maxx - minx);
  const pixels = (length: number): number => Math.min(MAX_PIXELS, Math.max(1, Math.round(length)));
  if (width !== undefined && height !== undefined) return { width, height };
  if (height !== undefined) return { width: pixels(height / ratio), height };
  const wide = width ?? DEFAULT_SIZE;
  return { width: wide, height: pixels(wide * ratio) };
}

/** The common extent of what the caller may see of the collections, in longitude and latitude. */
export async function extentOf(exchange: Exchange, collections: readonly Collection[]): Promise<Bounds> {
  const extents = await exchange.extents.ofAll(exchange, collections);
  const around = boundsAround(extents.flatMap((extent) => (extent ? [extent.degrees] : [])));
  return around ? withArea(around) : WORLD;
}

function withArea([minx, miny, maxx, maxy]: Bounds): Bounds {
  const x = minx < maxx ? 0 : POINT_MARGIN;
  const y = miny < maxy ? 0 : POINT_MARGIN;
  return [minx - x, miny - y, maxx + x, maxy + y];
}
