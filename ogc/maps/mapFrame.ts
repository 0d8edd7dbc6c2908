/** What a map shows, and how large it is: rectangle, system and pixels. */
import { GatewayError } from "../../server/kernel/errors.ts";
import type { Collection } from "../collections.ts";
import { CRS84, type Crs } from "../crs.ts";
import type { Exchange } from "../exchange.ts";
import type { Seam } from "./mapLayer.ts";
import type { Bbox, Bounds } from "../parameters.ts";

export interface Frame {
  readonly crs: Crs;
  /** In `crs`, x or longitude first. Over a seam maxx is beyond the end of the system. */
  readonly bounds: Bounds;
  readonly seam: Seam | undefined;
  readonly width: number;
  readonly height: number;
}

const DEFAULT_WIDTH = 1024;
const MAX_PIXELS = 16_384;
const WORLD: Bounds = [-180, -90, 180, 90];
/** Half the side of the rectangle around data that are a single point, in degrees. */
const POINT_MARGIN = 0.001;
const MERCATOR = 3857;
/** It ends there. */
const MERCATOR_LATITUDE = 85.051128779;
const MERCATOR_WIDTH = 40_075_016.685578488;

/**
 * `bbox`, or else the extent of the data; the side that was not given follows from its aspect ratio, without both the
 * width is 1024. Throws `INVALID_PARAMETER`.
 */
export async function frameOf(exchange: Exchange, collections: readonly Collection[]): Promise<Frame> {
  const { parameters, config } = exchange;
  const { bbox } = parameters;
  const crs = parameters.crs ?? (config.mapCrs === "storage" ? collections[0]?.storageCrs : undefined) ?? CRS84;
  if (bbox && (bbox.bounds[0] === bbox.bounds[2] || bbox.bounds[1] >= bbox.bounds[3]))
    throw new GatewayError("INVALID_PARAMETER", "bbox: a map needs a rectangle with an area");
  if (bbox && bbox.bounds[0] > bbox.bounds[2]) {
    const width = worldWidth(crs);
    const bounds = await aroundBoth(exchange, bbox, crs, width ?? 0);
    const seam = width === undefined ? undefined : { srid: crs.srid, width, bounds };
    return { crs, bounds, seam, ...sizeOf(parameters, bounds) };
  }
  const bounds = bbox
    ? await transformed(exchange, bbox.bounds, bbox.crs, crs)
    : await transformed(exchange, await extentOf(exchange, collections), CRS84, crs);
  return { crs, bounds, seam: undefined, ...sizeOf(parameters, bounds) };
}

/** In units of a system that ends at the antimeridian. Others do not, or do not say so. */
function worldWidth({ srid, geographic }: Crs): number | undefined {
  if (geographic) return 360;
  return srid === MERCATOR ? MERCATOR_WIDTH : undefined;
}

/** The rectangle around the two parts of a box over the antimeridian, of which the eastern one is moved by `shift`. */
async function aroundBoth(exchange: Exchange, bbox: Bbox, to: Crs, shift: number): Promise<Bounds> {
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
  return (crs.flipped ? [miny, minx, maxy, maxx] : [minx, miny, maxx, maxy]).join(",");
}

function sizeOf({ width, height }: Exchange["parameters"], [minx, miny, maxx, maxy]: Bounds) {
  const ratio = (maxy - miny) / (maxx - minx);
  const pixels = (length: number): number => Math.min(MAX_PIXELS, Math.max(1, Math.round(length)));
  if (width !== undefined && height !== undefined) return { width, height };
  if (height !== undefined) return { width: pixels(height / ratio), height };
  const wide = width ?? DEFAULT_WIDTH;
  return { width: wide, height: pixels(wide * ratio) };
}

/** The extent of what the caller may see of them all, in longitude and latitude. */
export async function extentOf(exchange: Exchange, collections: readonly Collection[]): Promise<Bounds> {
  const known = (await exchange.extents.ofAll(exchange, collections)).filter((bounds) => bounds !== undefined);
  if (known.length === 0) return WORLD;
  const side = (index: number, choose: (...numbers: number[]) => number): number =>
    choose(...known.map((bounds) => bounds[index] ?? 0));
  return withArea([side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)]);
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
    throw new GatewayError("INVALID_PARAMETER", `bbox: the rectangle cannot be transformed to ${to.uri}`);
  return result;
}
