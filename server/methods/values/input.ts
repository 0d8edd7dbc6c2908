/** JSON of a parameter → PostgreSQL's text of it. */
import { toTextValue } from "../../filter/values.ts";
import type { DateFormat } from "../dates/dateFormat.ts";
import { isRawNumber } from "../../types/exactJson.ts";
import type { ColumnType } from "../../types/columnType.ts";
import { rowOf } from "../../types/table.ts";

/** The text of `json` as a value of `type`; null is NULL. Throws `BAD_USER_INPUT` for a value of the wrong shape. */
export function inputOf(json: unknown, type: ColumnType, path: string, format?: DateFormat): string | null {
  return toTextValue(adapt(json, type, path, format), type, path);
}

/** Values with a form of their own in methods: intervals, dates by a pattern, and numbers with all their digits. */
function adapt(json: unknown, type: ColumnType, path: string, format: DateFormat | undefined): unknown {
  if (typeof json !== "object" || json === null)
    return typeof json === "string" && format && type.kind === "datetime" ? format.parse(json, path) : json;
  if (isRawNumber(json)) return type.kind === "json" ? json : json.rawJSON;
  switch (type.kind) {
    case "array":
      if (!Array.isArray(json)) return json;
      return json.map((item) => adapt(item, Array.isArray(item) ? type : type.element!, path, format));
    case "multirange":
      return Array.isArray(json) ? json.map((item) => adapt(item, { ...type, kind: "range" }, path, format)) : json;
    case "range": {
      const range: Record<string, unknown> = { ...json };
      for (const side of ["lower", "upper"])
        if (side in range) range[side] = adapt(range[side], type.element!, path, format);
      return range;
    }
    case "composite":
      return json;
    default: {
      const { members } = rowOf(type);
      if (!members || Array.isArray(json)) return json;
      return Object.fromEntries(Object.entries(json).map(([name, value]) => [members[name] ?? name, value]));
    }
  }
}
