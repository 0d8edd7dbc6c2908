/** A row as a feature: its id and its text. */
import { encodeReserved } from "../server/percentEncoding.ts";
import type { Collection } from "./collections.ts";
import type { Crs } from "./crs.ts";
import type { FeatureRow } from "./featureSql.ts";
import type { Keyset } from "./keyset.ts";

/** The one text for a key: a column's own, or all of them percent-encoded and joined by commas. Undefined: no key. */
export function featureIdOf([, , , , ...key]: FeatureRow): string | undefined {
  if (key.length === 0 || key.includes(null)) return undefined;
  const values = key as string[];
  return values.length === 1 ? values[0] : values.map(encodeReserved).join(",");
}

/** The place of a row in the order of the key. */
export function keysetOf([, , , , ...key]: FeatureRow): Keyset | undefined {
  return key.length === 0 || key.includes(null) ? undefined : { values: key as string[], inclusive: false };
}

/** Whole numbers are numbers in JSON, as far as JSON's readers can hold them. */
function idJson(collection: Collection, id: string): string {
  const [only, ...more] = collection.key;
  const isWhole = more.length === 0 && (only?.type.kind === "integer" || only?.type.name === "int8");
  return isWhole && Number.isSafeInteger(Number(id)) ? id : JSON.stringify(id);
}

/** What the answer says of a feature whose geometry cannot be shown. */
export interface Problem {
  readonly id: string | undefined;
  readonly message: string;
}

export interface FeatureText {
  /** The members of the feature, without braces. */
  readonly members: string;
  readonly problem: Problem | undefined;
}

/** PostGIS writes what is no number as NaN and Infinity, which no type of geometry has the capital letters of. */
function isFinite(geometry: string): boolean {
  return !geometry.includes("N") && !geometry.includes("I");
}

export function featureText(collection: Collection, row: FeatureRow, crs: Crs): FeatureText {
  const [geometry, properties, failed] = row;
  const id = featureIdOf(row);
  const isShown = !failed && (geometry === null || isFinite(geometry));
  const message = `The geometry cannot be given in ${crs.uri}`;
  return {
    members: `"type":"Feature",${id === undefined ? "" : `"id":${idJson(collection, id)},`}"geometry":${
      (isShown && geometry) || "null"
    },"properties":${properties}${isShown ? "" : `,"problem":${JSON.stringify(message)}`}`,
    problem: isShown ? undefined : { id, message },
  };
}
