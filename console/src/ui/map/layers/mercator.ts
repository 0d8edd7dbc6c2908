/** Places in the system of the maps, Web Mercator. */
import { boundingExtent, type Extent } from "ol/extent.js";
import { fromLonLat } from "ol/proj.js";

/** Where Web Mercator ends, in degrees of latitude. */
const EDGE = 85;

/** A box of degrees in metres, as far as the plane has it. */
export function toMetres([minx, miny, maxx, maxy]: readonly [number, number, number, number]): Extent {
  const within = (latitude: number): number => Math.max(-EDGE, Math.min(EDGE, latitude));
  return boundingExtent([fromLonLat([minx, within(miny)]), fromLonLat([maxx, within(maxy)])]);
}
