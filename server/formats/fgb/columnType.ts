/** The types of columns in FlatGeobuf. */
import { hasParts, type ColumnType } from "../../types/columnType.ts";
import { isIsoMoment } from "../../types/instants.ts";
import { rowOf } from "../../types/table.ts";

/** The numbers of the enumeration ColumnType of its header. */
export const CODES = {
  Bool: 2,
  Int: 5,
  Long: 7,
  Float: 9,
  Double: 10,
  String: 11,
  Json: 12,
  DateTime: 13,
} as const;
export type ColumnTypeCode = keyof typeof CODES;

/** Types that FlatGeobuf lacks become text: numeric, uuid, arrays and types with parts. */
export function columnType(type: ColumnType): ColumnTypeCode {
  if (hasParts(type)) return "String";
  const { kind, schema, moment } = rowOf(type);
  if (kind === "boolean") return "Bool";
  if (schema["type"] === "integer") return schema["format"] === "int64" ? "Long" : "Int";
  if (kind === "float") return schema["format"] === "float" ? "Float" : "Double";
  if (moment === "date" || moment === "timestamp") return "DateTime";
  return kind === "json" ? "Json" : "String";
}

/** Numbers that become null, as in GeoJSON. */
const NOT_FINITE: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);

/** Whether the format can express PostgreSQL's text of a value. Other values become null. */
export function isExpressible(type: ColumnTypeCode, text: string): boolean {
  if (type === "Float" || type === "Double") return !NOT_FINITE.has(text);
  return type !== "DateTime" || isIsoMoment(text);
}
