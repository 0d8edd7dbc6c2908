/** Values of columns as JSON Schema, in the words that OpenAPI 3.0 has too. */
import { baseOf } from "../../server/filter/sqlTypes.ts";
import type { ColumnType } from "../../server/filter/tree.ts";
import type { CollectionColumn } from "../collections.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

const NUMBERS: Readonly<Record<string, JsonSchema>> = {
  int2: { type: "integer", minimum: -32_768, maximum: 32_767 },
  int4: { type: "integer", format: "int32" },
  int8: { type: "integer", format: "int64" },
  float4: { type: "number", format: "float" },
  float8: { type: "number", format: "double" },
};

const FORMATS: Readonly<Record<string, string>> = { date: "date", timestamptz: "date-time", uuid: "uuid" };

/** What `propertyJson` makes of a value that is not null. */
function valueSchema(type: ColumnType): JsonSchema {
  const { name } = baseOf(type);
  switch (type.kind) {
    case "boolean":
      return { type: "boolean" };
    case "integer":
    case "bigint":
    case "float":
      return NUMBERS[name] ?? { type: "number" };
    case "bytes":
      return { type: "string", format: "byte" };
    case "datetime":
      return { type: "string", ...(FORMATS[name] && { format: FORMATS[name] }) };
    case "interval":
      return { type: "string", format: "duration" };
    case "json":
      return {};
    case "array":
      return { type: "array", items: {} };
    case "geometry":
    case "geometric":
    case "range":
    case "composite":
      return { type: "object" };
    case "multirange":
      return { type: "string" };
    case "text":
      // a type of an extension may have a JSON of its own
      return type.operators ? {} : { type: "string", ...(FORMATS[name] && { format: FORMATS[name] }) };
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
