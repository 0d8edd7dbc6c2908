/** OGC API Features and Maps: the one table of routes. */
import { api } from "./api.ts";
import { describeCollection } from "./collection.ts";
import { listCollections } from "./collectionList.ts";
import { conformance } from "./conformance.ts";
import { options } from "./editing/allow.ts";
import { createFeatures, deleteFeature, replaceFeature, updateFeature } from "./editing/write.ts";
import type { CollectionExchange, Exchange } from "./exchange.ts";
import { item } from "./features/item.ts";
import { items } from "./features/items.ts";
import { datasetQueryables, queryables } from "./features/queryables.ts";
import { schema } from "./features/schema.ts";
import { sortables } from "./features/sortables.ts";
import { functions } from "./functions.ts";
import {
  FEATURES_FORMATS,
  GEOJSON,
  HTML,
  JPEG,
  JSON_FORMAT,
  JSON_SCHEMA,
  MVT,
  OPENAPI,
  PNG,
  TIFF,
  TILEJSON,
} from "./formats.ts";
import { landing } from "./landing.ts";
import { legend } from "./maps/legend.ts";
import { collectionMap, datasetMap } from "./maps/map.ts";
import { collectionTile, datasetTile } from "./tiles/vectorTile.ts";
import { collectionMapTile, datasetMapTile } from "./tiles/mapTile.ts";
import { describeTileMatrixSet, listTileMatrixSets } from "./tiles/tileMatrixSets.ts";
import { collectionSource, datasetSource, sendTileset, sendTilesets } from "./tiles/tilesets.ts";
import type { RouteDescription } from "./route.ts";

export type Route = RouteDescription &
  (
    | { readonly of: "database"; run(exchange: Exchange): Promise<void> | void }
    | { readonly of: "collection"; run(exchange: CollectionExchange): Promise<void> | void }
  );

const PAGE = [JSON_FORMAT, HTML] as const;
const FEATURE = [GEOJSON, HTML] as const;

const TILESET = [JSON_FORMAT, TILEJSON, HTML] as const;

const MAP_FORMATS = [PNG, JPEG, TIFF, HTML] as const;

/** What changes features, and says who may. */
const WRITES = [
  { method: "POST", path: "", id: "createFeature", summary: "Create a feature, or several", run: createFeatures },
  { method: "OPTIONS", path: "", id: "getFeaturesOptions", summary: "What may be done", run: options },
  { method: "PUT", path: "/{featureId}", id: "replaceFeature", summary: "Replace a feature", run: replaceFeature },
  { method: "PATCH", path: "/{featureId}", id: "updateFeature", summary: "Change a feature", run: updateFeature },
  { method: "DELETE", path: "/{featureId}", id: "deleteFeature", summary: "Delete a feature", run: deleteFeature },
  { method: "OPTIONS", path: "/{featureId}", id: "getFeatureOptions", summary: "What may be done", run: options },
] as const;

/** What is served. To add a resource: a file with its handler, its name in route.ts, and its lines here. */
export const ROUTES: readonly Route[] = [
  {
    path: "/",
    id: "getLandingPage",
    summary: "Landing page",
    tag: "Capabilities",
    answer: "landingPage",
    of: "database",
    formats: PAGE,
    run: landing,
  },
  {
    path: "/conformance",
    id: "getConformance",
    summary: "What this API conforms to",
    tag: "Capabilities",
    answer: "confClasses",
    of: "database",
    formats: PAGE,
    run: conformance,
  },
  {
    path: "/api",
    id: "getApi",
    summary: "The definition of this API",
    tag: "Capabilities",
    answer: "openapi",
    of: "database",
    formats: [OPENAPI, HTML],
    run: api,
  },
  {
    path: "/collections",
    id: "getCollections",
    summary: "The collections",
    tag: "Capabilities",
    answer: "collections",
    of: "database",
    formats: PAGE,
    limit: { default: 100, max: 1000 },
    run: listCollections,
  },
  {
    path: "/collections/{collectionId}",
    id: "describeCollection",
    summary: "A collection",
    tag: "Data",
    answer: "collection",
    of: "collection",
    formats: PAGE,
    run: describeCollection,
  },
  {
    path: "/collections/{collectionId}/schema",
    id: "getSchema",
    summary: "What features consist of",
    tag: "Data",
    answer: "jsonSchema",
    of: "collection",
    features: true,
    formats: [JSON_SCHEMA, HTML],
    run: schema,
  },
  {
    path: "/collections/{collectionId}/queryables",
    id: "getQueryables",
    summary: "What a filter may name",
    tag: "Data",
    answer: "jsonSchema",
    of: "collection",
    features: true,
    formats: [JSON_SCHEMA, HTML],
    run: queryables,
  },
  {
    path: "/collections/{collectionId}/sortables",
    id: "getSortables",
    summary: "What features may be sorted by",
    tag: "Data",
    answer: "jsonSchema",
    of: "collection",
    features: true,
    formats: [JSON_SCHEMA, HTML],
    run: sortables,
  },
  {
    path: "/queryables",
    id: "getDatasetQueryables",
    summary: "What a filter may name in every collection",
    tag: "Data",
    answer: "jsonSchema",
    of: "database",
    formats: [JSON_SCHEMA, HTML],
    run: datasetQueryables,
  },
  {
    path: "/functions",
    id: "getFunctions",
    summary: "Functions that a filter may call",
    tag: "Capabilities",
    answer: "functions",
    of: "database",
    formats: PAGE,
    run: functions,
  },
  {
    path: "/collections/{collectionId}/items",
    id: "getFeatures",
    summary: "Features",
    tag: "Data",
    answer: "featureCollectionGeoJSON",
    of: "collection",
    features: true,
    formats: FEATURES_FORMATS,
    filters: true,
    confirms: "within",
    run: items,
  },
  {
    path: "/collections/{collectionId}/items/{featureId}",
    id: "getFeature",
    summary: "A feature",
    tag: "Data",
    answer: "featureGeoJSON",
    of: "collection",
    features: true,
    formats: FEATURE,
    confirms: "within",
    run: item,
  },
  ...WRITES.map(({ method, path, id, summary, run }) => ({
    method,
    path: `/collections/{collectionId}/items${path}`,
    id,
    summary,
    tag: "Data",
    answer: "featureGeoJSON",
    of: "collection" as const,
    features: true as const,
    formats: [GEOJSON],
    run,
  })),
  {
    path: "/collections/{collectionId}/map",
    id: "map.collection.getMap",
    summary: "A map of a collection",
    tag: "Maps",
    answer: "map",
    of: "collection",
    formats: MAP_FORMATS,
    confirms: "apart",
    run: collectionMap,
  },
  {
    path: "/collections/{collectionId}/legend",
    id: "getLegend",
    summary: "The legend of a collection's maps",
    tag: "Maps",
    answer: "map",
    of: "collection",
    formats: [PNG],
    run: legend,
  },
  {
    path: "/map",
    id: "map.dataset.getMap",
    summary: "A map of several collections",
    tag: "Maps",
    answer: "map",
    of: "database",
    formats: MAP_FORMATS,
    confirms: "apart",
    run: datasetMap,
  },
  {
    path: "/tileMatrixSets",
    id: "getTileMatrixSetsList",
    summary: "How the world is cut into tiles",
    tag: "Tiles",
    answer: "tileMatrixSets",
    of: "database",
    formats: PAGE,
    run: listTileMatrixSets,
  },
  {
    path: "/tileMatrixSets/{tileMatrixSetId}",
    id: "getTileMatrixSet",
    summary: "A tile matrix set",
    tag: "Tiles",
    answer: "tileMatrixSet",
    of: "database",
    formats: PAGE,
    run: describeTileMatrixSet,
  },
  {
    path: "/collections/{collectionId}/tiles",
    id: "portolan.collection.vector.getTileSetsList",
    summary: "The vector tilesets of a collection",
    tag: "Tiles",
    answer: "tilesets",
    of: "collection",
    features: true,
    formats: PAGE,
    run: async (exchange) => sendTilesets(exchange, await collectionSource(exchange, "vector")),
  },
  {
    path: "/collections/{collectionId}/tiles/{tileMatrixSetId}",
    id: "portolan.collection.vector.getTileSet",
    summary: "Vector tiles of a collection",
    tag: "Tiles",
    answer: "tileset",
    of: "collection",
    features: true,
    formats: TILESET,
    run: async (exchange) => sendTileset(exchange, await collectionSource(exchange, "vector")),
  },
  {
    path: "/collections/{collectionId}/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}",
    id: "portolan.collection.vector.getTile",
    summary: "A vector tile of a collection",
    tag: "Tiles",
    answer: "tile",
    of: "collection",
    features: true,
    formats: [MVT],
    confirms: "apart",
    run: collectionTile,
  },
  {
    path: "/tiles",
    id: "portolan.dataset.vector.getTileSetsList",
    summary: "The vector tilesets of several collections",
    tag: "Tiles",
    answer: "tilesets",
    of: "database",
    formats: PAGE,
    run: async (exchange) => sendTilesets(exchange, await datasetSource(exchange, "vector")),
  },
  {
    path: "/tiles/{tileMatrixSetId}",
    id: "portolan.dataset.vector.getTileSet",
    summary: "Vector tiles of several collections",
    tag: "Tiles",
    answer: "tileset",
    of: "database",
    formats: TILESET,
    run: async (exchange) => sendTileset(exchange, await datasetSource(exchange, "vector")),
  },
  {
    path: "/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}",
    id: "portolan.dataset.vector.getTile",
    summary: "A vector tile of several collections",
    tag: "Tiles",
    answer: "tile",
    of: "database",
    formats: [MVT],
    confirms: "apart",
    run: datasetTile,
  },
  {
    path: "/collections/{collectionId}/map/tiles",
    id: "portolan.collection.map.getTileSetsList",
    summary: "The map tilesets of a collection",
    tag: "Map tiles",
    answer: "tilesets",
    of: "collection",
    formats: PAGE,
    run: async (exchange) => sendTilesets(exchange, await collectionSource(exchange, "map")),
  },
  {
    path: "/collections/{collectionId}/map/tiles/{tileMatrixSetId}",
    id: "portolan.collection.map.getTileSet",
    summary: "Map tiles of a collection",
    tag: "Map tiles",
    answer: "tileset",
    of: "collection",
    formats: TILESET,
    run: async (exchange) => sendTileset(exchange, await collectionSource(exchange, "map")),
  },
  {
    path: "/collections/{collectionId}/map/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}",
    id: "portolan.collection.map.getTile",
    summary: "A map tile of a collection",
    tag: "Map tiles",
    answer: "tile",
    of: "collection",
    formats: [PNG, JPEG],
    confirms: "apart",
    run: collectionMapTile,
  },
  {
    path: "/map/tiles",
    id: "portolan.dataset.map.getTileSetsList",
    summary: "The map tilesets of several collections",
    tag: "Map tiles",
    answer: "tilesets",
    of: "database",
    formats: PAGE,
    run: async (exchange) => sendTilesets(exchange, await datasetSource(exchange, "map")),
  },
  {
    path: "/map/tiles/{tileMatrixSetId}",
    id: "portolan.dataset.map.getTileSet",
    summary: "Map tiles of several collections",
    tag: "Map tiles",
    answer: "tileset",
    of: "database",
    formats: TILESET,
    run: async (exchange) => sendTileset(exchange, await datasetSource(exchange, "map")),
  },
  {
    path: "/map/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}",
    id: "portolan.dataset.map.getTile",
    summary: "A map tile of several collections",
    tag: "Map tiles",
    answer: "tile",
    of: "database",
    formats: [PNG, JPEG],
    confirms: "apart",
    run: datasetMapTile,
  },
];

/** The routes that are described where there is no MapServer. */
export const ROUTES_WITHOUT_MAPS = ROUTES.filter(({ tag }) => tag !== "Maps" && tag !== "Map tiles");
