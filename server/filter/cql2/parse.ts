/** CQL2 (OGC 21-065r2), as text and as JSON, → the syntax tree of the filter language. */
import { GatewayError } from "../../ground/errors.ts";
import { isTrue } from "../nodes.ts";
import type { Filter, Shape } from "../tree.ts";
import { parseJson, readJson } from "./json.ts";
import { CRS84_AXES } from "./literals.ts";
import { indexOf } from "./locate.ts";
import { resolve } from "./resolve.ts";
import { Cql2Error, type FilterAxes, type Syntax } from "./syntax.ts";
import { parseText } from "./text.ts";

/** How a filter is written; `cql-text`: as GDAL writes it, with ILIKE, and with text for days and instants. */
export const FILTER_LANGUAGES = ["cql2-text", "cql2-json", "cql-text"] as const;
export type FilterLanguage = (typeof FILTER_LANGUAGES)[number];

export interface Cql2Options {
  /** Default `cql2-text`. */
  readonly language?: FilterLanguage;
  /** The system of its geometries. Default longitude and latitude of WGS 84. */
  readonly axes?: FilterAxes;
}

function parseWith(language: FilterLanguage, source: string): Syntax {
  if (language === "cql2-json") return readJson(parseJson(source), "");
  return parseText(source, { ilike: language === "cql-text" });
}

/**
 * Parses the value of a `filter` parameter over `shape`. Undefined for a filter that every row meets (`TRUE`).
 *
 * - Names are columns, or `relation.column` for related rows, of which at least one must meet the condition.
 * - A number is compared as a number, whatever the types of the two sides; text is compared case-sensitively.
 * - A day among instants lasts from its first moment to its last microsecond, in UTC.
 *
 * Throws `BAD_USER_INPUT`, or `LIMIT_EXCEEDED` beyond 100 levels, 5,000 parts or 10,000 positions, with the member
 * `position`: the number, from 1, of the character where the filter is wrong.
 */
export function parseCql2(source: string, shape: Shape, options: Cql2Options = {}): Filter | undefined {
  const { language = "cql2-text", axes = CRS84_AXES } = options;
  try {
    const filter = resolve(parseWith(language, source), shape, { axes, looseText: language === "cql-text" });
    return isTrue(filter) ? undefined : filter;
  } catch (error) {
    if (!(error instanceof Cql2Error)) throw error;
    const index = typeof error.at === "number" ? error.at : indexOf(error.at, source);
    const position = [...source.slice(0, index)].length + 1;
    throw new GatewayError(error.code, `filter: ${error.message} (character ${position})`, {
      members: { position },
    });
  }
}

/** The same for parsed CQL2 JSON. `path`: its place, for messages. */
export function readCql2(json: unknown, shape: Shape, path: string): Filter {
  try {
    return resolve(readJson(json, path), shape, { axes: CRS84_AXES, looseText: false });
  } catch (error) {
    if (error instanceof Cql2Error) throw new GatewayError(error.code, `${error.at}: ${error.message}`);
    throw error;
  }
}
