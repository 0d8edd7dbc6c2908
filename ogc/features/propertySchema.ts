/** JSON Schema of column values, in the keywords that OpenAPI 3.0 has too. */
import type { RoutineParameter } from "../collections/routines.ts";
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import type { CollectionColumn, SpatialColumn } from "../collections/collections.ts";
import { takenTypes } from "../../server/filter/geometrySql.ts";
import { hasParts, type ColumnType } from "../../server/types/columnType.ts";
import { rowOf, type JsonSchema } from "../../server/types/table.ts";

/** The ways in which a GeoJSON body may change a feature. */
export const BODIES = ["create", "replace"] as const;
export type Body = (typeof BODIES)[number];

/** The result of `propertyJson` for a value that is not null. */
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

/** The schema of a value in `properties` of a feature. Numbers that JSON cannot express are null. */
export function propertySchema(
  column: Pick<CollectionColumn, "type" | "notNull" | "title" | "description">,
): JsonSchema {
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

/** The allowed values, if the type lists them. */
function labels(type: ColumnType): JsonSchema {
  return type.kind !== "array" && type.labels ? { enum: type.labels } : {};
}

/** The schema of a query parameter. */
export function filterSchema({
  type,
  title,
  description,
}: Pick<CollectionColumn, "type" | "title" | "description">): JsonSchema {
  const schema = valueSchema(type);
  const isPlain = ["boolean", "integer", "number", "string"].includes(String(schema["type"]));
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(isPlain ? schema : { type: "string" }),
    ...labels(type),
  };
}

/** The geometry types that GeoJSON has too, by their names in the catalogue. */
const GEOJSON_TYPES: ReadonlySet<string> = new Set([
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
]);

const GEOJSON_SCHEMAS = "https://geojson.org/schema";

/** The `format` of a geometry (OGC 19-079r2 /req/queryables/get-queryables-response E). */
function geometryFormat(column: Pick<CollectionColumn, "type">): string {
  const { geometryType } = column as Partial<SpatialColumn>;
  return `geometry-${geometryType !== undefined && GEOJSON_TYPES.has(geometryType) ? geometryType.toLowerCase() : "any"}`;
}

/**
 * The schema of a column for filters. `qgisQueryables`: adds the `$ref` by which QGIS recognizes a geometry, and which
 * the standard forbids.
 */
export function queryableSchema(
  column: CollectionColumn,
  { qgisQueryables }: Pick<OgcConfig, "qgisQueryables">,
): JsonSchema {
  const { type, title, description } = column;
  const names = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  if (type.kind !== "geometry") {
    const schema = type.kind === "array" ? { type: "array", items: elementSchema(type) } : filterSchema(column);
    return { ...names, ...schema, ...momentFormat(type) };
  }
  const format = geometryFormat(column);
  const { geometryType } = column as Partial<SpatialColumn>;
  const name = format === "geometry-any" ? "Geometry" : geometryType;
  return { ...names, format, ...(qgisQueryables && { $ref: `${GEOJSON_SCHEMAS}/${name}.json` }) };
}

/** Whether its values are days or instants. */
/** OGC 23-058r2 /req/schemas/properties D. A timestamp without zone is taken as UTC. */
function momentFormat(type: ColumnType): JsonSchema {
  return !hasParts(type) && rowOf(type).moment === "timestamp" ? { format: "date-time" } : {};
}

/**
 * The schema of a value in any format. It has one `type`, except for a geometry, which has a `format` (OGC 23-058r2
 * /req/schemas/properties). Values of json and of types with parts are objects.
 */
export function logicalSchema(column: Pick<CollectionColumn, "type">): JsonSchema {
  const { type } = column;
  if (type.kind === "geometry") return { format: geometryFormat(column) };
  if (type.kind === "array") return { type: "array", items: elementSchema(type) };
  const schema = { type: type.kind === "json" ? "object" : "string", ...valueSchema(type) };
  if (schema.type === "object") return { type: "object" };
  return { ...schema, ...momentFormat(type), ...labels(type) };
}

/** Describes a parameter of a function, for the collection and for the OpenAPI document. */
export function describeArgument({ name, type, isRequired }: RoutineParameter): {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
} {
  return { name, required: isRequired, schema: logicalSchema({ type }) };
}

/** The schema of a value in a GeoJSON body. A column of multiple geometries also accepts a single one. */
export function geojsonSchema(column: Pick<CollectionColumn, "type" | "notNull">): JsonSchema {
  if (column.type.kind !== "geometry") return logicalSchema(column);
  const { geometryType = "" } = column as Partial<SpatialColumn>;
  const taken = takenTypes(geometryType);
  const names = GEOJSON_TYPES.has(taken[0]!) ? taken : ["Geometry"];
  const schemas = names.map((name) => ({ $ref: `${GEOJSON_SCHEMAS}/${name}.json` }));
  return { oneOf: [...(column.notNull ? [] : [{ type: "null" }]), ...schemas] };
}

function elementSchema({ element }: ColumnType): JsonSchema {
  const schema = element && !hasParts(element) ? { ...valueSchema(element), ...labels(element) } : {};
  return schema["type"] === "object" ? {} : schema;
}
