/** The frame of a WMS request: its system, rectangle and size in pixels. */
import { swapCorners } from "../../../server/types/axes.ts";
import type { Collection } from "../../collections/collections.ts";
import { crsOfAll } from "../../crs/crs.ts";
import { MM_PER_PIXEL } from "../../exchange/parameters/table.ts";
import { JPEG, PNG, TIFF, type Format } from "../../exchange/formats.ts";
import type { Frame } from "../../maps/mapFrame.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { readWmsCrs } from "../systems.ts";

/** The formats of pictures. */
export const PICTURES: readonly Format[] = [PNG, JPEG, TIFF];

/**
 * The format of a media type. Throws `InvalidFormat`. Parameters of the media type, which say how the picture is
 * encoded, are ignored.
 */
export function pictureFormat(text: string, formats = PICTURES): Format {
  const wanted = text.split(";")[0]!.trim().toLowerCase();
  const found = formats.find(({ mediaType, also = [] }) => [mediaType, ...also].includes(wanted));
  if (found) return found;
  const all = formats.map(({ mediaType }) => mediaType).join(", ");
  throw exception("InvalidFormat", `FORMAT: expected ${all}, got ${JSON.stringify(text.slice(0, 100))}`, "format");
}

/** The frame of a request that must have all four parameters. */
export function frameOf({ given, version }: OwsExchange, collections: readonly Collection[]): Frame {
  const { crs: name = "", bbox = [0, 0, 0, 0], width = 1, height = 1 } = given;
  const crs = readWmsCrs(name, crsOfAll(collections), version);
  const bounds = swapCorners(crs, bbox);
  const [minx, , maxx] = bounds;
  const scale = (((maxx - minx) / width) * crs.metres * 1000) / MM_PER_PIXEL;
  return { crs, bounds, seam: undefined, width, height, scale, mmPerPixel: MM_PER_PIXEL };
}

/**
 * The styles that a request names, one for each layer. Throws for a style that the request brings itself, and for
 * another number of styles.
 */
export function stylesAsked({ given }: OwsExchange, layers: readonly string[]): readonly string[] {
  const { style = "", styles = [style], sld, sld_body: body } = given;
  if (sld !== undefined || body !== undefined)
    throw exception("OperationNotSupported", "SLD and SLD_BODY: are not supported", "sld");
  if (styles.length > layers.length || (styles.length < layers.length && styles.join("") !== ""))
    throw exception("InvalidParameterValue", "STYLES: one for each of LAYERS, or none at all", "styles");
  return styles;
}
