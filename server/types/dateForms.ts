/** Forms of dates that can mean only one day but that PostgreSQL does not read, converted to ISO 8601. */
import { fromDays, fromIsoWeek, isoWeek, toDays } from "./calendar.ts";

/** The form that most clients send, and PostgreSQL reads. */
const USUAL = /^\d{4}-\d\d-\d\d/;
/** A time behind the date. */
const REST = String.raw`((?:[t\s].*)?)`;
const WEEK_DATE = new RegExp(String.raw`^\s*(\d{4})-?w(\d{2})-?([1-7])${REST}$`, "is");
const ORDINAL_DATE = new RegExp(String.raw`^\s*(\d{4})-(\d{3})${REST}$`, "is");
/** The first number is above 12, so it cannot be a month. */
const DAY_FIRST = new RegExp(String.raw`^\s*(1[3-9]|2\d|3[01])([-/.])(0?[1-9]|1[0-2])\2(\d{4})${REST}$`, "is");

/** Further forms that filters and data accept for a date or timestamp. */
export const DATE_FORMS =
  "dates are read in ISO 8601 (2024-02-13, 2024-W07-2, 2024-044, 2024-02-13T14:30:00Z), as 13/02/2024 and in other forms of PostgreSQL, timestamps also as a number of seconds from 1970";

/** Seconds from 1970 that a Date of JavaScript can hold: 271,821 BC to AD 275,760. */
const MOST_SECONDS = 8.64e12;

/**
 * Otherwise the text itself, for PostgreSQL to read. By its DateStyle it takes `13/02` for the 13th of February or for
 * nothing.
 */
export function toReadableDate(text: string): string {
  if (USUAL.test(text)) return text;
  const week = WEEK_DATE.exec(text);
  if (week) return fromWeek(Number(week[1]), Number(week[2]), Number(week[3]), week[4]!) ?? text;
  const ordinal = ORDINAL_DATE.exec(text);
  if (ordinal) return fromOrdinal(Number(ordinal[1]), Number(ordinal[2]), ordinal[3]!) ?? text;
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return `${dayFirst[4]}-${dayFirst[3]!.padStart(2, "0")}-${dayFirst[1]}${dayFirst[5]}`;
  return text;
}

/** Seconds from 1970-01-01 UTC, to the microsecond as far as the number holds it; undefined where there is no such moment. */
export function fromEpoch(seconds: number): string | undefined {
  if (!(Math.abs(seconds) < MOST_SECONDS)) return undefined;
  const whole = Math.floor(seconds);
  const fraction = (seconds - whole).toFixed(6);
  if (fraction.startsWith("1")) return fromEpoch(whole + 1);
  const date = new Date(whole * 1000);
  if (date.getUTCFullYear() < 1) return undefined; // PostgreSQL writes these in another way, and nobody uses them as seconds
  return `${date.toISOString().replace(/^\+0*/, "").slice(0, -5)}${fraction.slice(1)}Z`;
}

/** Undefined where the year has no such week. */
function fromWeek(year: number, week: number, day: number, rest: string): string | undefined {
  const days = fromIsoWeek(year, week, day);
  const its = isoWeek(days);
  return its.year === year && its.week === week ? isoDay(days) + rest : undefined;
}

function fromOrdinal(year: number, day: number, rest: string): string | undefined {
  const days = toDays(year, 1, day);
  return day === 0 || fromDays(days).year !== year ? undefined : isoDay(days) + rest;
}

function isoDay(days: number): string {
  const { year, month, day } = fromDays(days);
  return [String(year).padStart(4, "0"), ...[month, day].map((part) => String(part).padStart(2, "0"))].join("-");
}
