/** The frame of a WMS request: its system, rectangle and size in pixels. */
import { swapCorners } from "../../../server/types/axes.ts";
import type { Collection } from "../../collections/collections.ts";
import { crsOfAll } from "../../crs/crs.ts";
import { MM_PER_PIXEL } from "../../exchange/parameters/table.ts";
import { JPEG, PNG, TIFF, type Format } from "../../exchange/formats.ts";
import { MM_PER_INCH } from "../../maps/mapfile.ts";
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

/**
 * The frame of a request that must have all four parameters. Other pixels than those of OGC 06-042 §7.2.4.6.9 make
 * symbols, lines and texts as much larger or smaller, as QGIS and GeoServer do.
 */
export function frameOf({ given, version }: OwsExchange, collections: readonly Collection[]): Frame {
  const { crs: name = "", bbox = [0, 0, 0, 0], width = 1, height = 1, dpi } = given;
  const mmPerPixel = dpi === undefined ? MM_PER_PIXEL : MM_PER_INCH / dpi;
  const crs = readWmsCrs(name, crsOfAll(collections), version);
  const bounds = swapCorners(crs, bbox);
  const [minx, , maxx] = bounds;
  const scale = (((maxx - minx) / width) * crs.metres * 1000) / mmPerPixel;
  return { crs, bounds, seam: undefined, width, height, scale, mmPerPixel };
}

/** Throws for more layers than a map may have. */
export function refuseTooMany({ config }: OwsExchange, layers: readonly string[]): void {
  if (layers.length > config.mapCollections)
    throw exception("InvalidParameterValue", `LAYERS: a map shows at most ${config.mapCollections}`, "layers");
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
