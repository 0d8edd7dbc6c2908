/** The text of a value, for formats whose cells are texts. */
import { sql, type SQL } from "pg-sql2";
import { hasParts, type ColumnType, type TypeKind } from "../../../server/types/columnType.ts";
import { rowOf } from "../../../server/types/table.ts";
import type { RowSource } from "../encoding.ts";
import { propertyJson } from "../propertyJson.ts";

const AS_TEXT: ReadonlySet<TypeKind> = new Set<TypeKind>(["boolean", "integer", "bigint", "text", "json"]);

/** As PostgreSQL writes it where that is the same as in GeoJSON, else what GeoJSON has. Floats are as they are. */
export function valueSql(value: SQL, type: ColumnType, source: RowSource): SQL {
  const { kind, moment } = hasParts(type) ? { ...type, moment: undefined } : rowOf(type);
  if (kind === "float") return value;
  const json = propertyJson(value, type, source);
  const isSame = AS_TEXT.has(kind) || moment === "date" || moment === "time";
  return isSame && type.operators === undefined ? json : sql`(pg_catalog.to_json(${json}) #>> '{}')`;
}
