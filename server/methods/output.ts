/** PostgreSQL's text of a value → what the caller gets: as JSON text, and as plain text for tables. */
import { readArray, readComposite, readMultirange, readRange, type Item, type RangeText } from "./literals.ts";
import type { DateFormat } from "./dateFormat.ts";
import { baseOf, isGeometry, type Type } from "./types.ts";

export interface Output {
  /** As JSON text. */
  json(text: string): string;
  /** As the text of a cell. */
  plain(text: string): string;
}

/** A value whose cell holds its JSON. */
const structured = (json: (text: string) => string): Output => ({ json, plain: json });
const asString: Output = { json: (text) => JSON.stringify(text), plain: (text) => text };
const asItIs: Output = { json: (text) => text, plain: (text) => text };
const float: Output = { json: (text) => (/^-?\d/.test(text) ? text : JSON.stringify(text)), plain: (text) => text };
/** PostGIS writes coordinates that are no JSON numbers as they are. */
const geometry: Output = structured((text) => text.replaceAll(/NaN|-?Infinity/g, '"$&"'));

const string = (plain: (text: string) => string): Output => ({ json: (text) => JSON.stringify(plain(text)), plain });

const OUTPUTS: Readonly<Record<string, Output>> = {
  int2: asItIs,
  int4: asItIs,
  int8: asItIs,
  oid: asItIs,
  float4: float,
  float8: float,
  bool: structured((text) => (text === "t" ? "true" : "false")),
  // raw line breaks can stand between the tokens of JSON only
  json: structured((text) => text.replaceAll(/[\r\n]/g, " ")),
  jsonb: asItIs,
  bytea: string((text) => Buffer.from(text.slice(2), "hex").toString("base64")),
  timestamp: string(isoTimestamp),
  timestamptz: string(isoTimestamp),
  timetz: string(fullOffset),
  interval: {
    json: (text) => (isInfinite(text) ? JSON.stringify(text) : interval(text)),
    plain: (text) => (isInfinite(text) ? text : interval(text)),
  },
  point: structured((text) => point(numbers(text))),
  line: structured((text) => {
    const [a, b, c] = numbers(text);
    return `{"A":${a},"B":${b},"C":${c}}`;
  }),
  lseg: structured(startEnd),
  box: structured(startEnd),
  path: structured((text) => `{"closed":${text.startsWith("(")},"points":[${points(numbers(text))}]}`),
  polygon: structured((text) => `{"points":[${points(numbers(text))}]}`),
  circle: structured((text) => {
    const [x, y, radius] = numbers(text);
    return `{"center":${point([x!, y!])},"radius":${radius}}`;
  }),
};

/** How values of `type` are given out. `format`: of dates and times in it. Geometries come as GeoJSON text already. */
export function outputOf(type: Type, format?: DateFormat): Output {
  const base = baseOf(type);
  const element = base.element && outputOf(base.element, format);
  switch (base.kind) {
    case "a":
      return structured((text) => list(readArray(text, base.element!.delimiter), element!));
    case "r":
      return structured((text) => range(readRange(text), element!));
    case "m": {
      const bound = outputOf(base.element!.element!, format);
      return structured((text) => `[${readMultirange(text).map((one) => range(one, bound))}]`);
    }
    case "c":
      return composite(base);
    default: {
      if (isGeometry(base)) return geometry;
      if (base.schema !== "pg_catalog") return asString;
      if (format?.appliesTo(base.name)) return string((text) => format.print(text));
      return OUTPUTS[base.name] ?? asString;
    }
  }
}

function list(items: readonly Item[], element: Output): string {
  return `[${items.map((item) => (item === null ? "null" : typeof item === "string" ? element.json(item) : list(item, element))).join(",")}]`;
}

function range({ lower, upper, lowerInclusive, upperInclusive }: RangeText, bound: Output): string {
  const side = (text: string | null): string => (text === null ? "null" : bound.json(text));
  return `{"lower":${side(lower)},"upper":${side(upper)},"lowerInclusive":${lowerInclusive},"upperInclusive":${upperInclusive}}`;
}

function composite({ attributes = [] }: Type): Output {
  const outputs = attributes.map(({ name, type }) => ({ name: JSON.stringify(name), output: outputOf(type) }));
  return structured((text) => {
    const values = readComposite(text);
    return `{${outputs.map(({ name, output }, index) => {
      const value = values[index] ?? null;
      return `${name}:${value === null ? "null" : output.json(value)}`;
    })}}`;
  });
}

// Dates and times -----------------------------------------------------------------------------------

/** ISO 8601, as `to_json` writes it: `2024-05-06T07:08:09.5+02:00`. Infinity stays as it is. */
function isoTimestamp(text: string): string {
  return /^\d.*:/.test(text) ? fullOffset(text.replace(" ", "T")) : text;
}

function fullOffset(text: string): string {
  return text.replace(/([+-]\d\d)( BC)?$/, "$1:00$2");
}

function isInfinite(text: string): boolean {
  return text === "infinity" || text === "-infinity";
}

const INTERVAL_UNITS = { year: "y", mon: "m", day: "d" } as const;

/** `1 year 2 mons -3 days +04:05:06.7` → years, months, days, hours, minutes, seconds. */
function interval(text: string): string {
  const parts = { y: 0, m: 0, d: 0, h: 0, i: 0, s: 0 };
  for (const [, count, unit] of text.matchAll(/([+-]?\d+) (year|mon|day)/g))
    parts[INTERVAL_UNITS[unit as keyof typeof INTERVAL_UNITS]] = Number(count);
  const [, sign, hours, minutes, seconds] = /([+-]?)(\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(text) ?? [];
  const factor = sign === "-" ? -1 : 1;
  const signed = (digits: string | undefined): number => factor * Number(digits ?? 0) || 0;
  return JSON.stringify({ ...parts, h: signed(hours), i: signed(minutes), s: signed(seconds) });
}

// Geometric types -----------------------------------------------------------------------------------

/** What is no JSON number, e.g. Infinity, becomes a string. */
function numbers(text: string): string[] {
  return (text.match(/-?(?:\d[\d.]*(?:e[-+]?\d+)?|Infinity|NaN)/gi) ?? []).map((number) =>
    /^-?\d/.test(number) ? number : JSON.stringify(number),
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
