/** JSON scalars → the text that PostgreSQL reads for a kind of type. Each throws `BAD_USER_INPUT`. */
import { badInput } from "../kernel/errors.ts";
import { fromEpoch, toReadableDate } from "./dateForms.ts";
import { finiteNumber, isObject, members, storableText } from "../types/json.ts";
import { isBuiltIn } from "./sqlTypes.ts";
import { at, show } from "../types/show.ts";
import type { ColumnType } from "./tree.ts";

export type ToText = (json: unknown, type: ColumnType, path: string) => string;

const DECIMAL = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i;
const WHOLE = /^\s*[-+]?\d+\s*$/;
const NOT_FINITE = /^\s*(nan|[-+]?inf(inity)?)\s*$/i;
/** As PostgreSQL reads them: any beginning that tells them apart, and 1 and 0. */
const BOOLEAN = /^\s*(t|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|of|off|0)\s*$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

const INTEGER_BITS: readonly (readonly [name: string, bits: number])[] = [
  ["int2", 16],
  ["int4", 32],
  ["int8", 64],
];

/** Object identifiers and transaction numbers: text outside, yet numbers in everyone's mind. */
const NUMBER_LIKE = ["oid", "xid", "xid8", "cid"];

function wholeNumber(json: unknown, type: ColumnType, path: string): string {
  const isWhole = typeof json === "number" ? Number.isInteger(json) : typeof json === "string" && WHOLE.test(json);
  if (!isWhole) return badInput(`${path}: expected a whole number, got ${show(json)}`);
  if (typeof json === "number" && !Number.isSafeInteger(json)) {
    badInput(`${path}: ${json} is too large for a JSON number to be exact; send it as a string`);
  }
  const text = String(json).trim().replace(/^\+/, "");
  const bits = INTEGER_BITS.find(([name]) => isBuiltIn(type, name))?.[1];
  // A bound on the digits first: BigInt of a megabyte of them takes long.
  const fits = text.length <= 1000 && bits !== undefined && BigInt.asIntN(bits, BigInt(text)) === BigInt(text);
  if (bits !== undefined && !fits) badInput(`${path}: ${show(json)} is out of the range of ${type.name}`);
  return text;
}

function decimal(json: unknown, type: ColumnType, path: string): string {
  if (typeof json === "number") return String(finiteNumber(json, path));
  if (typeof json === "string" && (DECIMAL.test(json) || NOT_FINITE.test(json))) return json.trim();
  return badInput(`${path}: expected a number, got ${show(json)}`);
}

function big(json: unknown, type: ColumnType, path: string): string {
  if (isBuiltIn(type, "int8")) return wholeNumber(json, type, path);
  // money is written in the locale of the database: PostgreSQL judges.
  if (isBuiltIn(type, "money") && typeof json === "string") return storableText(json, path);
  return decimal(json, type, path);
}

function boolean(json: unknown, _type: ColumnType, path: string): string {
  if (typeof json === "boolean") return String(json);
  if (typeof json === "string" && BOOLEAN.test(json)) return json.trim();
  return badInput(`${path}: expected true or false, got ${show(json)}`);
}

function text(json: unknown, type: ColumnType, path: string): string {
  if (typeof json === "string") return storableText(json, path);
  if (Number.isSafeInteger(json) && NUMBER_LIKE.some((name) => isBuiltIn(type, name))) return String(json);
  return badInput(`${path}: expected a string (${type.name}), got ${show(json)}`);
}

function bytes(json: unknown, _type: ColumnType, path: string): string {
  if (typeof json !== "string" || !BASE64.test(json)) {
    return badInput(`${path}: expected a string of base64, got ${show(json)}`);
  }
  return `\\x${Buffer.from(json, "base64").toString("hex")}`;
}

/** A day or moment: also in forms that PostgreSQL does not read; a number is seconds from 1970, for what has day and time. */
function datetime(json: unknown, type: ColumnType, path: string): string {
  const hasMoment = isBuiltIn(type, "timestamp") || isBuiltIn(type, "timestamptz");
  if (typeof json === "string") {
    const text = storableText(json, path);
    return hasMoment || isBuiltIn(type, "date") ? toReadableDate(text) : text;
  }
  const moment = hasMoment && typeof json === "number" ? fromEpoch(json) : undefined;
  const forms = hasMoment ? "e.g. in ISO 8601, or a number of seconds from 1970" : "e.g. in ISO 8601";
  return moment ?? badInput(`${path}: expected a string (${type.name}, ${forms}), got ${show(json)}`);
}

const INTERVAL_UNITS = ["years", "months", "days", "hours", "minutes", "seconds"] as const;
const INTERVAL_EXPECTED = `an interval: text or {${INTERVAL_UNITS.map((unit) => `"${unit}"`).join(", ")}}`;

/** Without an exponent, which PostgreSQL does not read in an interval. */
function plainDecimal(number: number): string {
  const written = String(number);
  return written.includes("e") ? number.toFixed(9) : written;
}

function interval(json: unknown, _type: ColumnType, path: string): string {
  if (typeof json === "string") return storableText(json, path);
  if (!isObject(json)) return badInput(`${path}: expected ${INTERVAL_EXPECTED}, got ${show(json)}`);
  const parts = members(json, INTERVAL_UNITS, path, INTERVAL_EXPECTED);
  const written = INTERVAL_UNITS.filter((unit) => parts[unit] !== undefined && parts[unit] !== null).map(
    (unit) => `${plainDecimal(finiteNumber(parts[unit], at(path, unit)))} ${unit}`,
  );
  return written.length === 0 ? "0 seconds" : written.join(" ");
}

export const SCALARS = {
  boolean,
  integer: wholeNumber,
  bigint: big,
  float: decimal,
  text,
  bytes,
  datetime,
  interval,
} as const satisfies Record<string, ToText>;
