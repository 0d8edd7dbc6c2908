/** Positions in Web Mercator, the system of the maps. */
import { boundingExtent, type Extent } from "ol/extent.js";
import { fromLonLat } from "ol/proj.js";

/** The latitude at which Web Mercator is cut off, in degrees. */
const EDGE = 85;

/** A box of degrees in metres, cut to the extent of the plane. */
export function toMetres([minx, miny, maxx, maxy]: readonly [number, number, number, number]): Extent {
  const within = (latitude: number): number => Math.max(-EDGE, Math.min(EDGE, latitude));
  return boundingExtent([fromLonLat([minx, within(miny)]), fromLonLat([maxx, within(maxy)])]);
}
