import { sql } from "postgraphile/pg-sql2";
import type { ColumnType } from "../../server/types/columnType.ts";
import { sqlToJson, type SqlToJson } from "../../server/types/sqlJson.ts";
import { rowOf } from "../../server/types/table.ts";

/**
 * The expression to pass to `row_to_json` for a value, so that the JSON equals GraphQL's answer. `isId`: the field is an
 * `ID`. Undefined for values that are objects in GraphQL and for types that are rarely read.
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
