/** Intervals as PostgreSQL prints and reads them, as numbers that compare. */
import { DAY, INFINITY, MICROSECONDS, microseconds, roundToEven } from "./instants.ts";

const YEAR = 360n * DAY;
/** PostgreSQL has 32 bits for months and for days, and 64 for microseconds. */
const MOST = 2n ** 31n * 31n * DAY + 2n ** 63n;
/** Microseconds of a unit by the first letters of its names; a month has 30 days where intervals are compared. */
const UNITS: readonly (readonly [name: RegExp, micros: bigint])[] = [
  [/^(us|usecs?|microseconds?|usec|microsecon)$/, 1n],
  [/^(ms|msecs?|milliseconds?|millisecon)$/, 1000n],
  [/^(s|secs?|seconds?)$/, MICROSECONDS],
  [/^(m|mins?|minutes?)$/, 60n * MICROSECONDS],
  [/^(h|hrs?|hours?)$/, 3600n * MICROSECONDS],
  [/^(d|days?)$/, DAY],
  [/^(w|weeks?)$/, 7n * DAY],
  [/^(mons?|months?)$/, 30n * DAY],
  [/^(y|yrs?|years?)$/, YEAR],
];
/** Digits behind a point that count. */
const SCALE = 10n ** 15n;
const HALF = SCALE / 2n;

const INTERVAL_PART =
  /\s*(?:([-+]?)(\d+):(\d{2})(?::(\d{2})(?:\.(\d+))?)?|([-+]?(?:\d+(?:\.\d+)?|\.\d+))\s*([a-z]+))/iy;
const ISO_INTERVAL = /^P(?=.)((?:[-+]?(?:\d+(?:\.\d+)?|\.\d+)[YMWD])*)(?:T((?:[-+]?(?:\d+(?:\.\d+)?|\.\d+)[HMS])+))?$/i;
const ISO_DATE_UNITS: Readonly<Record<string, string>> = { Y: "years", M: "months", W: "weeks", D: "days" };
const ISO_TIME_UNITS: Readonly<Record<string, string>> = { H: "hours", M: "minutes", S: "seconds" };

function amount(number: string, unit: string): bigint | undefined {
  const micros = UNITS.find(([name]) => name.test(unit.toLowerCase()))?.[1];
  const [, sign, whole = "", fraction = ""] = /^([-+]?)(\d*)(?:\.(\d*))?$/.exec(number) ?? [];
  if (micros === undefined) return undefined;
  const part =
    micros === YEAR
      ? BigInt(roundToEven(Number(`0.${fraction || "0"}`) * 12)) * 30n * DAY // PostgreSQL: whole months
      : (BigInt(fraction.slice(0, 15).padEnd(15, "0")) * micros + HALF) / SCALE;
  const total = BigInt(whole || "0") * micros + part;
  return sign === "-" ? -total : total;
}

/**
 * Microseconds, with months of 30 days and days of 24 hours, as PostgreSQL compares them. Undefined for a text that is no
 * interval.
 */
export function intervalOf(text: string): bigint | undefined {
  const micros = microsOf(text);
  return micros === undefined || isInfinite(micros) || (micros <= MOST && micros >= -MOST) ? micros : undefined;
}

const isInfinite = (micros: bigint): boolean => micros === INFINITY || micros === -INFINITY;

function microsOf(text: string): bigint | undefined {
  const special = text.trim().toLowerCase();
  if (special === "infinity" || special === "+infinity") return INFINITY;
  if (special === "-infinity") return -INFINITY;
  if (/^[-+]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(special)) return amount(special, "seconds");
  const iso = ISO_INTERVAL.exec(special);
  if (iso) {
    const parts = (source: string | undefined, units: Readonly<Record<string, string>>): string =>
      (source ?? "").replace(/[a-z]/gi, (letter) => ` ${units[letter.toUpperCase()] ?? ""} `);
    return sumOf(`${parts(iso[1], ISO_DATE_UNITS)}${parts(iso[2], ISO_TIME_UNITS)}`);
  }
  const ago = /^(.*\S)\s+ago$/is.exec(special);
  const sum = sumOf((ago?.[1] ?? special).replace(/^@\s*/, ""));
  return ago && sum !== undefined ? -sum : sum;
}

function sumOf(text: string): bigint | undefined {
  const source = text.trim();
  let total: bigint | undefined;
  INTERVAL_PART.lastIndex = 0;
  while (INTERVAL_PART.lastIndex < source.length) {
    const at = INTERVAL_PART.lastIndex;
    const [, sign, hours, minutes, seconds, fraction, number, unit] = INTERVAL_PART.exec(source) ?? [];
    if (at !== 0 && INTERVAL_PART.lastIndex === 0) return undefined;
    let part: bigint | undefined;
    if (hours !== undefined) {
      part = (BigInt(hours) * 3600n + BigInt(minutes ?? 0) * 60n + BigInt(seconds ?? 0)) * MICROSECONDS;
      part += microseconds(fraction);
      if (Number(minutes) > 59 || Number(seconds ?? 0) > 60) return undefined;
      if (sign === "-") part = -part;
    } else if (number !== undefined && unit !== undefined) part = amount(number, unit);
    if (part === undefined) return undefined;
    total = (total ?? 0n) + part;
  }
  return total;
}
