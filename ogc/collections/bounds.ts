/** Rectangles, and the extent of a collection. */
import { swapCorners } from "../../server/types/axes.ts";
import { CRS84, type Crs } from "../crs/crs.ts";

/** A rectangle in longitude and latitude, or x and y: PostGIS's order, whatever order the request used. */
export type Bounds = readonly [minx: number, miny: number, maxx: number, maxy: number];

/** The extent of features. */
export interface Extent {
  /** Longitude and latitude. */
  readonly degrees: Bounds;
  /** In the storage system, x first; undefined where the features have no common system. */
  readonly storage: Bounds | undefined;
}

/**
 * OGC 20-058 /req/collection-map/desc-crs: the extent in longitude and latitude, and in the storage system with that
 * system's order of axes.
 */
export function spatialExtent({ degrees, storage }: Extent, storageCrs: Crs | undefined): object {
  return {
    bbox: [degrees],
    crs: CRS84.uri,
    ...(storage && storageCrs && storageCrs !== CRS84 && { storageCrsBbox: [swapCorners(storageCrs, storage)] }),
  };
}

/** The rectangle around several rectangles; undefined for an empty list. */
export function boundsAround(all: readonly Bounds[]): Bounds | undefined {
  if (all.length === 0) return undefined;
  const side = (index: 0 | 1 | 2 | 3, choose: (...numbers: number[]) => number): number =>
    choose(...all.map((bounds) => bounds[index]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}
