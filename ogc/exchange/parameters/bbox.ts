/** `bbox` (OGC API Features Part 1 §7.15.3). */
import { swapCorners } from "../../../server/types/axes.ts";
import type { Bounds } from "../../collections/bounds.ts";
import type { Crs } from "../../crs/crs.ts";
import { numberOf, unfit, type ParameterScope } from "./parameter.ts";

export interface Bbox {
  /** minx > maxx for a box across the antimeridian, which only `ogc.antimeridian: "split"` allows. */
  readonly bounds: Bounds;
  /** Lowest and highest height, where six numbers were given. */
  readonly heights: readonly [minz: number, maxz: number] | undefined;
  readonly crs: Crs;
}

export function readBbox(text: string, { config }: ParameterScope, crs: Crs): Bbox {
  const numbers = text.split(",").map(numberOf);
  if (![4, 6].includes(numbers.length) || !numbers.every(Number.isFinite))
    return unfit("four or six numbers, minx,miny,maxx,maxy or minx,miny,minz,maxx,maxy,maxz");
  const half = numbers.length / 2;
  const low = numbers.slice(0, half) as [number, number, number?];
  const high = numbers.slice(half) as [number, number, number?];
  const heights = low[2] === undefined || high[2] === undefined ? undefined : ([low[2], high[2]] as const);
  const bounds: Bounds = swapCorners(crs, [low[0], low[1], high[0], high[1]]);
  const [minx, miny, maxx, maxy] = bounds;
  const crosses = minx > maxx && crs.geographic && config.antimeridian === "split";
  if ((minx > maxx && !crosses) || miny > maxy || (heights && heights[0] > heights[1]))
    return unfit("a lower corner that is not above the upper corner");
  if (crs.geographic && (minx > 180 || maxx < -180 || miny > 90 || maxy < -90))
    return unfit("a rectangle that is not outside the world");
  return { bounds, heights, crs };
}
