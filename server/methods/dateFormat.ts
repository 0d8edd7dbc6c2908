/** Patterns of dates and times (values of the kind `datetime`) in the letters of PHP's date() (https://www.php.net/manual/datetime.format.php). */
import { GatewayError, badInput } from "../kernel/errors.ts";
import type { ColumnType } from "../types/columnType.ts";
import { rowOf, type TypeRow } from "../types/table.ts";

export interface DateFormat {
  /** PostgreSQL's text of a date or time in the pattern; infinity stays as it is. */
  print(text: string): string;
  /** A text in the pattern as PostgreSQL reads it. Throws `BAD_USER_INPUT`. */
  parse(text: string, path: string): string;
}

/**
 * The pattern for a parameter or column, if it has one. Throws `INVALID_PARAMS` where the type has no date or time in
 * it, naming the parameter or column, unless it is meant for `namesake`: the column or parameter of the same name.
 */
export function dateFormatOf(
  formats: Readonly<Record<string, string>>,
  name: string,
  type: ColumnType,
  namesake: () => ColumnType | undefined = () => undefined,
): DateFormat | undefined {
  if (!Object.hasOwn(formats, name)) return undefined;
  const innermost = innermostOf(type);
  if (innermost.kind !== "datetime") {
    const other = namesake();
    if (other && innermostOf(other).kind === "datetime") return undefined;
    throw new GatewayError("INVALID_PARAMS", `type_formats: ${name} is of type ${type.name}, not a date or time`, {
      members: { parameter: name },
    });
  }
  const pattern = formats[name]!;
  return {
    print: (text) => printDate(pattern, text),
    parse: (text, path) => parseDate(pattern, text, path, rowOf(innermost).moment),
  };
}

function innermostOf(type: ColumnType): ColumnType {
  return type.element ? innermostOf(type.element) : type;
}

interface Moment {
  /** Astronomical: 0 is 1 BC. */
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly microseconds: number;
  /** Seconds east of Greenwich; undefined for a type without zone. */
  readonly offset: number | undefined;
}

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const MONTHS = [
  ..."January February March April May June July August September October November December".split(" "),
] as readonly string[];
const COMPOUND: Readonly<Record<string, string>> = { c: "Y-m-d\\TH:i:sP", r: "D, d M Y H:i:s O" };

const two = (number: number): string => String(number).padStart(2, "0");
const short = (name: string): string => name.slice(0, 3);

// Calendar ------------------------------------------------------------------------------------------

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** Days since 1970-01-01, in the proleptic Gregorian calendar. */
function toDays(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

function fromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const part = Math.floor((5 * dayOfYear + 2) / 153);
  const month = part < 10 ? part + 3 : part - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * part + 2) / 5) + 1,
  };
}

const weekday = (days: number): number => (((days + 4) % 7) + 7) % 7;
const isoWeekday = (days: number): number => weekday(days) || 7;

/** ISO 8601: the week of the year that has its Thursday. */
function isoWeek({ year, month, day }: Pick<Moment, "year" | "month" | "day">): { year: number; week: number } {
  const days = toDays(year, month, day);
  const thursday = days - isoWeekday(days) + 4;
  const isoYear = fromDays(thursday).year;
  return { year: isoYear, week: Math.floor((thursday - toDays(isoYear, 1, 1)) / 7) + 1 };
}

// Printing ------------------------------------------------------------------------------------------

function printDate(pattern: string, text: string): string {
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

function zoneText({ offset = 0 }: Moment, separator: string): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`;
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
  W: (moment) => two(isoWeek(moment).week),
  F: ({ month }) => MONTHS[month - 1]!,
  m: ({ month }) => two(month),
  M: ({ month }) => short(MONTHS[month - 1]!),
  n: ({ month }) => String(month),
  t: ({ year, month }) => String(daysInMonth(year, month)),
  L: ({ year }) => (isLeap(year) ? "1" : "0"),
  o: (moment) => String(isoWeek(moment).year),
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
  e: (moment) => (moment.offset === undefined ? "UTC" : zoneText(moment, ":")),
  I: () => "0", // PostgreSQL gives an offset, which does not tell summer time
  O: (moment) => zoneText(moment, ""),
  P: (moment) => zoneText(moment, ":"),
  p: (moment) => (moment.offset ? zoneText(moment, ":") : "Z"),
  T: (moment) => (moment.offset === undefined ? "UTC" : zoneText(moment, ":")),
  Z: ({ offset = 0 }) => String(offset),
  c: (moment) => print(COMPOUND["c"]!, moment),
  r: (moment) => print(COMPOUND["r"]!, moment),
  U: (moment) => String(epoch(moment)),
};

// Parsing -------------------------------------------------------------------------------------------

/** What has been read, by the letter that says it best. */
type Parts = Partial<
  Record<"Y" | "y" | "n" | "j" | "z" | "o" | "W" | "N" | "G" | "g" | "i" | "s" | "u" | "U" | "B", number>
> & {
  afternoon?: boolean;
  zone?: string;
};

const names = (all: readonly string[]): string => [...all, ...all.map(short)].join("|");
const ZONE = String.raw`Z|[+-]\d\d:?\d\d|[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*`;

/** Letter → what it takes, and where that goes. */
const READERS: Readonly<Record<string, readonly [pattern: string, read: (text: string, parts: Parts) => void]>> = {
  d: [String.raw`\d{1,2}`, (text, parts) => void (parts.j = Number(text))],
  j: [String.raw`\d{1,2}`, (text, parts) => void (parts.j = Number(text))],
  D: [names(DAYS), () => undefined],
  l: [names(DAYS), () => undefined],
  N: ["[1-7]", (text, parts) => void (parts.N = Number(text))],
  w: ["[0-6]", (text, parts) => void (parts.N = Number(text) || 7)],
  S: ["st|nd|rd|th", () => undefined],
  z: [String.raw`\d{1,3}`, (text, parts) => void (parts.z = Number(text))],
  W: [String.raw`\d{1,2}`, (text, parts) => void (parts.W = Number(text))],
  o: [String.raw`-?\d{1,4}`, (text, parts) => void (parts.o = Number(text))],
  F: [names(MONTHS), (text, parts) => void (parts.n = monthOf(text))],
  M: [names(MONTHS), (text, parts) => void (parts.n = monthOf(text))],
  m: [String.raw`\d{1,2}`, (text, parts) => void (parts.n = Number(text))],
  n: [String.raw`\d{1,2}`, (text, parts) => void (parts.n = Number(text))],
  t: [String.raw`\d\d`, () => undefined],
  L: ["[01]", () => undefined],
  Y: [String.raw`-?\d{1,4}`, (text, parts) => void (parts.Y = Number(text))],
  X: [String.raw`[+-]?\d{1,6}`, (text, parts) => void (parts.Y = Number(text))],
  x: [String.raw`[+-]?\d{1,6}`, (text, parts) => void (parts.Y = Number(text))],
  y: [String.raw`\d\d`, (text, parts) => void (parts.Y = Number(text) + (Number(text) < 70 ? 2000 : 1900))],
  a: ["am|pm", (text, parts) => void (parts.afternoon = /p/i.test(text))],
  A: ["am|pm", (text, parts) => void (parts.afternoon = /p/i.test(text))],
  B: [String.raw`\d{3}`, (text, parts) => void (parts.B = Number(text))],
  g: [String.raw`\d{1,2}`, (text, parts) => void (parts.g = Number(text))],
  h: [String.raw`\d{1,2}`, (text, parts) => void (parts.g = Number(text))],
  G: [String.raw`\d{1,2}`, (text, parts) => void (parts.G = Number(text))],
  H: [String.raw`\d{1,2}`, (text, parts) => void (parts.G = Number(text))],
  i: [String.raw`\d{1,2}`, (text, parts) => void (parts.i = Number(text))],
  s: [String.raw`\d{1,2}`, (text, parts) => void (parts.s = Number(text))],
  u: [String.raw`\d{1,6}`, (text, parts) => void (parts.u = Number(text.padEnd(6, "0")))],
  v: [String.raw`\d{1,3}`, (text, parts) => void (parts.u = Number(text.padEnd(3, "0")) * 1000)],
  e: [ZONE, (text, parts) => void (parts.zone = text)],
  T: [ZONE, (text, parts) => void (parts.zone = text)],
  O: [ZONE, (text, parts) => void (parts.zone = text)],
  P: [ZONE, (text, parts) => void (parts.zone = text)],
  p: [ZONE, (text, parts) => void (parts.zone = text)],
  I: ["[01]", () => undefined],
  Z: [String.raw`-?\d{1,5}`, (text, parts) => void (parts.zone = zoneText({ offset: Number(text) } as Moment, ":"))],
  U: [String.raw`-?\d{1,14}`, (text, parts) => void (parts.U = Number(text))],
};

function monthOf(text: string): number {
  return MONTHS.findIndex((name) => short(name).toLowerCase() === short(text).toLowerCase()) + 1;
}

function parseDate(pattern: string, text: string, path: string, moment: TypeRow["moment"]): string {
  if (/^-?infinity$/.test(text)) return text;
  const parts: Parts = {};
  const expanded = pattern.replaceAll(/\\.|[cr]/g, (found) => COMPOUND[found] ?? found);
  const fail = (): never =>
    badInput(`${path}: ${JSON.stringify(text)} is not in the format ${JSON.stringify(pattern)}`);
  let at = 0;
  for (let n = 0; n < expanded.length; n++) {
    const letter = expanded[n]!;
    const reader = READERS[letter];
    if (letter === "\\" || !reader) {
      if (text[at] !== (letter === "\\" ? expanded[++n] : letter)) return fail();
      at++;
      continue;
    }
    const [found] = new RegExp(`^(?:${reader[0]})`, "i").exec(text.slice(at)) ?? [];
    if (found === undefined) return fail();
    reader[1](found, parts);
    at += found.length;
  }
  if (at !== text.length) return fail();
  return write(parts, moment) ?? fail();
}

/** As PostgreSQL reads it; undefined when a part is out of its range. */
function write(parts: Parts, moment: TypeRow["moment"]): string | undefined {
  if (parts.U !== undefined) {
    const day = Math.floor(parts.U / 86_400);
    const rest = parts.U - day * 86_400;
    return write(
      {
        ...(({ year, month, day: j }) => ({ Y: year, n: month, j }))(fromDays(day)),
        G: Math.floor(rest / 3600),
        i: Math.floor(rest / 60) % 60,
        s: rest % 60,
        ...(parts.u !== undefined && { u: parts.u }),
        zone: "+00:00",
      },
      moment,
    );
  }
  if (parts.B !== undefined && parts.G === undefined && parts.g === undefined) {
    const seconds = Math.ceil(parts.B * 86.4);
    const { B: _beats, ...rest } = parts;
    return write(
      { ...rest, G: Math.floor(seconds / 3600), i: Math.floor(seconds / 60) % 60, s: seconds % 60, zone: "+01:00" },
      moment,
    );
  }
  const date = dateOf(parts);
  const hours = parts.G ?? hoursOf(parts);
  const { i = 0, s = 0, u = 0 } = parts;
  if (!date || hours === undefined || hours > 24 || i > 59 || s > 60) return undefined;
  const { year, month, day } = date;
  const dateText = `${String(year > 0 ? year : 1 - year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  const time = `${two(hours)}:${two(i)}:${two(s)}${u === 0 ? "" : `.${String(u).padStart(6, "0")}`}`;
  const zone = (parts.zone ?? "").replace(/^([+-]\d\d)(\d\d)$/, "$1:$2").replace(/^(?=[A-Za-z])/, " ");
  const era = year > 0 ? "" : " BC";
  switch (moment) {
    case "date":
      return dateText + era;
    case "time":
      return time;
    case "timetz":
      return time + zone;
    default:
      return `${dateText} ${time}${zone}${era}`;
  }
}

function dateOf(parts: Parts): { year: number; month: number; day: number } | undefined {
  if (parts.o !== undefined && parts.W !== undefined && parts.n === undefined) {
    const fourth = toDays(parts.o, 1, 4);
    if (parts.W < 1 || parts.W > 53) return undefined;
    return fromDays(fourth - isoWeekday(fourth) + 1 + (parts.W - 1) * 7 + (parts.N ?? 1) - 1);
  }
  const year = parts.Y ?? parts.o ?? 1970;
  if (parts.z !== undefined && parts.n === undefined && parts.j === undefined) {
    if (parts.z > (isLeap(year) ? 365 : 364)) return undefined;
    return fromDays(toDays(year, 1, 1) + parts.z);
  }
  const { n: month = 1, j: day = 1 } = parts;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return { year, month, day };
}

/** Twelve hours, with or without am and pm. */
function hoursOf({ g, afternoon }: Parts): number | undefined {
  if (g === undefined) return 0;
  if (afternoon === undefined) return g > 23 ? undefined : g;
  return g < 1 || g > 12 ? undefined : (g % 12) + (afternoon ? 12 : 0);
}
