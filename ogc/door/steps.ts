/** The steps of a request before its handler. `router.ts` has their order. */
import { GatewayError } from "../../server/ground/errors.ts";
import type { Method } from "../../server/kernel/http/routes.ts";
import { compressAnswer } from "../../server/kernel/http/compress.ts";
import { CHALLENGES } from "../../server/kernel/identity/identity.ts";
import { CollectionNotFound, type Admission } from "../collections/access.ts";
import { asOf, spatial, type Collection } from "../collections/collections.ts";
import { CRS84, crsOfAll } from "../crs/crs.ts";
import { MVT, negotiate, PMTILES } from "../exchange/formats.ts";
import { Addresses, classicAddress } from "../exchange/links.ts";
import { instantOf } from "../exchange/parameters/datetime.ts";
import { readParameters, takes } from "../exchange/parameters/read.ts";
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import type { Identity } from "../../server/kernel/database/database.ts";
import type { PendingExchange, Step } from "./pendingExchange.ts";
import { reading, writing } from "../collections/reach.ts";
import { isOfStyles, isWrite, takesArguments, type RouteDescription } from "../exchange/route.ts";
import { called } from "../collections/routines.ts";

export const findDatabase: Step = async (exchange) => {
  const { door, pathParameters } = exchange;
  const { database: name = "" } = pathParameters;
  const database = await door.directory.find(name);
  if (!database) throw new GatewayError("NOT_FOUND", `There is no database ${name}`);
  let place = door.places.get(database);
  if (!place) {
    const classic = door.config.ows ? classicAddress(door.baseUrl, [name]) : undefined;
    door.places.set(database, (place = { addresses: new Addresses(door.baseUrl, name), classicAddress: classic }));
  }
  exchange.database = database;
  exchange.addresses = place.addresses;
  exchange.classicAddress = place.classicAddress;
};

export const identify: Step = async (exchange) => {
  exchange.identity = await exchange.door.identify(exchange.request, exchange.database);
};

/** A time that has passed. */
const EXPIRED = new Date(0).toUTCString();

/**
 * Sets the headers for caches. An answer to a browser also depends on the account that is signed in there. QGIS removes
 * `Cache-Control`, and without `Expires` it keeps capabilities for a day, also those that it read as another account.
 */
export const setCacheHeaders: Step = ({ identity, request, response }) => {
  response.setHeader("Cache-Control", identity.name === "anonymous" ? "no-cache" : "private, no-cache");
  response.setHeader("Expires", EXPIRED);
  const isSignedIn = request.headers.cookie !== undefined;
  response.setHeader("Vary", isSignedIn ? "Accept, Authorization, Cookie" : "Accept, Authorization");
};

/** Refuses a write where writing is switched off, or the caller has no credentials. */
export const refuseWrites: Step = ({ request, route, pathParameters, collections, identity, config }) => {
  if (route.tag === "Downloads") {
    refuseDownloads(route, config, identity);
    return;
  }
  const isOther = route.method === "OPTIONS" && request.method !== "OPTIONS";
  if (!isOther && !isWrite(route)) return;
  const { collectionId = "" } = pathParameters;
  if (isOfStyles(route) && !config.stylesWrite)
    throw new GatewayError("METHOD_NOT_ALLOWED", "Styles cannot be written here: see the option ogc.stylesWrite", {
      headers: { Allow: "GET, HEAD" },
    });
  if (!isOfStyles(route) && !(collections.get(collectionId)?.isWritable ?? config.transactions))
    throw new GatewayError("METHOD_NOT_ALLOWED", "Features cannot be written here", {
      headers: { Allow: "GET, HEAD, OPTIONS" },
    });
  if (isWrite(route) && identity.name === "anonymous")
    throw new GatewayError("UNAUTHENTICATED", "Writing needs an account: sign in", {
      headers: { "WWW-Authenticate": CHALLENGES },
    });
};

function refuseDownloads(route: RouteDescription, { downloads }: OgcConfig, { name }: Identity): void {
  if (route.method === "POST" && !downloads)
    throw new GatewayError("METHOD_NOT_ALLOWED", "There are no downloads here: the option ogc.downloads is off", {
      headers: { Allow: "OPTIONS" },
    });
  if (isWrite(route) && name === "anonymous")
    throw new GatewayError("UNAUTHENTICATED", "Downloads need an account: sign in", {
      headers: { "WWW-Authenticate": CHALLENGES },
    });
}

export const checkRights: Step = (exchange) => {
  const { route, pathParameters, collections } = exchange;
  if (route.of !== "collection") return;
  const { collectionId: id = "" } = pathParameters;
  const collection = collections.get(id);
  if (!collection) throw new CollectionNotFound(id);
  const admission = exchange.admit([collection]);
  if (admission instanceof Promise) return admission.then((own) => take(exchange, own));
  take(exchange, admission);
};

/** The caller may read the collection of the request. */
function take(exchange: PendingExchange, admission: Admission): void {
  const { route, query } = exchange;
  exchange.collection = admission.collections[0]!;
  const context = { ...exchange.context, basis: admission.basis };
  exchange.context =
    isWrite(route) && route.tag !== "Downloads"
      ? writing(context, exchange.collection, route.method as Method)
      : reading(context, exchange.collection, query.has("filter"));
  const confirm = (): Promise<void> => admission.confirm();
  exchange.confirm = confirm;
}

export const refuseFeaturesOfRaster: Step = ({ route, collection }) => {
  if (route.features && collection.raster)
    throw new GatewayError("INVALID_PARAMETER", `${collection.id} is a raster: it has maps, but no features`);
};

const OF_GEOMETRIES: ReadonlySet<string> = new Set(["Maps", "Tiles", "Map tiles", "Styles"]);

/** Refuses maps, tiles and styles of a collection without geometry. */
export const refuseWithoutGeometry: Step = ({ route, collection }) => {
  if (route.of === "collection" && OF_GEOMETRIES.has(route.tag)) spatial(collection);
};

export const readQuery: Step = (exchange) => {
  const { route, query, collections, config } = exchange;
  const collection = route.of === "collection" ? exchange.collection : undefined;
  exchange.parameters = readParameters(query, {
    route,
    crs: collection?.crs ?? (takes(route, "filter-crs") ? crsOfAll(collections.values()) : [CRS84]),
    properties: collection
      ? [...(route.filters ? filterableNames(collection) : []), ...argumentNames(route, collection)]
      : [],
    config,
  });
  if (!collection) return;
  exchange.collection = asOf(collection, instantOf(exchange.parameters));
  if (!collection.routine || !takesArguments(route)) return;
  const { equalities } = exchange.parameters;
  exchange.collection = called(collection, equalities);
  const names = new Set(collection.routine.parameters.map(({ name }) => name));
  exchange.parameters = {
    ...exchange.parameters,
    equalities: new Map([...equalities].filter(([name]) => !names.has(name))),
  };
};

/** The names of the parameters of the function that the route calls. */
function argumentNames(route: RouteDescription, { routine }: Collection): readonly string[] {
  return routine && takesArguments(route) ? routine.parameters.map(({ name }) => name) : [];
}

const filterable = new WeakMap<Collection, readonly string[]>();

/** The names of the columns that are parameters too. */
function filterableNames(collection: Collection): readonly string[] {
  let names = filterable.get(collection);
  if (!names) {
    names = collection.columns.filter((column) => column.filterable).map(({ name }) => name);
    filterable.set(collection, names);
  }
  return names;
}

export const chooseFormat: Step = (exchange) => {
  const { request, route, parameters } = exchange;
  exchange.format = parameters.f ?? (route.method ? route.formats[0]! : negotiate(request.headers, route.formats));
};

/**
 * Compresses the answer where the client accepts that. Images are compressed already, and tiles compress themselves.
 */
export const compressText: Step = (exchange) => {
  const { request, response, format, isCompressed } = exchange;
  exchange.isCompressed = true;
  if (
    isCompressed ||
    exchange.route.id === "getDownload" ||
    format === PMTILES ||
    format.mediaType.startsWith("image/") ||
    format === MVT
  )
    return;
  compressAnswer(request, response);
};

export const runHandler: Step = (exchange) => exchange.route.run(exchange);
