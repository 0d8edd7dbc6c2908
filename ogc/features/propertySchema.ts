/** Values of columns as JSON Schema, in the words that OpenAPI 3.0 has too. */
import type { OgcConfig } from "../../server/kernel/config.ts";
import type { CollectionColumn, SpatialColumn } from "../collections.ts";
import { hasParts, type ColumnType } from "../../server/types/columnType.ts";
import { rowOf, type JsonSchema } from "../../server/types/table.ts";

/** What `propertyJson` makes of a value that is not null. */
function valueSchema(type: ColumnType): JsonSchema {
  switch (type.kind) {
    case "array":
      return { type: "array", items: {} };
    case "range":
    case "composite":
      return { type: "object" };
    case "multirange":
      return { type: "string" };
    default:
      return rowOf(type).schema;
  }
}

/** As `properties` of a feature have it. Numbers that JSON has no number for are null. */
export function propertySchema(column: CollectionColumn): JsonSchema {
  const { type, notNull, title, description } = column;
  const isNullable = !notNull || type.kind === "float" || type.kind === "bigint";
  const schema = valueSchema(type);
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...schema,
    ...(isNullable && schema["type"] !== undefined && { nullable: true }),
  };
}

/** As a query parameter has it. */
export function filterSchema({ type, title, description }: CollectionColumn): JsonSchema {
  const schema = valueSchema(type);
  const isPlain = ["boolean", "integer", "number", "string"].includes(String(schema["type"]));
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(isPlain ? schema : { type: "string" }),
  };
}

/** JSON Schema of GeoJSON's geometries, by their type in the catalogue. */
const GEOJSON_TYPES: ReadonlySet<string> = new Set([
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
]);

/** The `format` of a geometry (OGC 19-079r2 /req/queryables/get-queryables-response E). */
export function geometryFormat(column: CollectionColumn): string {
  const { geometryType } = column as Partial<SpatialColumn>;
  return `geometry-${geometryType !== undefined && GEOJSON_TYPES.has(geometryType) ? geometryType.toLowerCase() : "any"}`;
}

/** As a filter has it. `qgisQueryables`: with the `$ref` by which QGIS knows a geometry, and which the standard forbids. */
export function queryableSchema(
  column: CollectionColumn,
  { qgisQueryables }: Pick<OgcConfig, "qgisQueryables">,
): JsonSchema {
  const { type, title, description } = column;
  const names = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  if (type.kind !== "geometry") {
    const schema = type.kind === "array" ? { type: "array", items: elementSchema(type) } : filterSchema(column);
    return { ...names, ...schema };
  }
  const format = geometryFormat(column);
  const { geometryType } = column as Partial<SpatialColumn>;
  const name = format === "geometry-any" ? "Geometry" : geometryType;
  return { ...names, format, ...(qgisQueryables && { $ref: `https://geojson.org/schema/${name}.json` }) };
}

function elementSchema({ element }: ColumnType): JsonSchema {
  const schema = element && !hasParts(element) ? valueSchema(element) : {};
  return schema["type"] === "object" ? {} : schema;
}
