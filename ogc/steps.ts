/** What a request passes before its handler, a step each; `router.ts` has their order. */
import compression from "compression";
import { constants } from "node:zlib";
import { GatewayError } from "../server/kernel/errors.ts";
import { setHeaders } from "../server/kernel/http/answer.ts";
import { notFound } from "./access.ts";
import { asOf } from "./collections.ts";
import { CRS84, crsOfAll } from "./crs.ts";
import { negotiate } from "./formats.ts";
import { Addresses } from "./links.ts";
import { instantOf } from "./parameters/datetime.ts";
import { readParameters, takes } from "./parameters/read.ts";
import type { Step } from "./passage.ts";

export const findDatabase: Step = (passage) => {
  const { door, pathParameters } = passage;
  const { database: name = "" } = pathParameters;
  const database = door.databases.get(name);
  if (!database) throw new GatewayError("NOT_FOUND", `There is no database ${name}`);
  passage.database = database;
  passage.addresses = new Addresses(door.baseUrl, name);
};

export const identify: Step = async (passage) => {
  passage.identity = await passage.door.identify(passage.request, passage.database);
};

export const setCacheHeaders: Step = ({ identity, response }) => {
  setHeaders(response, {
    "Cache-Control": identity.name === "anonymous" ? "no-cache" : "private, no-cache",
    Vary: "Accept, Authorization",
  });
};

export const checkRights: Step = async (passage) => {
  const { route, pathParameters, collections } = passage;
  if (route.of !== "collection") return;
  const { collectionId: id = "" } = pathParameters;
  const collection = collections.get(id);
  if (!collection) throw notFound(id);
  const admission = await passage.admit([collection]);
  passage.collection = admission.collections[0]!;
  passage.confirm = () => admission.confirm();
};

export const refuseFeaturesOfRaster: Step = ({ route, collection }) => {
  if (route.features && collection.raster)
    throw new GatewayError("INVALID_PARAMETER", `${collection.id} is a raster: there are maps of it, but no features`);
};

export const readQuery: Step = (passage) => {
  const { route, query, collections, config } = passage;
  const collection = route.of === "collection" ? passage.collection : undefined;
  const columns = (route.filters && collection?.columns) ?? [];
  passage.parameters = readParameters(query, {
    route,
    crs: collection?.crs ?? (takes(route, "crs") ? crsOfAll(collections.values()) : [CRS84]),
    properties: columns.filter(({ filterable }) => filterable).map(({ name }) => name),
    config,
  });
  if (collection) passage.collection = asOf(collection, instantOf(passage.parameters));
};

export const chooseFormat: Step = (passage) => {
  const { request, route, parameters } = passage;
  passage.format = parameters.f ?? negotiate(request.headers, route.formats);
};

const compress = compression({
  level: 5,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  threshold: 1024,
});

/** What is written from now on is compressed where the client takes that, but for images, which are already. */
export const compressText: Step = (passage) => {
  const { request, response, format, isCompressed } = passage;
  if (!isCompressed && !format.mediaType.startsWith("image/"))
    compress(request as never, response as never, () => undefined);
  passage.isCompressed = true;
};

export const runHandler: Step = (passage) => passage.route.run(passage);
