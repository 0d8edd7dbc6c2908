/** Texts in a pattern of date() as dates and times that PostgreSQL reads. */
import { badInput } from "../../ground/errors.ts";
import { daysInMonth, fromDays, fromIsoWeek, isLeap, toDays, type CalendarDay } from "../../types/calendar.ts";
import type { TypeRow } from "../../types/table.ts";
import { COMPOUND, DAYS, MONTHS, short, two, zoneText } from "./dateLetters.ts";

/** The parts that were read, by letter. */
type NumberPart = "Y" | "n" | "j" | "z" | "o" | "W" | "N" | "G" | "g" | "i" | "s" | "u" | "U" | "B";
type Parts = Partial<Record<NumberPart, number>> & {
  afternoon?: boolean;
  zone?: string;
};

const names = (all: readonly string[]): string => [...all, ...all.map(short)].join("|");
const ZONE = String.raw`Z|[+-]\d\d:?\d\d|[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*`;

type Read = (text: string, parts: Parts) => void;
const number =
  (part: NumberPart): Read =>
  (text, parts) =>
    void (parts[part] = Number(text));
const month: Read = (text, parts) => void (parts.n = monthOf(text));
const half: Read = (text, parts) => void (parts.afternoon = /p/i.test(text));
const zone: Read = (text, parts) => void (parts.zone = text);

/** Letter → the text that it takes, and the part that it sets. */
const READERS: Readonly<Record<string, readonly [pattern: string, read: Read]>> = {
  d: [String.raw`\d{1,2}`, number("j")],
  j: [String.raw`\d{1,2}`, number("j")],
  D: [names(DAYS), () => undefined],
  l: [names(DAYS), () => undefined],
  N: ["[1-7]", number("N")],
  w: ["[0-6]", (text, parts) => void (parts.N = Number(text) || 7)],
  S: ["st|nd|rd|th", () => undefined],
  z: [String.raw`\d{1,3}`, number("z")],
  W: [String.raw`\d{1,2}`, number("W")],
  o: [String.raw`-?\d{1,4}`, number("o")],
  F: [names(MONTHS), month],
  M: [names(MONTHS), month],
  m: [String.raw`\d{1,2}`, number("n")],
  n: [String.raw`\d{1,2}`, number("n")],
  t: [String.raw`\d\d`, () => undefined],
  L: ["[01]", () => undefined],
  Y: [String.raw`-?\d{1,4}`, number("Y")],
  X: [String.raw`[+-]?\d{1,6}`, number("Y")],
  x: [String.raw`[+-]?\d{1,6}`, number("Y")],
  y: [String.raw`\d\d`, (text, parts) => void (parts.Y = Number(text) + (Number(text) < 70 ? 2000 : 1900))],
  a: ["am|pm", half],
  A: ["am|pm", half],
  B: [String.raw`\d{3}`, number("B")],
  g: [String.raw`\d{1,2}`, number("g")],
  h: [String.raw`\d{1,2}`, number("g")],
  G: [String.raw`\d{1,2}`, number("G")],
  H: [String.raw`\d{1,2}`, number("G")],
  i: [String.raw`\d{1,2}`, number("i")],
  s: [String.raw`\d{1,2}`, number("s")],
  u: [String.raw`\d{1,6}`, (text, parts) => void (parts.u = Number(text.padEnd(6, "0")))],
  v: [String.raw`\d{1,3}`, (text, parts) => void (parts.u = Number(text.padEnd(3, "0")) * 1000)],
  e: [ZONE, zone],
  T: [ZONE, zone],
  O: [ZONE, zone],
  P: [ZONE, zone],
  p: [ZONE, zone],
  I: ["[01]", () => undefined],
  Z: [String.raw`-?\d{1,5}`, (text, parts) => void (parts.zone = zoneText(Number(text), ":"))],
  U: [String.raw`-?\d{1,14}`, number("U")],
};

function monthOf(text: string): number {
  return MONTHS.findIndex((name) => short(name).toLowerCase() === short(text).toLowerCase()) + 1;
}

/** The text in the pattern as PostgreSQL reads it for a type of that `moment`. Throws `BAD_USER_INPUT`. */
export function parseDate(pattern: string, text: string, path: string, moment: TypeRow["moment"]): string {
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

/** In PostgreSQL's form; undefined when a part is out of its range. */
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

function dateOf(parts: Parts): CalendarDay | undefined {
  if (parts.o !== undefined && parts.W !== undefined && parts.n === undefined) {
    if (parts.W < 1 || parts.W > 53) return undefined;
    return fromDays(fromIsoWeek(parts.o, parts.W, parts.N ?? 1));
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
