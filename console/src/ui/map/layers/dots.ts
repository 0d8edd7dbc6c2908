/**
 * Circles as polygons. OpenLayers draws the polygons of a tile once, into a picture that moves with the map, but the images
 * of points again for each frame: a map of many points could not be moved smoothly.
 */
import type { FeatureLike } from "ol/Feature.js";
import type SimpleGeometry from "ol/geom/SimpleGeometry.js";
import MultiPolygon from "ol/geom/MultiPolygon.js";
import type RenderFeature from "ol/render/Feature.js";

/** A polygon of this many corners differs from a circle of `LARGEST` by less than a tenth of a pixel. */
const CORNERS = 24;
const UNIT = Array.from({ length: CORNERS + 1 }, (_, corner) => {
  const angle = ((corner % CORNERS) / CORNERS) * -2 * Math.PI; // clockwise, as OpenLayers fills
  return [Math.cos(angle), Math.sin(angle)] as const;
});

/** The largest radius in pixels, with its stroke. A larger circle is cut at the edge of a tile, which knows this much beyond. */
export const LARGEST = 8;

/** Circles around the points of a feature, `radius` in units of the map; undefined where it has no points. */
export function dotsOf(feature: FeatureLike, radius: number): MultiPolygon | undefined {
  const geometry = feature.getGeometry() as RenderFeature | SimpleGeometry | undefined;
  const type = geometry?.getType();
  if (!geometry || (type !== "Point" && type !== "MultiPoint")) return undefined;
  const points = geometry.getFlatCoordinates();
  const stride = geometry.getStride();
  const circles: number[] = [];
  const ends: number[][] = [];
  for (let at = 0; at < points.length; at += stride) {
    for (const [right, up] of UNIT) circles.push(points[at]! + right * radius, points[at + 1]! + up * radius);
    ends.push([circles.length]);
  }
  return new Dots(circles, "XY", ends);
}

/** Neither simplified nor turned: both would cost more than drawing it. */
class Dots extends MultiPolygon {
  override simplifyTransformed(): this {
    return this;
  }

  override getOrientedFlatCoordinates(): number[] {
    return this.getFlatCoordinates();
  }
}
