/** Dates and times as PostgreSQL prints them, and in ISO 8601 as callers write them, as numbers that compare. */
import { daysInMonth, toDays } from "./calendar.ts";

export const MICROSECONDS = 1_000_000n;
export const DAY = 86_400n * MICROSECONDS;
export const INFINITY = 1n << 100n;

/** Whether PostgreSQL's text of a date or instant is also ISO 8601: it has an end, and is not before the year 1. */
export function isIsoMoment(text: string): boolean {
  return !/(?:infinity|BC)$/.test(text);
}

const DATE = String.raw`(\d{4,7})-(\d{1,2})-(\d{1,2})`;
const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?`;
const ZONE = String.raw`\s*(z|utc|gmt|[-+]\d{1,2}(?::?\d{2}(?::?\d{2})?)?)`;
const DATE_TIME = new RegExp(String.raw`^\s*${DATE}(?:(?:\s*t\s*|\s+)${TIME}(?:${ZONE})?)?(?:\s*(bc|ad))?$`, "i");
const TIME_ONLY = new RegExp(String.raw`^\s*(?:t\s*)?${TIME}(?:${ZONE})?$`, "i");

/** PostgreSQL's range: from Julian day 0 to before the end, counted from 1970. */
const DATES = { first: -2_440_588, end: 2_145_042_906 } as const;
const TIMESTAMPS = { first: -2_440_588n * DAY, end: 106_762_940n * DAY } as const;

/** Days from 1970-01-01; undefined where there is no such day. */
function dayNumber(year: number, month: number, day: number): number | undefined {
  return day >= 1 && day <= daysInMonth(year, month) ? toDays(year, month, day) : undefined;
}

/** Rounds half to even, as PostgreSQL does. */
export function roundToEven(number: number): number {
  const floor = Math.floor(number);
  if (number - floor !== 0.5) return Math.round(number);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Digits after a point as microseconds, rounded. */
export function microseconds(digits: string | undefined): bigint {
  if (!digits) return 0n;
  if (digits.length <= 6) return BigInt(digits.padEnd(6, "0"));
  return BigInt(roundToEven(Number(`0.${digits.slice(0, 17)}`) * 1e6));
}

/** Undefined beyond 24:00. */
function timeOfDay(hour = "0", minute = "0", second = "0", fraction?: string): bigint | undefined {
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 24 || m > 59 || s > 60) return undefined;
  const time = (BigInt(h) * 3600n + BigInt(m) * 60n + BigInt(s)) * MICROSECONDS + microseconds(fraction);
  return time > DAY ? undefined : time;
}

/** Seconds east of Greenwich. */
function offset(zone: string | undefined): number | undefined {
  if (!zone || /^[a-z]/i.test(zone)) return 0;
  const sign = zone.startsWith("-") ? -1 : 1;
  const [hours = 0, minutes = 0, seconds = 0] = zone.includes(":")
    ? zone.slice(1).split(":").map(Number)
    : (zone.slice(1).match(/^\d{1,2}|\d{2}/g) ?? []).map(Number);
  if (hours > 15 || minutes > 59 || seconds > 59) return undefined;
  return sign * (hours * 3600 + minutes * 60 + seconds);
}

interface DateTime {
  readonly day: number;
  readonly time: bigint;
  readonly offset: number;
}

function parseDateTime(text: string): DateTime | bigint | undefined {
  switch (text.trim().toLowerCase()) {
    case "infinity":
    case "+infinity":
      return INFINITY;
    case "-infinity":
      return -INFINITY;
    case "epoch":
      return { day: 0, time: 0n, offset: 0 };
  }
  const [, year, month, day, hour, minute, second, fraction, zone, era] = DATE_TIME.exec(text.trim()) ?? [];
  if (year === undefined || Number(year) === 0) return undefined;
  const astronomical = era?.toLowerCase() === "bc" ? 1 - Number(year) : Number(year);
  const number = dayNumber(astronomical, Number(month), Number(day));
  const time = timeOfDay(hour, minute, second, fraction);
  const east = offset(zone);
  if (number === undefined || time === undefined || east === undefined) return undefined;
  return { day: number, time, offset: east };
}

/** Days from 1970; a time after the date is ignored. Undefined for a text that is no date. */
export function dateOf(text: string): number | undefined {
  const parsed = parseDateTime(text);
  if (parsed === undefined) return undefined;
  if (typeof parsed === "bigint") return Number(parsed);
  return parsed.day >= DATES.first && parsed.day < DATES.end ? parsed.day : undefined;
}

/** Microseconds from 1970 without regard to a zone, as for `timestamp`. */
export function timestampOf(text: string): bigint | undefined {
  return moment(text, () => 0);
}

/** Microseconds from 1970, UTC; without a zone the text is in UTC, as for a `timestamptz` where that is the time zone. */
export function instantOf(text: string): bigint | undefined {
  return moment(text, ({ offset: east }) => east);
}

function moment(text: string, east: (parsed: DateTime) => number): bigint | undefined {
  const parsed = parseDateTime(text);
  if (parsed === undefined || typeof parsed === "bigint") return parsed;
  const micros = BigInt(parsed.day) * DAY + parsed.time - BigInt(east(parsed)) * MICROSECONDS;
  return micros >= TIMESTAMPS.first && micros < TIMESTAMPS.end ? micros : undefined;
}

/** Microseconds of the day; a zone counts for nothing. */
export function timeOf(text: string): bigint | undefined {
  const [, hour, minute, second, fraction] = TIME_ONLY.exec(text.trim()) ?? [];
  return hour === undefined ? undefined : timeOfDay(hour, minute, second, fraction);
}

/** A number that orders `timetz` as PostgreSQL does: by the moment, then the zone further east first. */
export function zonedTimeOf(text: string): bigint | undefined {
  const [, hour, minute, second, fraction, zone] = TIME_ONLY.exec(text.trim()) ?? [];
  const time = hour === undefined ? undefined : timeOfDay(hour, minute, second, fraction);
  const east = offset(zone);
  if (time === undefined || east === undefined) return undefined;
  return (time - BigInt(east) * MICROSECONDS) * 1_000_000n - BigInt(east);
}
