/** Code for other people's pages that shows the map. */
import { service } from "../../service/http/address.ts";
import { ogcPath, type SavedMap } from "../../service/maps.ts";
import { iframeOf } from "../../ui/code/iframe.ts";
import { coloured } from "../../ui/map/layers/palette.ts";
import type { MapSource } from "../../ui/map/layers/mapSource.ts";
import type { IsHidden } from "./visitors.ts";

interface Shared {
  readonly source: MapSource;
  /** The address of the public page. */
  readonly page: string;
  readonly saved: SavedMap;
  /** Whether visitors do not see a layer. The code does not name it. */
  readonly isHidden: IsHidden;
}

export function snippetsOf({ source, page, saved, isHidden }: Shared) {
  const layers = coloured(saved.layers).flatMap((layer) => {
    const { collection, color, show } = layer;
    return collection === undefined || show === "map" || isHidden(layer) ? [] : [{ collection, color: color! }];
  });
  const root = `${service}${ogcPath(source.database)}`;
  const center = saved.view?.center ?? [0, 0];
  const zoom = saved.view?.zoom ?? 1;
  return [
    {
      name: "iframe",
      code: iframeOf(page, saved.title ?? saved.name),
    },
    { name: "MapLibre", code: mapLibre(root, layers, { center, zoom }) },
    { name: "OpenLayers", code: openLayers(root, layers, { center, zoom }) },
  ];
}

interface ColouredLayer {
  readonly collection: string;
  readonly color: string;
}

interface Opened {
  readonly center: readonly [number, number];
  readonly zoom: number;
}

/** MapLibre's world has 512 pixels at zoom 0, that of a saved map has 256. */
function mapLibre(root: string, layers: readonly ColouredLayer[], { center, zoom }: Opened): string {
  const collections = layers.map(({ collection }) => encodeURIComponent(collection)).join(",");
  const colours = layers.map(({ color }) => color.slice(1)).join(",");
  const style = `${root}/styles/default?f=mbs&collections=${collections}&color=${colours}`;
  return `import maplibregl from "maplibre-gl";

new maplibregl.Map({
  container: "map",
  style: ${JSON.stringify(style)},
  center: ${JSON.stringify(center)},
  zoom: ${Math.max(0, zoom - 1)},
});
`;
}

function openLayers(root: string, layers: readonly ColouredLayer[], { center, zoom }: Opened): string {
  const tiles = layers.map(({ collection, color }) => ({
    url: `${root}/collections/${encodeURIComponent(collection)}/tiles/WebMercatorQuad/{z}/{y}/{x}?f=mvt`,
    color,
  }));
  return `import Map from "ol/Map.js";
import View from "ol/View.js";
import MVT from "ol/format/MVT.js";
import VectorTileLayer from "ol/layer/VectorTile.js";
import VectorTileSource from "ol/source/VectorTile.js";
import { fromLonLat } from "ol/proj.js";

const tiles = ${JSON.stringify(tiles, null, 2)};
new Map({
  target: "map",
  layers: tiles.map(
    ({ url, color }) =>
      new VectorTileLayer({
        source: new VectorTileSource({ format: new MVT(), url }),
        style: {
          "stroke-color": color,
          "fill-color": color + "66",
          "circle-radius": 3.5,
          "circle-fill-color": color,
          "circle-stroke-color": "#ffffff",
        },
      }),
  ),
  view: new View({ center: fromLonLat(${JSON.stringify(center)}), zoom: ${zoom} }),
});
`;
}
