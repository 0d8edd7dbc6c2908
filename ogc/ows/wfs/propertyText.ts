/** Converts the value of a property in XML to PostgreSQL's text, by the same code as GeoJSON's values. */
import { badInput } from "../../../server/ground/errors.ts";
import { hasParts } from "../../../server/types/columnType.ts";
import { parseKeepingDigits } from "../../../server/types/exactJson.ts";
import { rowOf } from "../../../server/types/table.ts";
import type { Collection, CollectionColumn, SpatialColumn } from "../../collections/collections.ts";
import { CRS84, WGS84, type Crs } from "../../crs/crs.ts";
import { geometryText, textOf } from "../../editing/values.ts";
import type { PropertyValue } from "./transactionReader.ts";

/**
 * The text of a value. `crs`: the system of a geometry. Throws `BAD_USER_INPUT`, also for a geometry in place of a
 * text.
 */
export function textFor(
  collection: Collection,
  column: CollectionColumn,
  value: PropertyValue,
  crs: Crs,
): string | null {
  const { name, type } = column;
  if (value === null) return null;
  if (type.kind !== "geometry") {
    if (typeof value !== "string") return badInput(`${name}: expected text, got a geometry`);
    return textOf(column, jsonOf(column, value), name);
  }
  if (typeof value === "string") return value.trim() === "" ? null : badInput(`${name}: expected a geometry, got text`);
  const isOwn = column.number === collection.geometry?.number;
  // further geometries are in the system of answers, which is longitude and latitude
  if (!isOwn && crs.srid !== WGS84) badInput(`${name}: must be in EPSG:4326`);
  const json: unknown = JSON.parse(value.geometry);
  return geometryText(column as SpatialColumn, json, name, isOwn || crs.flipped ? crs : CRS84);
}

/**
 * The value in JSON. An empty text is null unless the column is text. Columns that are JSON in JSON are JSON in XML
 * too.
 */
function jsonOf({ type, name }: CollectionColumn, text: string): unknown {
  const isText = !hasParts(type) && rowOf(type).kind === "text";
  if (isText) return text;
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (type.kind === "json") return parsed(trimmed) ?? badInput(`${name}: expected JSON`);
  if (hasParts(type)) return /^[[{]/.test(trimmed) ? (parsed(trimmed) ?? trimmed) : trimmed;
  return rowOf(type).xml.fromXml?.(trimmed) ?? trimmed;
}

/** The parsed text; undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return parseKeepingDigits(text);
  } catch {
    return undefined;
  }
}
