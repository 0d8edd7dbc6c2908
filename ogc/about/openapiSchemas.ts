/** The schemas of the OpenAPI document that are the same for every database. */
import type { JsonSchema } from "../../server/types/table.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({ type: "object", ...(required.length > 0 && { required }), properties });
const list = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "array", items, ...more });
const text: JsonSchema = { type: "string" };
const uri: JsonSchema = { type: "string", format: "uri" };
const count: JsonSchema = { type: "integer", minimum: 0 };
const links = list(ref("link"));

const position = list({ type: "number" }, { minItems: 2, maxItems: 3 });
const line = list(position, { minItems: 2 });
const ring = list(position, { minItems: 4 });
const geometry = (type: string, coordinates: JsonSchema): JsonSchema =>
  object({ type: { type: "string", enum: [type] }, coordinates });

const GEOMETRIES: Readonly<Record<string, JsonSchema>> = {
  pointGeoJSON: geometry("Point", position),
  linestringGeoJSON: geometry("LineString", line),
  polygonGeoJSON: geometry("Polygon", list(ring)),
  multipointGeoJSON: geometry("MultiPoint", list(position)),
  multilinestringGeoJSON: geometry("MultiLineString", list(line)),
  multipolygonGeoJSON: geometry("MultiPolygon", list(list(ring))),
  geometrycollectionGeoJSON: object({
    type: { type: "string", enum: ["GeometryCollection"] },
    geometries: list(ref("geometryGeoJSON")),
  }),
};

const feature = (properties: JsonSchema): JsonSchema =>
  object(
    {
      type: { type: "string", enum: ["Feature"] },
      id: { oneOf: [text, { type: "integer" }] },
      geometry: { nullable: true, allOf: [ref("geometryGeoJSON")] },
      properties,
      links,
      problem: { type: "string", description: "Why the geometry is not shown." },
    },
    ["type", "geometry", "properties"],
  );

/** The features of one collection. No property is required: a request may leave any out. */
export function featureSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return feature({ type: "object", properties });
}

export function featureCollectionSchema(features: JsonSchema): JsonSchema {
  return object(
    {
      type: { type: "string", enum: ["FeatureCollection"] },
      timeStamp: { type: "string", format: "date-time" },
      features: list(features),
      numberReturned: count,
      numberMatched: { ...count, description: "The number on all pages; left out where counting would take too long." },
      links,
      problems: list(object({ id: text, message: text }, ["message"]), {
        description: "The features whose geometry cannot be shown.",
      }),
    },
    ["type", "timeStamp", "features", "numberReturned", "links"],
  );
}

const TILESET: JsonSchema = object(
  {
    title: text,
    dataType: { type: "string", enum: ["vector", "map"] },
    crs: uri,
    tileMatrixSetURI: uri,
    tileMatrixSetId: text,
    tileMatrixSetLimits: list(
      object({ tileMatrix: text, minTileRow: count, maxTileRow: count, minTileCol: count, maxTileCol: count }),
    ),
    boundingBox: { type: "object" },
    layers: list(object({ id: text, title: text, dataType: text }, ["id", "dataType"])),
    links: list({ type: "object" }),
  },
  ["dataType", "crs", "tileMatrixSetURI", "links"],
);

export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  link: object({ rel: text, type: text, title: text, href: uri }),
  landingPage: object(
    { title: text, description: text, extent: ref("extent"), crs: list(uri), storageCrs: uri, links },
    ["title", "description", "links"],
  ),
  confClasses: object({ conformsTo: list(uri), links }),
  extent: object(
    {
      spatial: object(
        {
          bbox: list(
            {
              type: "array",
              oneOf: [
                { minItems: 4, maxItems: 4 },
                { minItems: 6, maxItems: 6 },
              ],
              items: { type: "number" },
            },
            { minItems: 1 },
          ),
          crs: uri,
          storageCrsBbox: list(list({ type: "number" }, { minItems: 4, maxItems: 4 }), { minItems: 1 }),
        },
        ["bbox", "crs"],
      ),
      temporal: object({
        interval: list(list({ type: "string", format: "date-time", nullable: true }, { minItems: 2, maxItems: 2 }), {
          minItems: 1,
        }),
        trs: uri,
      }),
    },
    [],
  ),
  collection: object(
    {
      id: text,
      title: text,
      description: text,
      keywords: list(text),
      extent: ref("extent"),
      itemType: text,
      crs: list(uri),
      storageCrs: uri,
      links,
    },
    ["id", "links"],
  ),
  collections: object({ collections: list(ref("collection")), numberMatched: count, numberReturned: count, links }),
  functions: object({
    functions: list(
      object({
        name: text,
        description: text,
        arguments: list(object({ title: text, type: list(text) })),
        returns: list(text),
      }),
    ),
    links,
  }),
  jsonSchema: object({ $schema: uri, $id: uri, type: text, title: text, properties: { type: "object" } }),
  ...GEOMETRIES,
  geometryGeoJSON: { oneOf: Object.keys(GEOMETRIES).map(ref) },
  featureGeoJSON: feature({ type: "object" }),
  featureCollectionGeoJSON: featureCollectionSchema(ref("featureGeoJSON")),
  createdFeatures: object({ features: list(object({ id: { oneOf: [text, { type: "integer" }] }, href: uri })) }),
  openapi: { type: "object", description: "OpenAPI 3.0" },
  tileMatrixSets: object({ tileMatrixSets: list(object({ id: text, title: text, uri, crs: uri, links })), links }),
  tileMatrixSet: object({
    id: text,
    title: text,
    uri,
    crs: uri,
    orderedAxes: list(text),
    tileMatrices: list(
      object({
        id: text,
        scaleDenominator: { type: "number" },
        cellSize: { type: "number" },
        cornerOfOrigin: text,
        pointOfOrigin: list({ type: "number" }, { minItems: 2, maxItems: 2 }),
        tileWidth: count,
        tileHeight: count,
        matrixWidth: count,
        matrixHeight: count,
      }),
    ),
    links,
  }),
  tilesets: object({ tilesets: list(TILESET), links }),
  tileset: TILESET,
  tile: { type: "string", format: "binary" },
  styles: object({ default: text, styles: list(object({ id: text, title: text, links })), links }),
  styleNotes: object({ notes: list(object({ at: text, message: text })) }),
  style: { type: "object", description: "MapLibre style specification, version 8" },
  sprite: {
    type: "object",
    additionalProperties: object({ x: count, y: count, width: count, height: count, pixelRatio: count }),
  },
  wantedDownload: object(
    {
      format: text,
      filter: { oneOf: [text, { type: "object" }] },
      "filter-lang": text,
      "filter-crs": uri,
      properties: { oneOf: [text, list(text)] },
      bbox: { oneOf: [text, list({ type: "number" })] },
      "bbox-crs": uri,
      crs: uri,
      datetime: text,
    },
    ["format"],
  ),
  download: object({ id: text, job: count, state: text, href: uri, done: count, total: count }, ["id", "job", "state"]),
  downloads: object({ downloads: list({ type: "object" }) }),
  downloadAddress: object({ href: uri, expires: text }),
  problem: {
    ...object({ type: text, title: text, status: { type: "integer" }, detail: text, code: text, message: text }),
    description: "RFC 9457",
  },
};
