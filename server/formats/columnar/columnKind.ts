/** The columns of the columnar formats, Parquet and Arrow: what PostgreSQL's types become, and how their texts are read. */
import { hasParts, isDocument, type ColumnType } from "../../types/columnType.ts";
import { rowOf } from "../../types/table.ts";
import type { Column } from "../column.ts";

export type ColumnKind =
  | "boolean"
  | "int32"
  | "int64"
  | "float"
  | "double"
  | "date"
  | "timestamp" // without a zone
  | "instant"
  | "guid" // 16 bytes
  | "json"
  | "bytes"
  | "text";

/** The kind of a column. Numeric, time, arrays, ranges and types with parts have no counterpart and are text. */
export function columnKind(type: ColumnType): ColumnKind {
  if (hasParts(type)) return "text";
  const { kind, schema, moment, isGuid } = rowOf(type);
  if (kind === "boolean" || kind === "bytes") return kind;
  if (schema["type"] === "integer") return schema["format"] === "int64" ? "int64" : "int32";
  if (kind === "float") return schema["format"] === "float" ? "float" : "double";
  if (moment === "date") return "date";
  if (moment === "timestamp") return schema["format"] === "date-time" ? "instant" : "timestamp";
  if (isGuid) return "guid";
  return isDocument(type) ? "json" : "text";
}

/**
 * Whether the columnar formats read PostgreSQL's binary form of a column. Columns that become text are read as text,
 * because each of their types has its own binary form.
 */
export function hasBinaryForm(kind: ColumnKind): boolean {
  return kind !== "text";
}

/** A value that is not null; days since 1970 of a date, microseconds of a timestamp, and null for an infinite one. */
export type Value = boolean | number | bigint | string | Uint8Array | null;

/** The prefix of PostgreSQL's text of bytes. */
const HEX = "\\x";

export function bytesOf(text: string): Buffer {
  return Buffer.from(text.slice(HEX.length), "hex");
}

/** Reads PostgreSQL's text of a value that is not NULL. */
export function valueReader({ type, output }: Column): (text: string) => Value {
  switch (columnKind(type)) {
    case "boolean":
      return (text) => text === "t";
    case "int32":
      return Number;
    case "int64":
      return BigInt;
    case "float":
    case "double":
      return Number;
    case "date":
      return (text) => daysOf(text) ?? null;
    case "timestamp":
    case "instant":
      return (text) => microsecondsOf(text) ?? null;
    case "bytes":
      return bytesOf;
    case "guid":
    case "json":
      return (text) => text;
    case "text":
      return output.plain;
  }
}

const DATE = /^(?<year>\d{4,})-(?<month>\d\d)-(?<day>\d\d)(?<rest>.*)$/;
const TIME = /^[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?|Z)?$/;
const BEFORE_CHRIST = / BC$/;
const DAY_MS = 86_400_000;
const SECONDS_OF_DAY = 86_400;
const MICROSECONDS = 1_000_000n;

/** Days since 1970 in the proleptic Gregorian calendar, as in PostgreSQL; undefined for infinite values. */
function daysOf(text: string): number | undefined {
  return dateOf(text.replace(BEFORE_CHRIST, ""), BEFORE_CHRIST.test(text))?.days;
}

function dateOf(text: string, isBefore: boolean): { readonly days: number; readonly rest: string } | undefined {
  const { year, month, day, rest = "" } = DATE.exec(text)?.groups ?? {};
  if (year === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(isBefore ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  return { days: date.getTime() / DAY_MS, rest };
}

/** Microseconds since 1970, of a time without a zone as if it were UTC. */
function microsecondsOf(text: string): bigint | undefined {
  return usualMicroseconds(text) ?? anyMicroseconds(text);
}

const ZERO = 48;
const [DASH, COLON, POINT, PLUS] = ["-", ":", ".", "+"].map((character) => character.charCodeAt(0));
/** Digits of a fraction of a second, at most. */
const FRACTION = 6;

/** The two digits at `at`; NaN for other characters. */
function two(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - ZERO, text.charCodeAt(at + 1) - ZERO];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** The same of `2020-01-02 03:04:05.678`, with `+00` or nothing behind it, which nearly all are; undefined for others. */
function usualMicroseconds(text: string): bigint | undefined {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH || text.charCodeAt(13) !== COLON) return undefined;
  const year = two(text, 0) * 100 + two(text, 2);
  const day = Date.UTC(year, two(text, 5) - 1, two(text, 8), two(text, 11), two(text, 14), two(text, 17));
  let [at, micros] = [19, 0];
  if (text.charCodeAt(at) === POINT) {
    let digits = 0;
    for (at++; digits < FRACTION && at < text.length; at++, digits++) {
      const digit = text.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) break;
      micros = micros * 10 + digit;
    }
    for (; digits < FRACTION; digits++) micros *= 10;
  }
  const isUtc =
    at === text.length || (text.charCodeAt(at) === PLUS && two(text, at + 1) === 0 && at + 3 === text.length);
  // years before 100 are others to Date.UTC
  if (!isUtc || !(year >= 100) || Number.isNaN(day)) return undefined;
  return BigInt(day) * 1000n + BigInt(micros);
}

function anyMicroseconds(text: string): bigint | undefined {
  const found = dateOf(text.replace(BEFORE_CHRIST, ""), BEFORE_CHRIST.test(text));
  const [, hours, minutes, seconds, fraction = "", sign, ...zone] = TIME.exec(found?.rest ?? "") ?? [];
  if (!found || hours === undefined) return undefined;
  const [zoneHours = 0, zoneMinutes = 0, zoneSeconds = 0] = zone.map((part) => Number(part ?? 0));
  const offset = (sign === "-" ? -1 : 1) * (zoneHours * 3600 + zoneMinutes * 60 + zoneSeconds);
  const ofDay = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) - offset;
  return BigInt(found.days * SECONDS_OF_DAY + ofDay) * MICROSECONDS + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}
