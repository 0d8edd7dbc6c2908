/** Code for other people's pages that shows the map. */
import { service } from "../../service/http/address.ts";
import { ogcPath, type SavedMap } from "../../service/maps.ts";
import { iframeOf } from "../../ui/code/iframe.ts";
import { coloured } from "../../ui/map/layers/palette.ts";
import type { MapSource } from "../../ui/map/layers/mapSource.ts";
import { openLayersCode, type Opened } from "./openLayersCode.ts";
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
  const style = styleOf(root, layers);
  const center = saved.view?.center ?? [0, 0];
  const zoom = saved.view?.zoom ?? 1;
  return [
    {
      name: "iframe",
      code: iframeOf(page, saved.title ?? saved.name),
    },
    { name: "MapLibre", code: mapLibre(style, { center, zoom }) },
    { name: "OpenLayers", code: openLayersCode(style, { center, zoom }) },
  ];
}

interface ColouredLayer {
  readonly collection: string;
  readonly color: string;
}

/** The address of the style of several collections. A collection without a style gets its colour here. */
function styleOf(root: string, layers: readonly ColouredLayer[]): string {
  const collections = layers.map(({ collection }) => encodeURIComponent(collection)).join(",");
  const colours = layers.map(({ color }) => color.slice(1)).join(",");
  return `${root}/styles/default?f=mbs&collections=${collections}&color=${colours}`;
}

/** MapLibre's world has 512 pixels at zoom 0, that of a saved map has 256. */
function mapLibre(style: string, { center, zoom }: Opened): string {
  return `import maplibregl from "maplibre-gl";

new maplibregl.Map({
  container: "map",
  style: ${JSON.stringify(style)},
  center: ${JSON.stringify(center)},
  zoom: ${Math.max(0, zoom - 1)},
});
`;
}
