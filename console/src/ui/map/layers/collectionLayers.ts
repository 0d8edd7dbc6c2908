/** A collection on a map: by vector tiles, by its features, or by pictures that MapServer draws. */
import { intersects, type Extent } from "ol/extent.js";
import GeoJSON from "ol/format/GeoJSON.js";
import MVT from "ol/format/MVT.js";
import type BaseLayer from "ol/layer/Base.js";
import LayerGroup from "ol/layer/Group.js";
import ImageLayer from "ol/layer/Image.js";
import VectorLayer from "ol/layer/Vector.js";
import VectorTileLayer from "ol/layer/VectorTile.js";
import { bbox as bboxStrategy } from "ol/loadingstrategy.js";
import { transformExtent } from "ol/proj.js";
import ImageSource from "ol/source/Image.js";
import VectorSource from "ol/source/Vector.js";
import VectorTileSource from "ol/source/VectorTile.js";
import type { TileCoord } from "ol/tilecoord.js";
import { createXYZ } from "ol/tilegrid.js";
import TileState from "ol/TileState.js";
import type { FeatureLike } from "ol/Feature.js";
import type { StyleFunction } from "ol/style/Style.js";
import type RenderFeature from "ol/render/Feature.js";
import type VectorTile from "ol/VectorTile.js";
import { drawMap, frameOf, styleQuery, type OwnStyle, type Style } from "../../../service/maps.ts";
import { attributionsOf } from "./attribution.ts";
import { collectionPathOf, type Collection, type MapSource } from "./mapSource.ts";
import { toMetres } from "./mercator.ts";
import { LastingError } from "./retries.ts";
import { hasLabels, toStyleFunction, type StyleLayer } from "./tileStyle.ts";
import { t } from "../../../words/words.ts";

export interface Drawn {
  readonly layer: BaseLayer;
  /** Loads it again. */
  readonly refresh: () => void;
  /** Whether it has drawn something, or may still, in an extent of the map. Default: it has. */
  readonly drawsIn?: (extent: Extent, resolution: number) => boolean;
}

export interface CollectionLook {
  readonly show: "tiles" | "features" | "map";
  /** A filter in CQL2. */
  readonly filter: string | undefined;
  readonly draft: Style | undefined;
  /** The style of the layer itself. */
  readonly own: OwnStyle | undefined;
  /** Its colour where there is no style. */
  readonly color: string | undefined;
  readonly at: string | undefined;
  /** Called with an error, or with null when loading works again. */
  readonly onError: (error: Error | null) => void;
}

/** The most features of a layer that does not use tiles. */
export const MOST_FEATURES = 5000;
const MAX_ZOOM = 22;
const MERCATOR = "http://www.opengis.net/def/crs/EPSG/0/3857";
/** The side of a tile in pixels. */
const TILE_SIZE = 512;
/** The share of a tile's side that a tile includes of its neighbours. */
const BUFFER = 64 / 4096;

export function makeCollectionLayer(source: MapSource, collection: Collection, look: CollectionLook): Drawn {
  if (look.show === "map") return pictureLayer(source, collection, look);
  return look.show === "features" ? featureLayer(source, collection, look) : tileLayer(source, collection, look);
}

/** What a layer says of its own look: a style, and its colour where there is none. */
export interface LayerLook {
  readonly own?: OwnStyle | null | undefined;
  readonly color?: string | undefined;
}

/** A style, and the parameters with which tiles have what it needs besides attributes. */
export interface ReadStyle {
  readonly layers: readonly StyleLayer[];
  readonly tileQuery: Readonly<Record<string, string>>;
}

/** Whether a style needs values that only tiles have: the database computes texts, sizes and classes for them. */
export function needsTiles({ tileQuery }: ReadStyle): boolean {
  return Object.keys(tileQuery).length > 0;
}

/** The parameter for the colour of collections without a style, which has no `#`. */
export function colourQuery(color: string | undefined): Readonly<Record<string, string>> {
  return color === undefined ? {} : { color: color.slice(1) };
}

/**
 * The layers of a collection's style, or of a layer's own, and the parameters with which tiles have the values that the
 * style needs besides attributes.
 */
export async function readStyle(source: MapSource, id: string, { own, color }: LayerLook = {}): Promise<ReadStyle> {
  const name = typeof own === "string" ? own : "default";
  const query = new URLSearchParams({
    f: "mbs",
    ...(typeof own === "object" && own && styleQuery(own as Style)),
    ...colourQuery(color),
  });
  const response = await source.ask(`${collectionPathOf(source, id)}/styles/${encodeURIComponent(name)}?${query}`);
  const { layers, sources } = (await response.json()) as {
    readonly layers: readonly StyleLayer[];
    readonly sources: Readonly<Record<string, { readonly url?: string }>>;
  };
  const needsMore = Object.values(sources).some(({ url }) => /style(-definition)?=/.test(url ?? ""));
  return { layers, tileQuery: needsMore ? styleQuery((own ?? "default") as string | Style) : {} };
}

/** The parameters of the look that all ways of loading share. */
function queryOf({ filter, at }: CollectionLook): Record<string, string> {
  return {
    ...(filter !== undefined && filter !== "" && { filter }),
    ...(at !== undefined && { datetime: at }),
  };
}

/** `given`: the style, where it has been read. */
function tileLayer(source: MapSource, collection: Collection, look: CollectionLook, given?: ReadStyle): Drawn {
  const path = `${collectionPathOf(source, collection.id)}/tiles/WebMercatorQuad`;
  let style = given ? Promise.resolve(given) : readStyle(source, collection.id, look);
  const grid = createXYZ({ maxZoom: MAX_ZOOM, tileSize: TILE_SIZE });
  const extent = collection.extent && toMetres(collection.extent);
  /** Counts how often all is loaded again: OpenLayers keeps tiles by their address. */
  let round = 0;
  const addressOf = (tile: TileCoord): string | undefined => {
    const [z, x, y] = tile;
    const isNear = !extent || intersects(grown(grid.getTileCoordExtent(tile)), extent);
    return isNear ? `${path}/${z}/${y}/${x}#${round}` : undefined; // there is no data elsewhere
  };
  const tiles = new VectorTileSource({
    ...attributionsOf(collection),
    format: new MVT(),
    tileGrid: grid,
    wrapX: false,
    tileUrlFunction: addressOf,
    tileLoadFunction: (tile, address) => {
      const [url] = address.split("#");
      const vectorTile = tile as VectorTile<RenderFeature>;
      vectorTile.setLoader((tileExtent, _resolution, projection) => {
        void (async () => {
          try {
            const { tileQuery } = await style;
            const query = new URLSearchParams({ f: "mvt", ...queryOf(look), ...tileQuery });
            const response = await source.ask(`${url}?${query}`);
            const data = response.status === 204 ? undefined : await response.arrayBuffer();
            const features =
              data === undefined || data.byteLength === 0
                ? []
                : vectorTile.getFormat().readFeatures(data, { extent: tileExtent, featureProjection: projection });
            vectorTile.setFeatures(features as RenderFeature[]);
            look.onError(null);
          } catch (error) {
            vectorTile.setState(TileState.ERROR);
            look.onError(error as Error);
          }
        })();
      });
    },
  });
  const layer = new VectorTileLayer({ source: tiles });
  layer.setStyle(() => undefined);
  let isStyled = false;
  const applyStyle = (): void =>
    void style.then(({ layers }) => {
      isStyled = true;
      layer.setStyle(toStyleFunction(layers, true));
      if (hasLabels(layers)) layer.setDeclutter(true);
    }, look.onError);
  applyStyle();
  const refresh = (): void => {
    if (!isStyled) {
      style = readStyle(source, collection.id, look);
      applyStyle();
    }
    tiles.setTileUrlFunction(addressOf, String(++round)); // shows the older ones meanwhile
  };
  const drawsIn = (box: Extent, resolution: number): boolean =>
    !isStyled || isDrawn(layer.getFeaturesInExtent(box), layer.getStyleFunction(), resolution);
  return { layer, refresh, drawsIn };
}

/** Features, or vector tiles where the style needs values that features do not have. */
function featureLayer(source: MapSource, collection: Collection, look: CollectionLook): Drawn {
  const layer = new LayerGroup();
  let drawn: Drawn | undefined;
  const read = (): void =>
    void readStyle(source, collection.id, look).then((style) => {
      drawn = needsTiles(style)
        ? tileLayer(source, collection, look, style)
        : plainFeatureLayer(source, collection, look, style);
      layer.getLayers().push(drawn.layer);
    }, look.onError);
  read();
  return {
    layer,
    refresh: () => (drawn ? drawn.refresh() : read()),
    drawsIn: (box, resolution) => drawn?.drawsIn?.(box, resolution) ?? true,
  };
}

function plainFeatureLayer(
  source: MapSource,
  collection: Collection,
  look: CollectionLook,
  { layers }: ReadStyle,
): Drawn {
  const path = `${collectionPathOf(source, collection.id)}/items`;
  const format = new GeoJSON({ dataProjection: "EPSG:4326", featureProjection: "EPSG:3857" });
  const features: VectorSource = new VectorSource({
    ...attributionsOf(collection),
    wrapX: false,
    strategy: bboxStrategy,
    loader(extent, _resolution, projection, onLoaded) {
      const box = transformExtent(extent, projection, "EPSG:4326");
      const query = new URLSearchParams({
        f: "json",
        limit: String(MOST_FEATURES),
        bbox: withinWorld(box).join(","),
        ...queryOf(look),
      });
      source
        .ask(`${path}?${query}`)
        .then(async (response) => {
          const found = format.readFeatures(await response.json());
          features.addFeatures(found);
          look.onError(
            found.length < MOST_FEATURES
              ? null
              : new LastingError(
                  t("Only {count} features are shown. Zoom in, or show it by tiles.", { count: MOST_FEATURES }),
                ),
          );
        })
        .catch((error: unknown) => {
          features.removeLoadedExtent(extent);
          look.onError(error as Error);
        })
        .finally(() => onLoaded?.([])); // what the other callback does would ask again at once
    },
  });
  const layer = new VectorLayer({ source: features, style: toStyleFunction(layers), declutter: hasLabels(layers) });
  return {
    layer,
    refresh: () => features.refresh(),
    drawsIn: (box, resolution) => isDrawn(features.getFeaturesInExtent(box), layer.getStyleFunction(), resolution),
  };
}

/** Whether the style draws one of the features. */
function isDrawn(features: readonly FeatureLike[], style: StyleFunction | undefined, resolution: number): boolean {
  return features.some((feature) => [style?.(feature, resolution) ?? []].flat().length > 0);
}

/** Keeps the present picture until the next one has arrived. */
class Picture extends ImageSource {
  redraw(): void {
    this.image = null;
    this.changed();
  }
}

function pictureLayer(source: MapSource, collection: Collection, look: CollectionLook): Drawn {
  const path = collectionPathOf(source, collection.id);
  let running = new AbortController();
  let isEmpty = false;
  const picture = new Picture({
    ...attributionsOf(collection),
    projection: "EPSG:3857",
    async loader(extent, resolution, pixelRatio) {
      running.abort(); // the picture in progress is no longer needed
      running = new AbortController();
      const { signal } = running;
      const frame = frameOf(extent as [number, number, number, number], resolution, pixelRatio);
      try {
        const image = await drawMap(
          path,
          frame,
          {
            style: look.draft ?? (look.own as string | Style | undefined),
            at: look.at,
            filter: look.filter,
            crs: MERCATOR,
            query: colourQuery(look.color),
          },
          { signal, ask: (asked, init) => source.ask(asked, init) },
        );
        look.onError(null);
        isEmpty = !image;
        return { image: image ?? document.createElement("canvas"), extent, pixelRatio: frame.pixelRatio };
      } catch (error) {
        if (!signal.aborted) look.onError(error as Error);
        if (signal.aborted) return document.createElement("canvas"); // it is no longer shown
        throw error;
      }
    },
  });
  return { layer: new ImageLayer({ source: picture }), refresh: () => picture.redraw(), drawsIn: () => !isEmpty };
}

function withinWorld([minx = -180, miny = -90, maxx = 180, maxy = 90]: readonly number[]): readonly number[] {
  return [Math.max(-180, minx), Math.max(-90, miny), Math.min(180, maxx), Math.min(90, maxy)];
}

function grown([minx = 0, miny = 0, maxx = 0, maxy = 0]: readonly number[]): number[] {
  const margin = (maxx - minx) * BUFFER;
  return [minx - margin, miny - margin, maxx + margin, maxy + margin];
}
