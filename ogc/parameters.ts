/** All query parameters of the OGC API: what each may be, how it is read, and how the OpenAPI document describes it. */
import type { OgcConfig } from "../server/kernel/config.ts";
import { GatewayError } from "../server/kernel/errors.ts";
import { namedColour } from "./maps/colours.ts";
import { CRS84, crsNamed, type Crs } from "./crs.ts";
import { formatNamed, type Format } from "./formats.ts";
import { readKeyset, type Keyset } from "./features/keyset.ts";

/** A rectangle in longitude and latitude, or x and y: the order of PostGIS, whatever order it was written in. */
export type Bounds = readonly [minx: number, miny: number, maxx: number, maxy: number];

export interface Bbox {
  /** minx > maxx where it crosses the antimeridian, which only `ogc.antimeridian: "split"` lets through. */
  readonly bounds: Bounds;
  /** Lowest and highest height, when six numbers were given. */
  readonly heights: readonly [minz: number, maxz: number] | undefined;
  readonly crs: Crs;
}

/** A point, x or longitude first. */
export interface Center {
  readonly x: number;
  readonly y: number;
  readonly crs: Crs;
}

/** From, to; for longitude from > to where it goes over the antimeridian. */
export type Interval = readonly [low: number, high: number];

/** What is wanted of each axis; undefined: all of it. */
export interface Subset {
  readonly x: Interval | undefined;
  readonly y: Interval | undefined;
  readonly crs: Crs;
}

/** An instant, or an interval whose open ends are undefined. ISO 8601 in UTC. */
export type Datetime =
  | { readonly kind: "instant"; readonly instant: string }
  | { readonly kind: "interval"; readonly start: string | undefined; readonly end: string | undefined };

/** A colour as `#rrggbb`. */
export type Colour = string;

interface Values {
  f: Format;
  limit: number;
  offset: number;
  bbox: Bbox;
  "bbox-crs": Crs;
  crs: Crs;
  datetime: Datetime;
  skipGeometry: boolean;
  after: Keyset;
  before: Keyset;
  width: number;
  height: number;
  transparent: boolean;
  bgcolor: Colour;
  collections: readonly string[];
  "scale-denominator": number;
  "mm-per-pixel": number;
  center: Center;
  "center-crs": Crs;
  subset: Subset;
  "subset-crs": Crs;
  "void-color": Colour;
  "void-transparent": boolean;
}

export type ParameterName = keyof Values;

/** What a request gave; a parameter that it did not give is undefined. */
export type Parameters = { readonly [Name in ParameterName]?: Values[Name] } & {
  /** `name=value` of filterable columns, in the order given. */
  readonly properties: ReadonlyMap<string, string>;
};

/** What the reading of parameters depends on. */
export interface ParameterScope {
  readonly formats: readonly Format[];
  /** Values of `crs` and those that end in `-crs`. */
  readonly crs: readonly Crs[];
  readonly limit: { readonly default: number; readonly max: number };
  /** Names of filterable columns. */
  readonly properties: readonly string[];
  readonly config: OgcConfig;
}

/** Of a side of a map. */
export const MAX_PIXELS = 16_384;
/** From one metre for one to the world in fourteen pixels. */
const SCALES = [1, 1e10] as const;
/** MapServer draws from 10 to 1000 pixels an inch. */
const PIXEL_SIDES = [0.03, 2.5] as const;
/** OGC 20-058 /req/display-resolution/mm-per-pixel-definition: what is assumed. */
export const MM_PER_PIXEL = 0.28;
/** Those that `crs` and `bbox-crs` take only where `ogc.crsForms` says so. */
const ALWAYS_ALL_FORMS: ReadonlySet<string> = new Set<ParameterName>(["center-crs", "subset-crs"]);

function invalid(name: string, expected: string, text: string): never {
  throw new GatewayError(
    "INVALID_PARAMETER",
    `${name}: expected ${expected}, got ${JSON.stringify(text.slice(0, 100))}`,
  );
}

function whole(name: string, text: string, least: number, most: number): number {
  const expected = most === Infinity ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`;
  if (!/^[0-9]+$/.test(text)) return invalid(name, expected, text);
  const value = Number(text);
  return value < least || value > most ? invalid(name, expected, text) : value;
}

const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$/;

/** A `+` that was not percent-encoded has come as a space. */
function plus(text: string): string {
  return text.replace(/^ /, "+");
}

function readBbox(text: string, crs: Crs, { config }: ParameterScope): Bbox {
  const expected = "four or six numbers, minx,miny,maxx,maxy or minx,miny,minz,maxx,maxy,maxz";
  const numbers = text.split(",").map((part) => (NUMBER.test(plus(part)) ? Number(plus(part)) : NaN));
  if (![4, 6].includes(numbers.length) || !numbers.every(Number.isFinite)) return invalid("bbox", expected, text);
  const half = numbers.length / 2;
  const low = numbers.slice(0, half) as [number, number, number?];
  const high = numbers.slice(half) as [number, number, number?];
  const heights = low[2] === undefined || high[2] === undefined ? undefined : ([low[2], high[2]] as const);
  const bounds: Bounds = crs.flipped ? [low[1], low[0], high[1], high[0]] : [low[0], low[1], high[0], high[1]];
  const [minx, miny, maxx, maxy] = bounds;
  const crosses = minx > maxx && crs.geographic && config.antimeridian === "split";
  if ((minx > maxx && !crosses) || miny > maxy || (heights && heights[0] > heights[1]))
    return invalid("bbox", "a lower corner that is not above the upper corner", text);
  if (crs.geographic && (minx > 180 || maxx < -180 || miny > 90 || maxy < -90))
    return invalid("bbox", "a rectangle that is not outside the world", text);
  return { bounds, heights, crs };
}

function readCrs(name: ParameterName, text: string, { crs, config }: ParameterScope): Crs {
  const all = config.crsForms === "all" || ALWAYS_ALL_FORMS.has(name);
  const found = crsNamed(text, crs, all);
  if (found) return found;
  throw new GatewayError(
    "INVALID_CRS",
    `${name}: ${JSON.stringify(text.slice(0, 200))} is not one of ${crs.map(({ uri }) => uri).join(", ")}`,
  );
}

const INSTANT =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,9})?)?([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$/;

/** RFC 3339, and a day alone for its first moment. UTC where no zone is given. PostgreSQL has microseconds. */
function readInstant(text: string, expected: string): string {
  const parts = INSTANT.exec(text.replace(/ (?=[0-9]{2}(:?[0-9]{2})?$)/, "+"));
  if (!parts) return invalid("datetime", expected, text);
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] = parts;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDay = Number(year) > 0 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61;
  const [, hours = "0", minutes = "0"] = /^[+-]([0-9]{2}):?([0-9]{2})?$/.exec(zone) ?? [];
  if (!isDay || !isTime || Number(hours) > 15 || Number(minutes) > 59) return invalid("datetime", expected, text);
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone.toUpperCase()}`;
}

/** Milliseconds since 1970 of what `readInstant` gives; NaN for a leap second. */
function timeOf(instant: string): number {
  return Date.parse(
    instant.replace(/([+-][0-9]{2}):?([0-9]{2})?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`),
  );
}

const DURATION =
  /^P(?=[0-9T])(?:([0-9]{1,6})Y)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6})W)?(?:([0-9]{1,6})D)?(?:T(?=[0-9])(?:([0-9]{1,6})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6}(?:\.[0-9]{1,9})?)S)?)?$/;

/**
 * The other end of an interval of which one is `instant`, a duration away (ISO 8601-1 §5.5.2). Months are those of the
 * calendar in UTC, and end on their last day where the day is none of theirs. `sign`: 1 after it, -1 before it.
 */
function readDuration(text: string, instant: string, sign: 1 | -1): string {
  const [, years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (
    DURATION.exec(text) ?? invalid("datetime", "a duration, such as P60D or P1Y2M3DT4H", text)
  ).map((part) => (part === undefined ? 0 : Number(part)));
  const end = new Date(timeOf(instant));
  const day = end.getUTCDate();
  end.setUTCMonth(end.getUTCMonth() + sign * (12 * years + months), 1);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, lastDay));
  end.setTime(end.getTime() + sign * 1000 * (((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds));
  const year = end.getUTCFullYear();
  return year >= 1 && year <= 9999
    ? end.toISOString()
    : invalid("datetime", "an interval within the years 1 to 9999", text);
}

function readDatetime(text: string, { config }: ParameterScope): Datetime {
  const expected = "an instant, such as 2026-01-31T12:00:00Z";
  if (!text.includes("/") && text !== "..") return { kind: "instant", instant: readInstant(text, expected) };
  const ends = text.split("/");
  if (config.datetimeIntervals !== "accept" || ends.length !== 2)
    return invalid("datetime", config.datetimeIntervals === "accept" ? `${expected}, or start/end` : expected, text);
  const isDuration = (each: string | undefined): each is string => each?.startsWith("P") ?? false;
  const [first, second] = ends.map((each) =>
    each === "" || each === ".." || isDuration(each) ? undefined : readInstant(each, expected),
  );
  const [before, after] = ends;
  if ((isDuration(before) && second === undefined) || (isDuration(after) && first === undefined))
    return invalid("datetime", "an instant beside a duration", text);
  const start = isDuration(before) && second !== undefined ? readDuration(before, second, -1) : first;
  const end = isDuration(after) && first !== undefined ? readDuration(after, first, 1) : second;
  if (start !== undefined && end !== undefined && timeOf(start) > timeOf(end))
    return invalid("datetime", "a start that is not after the end", text);
  return { kind: "interval", start, end };
}

function readCenter(text: string, crs: Crs): Center {
  const expected = `two numbers, ${crs.flipped ? "latitude,longitude" : crs.geographic ? "longitude,latitude" : "x,y"}`;
  const numbers = text.split(",").map((part) => (NUMBER.test(plus(part)) ? Number(plus(part)) : NaN));
  const [first = NaN, second = NaN] = numbers;
  if (numbers.length !== 2 || !numbers.every(Number.isFinite)) return invalid("center", expected, text);
  const [x, y] = crs.flipped ? [second, first] : [first, second];
  if (crs.geographic && (Math.abs(x) > 180 || Math.abs(y) > 90))
    return invalid("center", `${expected}, within the world`, text);
  return { x, y, crs };
}

/** OGC 20-058 /req/spatial-subsetting/subset-definition, and /rec/…/subset-crs-axis-names: in any letter case. */
const AXES = {
  geographic: { x: ["Lon", "Long", "Longitude"], y: ["Lat", "Latitude"] },
  projected: { x: ["E", "X", "Easting"], y: ["N", "Y", "Northing"] },
} as const;

function readSubset(text: string, crs: Crs): Subset {
  const names = AXES[crs.geographic ? "geographic" : "projected"];
  const expected = `intervals of the axes of ${crs.uri}, as ${names.x[0]}(low:high),${names.y[0]}(low:high)`;
  const found: { x?: Interval; y?: Interval } = {};
  for (const part of text.split(",")) {
    const [, name = "", low = "", high = ""] = /^([A-Za-z][A-Za-z0-9]*)\(([^:()]+):([^:()]+)\)$/.exec(part) ?? [];
    const axis = (["x", "y"] as const).find((each) =>
      names[each].some((known) => known.toLowerCase() === name.toLowerCase()),
    );
    const [from, to] = [low, high].map((bound) => (NUMBER.test(plus(bound)) ? Number(plus(bound)) : NaN));
    if (!axis || from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to))
      return invalid("subset", expected, text);
    if (found[axis]) return invalid("subset", `${expected}, each axis once`, text);
    if (from === to || (from > to && !(axis === "x" && crs.geographic)))
      return invalid("subset", `${expected}, from low to high`, text);
    found[axis] = [from, to];
  }
  return { x: found.x, y: found.y, crs };
}

function readBoolean(name: ParameterName, text: string): boolean {
  return /^(true|false)$/.test(text) ? text === "true" : invalid(name, "true or false", text);
}

function decimal(name: ParameterName, text: string, least: number, most: number): number {
  const value = NUMBER.test(plus(text)) ? Number(plus(text)) : NaN;
  return value >= least && value <= most ? value : invalid(name, `a number from ${least} to ${most}`, text);
}

function readColour(name: ParameterName, text: string): Colour {
  const hex = /^(?:0x)?([0-9a-f]{6})$/i.exec(text)?.[1];
  return (
    (hex === undefined ? namedColour(text) : `#${hex.toLowerCase()}`) ??
    invalid(name, "0xRRGGBB, RRGGBB or the name of a colour in CSS", text)
  );
}

type Schema = Readonly<Record<string, unknown>>;

interface Parameter<Name extends ParameterName> {
  readonly description: string;
  readonly schema: (scope: ParameterScope) => Schema;
  /** `given`: what was read before it. Throws `INVALID_PARAMETER`, `INVALID_CRS`. */
  readonly read: (text: string, scope: ParameterScope, given: Partial<Values>) => Values[Name];
}

const crsSchema = ({ crs }: ParameterScope): Schema => ({
  type: "string",
  format: "uri",
  enum: crs.map(({ uri }) => uri),
  default: CRS84.uri,
});
/** The forms beside those of `crsSchema` are in no enumeration: a client that checks would refuse them. */
const anyCrsSchema = (scope: ParameterScope): Schema => ({
  type: "string",
  default: CRS84.uri,
  example: scope.crs.at(-1)?.uri,
});
const pixels: Schema = { type: "integer", minimum: 1, maximum: MAX_PIXELS };

/** In the order in which they are read: `bbox` is understood in `bbox-crs`. */
const PARAMETERS: { readonly [Name in ParameterName]: Parameter<Name> } = {
  f: {
    description: "What to answer with, in place of the header Accept: a word, or a media type.",
    schema: ({ formats }) => ({ type: "string", enum: formats.map(({ name }) => name) }),
    read: (text, { formats }) => formatNamed(text, formats),
  },
  limit: {
    description: "How many to give at most. More than the maximum is taken for the maximum.",
    schema: ({ limit }) => ({ type: "integer", minimum: 1, maximum: limit.max, default: limit.default }),
    read: (text, { limit }) => Math.min(whole("limit", text, 1, Infinity), limit.max),
  },
  offset: {
    description:
      "How many to skip. Links to other pages use `after` and `before` where features have a key, which costs the same on every page.",
    schema: () => ({ type: "integer", minimum: 0, default: 0 }),
    read: (text) => Math.min(whole("offset", text, 0, Infinity), Number.MAX_SAFE_INTEGER),
  },
  after: {
    description: "Only what comes after this place: opaque, from a link `next`.",
    schema: () => ({ type: "string" }),
    read: (text) => readKeyset(text) ?? invalid("after", "what a link said", text),
  },
  before: {
    description: "Only what comes before this place: opaque, from a link `prev`.",
    schema: () => ({ type: "string" }),
    read: (text) => readKeyset(text) ?? invalid("before", "what a link said", text),
  },
  "bbox-crs": {
    description: "The coordinate reference system of `bbox`.",
    schema: crsSchema,
    read: (text, scope) => readCrs("bbox-crs", text, scope),
  },
  bbox: {
    description:
      "Only features whose geometry shares a point with this rectangle: lower and upper corner, in `bbox-crs` and its axis order, each with two numbers, or three where heights count.",
    schema: () => ({
      type: "array",
      minItems: 4,
      maxItems: 6,
      oneOf: [
        { minItems: 4, maxItems: 4 },
        { minItems: 6, maxItems: 6 },
      ],
      items: { type: "number" },
    }),
    read: (text, scope, given) => readBbox(text, given["bbox-crs"] ?? CRS84, scope),
  },
  crs: {
    description: "The coordinate reference system of the answer.",
    schema: crsSchema,
    read: (text, scope) => readCrs("crs", text, scope),
  },
  datetime: {
    description:
      "An instant in ISO 8601. A versioned collection is shown as it was then; for others it does not matter.",
    schema: () => ({ type: "string" }),
    read: readDatetime,
  },
  skipGeometry: {
    description: "Whether to leave out the geometries, which are then null.",
    schema: () => ({ type: "boolean", default: false }),
    read: (text) => readBoolean("skipGeometry", text),
  },
  width: {
    description: "Width of the picture in pixels. Default: what the height and the rectangle make it, else 1024.",
    schema: () => pixels,
    read: (text) => whole("width", text, 1, MAX_PIXELS),
  },
  height: {
    description: "Height of the picture in pixels. Default: what the width and the rectangle make it.",
    schema: () => pixels,
    read: (text) => whole("height", text, 1, MAX_PIXELS),
  },
  transparent: {
    description: "Whether the background shows through. Default: true for png without bgcolor.",
    schema: () => ({ type: "boolean" }),
    read: (text) => readBoolean("transparent", text),
  },
  bgcolor: {
    description: "Colour of the background: 0xRRGGBB, RRGGBB or a name of CSS.",
    schema: () => ({ type: "string", default: "0xFFFFFF" }),
    read: (text) => readColour("bgcolor", text),
  },
  "void-color": {
    description:
      "Colour of what lies outside the world of a system, such as beyond 180 degrees: 0xRRGGBB, RRGGBB or a name of CSS. Default: that of the background.",
    schema: () => ({ type: "string" }),
    read: (text) => readColour("void-color", text),
  },
  "void-transparent": {
    description: "Whether what lies outside the world of a system shows through. Default: as the background.",
    schema: () => ({ type: "boolean" }),
    read: (text) => readBoolean("void-transparent", text),
  },
  "scale-denominator": {
    description:
      "How many metres of the world are one on the screen, in the middle of the map. With `bbox` or `subset` it gives the size of the picture; else what is shown around the center.",
    schema: () => ({ type: "number", minimum: SCALES[0], maximum: SCALES[1] }),
    read: (text) => decimal("scale-denominator", text, ...SCALES),
  },
  "mm-per-pixel": {
    description: "Side of a pixel of the screen in millimetres: scales are reckoned by it, and symbols drawn by it.",
    schema: () => ({ type: "number", minimum: PIXEL_SIDES[0], maximum: PIXEL_SIDES[1], default: MM_PER_PIXEL }),
    read: (text) => decimal("mm-per-pixel", text, ...PIXEL_SIDES),
  },
  "center-crs": {
    description: "The coordinate reference system of `center`: http or https, or [EPSG:code].",
    schema: anyCrsSchema,
    read: (text, scope) => readCrs("center-crs", text, scope),
  },
  center: {
    description: "The middle of the map, in `center-crs` and its axis order; not with `bbox` or `subset`.",
    schema: () => ({ type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 }),
    read: (text, _scope, given) => readCenter(text, given["center-crs"] ?? CRS84),
  },
  "subset-crs": {
    description: "The coordinate reference system of `subset`: http or https, or [EPSG:code].",
    schema: anyCrsSchema,
    read: (text, scope) => readCrs("subset-crs", text, scope),
  },
  subset: {
    description:
      "What of an axis the map shows, in `subset-crs`: Lat(50:52),Lon(10:12), or E(low:high),N(low:high). May be given for each axis; not with `bbox`. Lon(170:-170) goes over the antimeridian.",
    schema: () => ({
      type: "string",
      pattern: "^[A-Za-z][A-Za-z0-9]*\\([^()]+\\)(,[A-Za-z][A-Za-z0-9]*\\([^()]+\\))*$",
    }),
    read: (text, _scope, given) => readSubset(text, given["subset-crs"] ?? CRS84),
  },
  collections: {
    description: "Ids of collections of one schema, the lowest first.",
    schema: () => ({ type: "array", items: { type: "string" }, minItems: 1 }),
    read: (text) => {
      const ids = text.split(",");
      return ids.includes("") ? invalid("collections", "ids joined by commas", text) : ids;
    },
  },
};

/** Of these every value but those of the collection is `INVALID_CRS`. */
const CRS_PARAMETERS: ReadonlySet<string> = new Set<ParameterName>(["crs", "bbox-crs", "center-crs", "subset-crs"]);
/** OGC 20-058 /req/spatial-subsetting/subset-definition: several are one, joined by commas. */
const REPEATABLE: ReadonlySet<string> = new Set<ParameterName>(["subset"]);

/**
 * Reads the query of a request. `allowed`: the parameters that its route has. Throws `UNKNOWN_PARAMETER` for any other,
 * `INVALID_PARAMETER` for one that is empty, given twice or of a bad value, `INVALID_CRS`.
 */
export function readParameters(
  query: URLSearchParams,
  allowed: readonly ParameterName[],
  scope: ParameterScope,
): Parameters {
  const properties = new Map<string, string>();
  const texts = new Map<ParameterName, string>();
  const seen = new Set<string>();
  for (const [name, text] of query) {
    const isParameter = (allowed as readonly string[]).includes(name);
    if (!isParameter && !scope.properties.includes(name))
      throw new GatewayError(
        "UNKNOWN_PARAMETER",
        `${JSON.stringify(name.slice(0, 100))} is not one of ${[...allowed, ...scope.properties].join(", ")}`,
      );
    if (seen.has(name) && !REPEATABLE.has(name)) throw new GatewayError("INVALID_PARAMETER", `${name}: is given twice`);
    seen.add(name);
    if (!isParameter) properties.set(name, text);
    else if (text === "" && !CRS_PARAMETERS.has(name)) throw new GatewayError("INVALID_PARAMETER", `${name}: is empty`);
    else
      texts.set(
        name as ParameterName,
        [texts.get(name as ParameterName), text].filter((each) => each !== undefined).join(","),
      );
  }
  const given: Partial<Values> = {};
  for (const name of Object.keys(PARAMETERS) as ParameterName[]) {
    const text = texts.get(name);
    if (text !== undefined) read(name, text, scope, given);
  }
  return { ...given, properties };
}

function read<Name extends ParameterName>(
  name: Name,
  text: string,
  scope: ParameterScope,
  given: Partial<Values>,
): void {
  given[name] = PARAMETERS[name].read(text, scope, given);
}

/** The parameter as an object of OpenAPI 3.0. */
export function describeParameter(name: ParameterName, scope: ParameterScope): Schema {
  const { description, schema } = PARAMETERS[name];
  return { name, in: "query", required: false, description, schema: schema(scope), style: "form", explode: false };
}
