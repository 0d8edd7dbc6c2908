/** JSON of a parameter → PostgreSQL's text of it. */
import { toTextValue } from "../filter/values.ts";
import type { DateFormat } from "./dateFormat.ts";
import { baseOf, type Type } from "./types.ts";

const INTERVAL_MEMBERS: Readonly<Record<string, string>> = {
  y: "years",
  m: "months",
  d: "days",
  h: "hours",
  i: "minutes",
  s: "seconds",
};

/** The text of `json` as a value of `type`; null is NULL. Throws `BAD_USER_INPUT` for a value of the wrong shape. */
export function inputOf(json: unknown, type: Type, path: string, format?: DateFormat): string | null {
  return toTextValue(adapt(json, baseOf(type), path, format), type.column, path);
}

/** What methods write in their own way: intervals, dates by a pattern, and numbers with all their digits. */
function adapt(json: unknown, type: Type, path: string, format: DateFormat | undefined): unknown {
  if (typeof json !== "object" || json === null)
    return typeof json === "string" && format?.appliesTo(type.name) && type.kind === "b"
      ? format.parse(json, path)
      : json;
  const digits = (json as { rawJSON?: unknown }).rawJSON;
  if (typeof digits === "string" && Object.getPrototypeOf(json) === null)
    return type.name === "json" || type.name === "jsonb" ? json : digits;
  if (Array.isArray(json))
    return type.element && (type.kind === "a" || type.kind === "m")
      ? json.map((item) => adapt(item, Array.isArray(item) ? type : baseOf(type.element!), path, format))
      : json;
  if (type.kind === "r") {
    const range: Record<string, unknown> = { ...json };
    for (const side of ["lower", "upper"])
      if (side in range) range[side] = adapt(range[side], baseOf(type.element!), path, format);
    return range;
  }
  if (type.name === "interval" && type.schema === "pg_catalog")
    return Object.fromEntries(Object.entries(json).map(([name, value]) => [INTERVAL_MEMBERS[name] ?? name, value]));
  return json;
}
