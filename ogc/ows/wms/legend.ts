/** GetLegendGraphic (OGC 05-078r4 §7): the legend of a layer. */
import type { Collection } from "../../collections/collections.ts";
import { legend } from "../../maps/legend.ts";
import { PNG } from "../../exchange/formats.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { pictureFormat, stylesAsked } from "./picture.ts";

export async function getLegendGraphic(exchange: OwsExchange): Promise<void> {
  const { layer = "", format = "" } = exchange.given;
  const styles = stylesAsked(exchange, [layer]);
  pictureFormat(format, [PNG]);
  const { collections, confirm } = await layersNamed(exchange, [layer], styles);
  const collection = collections[0]!;
  if (collection.raster)
    throw exception("InvalidParameterValue", `LAYER: ${collection.id} is a raster, which has no legend`, "layer");
  await legend({ ...exchange, collection, confirm });
}

/** The address of the legend of one of the layer's styles. */
export function legendAddress(
  { address }: OwsExchange,
  { id, styles }: Collection,
  { name, version }: { readonly name: string; readonly version: string },
): string {
  const query = new URLSearchParams({ service: "WMS", version, request: "GetLegendGraphic", layer: id, format: PNG.mediaType, ...(styles.length > 1 && { style: name }) }); // oxfmt-ignore
  return `${address}?${query.toString()}`;
}
