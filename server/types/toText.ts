/** JSON → the text that PostgreSQL reads for a type that has no parts. Each throws `BAD_USER_INPUT`. */
import { badInput } from "../ground/errors.ts";
import { baseOf, type ColumnType } from "./columnType.ts";
import { fromEpoch, toReadableDate } from "./dateForms.ts";
import { geometricText } from "./geometricText.ts";
import { decimalText, finiteNumber, isObject, jsonText, members, storableText } from "./json.ts";
import { at, show } from "./show.ts";

/** `json`: not null. `path`: the place of the value, for messages. */
export type ToText = (json: unknown, type: ColumnType, path: string) => string;

const WHOLE = /^\s*[-+]?\d+\s*$/;
/** The texts that PostgreSQL reads as booleans: any unique beginning of the words, and 1 and 0. */
const BOOLEAN = /^\s*(t|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|of|off|0)\s*$/i;
const NOT_BASE64 = /[^A-Za-z0-9+/]/;

function wholeNumber(json: unknown, path: string): string {
  const isWhole = typeof json === "number" ? Number.isInteger(json) : typeof json === "string" && WHOLE.test(json);
  if (!isWhole) return badInput(`${path}: expected a whole number, got ${show(json)}`);
  if (typeof json === "number" && !Number.isSafeInteger(json)) {
    badInput(`${path}: ${json} is too large for an exact JSON number: send it as a string`);
  }
  return String(json).trim().replace(/^\+/, "");
}

const integer =
  (bits: number): ToText =>
  (json, type, path) => {
    const text = wholeNumber(json, path);
    if (typeof json === "number" && Math.abs(json) < 2 ** (bits - 1)) return text;
    // A bound on the digits first: BigInt of a megabyte of them takes long.
    const fits = text.length <= 1000 && BigInt.asIntN(bits, BigInt(text)) === BigInt(text);
    return fits ? text : badInput(`${path}: ${show(json)} is out of the range of ${type.name}`);
  };

const decimal: ToText = (json, _type, path) => decimalText(json, path);

/** `money` is written in the locale of the database, so PostgreSQL checks the text. */
function money(json: unknown, type: ColumnType, path: string): string {
  return typeof json === "string" ? storableText(json, path) : decimal(json, type, path);
}

function boolean(json: unknown, _type: ColumnType, path: string): string {
  if (typeof json === "boolean") return String(json);
  if (typeof json === "string" && BOOLEAN.test(json)) return json.trim();
  return badInput(`${path}: expected true or false, got ${show(json)}`);
}

function text(json: unknown, type: ColumnType, path: string): string {
  if (typeof json === "string") return storableText(json, path);
  return badInput(`${path}: expected a string (${type.name}), got ${show(json)}`);
}

/** Object identifiers and transaction numbers: text outside, yet numbers in everyone's mind. */
function numberLike(json: unknown, type: ColumnType, path: string): string {
  return Number.isSafeInteger(json) ? String(json) : text(json, type, path);
}

function bytes(json: unknown, _type: ColumnType, path: string): string {
  if (typeof json !== "string" || !isBase64(json)) {
    return badInput(`${path}: expected a string of base64, got ${show(json)}`);
  }
  return `\\x${Buffer.from(json, "base64").toString("hex")}`;
}

/** RFC 4648 §4, with or without its padding. Searched through, since a pattern of the whole overflows the stack at some megabytes. */
function isBase64(text: string): boolean {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const rest = (text.length - padding) % 4;
  const isWhole = padding === 0 ? rest !== 1 : rest + padding === 4;
  return isWhole && !NOT_BASE64.test(text.slice(0, text.length - padding));
}

function time(json: unknown, { name }: ColumnType, path: string): string {
  if (typeof json === "string") return storableText(json, path);
  return badInput(`${path}: expected a string (${name}, e.g. in ISO 8601), got ${show(json)}`);
}

/** Also in forms that PostgreSQL does not read. */
function date(json: unknown, type: ColumnType, path: string): string {
  return toReadableDate(time(json, type, path));
}

/** The same; a number is seconds from 1970. */
function timestamp(json: unknown, type: ColumnType, path: string): string {
  if (typeof json === "string") return date(json, type, path);
  const moment = typeof json === "number" ? fromEpoch(json) : undefined;
  const forms = "e.g. in ISO 8601, or a number of seconds from 1970";
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

export const toText = {
  boolean,
  int2: integer(16),
  int4: integer(32),
  int8: integer(64),
  decimal,
  money,
  text,
  numberLike,
  bytes,
  date,
  time,
  timestamp,
  interval,
  json: ((json, _type, path) => jsonText(json, path)) satisfies ToText as ToText,
  geometric: ((json, type, path) => geometricText(json, baseOf(type).name, path)) satisfies ToText as ToText,
};

const UUID = /^\{?[0-9a-f]{4}(-?[0-9a-f]{4}){7}\}?$/i;
const NUMERIC = /^\s*[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d{1,4})?\s*$/i;

/** Whether a text can be a value of the type, as far as that is known without PostgreSQL. */
export const canBe = {
  integer:
    (bits: number) =>
    (text: string): boolean =>
      /^\s*[-+]?\d{1,20}\s*$/.test(text) && BigInt.asIntN(bits, BigInt(text)) === BigInt(text),
  decimal: (text: string): boolean => NUMERIC.test(text),
  uuid: (text: string): boolean => UUID.test(text),
};
