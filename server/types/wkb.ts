/** The codes of well-known binary (OGC 06-103r4 §8.2), of ISO's form and of PostGIS' extended one. */

/** A type of many is its type of one and three. */
export const WKB = {
  point: 1,
  lineString: 2,
  polygon: 3,
  multiPoint: 4,
  multiLineString: 5,
  multiPolygon: 6,
  collection: 7,
} as const;

/** The types, by their codes less one. */
export const WKB_TYPES = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"] as const;

/** Each geometry begins with its byte order and its code. */
export const WKB_HEAD_BYTES = 5;
export const WKB_LITTLE_ENDIAN = 1;

/** Flags of PostGIS' extended form. */
export const EWKB = { z: 0x8000_0000, m: 0x4000_0000, srid: 0x2000_0000 } as const;
const FLAGS = 0xf000_0000;

export interface WkbCode {
  readonly type: number;
  readonly z: boolean;
  readonly m: boolean;
}

/** The code of a geometry in either form: ISO's has Z as 1,000 and M as 2,000, PostGIS' has flags. */
export function readWkbCode(code: number): WkbCode {
  const iso = (code & ~FLAGS) >>> 0;
  const more = Math.floor(iso / 1000);
  return {
    type: iso % 1000,
    z: (code & EWKB.z) !== 0 || more === 1 || more === 3,
    m: (code & EWKB.m) !== 0 || more === 2 || more === 3,
  };
}
