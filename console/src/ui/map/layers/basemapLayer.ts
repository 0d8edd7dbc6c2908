/** Basemaps of other providers that the administrator has configured (option `basemaps`). */
import TileLayer from "ol/layer/Tile.js";
import TileWMS from "ol/source/TileWMS.js";
import XYZ from "ol/source/XYZ.js";
import type { Basemap } from "../../../service/http/address.ts";
import type { Drawn } from "./collectionLayers.ts";
import { t } from "../../../words/words.ts";

export function makeBasemap(
  { url, layers, attribution, maxZoom = 19 }: Basemap,
  onError: (error: Error | null) => void,
): Drawn {
  const attributions = attribution === undefined ? {} : { attributions: text(attribution) };
  const source =
    layers === undefined
      ? new XYZ({ url, maxZoom, ...attributions })
      : new TileWMS({ url, params: { LAYERS: layers }, ...attributions });
  source.on("tileloaderror", () => onError(new Error(t("The basemap does not answer."))));
  source.on("tileloadend", () => onError(null));
  return { layer: new TileLayer({ source }), refresh: () => source.refresh() };
}

/** Escapes a text, because OpenLayers takes an attribution as HTML. */
function text(plain: string): string {
  const element = document.createElement("span");
  element.textContent = plain;
  return element.innerHTML;
}
