/** Dates and times in a pattern of date(). */
import { daysInMonth, isLeap, isoWeek, isoWeekday, toDays, weekday, type CalendarDay } from "../../types/calendar.ts";
import { COMPOUND, DAYS, MONTHS, short, two, zoneText } from "./dateLetters.ts";

interface Moment extends CalendarDay {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly microseconds: number;
  /** Seconds east of Greenwich; undefined for a type without zone. */
  readonly offset: number | undefined;
}

/** `text`: a date or time in PostgreSQL's form; any other text, such as infinity, stays unchanged. */
export function printDate(pattern: string, text: string): string {
  const moment = readMoment(text);
  return moment ? print(pattern, moment) : text;
}

function print(pattern: string, moment: Moment): string {
  let printed = "";
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at]!;
    if (letter === "\\") printed += pattern[++at] ?? "";
    else printed += LETTERS[letter]?.(moment) ?? letter;
  }
  return printed;
}

/** `2024-05-06 07:08:09.123456+02:30 BC`, or only its date or time. */
function readMoment(text: string): Moment | undefined {
  const found =
    /^(?:(\d{4,})-(\d\d)-(\d\d))? ?(?:(\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?([+-]\d\d(?::\d\d){0,2})?( BC)?$/.exec(text);
  if (!found || text === "") return undefined;
  const [, year = "1970", month = "01", day = "01", h = "0", i = "0", s = "0", fraction = "", zone, bc] = found;
  return {
    year: bc ? 1 - Number(year) : Number(year),
    month: Number(month),
    day: Number(day),
    hours: Number(h),
    minutes: Number(i),
    seconds: Number(s),
    microseconds: Number(fraction.padEnd(6, "0")),
    offset: zone === undefined ? undefined : offsetOf(zone),
  };
}

function offsetOf(zone: string): number {
  const [h = 0, m = 0, s = 0] = zone.slice(1).split(":").map(Number);
  return (zone.startsWith("-") ? -1 : 1) * (h * 3600 + m * 60 + s);
}

function epoch({ year, month, day, hours, minutes, seconds, offset = 0 }: Moment): number {
  return toDays(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds - offset;
}

function yearText(year: number): string {
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
}

const days = ({ year, month, day }: Moment): number => toDays(year, month, day);
const suffix = (day: number): string =>
  day % 10 === 1 && day !== 11
    ? "st"
    : day % 10 === 2 && day !== 12
      ? "nd"
      : day % 10 === 3 && day !== 13
        ? "rd"
        : "th";

const LETTERS: Readonly<Record<string, (moment: Moment) => string>> = {
  d: ({ day }) => two(day),
  D: (moment) => short(DAYS[weekday(days(moment))]!),
  j: ({ day }) => String(day),
  l: (moment) => DAYS[weekday(days(moment))]!,
  N: (moment) => String(isoWeekday(days(moment))),
  S: ({ day }) => suffix(day),
  w: (moment) => String(weekday(days(moment))),
  z: (moment) => String(days(moment) - toDays(moment.year, 1, 1)),
  W: (moment) => two(isoWeek(days(moment)).week),
  F: ({ month }) => MONTHS[month - 1]!,
  m: ({ month }) => two(month),
  M: ({ month }) => short(MONTHS[month - 1]!),
  n: ({ month }) => String(month),
  t: ({ year, month }) => String(daysInMonth(year, month)),
  L: ({ year }) => (isLeap(year) ? "1" : "0"),
  o: (moment) => String(isoWeek(days(moment)).year),
  Y: ({ year }) => yearText(year),
  X: ({ year }) => (year < 0 ? yearText(year) : `+${yearText(year)}`),
  x: ({ year }) => (year > 9999 ? `+${year}` : yearText(year)),
  y: ({ year }) => two(((year % 100) + 100) % 100),
  a: ({ hours }) => (hours < 12 ? "am" : "pm"),
  A: ({ hours }) => (hours < 12 ? "AM" : "PM"),
  // Swatch Internet time: thousandths of a day in Biel, UTC+1
  B: (moment) => String(Math.floor(((((epoch(moment) + 3600) % 86_400) + 86_400) % 86_400) / 86.4)).padStart(3, "0"),
  g: ({ hours }) => String(hours % 12 || 12),
  G: ({ hours }) => String(hours),
  h: ({ hours }) => two(hours % 12 || 12),
  H: ({ hours }) => two(hours),
  i: ({ minutes }) => two(minutes),
  s: ({ seconds }) => two(seconds),
  u: ({ microseconds }) => String(microseconds).padStart(6, "0"),
  v: ({ microseconds }) => String(Math.floor(microseconds / 1000)).padStart(3, "0"),
  e: (moment) => (moment.offset === undefined ? "UTC" : zoneText(moment.offset ?? 0, ":")),
  I: () => "0", // PostgreSQL gives an offset, which does not tell summer time
  O: (moment) => zoneText(moment.offset ?? 0, ""),
  P: (moment) => zoneText(moment.offset ?? 0, ":"),
  p: (moment) => (moment.offset ? zoneText(moment.offset ?? 0, ":") : "Z"),
  T: (moment) => (moment.offset === undefined ? "UTC" : zoneText(moment.offset ?? 0, ":")),
  Z: ({ offset = 0 }) => String(offset),
  c: (moment) => print(COMPOUND["c"]!, moment),
  r: (moment) => print(COMPOUND["r"]!, moment),
  U: (moment) => String(epoch(moment)),
};
