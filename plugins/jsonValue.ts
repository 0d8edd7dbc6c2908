import { sql, type SQL } from "postgraphile/pg-sql2";
import type { ColumnType } from "../server/filter/tree.ts";
import { columnTypeOf } from "./columnType.ts";
import { geometryToJson } from "./PostgisPlugin.ts";
import type { AnyCodec } from "./resources.ts";

const asIs = (value: SQL): SQL => value;

/** Types that PostgreSQL's own JSON shows as GraphQL does. Others' casts to json may say something else. */
function isPlain(type: ColumnType): boolean {
  switch (type.kind) {
    case "boolean":
    case "integer":
    case "datetime":
    case "json":
      return true;
    case "text":
      return type.operators === undefined;
    default:
      return false;
  }
}

/**
 * What `row_to_json` is to be given of a value, so that JSON has what GraphQL answers. `isId`: the field is an `ID`.
 * Undefined for values that are objects in GraphQL and for what is rarely asked.
 */
export function jsonValueOf(codec: AnyCodec, isId: boolean): ((value: SQL) => SQL) | undefined {
  const type = columnTypeOf(codec);
  if (isId && type.kind !== "text" && type.kind !== "datetime") return (value) => sql`${value}::text`;
  if (isPlain(type)) return asIs;
  switch (type.kind) {
    case "float":
      return (value) => sql`(case when abs(${value}) < 'infinity' then ${value} end)`; // NaN is above infinity
    case "bigint":
      return (type.base?.name ?? type.name) === "money"
        ? (value) => sql`${value}::numeric::text`
        : (value) => sql`${value}::text`;
    case "text":
    case "multirange":
      return (value) => sql`${value}::text`;
    case "geometry":
      return (value) => geometryToJson(codec, value);
    case "array":
      if (type.element && isPlain(type.element)) return asIs;
      return type.element?.kind === "bigint" && type.element.name !== "money"
        ? (value) => sql`${value}::text[]`
        : undefined;
    default:
      return undefined;
  }
}
