/** The description of a route, for the OpenAPI document and for the steps of a request. */
import type { Method } from "../../server/kernel/http/routes.ts";
import type { Service } from "../../server/ground/services.ts";
import type { Format } from "./formats.ts";

/** OpenAPI's `operationId`; the rows of parameters name their routes by it. */
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
  | "putCollectionStyle"
  | "deleteCollectionStyle"
  | "getCollectionSprite"
  | "getSprite"
  | "getGlyphs"
  | "getPmtiles"
  | "createDownload"
  | "getDownloads"
  | "getDownload"
  | "deleteDownload"
  | "getDownloadAddress"
  | TileOperation;

/** OGC 20-057, clause 14: the suffixes of the ids of operations. */
export type TileOperation =
  `portolan.${"collection" | "dataset"}.${"vector" | "map"}.${"getTileSetsList" | "getTileSet" | "getTile"}`;

export interface RouteDescription {
  /** The method. Default: GET, and HEAD with it. OPTIONS also answers methods without a row. */
  readonly method?: Method | "OPTIONS";
  /** The path below `/api/v4/ogc/database/{database}`, in OpenAPI's syntax. */
  readonly path: string;
  readonly id: OperationId;
  readonly summary: string;
  /** The tag of its group in OpenAPI. */
  readonly tag: string;
  /** Name of the schema of its JSON (openapiSchemas.ts). */
  readonly answer: string;
  readonly of: "database" | "collection";
  /** The formats; the first is the default. */
  readonly formats: readonly Format[];
  /** For paged resources: the default and the maximum of `limit`. */
  readonly limit?: { readonly default: number; readonly max: number };
  /** Whether `name=value` of filterable columns are parameters too. */
  readonly filters?: true;
  /** Whether it needs features, which a raster lacks. */
  readonly features?: true;
  /**
   * For a handler that begins with the last known rights: the way in which they are confirmed before anything is shown.
   */
  readonly confirms?: Confirms;
}

/**
 * `within`: each transaction of the handler confirms the rights; there is at least one. `apart`: `confirm()` does it.
 */
export type Confirms = "within" | "apart";

const PICTURES: ReadonlySet<string> = new Set(["Maps", "Map tiles"]);

/** The interface of its requests in rules: pictures, features, or both for a route that describes both. */
export function partOf({ tag, features, id }: Pick<RouteDescription, "tag" | "features" | "id">): Service {
  if (PICTURES.has(tag)) return "ows";
  return features || tag === "Styles" || id.startsWith("portolan.") ? "wfst" : "ogc";
}

/**
 * Whether the route takes the arguments of a function, because it reads features. A tileset writes them into the
 * addresses of its tiles.
 */
export function takesArguments({ id, path, tag }: Pick<RouteDescription, "id" | "path" | "tag">): boolean {
  if (!path.startsWith("/collections/{collectionId}/")) return false;
  return (
    ["getFeatures", "getFeature"].includes(id) ||
    ["Tiles", "Map tiles"].includes(tag) ||
    path.endsWith("/map") ||
    ["getCollectionStyle", "getCollectionSprite"].includes(id)
  );
}

/** Whether the route changes styles, which have a switch of their own. */
export function isOfStyles({ tag }: Pick<RouteDescription, "tag">): boolean {
  return tag === "Styles";
}

/** Whether a request to the route changes something. */
export function isWrite({ method }: Pick<RouteDescription, "method">): boolean {
  return method !== undefined && method !== "OPTIONS";
}
