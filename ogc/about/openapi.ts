/** The OpenAPI 3.0 document: the existing routes, with the collections that the caller may see. */
import { signsInAt } from "../../server/kernel/rest/openapi.ts";
import type { Collection } from "../collections/collections.ts";
import { crsOfAll, type Crs } from "../crs/crs.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { describeArgument, filterSchema, propertySchema } from "../features/propertySchema.ts";
import type { Format } from "../exchange/formats.ts";
import { PATCH_TYPES, POST_TYPES } from "../editing/allow.ts";
import { describeContent } from "../maps/mapLinks.ts";
import { featureCollectionSchema, featureSchema, SCHEMAS } from "./openapiSchemas.ts";
import { describeParameters, inQuery, takes, type ParameterDescription } from "../exchange/parameters/read.ts";
import { REGISTERED } from "../tiles/tileMatrixSet.ts";
import { DEFAULT_STYLE, MAX_PIXELS } from "../exchange/parameters/table.ts";
import { STYLE_TYPES } from "../styles/writeStyle.ts";
import { FONT } from "../styles/glyphRange.ts";
import { SPRITE_FILES } from "../styles/sprite.ts";
import { datasetAbout, publisherInfo } from "../exchange/publisher.ts";
import { isOfStyles, isWrite, takesArguments, type RouteDescription } from "../exchange/route.ts";

type Json = Readonly<Record<string, unknown>>;

const PROBLEMS: Readonly<Record<string, string>> = {
  400: "A parameter is unknown, given twice or has a bad value, or the body is wrong; `code` tells which.",
  401: "The credentials are wrong, or the collection is not public.",
  403: "The account may not read the collection.",
  404: "It does not exist.",
  405: "The features of the collection are only read.",
  406: "No format that the header Accept names is available.",
  410: "The file was removed, or the rights for its data have changed.",
  409: "It conflicts with the present data.",
  412: "The feature has another version than If-Match names, or is gone.",
  413: "The body is too large.",
  414: "The address and the headers are longer than 64 kB.",
  415: "The media type of the body is not supported.",
  428: "The request needs the header If-Match.",
  429: "Too many requests.",
  500: "An internal error; `errorId` identifies it in the log.",
  502: "MapServer failed.",
  503: "The service is busy, or its database does not answer.",
  504: "It took too long.",
};

/**
 * Collects the parts that several operations share, so that the document has each of them once. Parts are compared by
 * their text.
 */
class Components {
  readonly #prefix: string;
  readonly #names = new Map<string, string>();
  readonly all: Record<string, Json> = {};

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  ref(preferred: string, part: Json): Json {
    const text = JSON.stringify(part);
    let name = this.#names.get(text);
    if (name === undefined) {
      name = preferred.replace(/[^A-Za-z0-9._-]/g, (character) => `-${character.codePointAt(0)!.toString(16)}-`);
      for (let number = 2; Object.hasOwn(this.all, name); number++) name = `${name.replace(/_\d+$/, "")}_${number}`;
      this.#names.set(text, name);
      this.all[name] = part;
    }
    return { $ref: `#/components/${this.#prefix}/${name}` };
  }
}

/** The input for the parts of the document, and the components that they share. */
interface Draft extends Pick<Exchange, "config" | "routes"> {
  /** The collections that the caller may see. */
  readonly collections: readonly Collection[];
  readonly parameters: Components;
  readonly schemas: Components;
}

export function openapiDocument(exchange: Exchange, version: string, collections: readonly Collection[]): Json {
  const { config, routes, addresses, classicAddress, maps } = exchange;
  const parameters = new Components("parameters");
  const schemas = new Components("schemas");
  const draft: Draft = { config, routes, collections, parameters, schemas };
  const dataset = { ...exchange, seen: collections };
  const about = datasetAbout(dataset);
  const tags = new Set([...routes.map(({ tag }) => tag), ...collections.map(({ title }) => title)]);
  return {
    openapi: "3.0.3",
    info: {
      title: about.title,
      version,
      ...publisherInfo(dataset),
      description: [about.description, `${describeContent(exchange)}, under the rights of whoever asks.`]
        .filter((part) => part !== undefined)
        .join("\n\n"),
      // OGC 20-058 /rec/scaling/max-width-height
      ...(maps && { "x-OGC-limits": { maps: { maxWidth: MAX_PIXELS, maxHeight: MAX_PIXELS } } }),
    },
    ...(classicAddress !== undefined && {
      externalDocs: {
        description: "The same data by WMS, WMTS and WFS: their capabilities list their requests",
        url: `${classicAddress}?service=WFS&request=GetCapabilities`,
      },
    }),
    servers: [{ url: addresses.root }],
    security: [{}, { basic: [] }, { bearer: [] }, { openid: [] }],
    tags: [...tags].map((name) => ({ name })),
    paths: { ...templates(draft), ...pathsOfCollections(draft) },
    components: {
      securitySchemes: {
        basic: { type: "http", scheme: "basic" },
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        openid: signsInAt(addresses.baseUrl, exchange.database.name),
      },
      parameters: parameters.all,
      schemas: { ...SCHEMAS, ...schemas.all },
      responses: Object.fromEntries(Object.entries(PROBLEMS).map(problemResponse)),
    },
  };
}

function problemResponse([status, description]: [string, string]): [string, Json] {
  const schema = { $ref: "#/components/schemas/problem" };
  return [`Problem${status}`, { description, content: { "application/problem+json": { schema } } }];
}

/** Every route, for any collection. */
function templates(draft: Draft): Json {
  const crs = crsOfAll(draft.collections);
  const isWritten = {
    features: draft.collections.some(({ isWritable }) => isWritable),
    styles: draft.config.stylesWrite,
  };
  return byPath(
    draft.routes
      .filter((route) => isDescribed(route, isWritten))
      .map((route) => {
        const inputs = [
          ...inputsInPath(draft, route.path),
          ...inputsInQuery(draft, route, crs),
          ...headerParameters(route),
        ];
        return [route.path, operation(route, { $ref: `#/components/schemas/${route.answer}` }, inputs)];
      }),
  );
}

/** Whether the document has the route. OPTIONS is left out: its own answer describes it. */
export function isDescribed(
  route: RouteDescription,
  isWritten: Readonly<Record<"features" | "styles", boolean>>,
): boolean {
  return (
    route.method === undefined ||
    route.tag === "Downloads" ||
    (isWrite(route) && isWritten[isOfStyles(route) ? "styles" : "features"])
  );
}

/** Groups the operations by path. */
function byPath(operations: readonly (readonly [path: string, operation: Json])[]): Json {
  const paths: Record<string, Json> = {};
  for (const [path, described] of operations) paths[path] = { ...paths[path], ...described };
  return paths;
}

/** The features of each collection, with the schema of its columns. */
function pathsOfCollections(draft: Draft): Json {
  return byPath(
    draft.collections
      .filter(({ raster }) => !raster)
      .flatMap((collection) => {
        const answers = answersOf(draft, collection);
        return draft.routes.flatMap((route): [string, Json][] => {
          const answer = answers[route.id];
          if (!answer || !isDescribed(route, { features: collection.isWritable, styles: false })) return [];
          const filters = route.filters ? collection.columns.filter(({ filterable }) => filterable) : [];
          const path = route.path.replace("{collectionId}", encodeURIComponent(collection.id));
          const described = { ...route, summary: `${route.summary}: ${collection.title}`, tag: collection.title };
          const inputs = [
            ...inputsInPath(draft, path),
            ...inputsInQuery(draft, route, collection.crs),
            ...headerParameters(route),
            ...filters.map((column) => inQuery({ name: column.name, schema: filterSchema(column) })),
            ...argumentInputs(route, collection),
          ];
          return [[path, operation(described, answer, inputs, `${route.id}.${collection.id}`)]];
        });
      }),
  );
}

/** The parameters of a function. */
function argumentInputs(route: RouteDescription, { routine }: Collection): Json[] {
  if (!takesArguments(route)) return [];
  return (routine?.parameters ?? []).map((parameter) => {
    const { required, ...described } = describeArgument(parameter);
    return { ...inQuery(described), required };
  });
}

/** The schemas of a collection's answers on the routes for features. */
function answersOf({ schemas }: Draft, { id, columns, geometry }: Collection): Readonly<Record<string, Json>> {
  const properties = columns.filter(({ number }) => number !== geometry?.number);
  const feature = featureSchema(Object.fromEntries(properties.map((column) => [column.name, propertySchema(column)])));
  const getFeature = schemas.ref(`feature_${id}`, feature);
  return {
    getFeature,
    getFeatures: schemas.ref(`featureCollection_${id}`, featureCollectionSchema(getFeature)),
    createFeature: getFeature,
    replaceFeature: getFeature,
    updateFeature: getFeature,
    deleteFeature: getFeature,
  };
}

function inputsInPath({ parameters, collections }: Draft, path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => parameters.ref(name, inPath(name, collections)));
}

/** The path parameters, except the id of a collection. */
const IN_PATH: Readonly<Record<string, { readonly description: string; readonly schema: Json }>> = {
  featureId: {
    description:
      "Id of a feature: the text of its key; values of a composite key are percent-encoded and joined by commas.",
    schema: { type: "string" },
  },
  tileMatrixSetId: {
    description: "Id of a tile matrix set.",
    schema: { type: "string", example: REGISTERED[0]!.id },
  },
  tileMatrix: { description: "Level of the tile matrix set.", schema: { type: "string", example: "0" } },
  tileRow: { description: "Row of the tile, from the top.", schema: { type: "integer", minimum: 0, example: 0 } },
  styleId: { description: "Id of a style.", schema: { type: "string", example: DEFAULT_STYLE } },
  fontStack: { description: "Names of fonts, separated by commas.", schema: { type: "string", example: FONT } },
  sprite: {
    description: "The picture, or the places in it; for one or two pixels each.",
    schema: { type: "string", enum: [...SPRITE_FILES] },
  },
  glyphRange: { description: "First and last character.", schema: { type: "string", example: "0-255.pbf" } },
  downloadId: { description: "Id of a download.", schema: { type: "string", pattern: "^[0-9a-f]{32}$" } },
  tileCol: { description: "Column of the tile, from the left.", schema: { type: "integer", minimum: 0, example: 0 } },
};

/** A path parameter. `collections`: the collections that it may name. */
export function describePathParameter(name: string, collections: readonly Collection[]): ParameterDescription {
  const ids = collections.map(({ id }) => id);
  const collectionId = {
    description: "Id of a collection.",
    schema: { type: "string", ...(ids.length > 0 && { enum: ids }) },
  };
  return { name, ...(IN_PATH[name] ?? collectionId) };
}

function inPath(name: string, collections: readonly Collection[]): Json {
  return { ...describePathParameter(name, collections), in: "path", required: true };
}

function inputsInQuery({ parameters, config }: Draft, route: RouteDescription, crs: readonly Crs[]): Json[] {
  const described = describeParameters({ route, crs, properties: [], config });
  // clients look up the `limit` of features by this name
  const nameOf = (name: string): string => (name === "limit" && route.limit ? `limit-${route.id}` : name);
  return described.map((parameter) => parameters.ref(nameOf(parameter.name), parameter));
}

function operation(route: RouteDescription, answer: Json, parameters: readonly Json[], operationId: string = route.id) {
  const { summary, tag, method = "GET" } = route;
  const isDownload = tag === "Downloads" && method === "POST";
  const types = isDownload ? ["application/json"] : bodyTypes(route);
  const asked = isDownload
    ? { $ref: "#/components/schemas/wantedDownload" }
    : isOfStyles(route)
      ? { type: "string" }
      : answer;
  const content = Object.fromEntries(types.map((type) => [type, { schema: asked }]));
  return {
    [method.toLowerCase()]: {
      operationId,
      summary,
      tags: [tag],
      ...(parameters.length > 0 && { parameters }),
      ...(types.length > 0 && { requestBody: { required: true, content } }),
      responses: {
        ...successes(route, answer),
        ...Object.fromEntries(
          problemsOf(route).map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
        ),
      },
    },
  };
}

export function bodyTypes(route: RouteDescription): readonly string[] {
  const { method } = route;
  if (isOfStyles(route)) return method === "PUT" ? STYLE_TYPES : [];
  if (method === "POST" || method === "PUT") return POST_TYPES;
  return method === "PATCH" ? PATCH_TYPES.slice(0, 1) : [];
}

function successes(route: RouteDescription, answer: Json): Json {
  const { summary, method = "GET" } = route;
  // for a style that is sent, `f` names the format of the style, not of the answer
  const formats = method === "PUT" && isOfStyles(route) ? route.formats.slice(0, 1) : route.formats;
  const content = formats.map((format) => [format.mediaType, { schema: schemaOf(format, answer) }] as const);
  const ok = { description: summary, headers: headersOf(route), content: Object.fromEntries(content) };
  if (route.tag === "Downloads" && method === "POST") return { 202: ok };
  if (method === "POST") return { 201: { ...ok, content: { ...ok.content, ...CREATED } } };
  const done = { description: "It is done." };
  if (method === "DELETE") return { 204: done };
  if (route.id === "getDownload" || route.id === "getDownloadAddress") return { 200: ok, 202: BEING_MADE };
  return isWrite(route) && !isOfStyles(route) ? { 200: ok, 204: done } : { 200: ok };
}

/** The answer to a FeatureCollection that was created. */
const CREATED: Json = { "application/json": { schema: { $ref: "#/components/schemas/createdFeatures" } } };

/** The answer about a file that is not complete. */
const BEING_MADE: Json = {
  description: "The file is being made: how far it is.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/download" } } },
};

/** Request headers. */
export function inputsInHead(route: RouteDescription): ParameterDescription[] {
  const { method, tag } = route;
  if (!isWrite(route) || isOfStyles(route) || tag === "Downloads") return [];
  const header = (name: string, description: string): ParameterDescription => ({
    name,
    description,
    schema: { type: "string" },
  });
  return [
    ...(method === "POST" ? [] : [header("If-Match", "Only if the feature still has this ETag.")]),
    ...(method === "DELETE"
      ? []
      : [
          header("Content-Crs", "The coordinate reference system of the body. Default: CRS84."),
          header("Prefer", "return=representation: answer with the feature."),
        ]),
  ];
}

const headerParameters = (route: RouteDescription): Json[] =>
  inputsInHead(route).map((described) => ({ ...described, in: "header", required: false }));

function schemaOf({ name, isText = false }: Format, answer: Json): Json {
  if (name === "json") return answer;
  if (name === "tilejson" || name === "mbs" || name === "jsonfg") return { type: "object" };
  return isText ? { type: "string" } : { type: "string", format: "binary" };
}

function headersOf(route: RouteDescription): Json {
  const header = (description: string): Json => ({ description, schema: { type: "string" } });
  return {
    Link: header("RFC 8288"),
    ...(isWrite(route) && !isOfStyles(route) && { ETag: header("The state of the feature.") }),
    ...(route.method === "POST" && { Location: header("The address of the feature.") }),
    ...(takes(route, "crs") && { "Content-Crs": header("The system of the coordinates.") }),
    ...(takes(route, "bgcolor") && {
      "Content-Bbox": header("The rectangle that the map shows, in Content-Crs."),
      "Content-Datetime": header("The instant that a versioned map shows."),
    }),
  };
}

/** Statuses that only writing requests get. */
const OF_WRITES: ReadonlySet<string> = new Set(["405", "409", "412", "413", "415", "428"]);

function problemsOf(route: RouteDescription): string[] {
  const { of, formats } = route;
  const isPicture = formats.some(({ name }) => name === "png");
  return Object.keys(PROBLEMS).filter(
    (status) =>
      (status !== "502" || isPicture) &&
      (status !== "410" || route.tag === "Downloads") &&
      (status !== "403" || of === "collection") &&
      (isWrite(route) || !OF_WRITES.has(status)),
  );
}
