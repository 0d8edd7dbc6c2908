/** Values of columns as JSON, as PostgreSQL's `to_json` has them; geometry as GeoJSON in longitude and latitude. */
import { sql, type SQL } from "pg-sql2";
import type { ColumnType } from "../filter/tree.ts";
import { toJson, type ToJson } from "../types/rowJson.ts";

/** Undefined for what PostgreSQL must be asked about. */
export function plainJsonOf({ kind, schema, name }: ColumnType): ToJson | undefined {
  switch (kind) {
    case "boolean":
      return toJson.boolean;
    case "integer":
    case "bigint":
    case "float":
      return name === "money" ? toJson.string : toJson.number;
    case "datetime":
      return name.startsWith("timestamp") ? toJson.timestamp : toJson.string;
    case "json":
      return toJson.json;
    case "text":
    case "bytes":
    case "interval":
      return schema === "pg_catalog" ? toJson.string : undefined;
    default:
      return undefined;
  }
}

const WGS84 = sql.literal(4326);

/** A value for `json_agg`. */
export function selectJson(value: SQL, { kind, schema, name }: ColumnType): SQL {
  if (kind !== "geometry") return value;
  const call = (own: string, ...args: SQL[]): SQL => sql`${sql.identifier(schema, own)}(${sql.join(args, ", ")})`;
  const lonLat =
    name === "geography"
      ? value
      : sql`case when ${call("st_srid", value)} in (0, ${WGS84}) then ${value} else ${call("st_transform", value, WGS84)} end`;
  return sql`${call("st_asgeojson", lonLat, sql`9`, sql`0`)}::json`;
}
