/** Basemaps of other providers that the administrator has configured (option `basemaps`). */
import type ImageTile from "ol/ImageTile.js";
import TileLayer from "ol/layer/Tile.js";
import TileWMS from "ol/source/TileWMS.js";
import XYZ from "ol/source/XYZ.js";
import type { LoadFunction } from "ol/Tile.js";
import TileState from "ol/TileState.js";
import type { Basemap } from "../../../service/http/address.ts";
import { text } from "./attribution.ts";
import type { Drawn } from "./collectionLayers.ts";
import { t } from "../../../words/words.ts";

/** The time in ms after which a tile is given up, so that a basemap that hangs does not hold up the other layers. */
const PATIENCE_MS = 5000;
/** The same after one was given up, until one comes. */
const SHORT_PATIENCE_MS = 500;

export function makeBasemap(
  { url, layers, attribution, maxZoom = 19 }: Basemap,
  onError: (error: Error | null) => void,
): Drawn {
  const attributions = attribution === undefined ? {} : { attributions: text(attribution) };
  let patienceMs = PATIENCE_MS;
  const tileLoadFunction: LoadFunction = (tile, address) => {
    ((tile as ImageTile).getImage() as HTMLImageElement).src = address;
    setTimeout(() => {
      if (tile.getState() !== TileState.LOADING) return;
      patienceMs = SHORT_PATIENCE_MS;
      tile.setState(TileState.ERROR); // if it comes later, it is drawn then
    }, patienceMs);
  };
  const source =
    layers === undefined
      ? new XYZ({ url, maxZoom, tileLoadFunction, ...attributions })
      : new TileWMS({ url, params: { LAYERS: layers }, tileLoadFunction, ...attributions });
  source.on("tileloaderror", () => onError(new Error(t("The basemap does not answer."))));
  source.on("tileloadend", () => {
    patienceMs = PATIENCE_MS;
    onError(null);
  });
  return { layer: new TileLayer({ source }), refresh: () => source.refresh() };
}
