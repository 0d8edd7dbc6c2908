/** The order of the axes of a coordinate reference system in EPSG's registry. */
import { EAST_FIRST, NORTH_FIRST } from "./axisOrders.ts";

type Ranges = readonly (readonly [from: number, to: number])[];

const rangesOf = (text: string): Ranges =>
  text
    .trim()
    .split(/\s+/)
    .map((range) => range.split("-").map(Number))
    .map(([from = NaN, to = from]) => [from, to]);

const isWithin = (ranges: Ranges, code: number): boolean => ranges.some(([from, to]) => code >= from && code <= to);

const EAST = rangesOf(EAST_FIRST);
const NORTH = rangesOf(NORTH_FIRST);

/** Easting, or longitude. `code`: of EPSG. */
export const isEastFirst = (code: number): boolean => isWithin(EAST, code);

/** Northing, or latitude. */
export const isNorthFirst = (code: number): boolean => isWithin(NORTH, code);
