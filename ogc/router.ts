/** OGC API Features and Maps: the one table of routes, and what every request passes before its handler. */
import compression from "compression";
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants } from "node:zlib";
import type { Config } from "../server/kernel/config.ts";
import type { Database, Identity } from "../server/kernel/database/database.ts";
import { GatewayError, SQLSTATE, sqlstateOf, toGatewayError } from "../server/kernel/errors.ts";
import { setHeaders, whileConnected } from "../server/kernel/http/answer.ts";
import type { PathParameters, Route as HttpRoute } from "../server/kernel/http/routes.ts";
import { notFound, refusal, Rights, RightsChanged, type Admission } from "./access.ts";
import { api } from "./api.ts";
import { asOf, Collections, type Collection, type CollectionMap } from "./collections.ts";
import { instantOf } from "./datetime.ts";
import { conformance } from "./conformance.ts";
import { CRS84, type Crs } from "./crs.ts";
import { describeCollection } from "./collection.ts";
import { listCollections } from "./collectionList.ts";
import type { CollectionExchange, Exchange, RouteDescription } from "./exchange.ts";
import { Counts } from "./features/counts.ts";
import { Extents } from "./extent.ts";
import {
  GEOJSON,
  HTML,
  JPEG,
  JSON_FORMAT,
  JSON_SCHEMA,
  negotiate,
  OPENAPI,
  PNG,
  TIFF,
  type Format,
} from "./formats.ts";
import { item } from "./features/item.ts";
import { items } from "./features/items.ts";
import { landing } from "./landing.ts";
import { legend } from "./maps/legend.ts";
import { collectionMap, datasetMap } from "./maps/map.ts";
import type { Maps } from "./maps/maps.ts";
import { Addresses } from "./links.ts";
import { assetRoutes } from "./pages/assets.ts";
import { queryables } from "./features/queryables.ts";
import type { RasterOptions } from "./maps/rasterCollections.ts";
import { readParameters, type ParameterName, type ParameterScope } from "./parameters.ts";

export type Route = RouteDescription &
  (
    | { readonly of: "database"; run(exchange: Exchange): Promise<void> | void }
    | { readonly of: "collection"; run(exchange: CollectionExchange): Promise<void> | void }
  );

const PAGE = [JSON_FORMAT, HTML] as const;
const FEATURES = [GEOJSON, HTML] as const;

const MAP_FORMATS = [PNG, JPEG, TIFF, HTML] as const;
const MAP_PARAMETERS: readonly ParameterName[] = [
  "bbox",
  "bbox-crs",
  "crs",
  "width",
  "height",
  "scale-denominator",
  "mm-per-pixel",
  "center",
  "center-crs",
  "subset",
  "subset-crs",
  "transparent",
  "bgcolor",
  "void-color",
  "void-transparent",
  "datetime",
];

/** What is served. To add a resource: a file with its handler, and its lines here. */
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
    parameters: ["limit", "offset"],
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
    path: "/collections/{collectionId}/queryables",
    id: "getQueryables",
    summary: "Columns that select features",
    tag: "Data",
    answer: "queryables",
    of: "collection",
    features: true,
    formats: [JSON_SCHEMA, HTML],
    run: queryables,
  },
  {
    path: "/collections/{collectionId}/items",
    id: "getFeatures",
    summary: "Features",
    tag: "Data",
    answer: "featureCollectionGeoJSON",
    of: "collection",
    features: true,
    formats: FEATURES,
    parameters: ["limit", "offset", "after", "before", "bbox", "bbox-crs", "crs", "datetime", "skipGeometry"],
    filters: true,
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
    formats: FEATURES,
    parameters: ["crs", "datetime"],
    run: item,
  },
  {
    path: "/collections/{collectionId}/map",
    id: "map.collection.getMap",
    summary: "A map of a collection",
    tag: "Maps",
    answer: "map",
    of: "collection",
    formats: MAP_FORMATS,
    parameters: MAP_PARAMETERS,
    confirms: true,
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
    parameters: ["collections", ...MAP_PARAMETERS],
    confirms: true,
    run: datasetMap,
  },
];

/** What is told of where there is no MapServer. */
const ROUTES_WITHOUT_MAPS = ROUTES.filter(({ tag }) => tag !== "Maps");

const ROOT = "/api/v4/ogc/database/";

export interface OgcOptions {
  readonly config: Pick<Config, "ogc">;
  /** Address of the service as clients see it. */
  readonly baseUrl: string;
  readonly databases: ReadonlyMap<string, Database>;
  /** Who asks a database. Throws `UNAUTHENTICATED`. */
  identify(request: IncomingMessage, database: Database): Promise<Identity>;
  /** The schemas that a database exposes. */
  schemasOf(database: string): readonly string[];
  /** Undefined where there is no MapServer. */
  readonly maps: Maps | undefined;
  readonly rasters: RasterOptions;
  /** Somebody asked for what is not there: looks at the catalogue. `isOther`: PostgreSQL has said that it is another one. */
  onStale(database: Database, isOther: boolean): Promise<void>;
}

export interface OgcDoor {
  readonly routes: readonly HttpRoute[];
  /** The catalogue of a database has changed. */
  refresh(database: Database): Promise<void>;
}

export function createOgc(options: OgcOptions): OgcDoor {
  const collections = new Collections({
    schemasOf: options.schemasOf,
    crs: options.config.ogc.crs,
    rasters: options.rasters,
  });
  const extents = new Extents();
  const counts = new Counts();
  const rights = new Rights();
  const memory = { collections, extents, counts, rights };
  return {
    routes: [
      ...assetRoutes,
      ...ROUTES.map((route) => ({
        path: `${ROOT}{database}${route.path.replace(/\/$/, "")}`,
        summary: route.summary,
        handlers: {
          GET: (request: IncomingMessage, response: ServerResponse, place: PathParameters) =>
            serve(route, place, request, response, options, memory),
        },
      })),
    ],
    refresh: (database) => collections.refresh(database),
  };
}

const compress = compression({
  level: 5,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  threshold: 1024,
});

/** What is written from now on is compressed where the client takes that, but for images, which are already. */
function compressText(request: IncomingMessage, response: ServerResponse, { mediaType }: Format): void {
  if (!mediaType.startsWith("image/")) compress(request as never, response as never, () => undefined);
}

/** What is remembered between requests. */
interface Memory {
  readonly collections: Collections;
  readonly extents: Extents;
  readonly counts: Counts;
  readonly rights: Rights;
}

async function serve(
  route: Route,
  place: PathParameters,
  request: IncomingMessage,
  response: ServerResponse,
  options: OgcOptions,
  { collections: catalogue, extents, counts, rights }: Memory,
): Promise<void> {
  const { database: databaseName = "", collectionId = "" } = place;
  const database = options.databases.get(databaseName);
  if (!database) throw new GatewayError("NOT_FOUND", `There is no database ${databaseName}`);
  const identity = await options.identify(request, database);
  setHeaders(response, {
    "Cache-Control": identity.name === "anonymous" ? "no-cache" : "private, no-cache",
    Vary: "Accept, Authorization",
  });
  const context = {
    service: "ogc",
    address: request.address,
    readOnly: true,
    signal: whileConnected(response),
  } as const;
  const query = new URL(request.url ?? "", "http://host").searchParams;
  let compresses = false;
  for (let attempt = 1; ; attempt++) {
    const collections = await catalogue.of(database);
    const admissions: Admission[] = [];
    const admit = async (asked: readonly Collection[]): Promise<Admission> => {
      const expect = route.confirms === true && attempt === 1;
      const admission = await rights.of({ database, identity, context }, asked, expect);
      admissions.push(admission);
      return admission;
    };
    try {
      const admission = route.of === "collection" ? await admit([find(collections, collectionId)]) : undefined;
      const collection = admission?.collections[0];
      if (route.features && collection?.raster)
        throw new GatewayError(
          "INVALID_PARAMETER",
          `${collectionId} is a raster: there are maps of it, but no features`,
        );
      const scope = scopeOf(route, collection, collections, options);
      const parameters = readParameters(query, ["f", ...(route.parameters ?? [])], scope);
      const format = parameters.f ?? negotiate(request.headers, route.formats);
      if (!compresses) compressText(request, response, format);
      compresses = true;
      const exchange: Exchange = {
        request,
        response,
        place,
        query,
        database,
        identity,
        context,
        config: options.config.ogc,
        addresses: new Addresses(options.baseUrl, databaseName),
        collections,
        extents,
        counts,
        admit,
        routes: options.maps ? ROUTES : ROUTES_WITHOUT_MAPS,
        parameters,
        maps: options.maps,
        format,
        formats: route.formats,
      };
      if (route.of === "database") await route.run(exchange);
      else if (admission && collection)
        await route.run({
          ...exchange,
          collection: asOf(collection, instantOf(parameters)),
          confirm: () => admission.confirm(),
        });
      return;
    } catch (thrown) {
      if (response.headersSent) throw thrown;
      const error = (await firstRefusal(admissions)) ?? thrown;
      if (error instanceof RightsChanged) continue; // the next attempt asks before it does anything
      if (collectionId !== "" && sqlstateOf(error) === SQLSTATE.insufficientPrivilege)
        throw refusal(identity, collectionId, error);
      if (attempt > 1 || !isStale(error)) throw asParameter(error);
      await options.onStale(database, sqlstateOf(error) !== undefined);
    }
  }
}

function find(collections: CollectionMap, id: string): Collection {
  const collection = collections.get(id);
  if (!collection) throw notFound(id);
  return collection;
}

/** Who may not see a collection is told so, and not what else is wrong with the request. */
async function firstRefusal(admissions: readonly Admission[]): Promise<unknown> {
  for (const admission of admissions)
    try {
      await admission.confirm();
    } catch (error) {
      return error;
    }
  return undefined;
}

function scopeOf(
  route: Route,
  collection: Collection | undefined,
  collections: CollectionMap,
  { config }: OgcOptions,
): ParameterScope {
  return {
    formats: route.formats,
    crs: collection?.crs ?? (route.parameters?.includes("crs") ? allCrs(collections) : [CRS84]),
    limit: route.limit ?? { default: 10, max: 10_000 },
    properties: route.filters
      ? (collection?.columns ?? []).filter(({ filterable }) => filterable).map(({ name }) => name)
      : [],
    config: config.ogc,
  };
}

/** The systems of all collections: a map of several can be in that of any. */
function allCrs(collections: CollectionMap): readonly Crs[] {
  return [...new Map([...collections.values()].flatMap(({ crs }) => crs).map((crs) => [crs.uri, crs])).values()];
}

/** What PostgreSQL says of a value that does not fit is said of a parameter: nothing else of a request is a value. */
function asParameter(error: unknown): unknown {
  const known = toGatewayError(error);
  return known.code === "BAD_USER_INPUT"
    ? new GatewayError("INVALID_PARAMETER", known.message, { cause: error, sqlstate: known.sqlstate })
    : error;
}

/** A table may have come, and a column or a table may be gone, since the catalogue was looked at. */
function isStale(error: unknown): boolean {
  if (error instanceof GatewayError && error.code === "COLLECTION_NOT_FOUND") return true;
  const state = sqlstateOf(error);
  return state === SQLSTATE.undefinedColumn || state === SQLSTATE.undefinedTable;
}
