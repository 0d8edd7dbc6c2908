/** `center` and `subset` (OGC 20-058, "Spatial subsetting"): the area of a map, besides `bbox`. */
import { swap } from "../../../server/types/axes.ts";
import type { Crs } from "../../crs/crs.ts";
import { readDatetime, type Datetime } from "./datetime.ts";
import { numberOf, unfit, type ParameterScope } from "./parameter.ts";

/** A point, x or longitude first. */
export interface Center {
  readonly x: number;
  readonly y: number;
  readonly crs: Crs;
}

export function readCenter(text: string, _scope: ParameterScope, crs: Crs): Center {
  const expected = `two numbers, ${namesOfAxes(crs)}`;
  const numbers = text.split(",").map(numberOf);
  const [first = NaN, second = NaN] = numbers;
  if (numbers.length !== 2 || !numbers.every(Number.isFinite)) return unfit(expected);
  const [x, y] = swap(crs, first, second);
  if (crs.geographic && (Math.abs(x) > 180 || Math.abs(y) > 90)) return unfit(`${expected}, within the world`);
  return { x, y, crs };
}

/** The names of the axes in the order in which a request writes them. */
function namesOfAxes(crs: Crs): string {
  if (!crs.geographic && !crs.flipped) return "x,y";
  return (crs.geographic ? swap(crs, "longitude", "latitude") : swap(crs, "easting", "northing")).join(",");
}

/** Low and high end. For longitude, low > high means that the interval crosses the antimeridian. */
export type Interval = readonly [low: number, high: number];

/** The wanted part of each axis; undefined for all of it. */
export interface Subset {
  readonly x: Interval | undefined;
  readonly y: Interval | undefined;
  readonly crs: Crs;
  /** The time, for tiles only. */
  readonly datetime?: Datetime;
}

/**
 * OGC 20-058 /req/spatial-subsetting/subset-definition, and /rec/…/subset-crs-axis-names: the names of axes, in any
 * letter case.
 */
const AXES = {
  geographic: { x: ["Lon", "Long", "Longitude"], y: ["Lat", "Latitude"] },
  projected: { x: ["E", "X", "Easting"], y: ["N", "Y", "Northing"] },
} as const;

/**
 * OGC 20-057 /req/datetime/axis: the time as an axis, with the meaning of the parameter `datetime`. `*` is an open end.
 */
export function readSubsetOfTime(text: string, scope: ParameterScope, crs: Crs): Subset {
  const expected = 'datetime("instant")';
  const [, inner = ""] = /^datetime\((.+)\)$/i.exec(text) ?? unfit(expected);
  const [, from, to] = /^(\*|"[^"]*")(?::(\*|"[^"]*"))?$/.exec(inner) ?? unfit(expected);
  const ends = [from, to].filter((end) => end !== undefined).map((end) => (end === "*" ? ".." : end.slice(1, -1)));
  return { x: undefined, y: undefined, crs, datetime: readDatetime(ends.join("/"), scope) };
}

export function readSubset(text: string, _scope: ParameterScope, crs: Crs): Subset {
  const names = AXES[crs.geographic ? "geographic" : "projected"];
  const expected = `intervals of the axes of ${crs.uri}, as ${names.x[0]}(low:high),${names.y[0]}(low:high)`;
  const found: { x?: Interval; y?: Interval } = {};
  for (const part of text.split(",")) {
    const [, name = "", low = "", high = ""] = /^([A-Za-z][A-Za-z0-9]*)\(([^:()]+):([^:()]+)\)$/.exec(part) ?? [];
    const axis = (["x", "y"] as const).find((each) =>
      names[each].some((known) => known.toLowerCase() === name.toLowerCase()),
    );
    const [from, to] = [numberOf(low), numberOf(high)];
    if (!axis || !Number.isFinite(from) || !Number.isFinite(to)) return unfit(expected);
    if (found[axis]) return unfit(`${expected}, each axis once`);
    if (from === to || (from > to && !(axis === "x" && crs.geographic))) return unfit(`${expected}, from low to high`);
    found[axis] = [from, to];
  }
  return { x: found.x, y: found.y, crs };
}
