/** PostgreSQL's text of a value that has no parts → JSON text, without asking PostgreSQL. */

/** Gives the JSON text of a value that is not null. */
export type ToJson = (text: string) => string;

/** The types whose JSON is validated, because DDL may have changed the column's type since the caller read it. */
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;
const NOT_FINITE = /^(NaN|-?Infinity)$/;
const string: ToJson = (text) => JSON.stringify(text);
const number: ToJson = (text) => (NUMBER.test(text) ? text : string(text));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** ISO 8601, as `to_json` writes it: `2024-05-06T07:08:09.5+02:00`. Infinity stays as it is. */
function isoTimestamp(text: string): string {
  return /^\d.*:/.test(text) ? fullOffset(text.replace(" ", "T")) : text;
}

/** `+02` → `+02:00`. */
function fullOffset(text: string): string {
  return text.replace(/([+-]\d\d)( BC)?$/, "$1:00$2");
}

function base64(text: string): string {
  return Buffer.from(text.slice(2), "hex").toString("base64");
}

const INTERVAL_UNITS = { year: "y", mon: "m", day: "d" } as const;

/** `1 year 2 mons -3 days +04:05:06.7` → years, months, days, hours, minutes, seconds; undefined for infinity. */
function intervalParts(text: string): Readonly<Record<"y" | "m" | "d" | "h" | "i" | "s", number>> | undefined {
  if (text === "infinity" || text === "-infinity") return undefined;
  const parts = { y: 0, m: 0, d: 0, h: 0, i: 0, s: 0 };
  for (const [, count, unit] of text.matchAll(/(?<!\d)([+-]?\d+) (year|mon|day)/g))
    parts[INTERVAL_UNITS[unit as keyof typeof INTERVAL_UNITS]] = Number(count);
  const [, sign, hours, minutes, seconds] = /(?<!\d)([+-]?)(\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(text) ?? [];
  const factor = sign === "-" ? -1 : 1;
  const signed = (digits: string | undefined): number => factor * Number(digits ?? 0) || 0;
  return { ...parts, h: signed(hours), i: signed(minutes), s: signed(seconds) };
}

/** A value that is no JSON number, e.g. Infinity, becomes a string. */
function numbers(text: string): string[] {
  return (text.match(/-?(?:\d[\d.]*(?:e[-+]?\d+)?|Infinity|NaN)/gi) ?? []).map((each) =>
    /^-?\d/.test(each) ? each : JSON.stringify(each),
  );
}

function point([x, y]: readonly string[]): string {
  return `{"x":${x},"y":${y}}`;
}

function points(all: readonly string[]): string {
  const pairs: string[] = [];
  for (let at = 0; at + 1 < all.length; at += 2) pairs.push(point([all[at]!, all[at + 1]!]));
  return pairs.join(",");
}

function startEnd(text: string): string {
  const [x1, y1, x2, y2] = numbers(text);
  return `{"start":${point([x1!, y1!])},"end":${point([x2!, y2!])}}`;
}

export const toJson = {
  asItIs: (text) => text,
  string,
  /** NaN and the infinities are strings, as PostgreSQL's `to_json` has them. */
  number,
  /** NaN and the infinities are null. */
  finite: (text) => (NOT_FINITE.test(text) ? "null" : number(text)),
  boolean: (text) => (text === "t" ? "true" : text === "f" ? "false" : string(text)),
  json: (text) => (isJson(text) ? text : string(text)),
  timestamp: (text) => string(isoTimestamp(text)),
  /** `{y, m, d, h, i, s}` */
  interval: (text) => JSON.stringify(intervalParts(text) ?? text),
  point: (text) => point(numbers(text)),
  line: (text) => {
    const [a, b, c] = numbers(text);
    return `{"A":${a},"B":${b},"C":${c}}`;
  },
  startEnd,
  path: (text) => `{"closed":${text.startsWith("(")},"points":[${points(numbers(text))}]}`,
  polygon: (text) => `{"points":[${points(numbers(text))}]}`,
  circle: (text) => {
    const [x, y, radius] = numbers(text);
    return `{"center":${point([x!, y!])},"radius":${radius}}`;
  },
} satisfies Record<string, ToJson>;

/** How a value is written as JSON, and as the text of a cell. */
export interface Output {
  json(text: string): string;
  plain(text: string): string;
}

/** A value whose cell holds its JSON. */
export const structured = (json: ToJson): Output => ({ json, plain: json });
const inText = (json: ToJson): Output => ({ json, plain: toJson.asItIs });
export const stringOf = (plain: (text: string) => string): Output => ({ json: (text) => string(plain(text)), plain });

export const outputs = {
  string: inText(string),
  asItIs: inText(toJson.asItIs),
  float: inText((text) => (/^-?\d/.test(text) ? text : string(text))),
  boolean: structured(toJson.boolean),
  // raw line breaks are allowed between the tokens of JSON only
  json: structured((text) => text.replaceAll(/[\r\n]/g, " ")),
  bytes: stringOf(base64),
  timestamp: stringOf(isoTimestamp),
  timetz: stringOf(fullOffset),
  interval: { json: toJson.interval, plain: (text) => (intervalParts(text) ? toJson.interval(text) : text) },
  /** GeoJSON from PostGIS: it writes coordinates that are no JSON numbers unchanged. */
  geometry: structured((text) => text.replaceAll(/NaN|-?Infinity/g, '"$&"')),
} satisfies Record<string, Output>;
