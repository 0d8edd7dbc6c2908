/** Values of columns as JSON, as PostgreSQL's `to_json` has them; geometry as GeoJSON in longitude and latitude. */
import type { SQL } from "postgraphile/pg-sql2";
import { hasParts, type ColumnType } from "../types/columnType.ts";
import { rowOf } from "../types/table.ts";
import type { ToJson } from "../types/textJson.ts";

/** Undefined if PostgreSQL must be asked. */
export function plainJsonOf(type: ColumnType): ToJson | undefined {
  return hasParts(type) ? undefined : rowOf(type).text.events;
}

/** A value for `json_agg`. */
export function selectJson(value: SQL, type: ColumnType): SQL {
  return hasParts(type) ? value : rowOf(type).sql.events(value, type);
}
