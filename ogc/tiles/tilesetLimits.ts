/** The tiles of a set that have content of some collections: those around their extents, as the caller sees them. */
import { LRUCache } from "lru-cache";
import { boundsAround, type Bounds } from "../collections/bounds.ts";
import type { Collection, CollectionMap } from "../collections/collections.ts";
import { CRS84, WGS84 } from "../crs/crs.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import { transformed } from "../maps/mapProjection.ts";
import {
  isWithin,
  limitsOf,
  wholeOf,
  type TileAddress,
  type TileMatrixLimits,
  type TileMatrixSet,
} from "./tileMatrixSet.ts";

/** The rectangle in longitude and latitude; undefined where there is nothing, or it is not known. */
export async function degreesAround(
  exchange: Exchange,
  collections: readonly Collection[],
): Promise<Bounds | undefined> {
  const extents = await exchange.extents.ofAll(exchange, collections);
  return boundsAround(extents.flatMap((extent) => (extent ? [extent.degrees] : [])));
}

/** The limits of each level; undefined where nothing limits them. */
export async function tilesetLimits(
  exchange: Exchange,
  set: TileMatrixSet,
  degrees: Bounds | undefined,
): Promise<readonly TileMatrixLimits[]> {
  return limitsOf(set, (degrees && (await inSystemOf(exchange, set, degrees))) ?? wholeOf(set));
}

/** The latitude at which Mercator's world is cut off. */
const MERCATOR_LATITUDE = 85;

async function inSystemOf(exchange: Exchange, { crs }: TileMatrixSet, degrees: Bounds): Promise<Bounds | undefined> {
  if (crs.srid === WGS84) return degrees;
  const [minx, miny, maxx, maxy] = degrees;
  // a rectangle without area cannot be transformed, and no system but degrees reaches the poles
  const limit = crs.geographic ? 90 : MERCATOR_LATITUDE;
  const clip = (value: number): number => Math.min(Math.max(value, -limit), limit);
  const [south, north] = [clip(miny - SLIGHT), clip(maxy + SLIGHT)];
  const world: Bounds = [Math.max(minx - SLIGHT, -180), south, Math.min(maxx + SLIGHT, 180), north];
  try {
    const [left, bottom, right, top] = await transformed(exchange, world, CRS84, crs);
    const whole = [-Infinity, maxy > limit ? Infinity : top] as const;
    return [left, miny < -limit ? whole[0] : bottom, right, whole[1]];
  } catch (error) {
    if (error instanceof GatewayError && error.code === "INVALID_PARAMETER") return undefined;
    throw error;
  }
}

/** A small margin in degrees. */
const SLIGHT = 1e-7;

export async function isWithinLimits(
  exchange: Exchange,
  set: TileMatrixSet,
  address: TileAddress,
  collections: readonly Collection[],
): Promise<boolean> {
  const degrees = await degreesAround(exchange, collections);
  const limits = await keptLimits(exchange, set, degrees);
  return isWithin(limits[address.matrix], address);
}

/** By the catalogue, then by set and extent: a map asks for many tiles around what a tileset has. */
const kept = new WeakMap<CollectionMap, LRUCache<string, readonly TileMatrixLimits[]>>();

async function keptLimits(
  exchange: Exchange,
  set: TileMatrixSet,
  degrees: Bounds | undefined,
): Promise<readonly TileMatrixLimits[]> {
  const key = JSON.stringify([set.id, degrees]);
  let own = kept.get(exchange.collections);
  if (!own) kept.set(exchange.collections, (own = new LRUCache({ max: 100 })));
  const known = own.get(key);
  if (known) return known;
  const limits = await tilesetLimits(exchange, set, degrees);
  own.set(key, limits);
  return limits;
}
