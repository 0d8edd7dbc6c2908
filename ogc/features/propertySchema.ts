/** Values of columns as JSON Schema, in the words that OpenAPI 3.0 has too. */
import type { CollectionColumn } from "../collections.ts";
import type { ColumnType } from "../../server/types/columnType.ts";
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
