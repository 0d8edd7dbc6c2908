/** The request to MapServer: a WMS query without any text of the caller. */
import type { Format } from "../exchange/formats.ts";
import type { Surface } from "./mapBackground.ts";
import { MM_PER_INCH, NOTHING, type Mapfile } from "./mapfile.ts";
import type { Frame } from "./mapFrame.ts";
import { isDrawnAt } from "./mapLayer.ts";
import type { Bounds } from "../collections/bounds.ts";

/** The query string. In WMS 1.1.1 x is before y in every system. */
export function queryOf(frame: Frame, format: Format, file: Mapfile, { transparent, colour }: Surface): string {
  const drawn = file.layers.filter((layer) => isDrawnAt(layer, frame.scale)).map(({ name }) => name);
  return new URLSearchParams({
    map: file.path,
    SERVICE: "WMS",
    VERSION: "1.1.1",
    REQUEST: "GetMap",
    LAYERS: drawn.join(",") || NOTHING,
    STYLES: "",
    SRS: `EPSG:${frame.crs.srid}`,
    BBOX: unequalBounds(frame).join(","),
    WIDTH: String(frame.width),
    HEIGHT: String(frame.height),
    FORMAT: format.mediaType,
    MAP_RESOLUTION: String(MM_PER_INCH / frame.mmPerPixel),
    TRANSPARENT: transparent ? "TRUE" : "FALSE",
    BGCOLOR: colour.replace("#", "0x"),
  }).toString();
}

/** The relative difference that MapServer ignores. */
const EQUAL = 1e-5;

/**
 * The rectangle, made slightly wider or higher where MapServer would treat the sides of a pixel as equal. MapServer
 * would then compute from the centres of pixels, draw half a pixel too far to the north-west, and leave out features at
 * the edges.
 */
function unequalBounds({ bounds, width, height }: Frame): Bounds {
  const [minx, miny, maxx, maxy] = bounds;
  // MapServer's formula: from the centre of the first pixel to that of the last, by the number of pixels
  const side = (length: number, pixels: number): number => (length * (pixels - 1)) / pixels ** 2;
  const ratio = side(maxx - minx, width) / side(maxy - miny, height);
  if (Math.abs(ratio - 1) > 2 * EQUAL) return bounds;
  const [x, y] = ratio >= 1 ? [(maxx - minx) * EQUAL, 0] : [0, (maxy - miny) * EQUAL];
  return [minx - x, miny - y, maxx + x, maxy + y];
}
