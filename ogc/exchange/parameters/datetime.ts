/** `datetime`: the version of a collection that keeps its history. It has no effect on others. */
import type { Collection } from "../../collections/collections.ts";
import { unfit, type ParameterScope } from "./parameter.ts";

/** An instant, or an interval whose open ends are undefined. ISO 8601 in UTC. */
export type Datetime =
  | { readonly kind: "instant"; readonly instant: string }
  | { readonly kind: "interval"; readonly start: string | undefined; readonly end: string | undefined };

/**
 * The instant as of which a request reads; undefined for the present. For an interval, where one is accepted, it is the
 * end, so that the request reads its last state.
 */
export function instantOf(parameters: {
  readonly datetime?: Datetime;
  readonly subset?: { readonly datetime?: Datetime };
}): string | undefined {
  const datetime = parameters.datetime ?? parameters.subset?.datetime;
  return datetime?.kind === "interval" ? datetime.end : datetime?.instant;
}

/** The header `Content-Datetime`, if one of the collections keeps its history. */
export function contentDatetime(collections: readonly Collection[]): Readonly<Record<string, string>> {
  const versioned = collections.find(({ since }) => since !== undefined);
  return versioned ? { "Content-Datetime": versioned.instant ?? new Date().toISOString() } : {};
}

const INSTANT =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,9})?)?([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$/;

/**
 * Reads an RFC 3339 instant, or a day, which stands for its first moment. Without a zone it is in UTC. PostgreSQL has
 * microseconds.
 */
export function readInstant(text: string, expected: string): string {
  const parts = INSTANT.exec(text.replace(/ (?=[0-9]{2}(:?[0-9]{2})?$)/, "+"));
  if (!parts) return unfit(expected);
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] = parts;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDay = Number(year) > 0 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61;
  const [, hours = "0", minutes = "0"] = /^[+-]([0-9]{2}):?([0-9]{2})?$/.exec(zone) ?? [];
  if (!isDay || !isTime || Number(hours) > 15 || Number(minutes) > 59) return unfit(expected);
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone.toUpperCase()}`;
}

/** Milliseconds since 1970 of a result of `readInstant`; NaN for a leap second. */
function timeOf(instant: string): number {
  return Date.parse(
    instant.replace(/([+-][0-9]{2}):?([0-9]{2})?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`),
  );
}

const DURATION =
  /^P(?=[0-9T])(?:([0-9]{1,6})Y)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6})W)?(?:([0-9]{1,6})D)?(?:T(?=[0-9])(?:([0-9]{1,6})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6}(?:\.[0-9]{1,9})?)S)?)?$/;

/**
 * The other end of an interval that begins or ends at `instant`, from a duration (ISO 8601-1 §5.5.2). Months are
 * calendar months in UTC; a day that the month lacks becomes its last day. `sign`: 1 for the end, -1 for the start.
 */
function readDuration(text: string, instant: string, sign: 1 | -1): string {
  const [, years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (
    DURATION.exec(text) ?? unfit("a duration, such as P60D or P1Y2M3DT4H")
  ).map((part) => (part === undefined ? 0 : Number(part)));
  const end = new Date(timeOf(instant));
  const day = end.getUTCDate();
  end.setUTCMonth(end.getUTCMonth() + sign * (12 * years + months), 1);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, lastDay));
  end.setTime(end.getTime() + sign * 1000 * (((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds));
  const year = end.getUTCFullYear();
  return year >= 1 && year <= 9999 ? end.toISOString() : unfit("an interval within the years 1 to 9999");
}

export function readDatetime(text: string, { config }: ParameterScope): Datetime {
  const expected = "an instant, such as 2026-01-31T12:00:00Z";
  if (!text.includes("/") && text !== "..") return { kind: "instant", instant: readInstant(text, expected) };
  const ends = text.split("/");
  if (config.datetimeIntervals !== "accept" || ends.length !== 2)
    return unfit(config.datetimeIntervals === "accept" ? `${expected}, or start/end` : expected);
  const isDuration = (each: string | undefined): each is string => each?.startsWith("P") ?? false;
  const [first, second] = ends.map((each) =>
    each === "" || each === ".." || isDuration(each) ? undefined : readInstant(each, expected),
  );
  const [before, after] = ends;
  if ((isDuration(before) && second === undefined) || (isDuration(after) && first === undefined))
    return unfit("an instant with a duration");
  const start = isDuration(before) && second !== undefined ? readDuration(before, second, -1) : first;
  const end = isDuration(after) && first !== undefined ? readDuration(after, first, 1) : second;
  if (start !== undefined && end !== undefined && timeOf(start) > timeOf(end))
    return unfit("a start that is not after the end");
  return { kind: "interval", start, end };
}
