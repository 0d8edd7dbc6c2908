/**
 * The parameters of the classic services, one row each, with the reader of their text. Names are not case sensitive.
 */
import { readBoolean, numberOf, readWhole, unfit, Unfit } from "../exchange/parameters/parameter.ts";
import { readInstant } from "../exchange/parameters/datetime.ts";
import { MAX_PIXELS } from "../exchange/parameters/table.ts";
import { readColour } from "../maps/colours.ts";
import { exception, type ExceptionCode } from "./exception.ts";
import type { Kvp } from "./kvp.ts";
import type { SortKey } from "../features/page/sorting.ts";
import { localName } from "./wfs/names.ts";

interface OwsParameter<Value> {
  /** The code of the exception for a bad value. Default: `InvalidParameterValue`. */
  readonly code?: ExceptionCode;
  /** Its name in WMS 1.1.1, if that differs. */
  readonly before?: string;
  /** Other names with the same meaning. */
  readonly also?: readonly string[];
  /** Whether the empty text is a value. Default: it counts as missing. */
  readonly readsEmpty?: true;
  readonly read: (text: string) => Value;
}

const text = (value: string): string => value;

function readList(value: string): readonly string[] {
  const names = value.split(",");
  return names.includes("") ? unfit("names joined by commas") : names;
}

/** Reads four numbers, in the order of axes of the request's system. */
function readCorners(value: string): readonly [number, number, number, number] {
  const numbers = value.split(",").map(numberOf);
  const [a, b, c, d, ...more] = numbers;
  if (more.length > 0 || !numbers.every(Number.isFinite) || d === undefined)
    return unfit("four numbers joined by commas: the lower and the upper corner");
  if (a! >= c! || b! >= d) return unfit("a lower corner that is below the upper one");
  return [a!, b!, c!, d];
}

/** Reads one instant (OGC 06-042 annex D). */
function readTime(value: string): string | undefined {
  if (value.toLowerCase() === "current") return undefined;
  return readInstant(value, "one instant, such as 2026-01-31T12:00:00Z, or current");
}

/** The numbers of pixels per inch that MapServer draws. */
const DOTS = [10, 1000] as const;

/**
 * Reads the number of pixels per inch: a number (`DPI` and `MAP_RESOLUTION` of QGIS), or the list `dpi:300;…`
 * (`FORMAT_OPTIONS` of GeoServer), whose other entries are ignored. A number that MapServer does not draw becomes the
 * nearest that it does. Undefined where the list has none.
 */
function readDots(value: string): number | undefined {
  const entry = value.includes(":") ? value.split(";").find((each) => /^\s*dpi:/i.test(each)) : `dpi:${value}`;
  if (entry === undefined) return undefined;
  const [least, most] = DOTS;
  const dots = numberOf(entry.slice(entry.indexOf(":") + 1).trim());
  return dots > 0 ? Math.min(Math.max(dots, least), most) : unfit("a number of pixels per inch");
}

/** Reads a list for each query; several lists are in parentheses (OGC 09-025r2 §6.2.5.3). */
function readLists(value: string): readonly (readonly string[])[] {
  const inside = /^\((.*)\)$/s.exec(value)?.[1];
  return (inside === undefined ? [value] : inside.split(")(")).map(readList);
}

/** Reads texts of XML, one for each query. */
function readFilters(value: string): readonly string[] {
  const inside = /^\((.*)\)$/s.exec(value.trim())?.[1];
  if (inside === undefined) return [value];
  const texts: string[] = [];
  // parentheses may also be in a text
  let before = "";
  for (const part of inside.split(/\)\s*\(/)) {
    const isNext = texts.length === 0 || (before.trimEnd().endsWith(">") && part.trimStart().startsWith("<"));
    texts.push(isNext ? part : `${texts.pop()})(${part}`);
    before = part;
  }
  return texts;
}

/** Reads `xmlns(prefix,address)`, separated by commas; in 1.1 `xmlns(prefix=address)`. */
function readNamespaces(value: string): ReadonlyMap<string, string> {
  return new Map(
    [...value.matchAll(/xmlns\(([^()]*)\)/gi)].flatMap(([, inside = ""]) => {
      const end = inside.search(/[,=]/);
      return end > 0 ? [[inside.slice(0, end).trim(), inside.slice(end + 1).trim()] as const] : [];
    }),
  );
}

/** Reads `name`, `name ASC` or `name DESC` (1.1: `name A`, `name D`), separated by commas. */
function readSort(value: string): readonly SortKey[] {
  return readList(value).map((each) => {
    const [, name = "", direction = ""] = /^(.*?)(?:[ +](ASC|DESC|A|D))?$/i.exec(each.trim()) ?? [];
    return { name: localName(name), descending: /^d/i.test(direction) };
  });
}

export const OWS_PARAMETERS = {
  layers: { read: readList },
  styles: { readsEmpty: true, read: (value) => value.split(",") },
  crs: { before: "srs", read: text },
  bbox: { read: readCorners },
  width: { read: (value) => readWhole(value, 1, MAX_PIXELS) },
  height: { read: (value) => readWhole(value, 1, MAX_PIXELS) },
  format: { read: text },
  transparent: { read: (value) => readBoolean(value.toLowerCase()) },
  bgcolor: { read: readColour },
  dpi: { also: ["map_resolution", "format_options"], read: readDots },
  time: { code: "InvalidDimensionValue", read: readTime },
  query_layers: { read: readList },
  info_format: { read: text },
  infoformat: { read: text },
  feature_count: { read: (value) => readWhole(value, 1, 1000) },
  i: { before: "x", code: "InvalidPoint", read: (value) => readWhole(value, 0) },
  j: { before: "y", code: "InvalidPoint", read: (value) => readWhole(value, 0) },
  layer: { read: text },
  typenames: { also: ["typename"], read: readLists },
  namespaces: { also: ["namespace"], read: readNamespaces },
  propertyname: { read: readLists },
  valuereference: { readsEmpty: true, read: text },
  sortby: { read: readSort },
  count: { also: ["maxfeatures"], read: (value) => readWhole(value, 0) },
  startindex: { read: (value) => readWhole(value, 0, Number.MAX_SAFE_INTEGER) },
  resulttype: { read: (value) => (/^(hits|results)$/i.test(value) ? value.toLowerCase() : unfit("results or hits")) },
  outputformat: { read: text },
  srsname: { read: text },
  bboxtext: { before: "bbox", read: text },
  resourceid: { also: ["featureid"], read: readList },
  storedquery_id: { also: ["storedqueryid"], read: text },
  id: { read: text },
  filter: { read: readFilters },
  style: { readsEmpty: true, read: text },
  tilematrixset: { read: text },
  tilematrix: { read: text },
  tilerow: { read: text },
  tilecol: { read: text },
  sld: { read: text },
  sld_body: { read: text },
} satisfies Readonly<Record<string, OwsParameter<unknown>>>;

export type OwsParameterName = keyof typeof OWS_PARAMETERS;

type Values = { [Name in OwsParameterName]: ReturnType<(typeof OWS_PARAMETERS)[Name]["read"]> };

/** The parameters of a request; a missing one is undefined. */
export type OwsParameters = Readonly<Partial<Values>>;

const ROWS: ReadonlyMap<OwsParameterName, OwsParameter<unknown>> = new Map(
  Object.entries(OWS_PARAMETERS) as [OwsParameterName, OwsParameter<unknown>][],
);

/** The name of a parameter in a version of WMS. */
export function nameIn(name: OwsParameterName, version: string): string {
  const before = ROWS.get(name)?.before;
  // the rectangle of WFS may end with a system
  return ((version === "1.1.1" || name === "bboxtext") && before) || name;
}

interface Taken {
  readonly version: string;
  readonly takes: readonly OwsParameterName[];
  readonly needs: readonly OwsParameterName[];
}

/**
 * Reads the parameters that a request takes. Others are ignored, as the standards require. Throws for a missing or
 * invalid one.
 */
export function readOwsParameters(kvp: Kvp, { version, takes, needs }: Taken): OwsParameters {
  const given: Partial<Record<OwsParameterName, unknown>> = {};
  for (const name of [...needs, ...takes]) {
    const row = ROWS.get(name)!;
    const written = nameIn(name, version);
    const value = [written, ...(row.also ?? [])].map((each) => kvp.get(each)).find((each) => each !== undefined);
    if (value === undefined || (value === "" && !row.readsEmpty)) {
      if (needs.includes(name))
        throw exception("MissingParameterValue", `${written.toUpperCase()}: is missing`, written);
      continue;
    }
    given[name] = read(row, written, value);
  }
  return given as OwsParameters;
}

function read({ read: readValue, code = "InvalidParameterValue" }: OwsParameter<unknown>, name: string, value: string) {
  try {
    return readValue(value);
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    const got = JSON.stringify(value.slice(0, 100));
    throw exception(code, `${name.toUpperCase()}: expected ${error.message}, got ${got}`, name);
  }
}
