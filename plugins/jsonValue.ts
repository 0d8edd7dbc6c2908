import { sql } from "postgraphile/pg-sql2";
import type { ColumnType } from "../server/types/columnType.ts";
import { sqlToJson, type SqlToJson } from "../server/types/sqlJson.ts";
import { rowOf } from "../server/types/table.ts";

/**
 * What `row_to_json` is to be given of a value, so that JSON has what GraphQL answers. `isId`: the field is an `ID`.
 * Undefined for values that are objects in GraphQL and for what is rarely asked.
 */
export function jsonValueOf(type: ColumnType, isId: boolean): SqlToJson | undefined {
  if (isId && type.kind !== "text" && type.kind !== "datetime") return sqlToJson.text;
  switch (type.kind) {
    case "multirange":
      return sqlToJson.text;
    case "array": {
      const element = type.element && jsonValueOf(type.element, false);
      if (element === sqlToJson.asItIs) return element;
      return element === sqlToJson.text ? (value) => sql`${value}::text[]` : undefined;
    }
    case "range":
    case "composite":
      return undefined;
    default:
      return rowOf(type).sql.graphql;
  }
}
