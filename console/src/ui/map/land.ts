/** The base layer of a map: the land, as on the service's own pages. */
import GeoJSON from "ol/format/GeoJSON.js";
import VectorLayer from "ol/layer/Vector.js";
import VectorSource from "ol/source/Vector.js";
import Fill from "ol/style/Fill.js";
import Style from "ol/style/Style.js";
import { service } from "../../service/http/address.ts";
import { colourOf } from "./colours.ts";
import { t } from "../../words/words.ts";

export const geojson = new GeoJSON();

/** `map`: the map's element, whose style has the colour. `isCredited`: whether the map tells where the land comes from. */
export function landLayer(map: Element, isCredited = false): VectorLayer {
  const url = `${service}/api/v4/ogc/assets/land.json`;
  const style = (): Style => new Style({ fill: new Fill({ color: colourOf(map, "--land") }) });
  const attributions = isCredited ? { attributions: t("Land: Natural Earth") } : {};
  return new VectorLayer({ source: new VectorSource({ url, format: geojson, wrapX: false, ...attributions }), style });
}
