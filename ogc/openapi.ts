/** The OpenAPI 3.0 document: the routes as they are, with the collections that the caller may see. */
import type { Collection } from "./collections.ts";
import { CRS84, type Crs } from "./crs.ts";
import type { Exchange, RouteDescription } from "./exchange.ts";
import type { Format } from "./formats.ts";
import { describeContent } from "./maps/mapLinks.ts";
import { SCHEMAS, featureCollectionSchema, featureSchema } from "./openapiSchemas.ts";
import { describeParameter, MAX_PIXELS, type ParameterName, type ParameterScope } from "./parameters.ts";
import { filterSchema, propertySchema } from "./features/propertySchema.ts";
import type { JsonSchema } from "../server/types/table.ts";

type Json = Readonly<Record<string, unknown>>;

const PROBLEMS: Readonly<Record<string, string>> = {
  400: "A parameter is unknown, given twice or of a bad value; `code` says which kind.",
  401: "The credentials are not right, or the collection is not public.",
  403: "The account may not read the collection.",
  404: "There is no such thing.",
  406: "It cannot be given as what the header Accept asks for.",
  429: "Too many requests.",
  500: "A failure of the service; the log knows it by `errorId`.",
  502: "MapServer failed.",
  503: "The service is busy, or its database is away.",
  504: "It took too long.",
};

const problem = (status: string): Json => ({ $ref: `#/components/responses/Problem${status}` });

/** Parts of the document that several operations share are written once, by their text. */
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

export interface DocumentOptions {
  readonly version: string;
  readonly routes: readonly RouteDescription[];
  /** Those that the caller may see. */
  readonly collections: readonly Collection[];
}

export function openapiDocument(exchange: Exchange, { version, routes, collections }: DocumentOptions): Json {
  const { config, addresses, database } = exchange;
  const parameters = new Components("parameters");
  const schemas = new Components("schemas");
  const scopeOf = (route: RouteDescription, crs: readonly Crs[]): ParameterScope => ({
    formats: route.formats,
    crs,
    limit: route.limit ?? { default: 10, max: 10_000 },
    properties: [],
    config,
  });
  const allCrs = [
    ...new Map(
      collections
        .flatMap(({ crs }) => crs)
        .concat(CRS84)
        .map((crs) => [crs.uri, crs]),
    ).values(),
  ];
  const query = (route: RouteDescription, crs: readonly Crs[]): Json[] =>
    (["f", ...(route.parameters ?? [])] as const).map((name: ParameterName) =>
      parameters.ref(name, describeParameter(name, scopeOf(route, crs))),
    );

  const operation = (route: RouteDescription, id: string, answer: Json, inputs: readonly Json[]): Json => ({
    get: {
      operationId: id,
      summary: route.summary,
      tags: [route.tag],
      ...(inputs.length > 0 && { parameters: inputs }),
      responses: {
        200: {
          description: route.summary,
          headers: {
            Link: { description: "RFC 8288", schema: { type: "string" } },
            ...(route.parameters?.includes("crs") && {
              "Content-Crs": { description: "The system of the coordinates.", schema: { type: "string" } },
            }),
            ...(route.parameters?.includes("bgcolor") && {
              "Content-Bbox": {
                description: "The rectangle that the map shows, in Content-Crs.",
                schema: { type: "string" },
              },
              "Content-Datetime": {
                description: "The instant that a versioned map shows.",
                schema: { type: "string" },
              },
            }),
          },
          content: Object.fromEntries(
            route.formats.map((format) => [format.mediaType, { schema: bodyOf(format, answer) }]),
          ),
        },
        ...Object.fromEntries(
          ["400", "401", ...(route.of === "collection" ? ["403", "404"] : ["404"]), "406", "429", "500"]
            .concat(route.formats.some(({ name }) => name === "png") ? ["502"] : [], "503", "504")
            .map((status) => [status, problem(status)]),
        ),
      },
    },
  });
  const bodyOf = ({ name }: Format, answer: Json): Json => {
    if (name === "json") return answer;
    return name === "html" ? { type: "string" } : { type: "string", format: "binary" };
  };

  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const answer = { $ref: `#/components/schemas/${route.answer}` };
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
      parameters.ref(name, pathParameter(name, collections)),
    );
    paths[route.path] = operation(route, route.id, answer, [...inPath, ...query(route, allCrs)]);
  }
  for (const collection of collections.filter(({ raster }) => !raster)) {
    const properties = collection.columns.filter(({ number }) => number !== collection.geometry.number);
    const feature = schemas.ref(
      `feature_${collection.id}`,
      featureSchema(Object.fromEntries(properties.map((column) => [column.name, propertySchema(column)]))),
    );
    for (const route of routes.filter(({ of, id }) => of === "collection" && /^get(Features|Feature)$/.test(id))) {
      const isOne = route.id === "getFeature";
      const answer = isOne
        ? feature
        : schemas.ref(`featureCollection_${collection.id}`, featureCollectionSchema(feature as JsonSchema));
      const inPath = isOne ? [parameters.ref("featureId", pathParameter("featureId", collections))] : [];
      const filters = route.filters ? collection.columns.filter(({ filterable }) => filterable) : [];
      const inputs = [
        ...inPath,
        ...query(route, collection.crs),
        ...filters.map((column) => ({
          name: column.name,
          in: "query",
          required: false,
          schema: filterSchema(column),
          style: "form",
          explode: false,
        })),
      ];
      const path = route.path.replace("{collectionId}", encodeURIComponent(collection.id));
      paths[path] = operation(
        { ...route, summary: `${route.summary}: ${collection.title}`, tag: collection.title },
        `${route.id}.${collection.id}`,
        answer,
        inputs,
      );
    }
  }
  return {
    openapi: "3.0.3",
    info: {
      title: `Portolan: ${database.name}`,
      version,
      description: `${describeContent(exchange)}, under the rights of whoever asks.`,
      // OGC 20-058 /rec/scaling/max-width-height
      ...(exchange.maps && { "x-OGC-limits": { maps: { maxWidth: MAX_PIXELS, maxHeight: MAX_PIXELS } } }),
    },
    servers: [{ url: addresses.root }],
    security: [{}, { basic: [] }, { bearer: [] }],
    tags: [...new Set([...routes.map(({ tag }) => tag), ...collections.map(({ title }) => title)])].map((name) => ({
      name,
    })),
    paths,
    components: {
      securitySchemes: {
        basic: { type: "http", scheme: "basic" },
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      },
      parameters: parameters.all,
      schemas: { ...SCHEMAS, ...schemas.all },
      responses: Object.fromEntries(
        Object.entries(PROBLEMS).map(([status, description]) => [
          `Problem${status}`,
          {
            description,
            content: { "application/problem+json": { schema: { $ref: "#/components/schemas/problem" } } },
          },
        ]),
      ),
    },
  };
}

function pathParameter(name: string, collections: readonly Collection[]): Json {
  const isCollection = name === "collectionId";
  const ids = collections.map(({ id }) => id);
  return {
    name,
    in: "path",
    required: true,
    description: isCollection
      ? "Id of a collection."
      : "Id of a feature: the text of its key; values of a composite key are percent-encoded and joined by commas.",
    schema: { type: "string", ...(isCollection && ids.length > 0 && { enum: ids }) },
  };
}
