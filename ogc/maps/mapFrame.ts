/** What a map shows, and how large it is: rectangle, system and pixels. */
import { GatewayError } from "../../server/kernel/errors.ts";
import type { Collection } from "../collections.ts";
import { CRS84, inAxisOrder, type Crs } from "../crs.ts";
import type { Exchange } from "../exchange.ts";
import { boundsAround, type Bounds } from "../bounds.ts";
import type { Seam } from "./mapData.ts";
import type { Bbox } from "../parameters/bbox.ts";
import type { Center } from "../parameters/subsetting.ts";
import { MAX_PIXELS, MM_PER_PIXEL } from "../parameters/table.ts";

export interface Frame {
  readonly crs: Crs;
  /** In `crs`, x or longitude first. Over a seam maxx is beyond the end of the system. */
  readonly bounds: Bounds;
  readonly seam: Seam | undefined;
  readonly width: number;
  readonly height: number;
  /** Scale denominator, by which styles are chosen. */
  readonly scale: number;
  readonly mmPerPixel: number;
}

const DEFAULT_SIZE = 1024;
const WORLD: Bounds = [-180, -90, 180, 90];
/** Half the side of the rectangle around data that are a single point, in degrees. */
const POINT_MARGIN = 0.001;
const MERCATOR = 3857;
/** It ends there. */
const MERCATOR_LATITUDE = 85.051128779;
const MERCATOR_WIDTH = 40_075_016.685578488;
const MERCATOR_EDGE = MERCATOR_WIDTH / 2;

type Place = Pick<Frame, "crs" | "bounds" | "seam">;
type Size = Pick<Frame, "width" | "height">;

/**
 * What the parameters of OGC 20-058 §6.3 ("Subsetting and scaling the map") come to. `bbox` and `subset` are a rectangle, of
 * which `width`, `height` or `scale-denominator` give the size; without them `center` and `scale-denominator` choose a
 * rectangle of that size, else it is the extent of the data. A side that was not given follows from the aspect ratio,
 * without both the width is 1024. Undefined: what is wanted is outside the world. Throws `INVALID_PARAMETER`.
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

/** OGC 20-058 §6.3, tables of combinations that are always invalid. */
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
    throw invalid(`scale-denominator: does not go with both ${box} and ${side}; leave out one of the three`);
}

function invalid(message: string): GatewayError {
  return new GatewayError("INVALID_PARAMETER", message);
}

/** `crs`; else, where `ogc.mapCrs` says so, the system that all collections are stored in. */
function crsOf({ parameters, config }: Exchange, collections: readonly Collection[]): Crs {
  return parameters.crs ?? (config.mapCrs === "storage" ? commonCrs(collections) : undefined) ?? CRS84;
}

/** The system that all collections are stored in; undefined where that is not one. */
export function commonCrs(collections: readonly Collection[]): Crs | undefined {
  const [first, ...others] = collections.map(({ storageCrs }) => storageCrs);
  return others.every((crs) => crs?.uri === first?.uri) ? first : undefined;
}

/** The rectangle that was asked for; undefined where none was. Throws `INVALID_PARAMETER`. */
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
  const [left, bottom, right, top] = worldOf({ crs, seam: undefined }) ?? EVERYWHERE;
  // low > high goes over the antimeridian: what is beyond the end on one side is not there, the rest is
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

/** A rectangle in the system of the map. */
async function placed(exchange: Exchange, box: Pick<Bbox, "bounds" | "crs">, crs: Crs): Promise<Place> {
  if (box.bounds[0] <= box.bounds[2])
    return { crs, bounds: await transformed(exchange, box.bounds, box.crs, crs), seam: undefined };
  const width = worldWidth(crs);
  const bounds = await aroundBoth(exchange, box, crs, width ?? 0);
  return { crs, bounds, seam: width === undefined ? undefined : { srid: crs.srid, width, bounds } };
}

/** `metres`: of the world in a pixel; undefined: the size is as it was given. */
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
      `scale-denominator: the picture would have ${width} by ${height} pixels, more than ${MAX_PIXELS} on a side; a greater scale-denominator or a smaller rectangle makes it smaller`,
    );
  return { ...place, width, height };
}

/** The rectangle of the size that was given, at the scale that was given or that of the whole, around `center`. */
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
  // rasters are not drawn over the antimeridian: their maps end there
  return {
    ...(collections.some(({ raster }) => raster) ? { crs, bounds, seam: undefined } : overSeam(crs, bounds)),
    ...size,
  };
}

/** A rectangle that reaches beyond one end of the world shows what is at the other, unless it is wider than the world. */
function overSeam(crs: Crs, bounds: Bounds): Place {
  const width = worldWidth(crs);
  const [minx, miny, maxx, maxy] = bounds;
  const isOver = width !== undefined && maxx - minx < width && (minx < -width / 2 || maxx > width / 2);
  if (!isOver) return { crs, bounds, seam: undefined };
  const shift = minx < -width / 2 ? width : 0;
  const moved: Bounds = [minx + shift, miny, maxx + shift, maxy];
  return { crs, bounds: moved, seam: { srid: crs.srid, width, bounds: moved } };
}

/** Sides of the squares that scales are measured by: large enough for numbers, small enough for every projection. */
const STEP = { degrees: 0.01, metres: 100 };

interface Local {
  readonly x: number;
  readonly y: number;
  readonly alongX: number;
  readonly alongY: number;
}

/**
 * A point in another system, and how many metres of the world a unit of that is there. A projected system has one scale
 * for both sides, so that squares are drawn as squares. Throws `INVALID_PARAMETER` where there is none.
 */
async function localMetres(exchange: Exchange, { x, y, crs: from }: Center, crs: Crs): Promise<Local> {
  const { rows } = await exchange.database.withIdentity(exchange.identity, exchange.context, (transaction) =>
    transaction.query<{ local: readonly [number, number, number, number] | null }>({
      name: "ogc local metres",
      text: "select portolan.local_metres($1, $2, $3, $4, $5) as local",
      values: [x, y, from.srid, crs.srid, crs.geographic ? STEP.degrees : STEP.metres],
      last: true,
    }),
  );
  const local = rows[0]?.local;
  if (!local?.every(Number.isFinite) || local[2] < 1e-3 || local[3] < 1e-3)
    throw invalid(`center: there is no scale at this place in ${crs.uri}`);
  const mean = Math.sqrt(local[2] * local[3]);
  const [alongX, alongY] = crs.geographic ? [local[2], local[3]] : [mean, mean];
  return { x: local[0], y: local[1], alongX, alongY };
}

/** Where a system has a world, which ends at the antimeridian and at poles; undefined for those that do not say so. */
export function worldOf({ crs, seam }: Pick<Frame, "crs" | "seam">): Bounds | undefined {
  const [west, east] = seam ? [-Infinity, Infinity] : [-1, 1];
  if (crs.geographic) return [west * 180, -90, east * 180, 90];
  if (crs.srid !== MERCATOR) return undefined;
  return [west * MERCATOR_EDGE, -MERCATOR_EDGE, east * MERCATOR_EDGE, MERCATOR_EDGE];
}

/** In units of a system that ends at the antimeridian. Others do not, or do not say so. */
function worldWidth({ srid, geographic }: Crs): number | undefined {
  if (geographic) return 360;
  return srid === MERCATOR ? MERCATOR_WIDTH : undefined;
}

/** The rectangle around the two parts of a box over the antimeridian, of which the eastern one is moved by `shift`. */
async function aroundBoth(
  exchange: Exchange,
  bbox: Pick<Bbox, "bounds" | "crs">,
  to: Crs,
  shift: number,
): Promise<Bounds> {
  const [minx, miny, maxx, maxy] = bbox.bounds;
  const west = await transformed(exchange, [minx, miny, 180, maxy], bbox.crs, to);
  const east = await transformed(exchange, [-180, miny, maxx, maxy], bbox.crs, to);
  return [
    Math.min(west[0], east[0] + shift),
    Math.min(west[1], east[1]),
    Math.max(west[2], east[2] + shift),
    Math.max(west[3], east[3]),
  ];
}

/** The header `Content-Bbox`: in the order of axes of its system; over the antimeridian west is above east. */
export function contentBbox({ crs, seam, bounds: [minx, miny, beyond, maxy] }: Frame): string {
  const maxx = beyond - (seam?.width ?? 0);
  return inAxisOrder(crs, [minx, miny, maxx, maxy]).join(",");
}

function sizeOf({ width, height }: Exchange["parameters"], [minx, miny, maxx, maxy]: Bounds) {
  const ratio = (maxy - miny) / (maxx - minx);
  const pixels = (length: number): number => Math.min(MAX_PIXELS, Math.max(1, Math.round(length)));
  if (width !== undefined && height !== undefined) return { width, height };
  if (height !== undefined) return { width: pixels(height / ratio), height };
  const wide = width ?? DEFAULT_SIZE;
  return { width: wide, height: pixels(wide * ratio) };
}

/** The extent of what the caller may see of them all, in longitude and latitude. */
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

/** The rectangle around `bounds` in another system. Throws `INVALID_PARAMETER` where there is none. */
async function transformed(exchange: Exchange, bounds: Bounds, from: Crs, to: Crs): Promise<Bounds> {
  if (from.srid === to.srid) return bounds;
  const [minx, miny, maxx, maxy] = bounds;
  const poles = from.geographic && to.srid === MERCATOR ? MERCATOR_LATITUDE : Infinity;
  const clipped: Bounds = [minx, Math.max(miny, -poles), maxx, Math.min(maxy, poles)];
  const rows = await exchange.database.withIdentity(exchange.identity, exchange.context, (transaction) =>
    transaction.query<{ bounds: Bounds | null }>({
      name: "ogc transform bounds",
      text: "select portolan.transform_bounds($1::float8[], $2, $3) as bounds",
      values: [clipped, from.srid, to.srid],
      last: true,
    }),
  );
  const result = rows.rows[0]?.bounds;
  if (!result?.every(Number.isFinite) || result[0] >= result[2] || result[1] >= result[3])
    throw invalid(`bbox: the rectangle cannot be transformed to ${to.uri}`);
  return result;
}
