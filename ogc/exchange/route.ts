/** The description of a route, for the OpenAPI document and for the steps that a request passes. */
import type { Method } from "../../server/kernel/http/routes.ts";
import type { Format } from "./formats.ts";

/** OpenAPI's `operationId`, by which the rows of parameters say where they hold. */
export type OperationId =
  | "getLandingPage"
  | "getConformance"
  | "getApi"
  | "getCollections"
  | "describeCollection"
  | "getSchema"
  | "getQueryables"
  | "getDatasetQueryables"
  | "getSortables"
  | "getFunctions"
  | "getFeatures"
  | "getFeature"
  | "createFeature"
  | "replaceFeature"
  | "updateFeature"
  | "deleteFeature"
  | "getFeaturesOptions"
  | "getFeatureOptions"
  | "map.collection.getMap"
  | "map.dataset.getMap"
  | "map.collection.style.getMap"
  | "map.dataset.style.getMap"
  | "getLegend"
  | "getTileMatrixSetsList"
  | "getTileMatrixSet"
  | "getStyles"
  | "getStyle"
  | "getCollectionStyles"
  | "getCollectionStyle"
  | "getGlyphs"
  | TileOperation;

/** OGC 20-057, clause 14: what the ids of operations end in. */
export type TileOperation =
  `portolan.${"collection" | "dataset"}.${"vector" | "map"}.${"getTileSetsList" | "getTileSet" | "getTile"}`;

export interface RouteDescription {
  /** Default GET, and HEAD with it. OPTIONS stands for all methods that the path has no row of, too. */
  readonly method?: Method | "OPTIONS";
  /** Below `/api/v4/ogc/database/{database}`, as OpenAPI writes it. */
  readonly path: string;
  readonly id: OperationId;
  readonly summary: string;
  /** OpenAPI's word for the group that it stands in. */
  readonly tag: string;
  /** Name of the schema of what it gives as JSON (openapiSchemas.ts). */
  readonly answer: string;
  readonly of: "database" | "collection";
  /** The first is the default. */
  readonly formats: readonly Format[];
  /** Of what is given a page at a time: how many without the parameter `limit`, and at most. */
  readonly limit?: { readonly default: number; readonly max: number };
  /** Whether `name=value` of filterable columns are parameters too. */
  readonly filters?: true;
  /** Whether it is about features, which a raster has none of. */
  readonly features?: true;
  /** Where its handler begins on what the caller was allowed the last time: how that is confirmed before anything is shown. */
  readonly confirms?: Confirms;
}

/** `within`: by each transaction of the handler, of which there is one at least. `apart`: by `confirm()`. */
export type Confirms = "within" | "apart";

/** Whether a request by the route is to change something. */
export function isWrite({ method }: Pick<RouteDescription, "method">): boolean {
  return method !== undefined && method !== "OPTIONS";
}
