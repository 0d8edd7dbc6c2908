/** Coordinate reference systems in WFS: their names, and rectangles in them (OGC 09-025r2 §7.7.5, 04-094 §9.2). */
import { swapCorners } from "../../../server/types/axes.ts";
import { isNorthFirst } from "../../../server/types/axisOrder.ts";
import type { Collection } from "../../collections/collections.ts";
import { CRS84, WGS84, type Crs } from "../../crs/crs.ts";
import type { Bbox } from "../../exchange/parameters/bbox.ts";
import { exception } from "../exception.ts";
import { inRegistryOrder } from "../systems.ts";

/** The systems of a type, the storage system first. */
export function systemsOf({ crs, geometry }: Collection): readonly Crs[] {
  const offered = crs.filter((each) => each !== CRS84);
  const own = offered.find(({ srid }) => srid === geometry?.srid) ?? offered.find(({ srid }) => srid === WGS84);
  return own ? [own, ...offered.filter((each) => each !== own)] : offered;
}

export const urnOf = ({ srid }: Pick<Crs, "srid">): string => `urn:ogc:def:crs:EPSG::${srid}`;

/**
 * The name of a system in GML whose coordinates are as this says: a URN means the order of the registry, so it may not name
 * what is x first against it.
 */
export function gmlNameOf(crs: Crs): string {
  if (crs === CRS84) return "urn:ogc:def:crs:OGC:1.3:CRS84";
  return crs.flipped === isNorthFirst(crs.srid) ? urnOf(crs) : `http://www.opengis.net/gml/srs/epsg.xml#${crs.srid}`;
}

const NAMED = [
  /^urn:(?:ogc|x-ogc):def:crs:EPSG:[0-9.]*:(\d+)$/i,
  /^https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/0\/(\d+)$/i,
];
/** The older notations, in which x or longitude is first. */
const X_FIRST = [/^EPSG:(\d+)$/i, /^http:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#(\d+)$/i];

/** The system that a request names, with the order of axes of that notation. Default: the storage system. */
export function crsNamedIn(text: string | undefined, collection: Collection, locator: string): Crs {
  const offered = systemsOf(collection);
  if (text === undefined) return inRegistryOrder(offered[0]!);
  if (
    /^(urn:ogc:def:crs:(OGC:[0-9.]*:CRS84)|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/1\.3\/CRS84|CRS:84)$/i.test(
      text,
    )
  )
    return CRS84;
  const codeIn = (forms: readonly RegExp[]): number =>
    Number(forms.map((form) => form.exec(text)?.[1]).find((code) => code !== undefined) ?? NaN);
  const found = offered.find(({ srid }) => srid === codeIn([...NAMED, ...X_FIRST]));
  if (!found)
    throw exception(
      "InvalidParameterValue",
      `${locator.toUpperCase()}: ${JSON.stringify(text.slice(0, 100))} is not one of ${offered.map(urnOf).join(", ")}`,
      locator,
    );
  const own = inRegistryOrder(found);
  return Number.isNaN(codeIn(NAMED)) ? { ...own, flipped: false } : own;
}

/** Reads four numbers and a system, separated by commas. */
export function boxOf(text: string | undefined, collection: Collection): Bbox | undefined {
  if (text === undefined) return undefined;
  const [a, b, c, d, name, ...more] = text.split(",");
  const corners = [a, b, c, d].map((each) => (each === undefined || each.trim() === "" ? NaN : Number(each)));
  const crs = crsNamedIn(name, collection, "bbox");
  const bounds = swapCorners(crs, corners as [number, number, number, number]);
  if (more.length > 0 || !corners.every(Number.isFinite) || bounds[0] > bounds[2] || bounds[1] > bounds[3])
    throw exception(
      "InvalidParameterValue",
      "BBOX: expected the lower and the upper corner in the order of axes of the system, and its name",
      "bbox",
    );
  return { bounds, heights: undefined, crs };
}
