/** Rectangles, and the extent of a collection. */
import { swapCorners } from "../../server/types/axes.ts";
import { CRS84, type Crs } from "../crs/crs.ts";

/** A rectangle in longitude and latitude, or x and y: the order of PostGIS, whatever order it was written in. */
export type Bounds = readonly [minx: number, miny: number, maxx: number, maxy: number];

/** Where features are. */
export interface Extent {
  /** Longitude and latitude. */
  readonly degrees: Bounds;
  /** In the system of the storage, x first; undefined where the features have none in common. */
  readonly storage: Bounds | undefined;
}

/** OGC 20-058 /req/collection-map/desc-crs: where features are in the system of their storage too, in its order of axes. */
export function spatialExtent({ degrees, storage }: Extent, storageCrs: Crs | undefined): object {
  return {
    bbox: [degrees],
    crs: CRS84.uri,
    ...(storage && storageCrs && storageCrs !== CRS84 && { storageCrsBbox: [swapCorners(storageCrs, storage)] }),
  };
}

/** The rectangle around rectangles; undefined where there are none. */
export function boundsAround(all: readonly Bounds[]): Bounds | undefined {
  if (all.length === 0) return undefined;
  const side = (index: 0 | 1 | 2 | 3, choose: (...numbers: number[]) => number): number =>
    choose(...all.map((bounds) => bounds[index]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}
