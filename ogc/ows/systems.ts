/** Coordinate reference systems by the names and the order of axes of the classic services. */
import { CRS84, type Crs } from "../crs/crs.ts";
import { exception } from "./exception.ts";

/**
 * The system with the order of axes of its registry, which the classic services follow whatever the value of
 * `ogc.axisOrder`. EPSG's geographic systems have latitude first, and many projected ones have north first.
 */
export function inRegistryOrder(crs: Crs): Crs {
  const { againstRegistry, ...rest } = crs;
  return againstRegistry ? { ...rest, flipped: true } : crs;
}

/** WMS's name of a system: `EPSG:4326`, or `CRS:84` for longitude and latitude (OGC 06-042 §6.7.3). */
export function wmsName(crs: Crs): string {
  return crs === CRS84 ? "CRS:84" : `EPSG:${crs.srid}`;
}

/**
 * The system of `list` that a WMS request names, in the order of axes of the version. 1.1.1 has x first in every
 * system.
 */
export function readWmsCrs(text: string, list: readonly Crs[], version: string): Crs {
  const wanted = text.trim().toUpperCase();
  const found = list.find((crs) => wmsName(crs) === wanted);
  if (!found)
    throw exception(
      version === "1.1.1" ? "InvalidSRS" : "InvalidCRS",
      `${JSON.stringify(text.slice(0, 100))} is not one of ${list.map(wmsName).join(", ")}`,
      version === "1.1.1" ? "srs" : "crs",
    );
  const own = inRegistryOrder(found);
  return version === "1.1.1" ? { ...own, flipped: false } : own;
}
