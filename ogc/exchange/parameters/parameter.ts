/** A row of the table of parameters, and the syntax that several parameters share. */
import type { OgcConfig } from "../../../server/kernel/config/ogc.ts";
import type { JsonSchema } from "../../../server/types/table.ts";
import type { Crs } from "../../crs/crs.ts";
import type { OperationId, RouteDescription } from "../route.ts";

/** The context in which parameters are read. */
export interface ParameterScope {
  readonly route: RouteDescription;
  /** Reference systems that parameters may name. */
  readonly crs: readonly Crs[];
  /** Names of filterable columns. */
  readonly properties: readonly string[];
  readonly config: OgcConfig;
}

export interface Parameter<Value> {
  /** The description for people and the OpenAPI document; names are between backticks. */
  readonly description: string;
  readonly on: readonly OperationId[] | "every route";
  readonly schema: JsonSchema | ((scope: ParameterScope) => JsonSchema);
  /** The parameter that names the system of its coordinates. Without that parameter they are in CRS84. */
  readonly crs?: "bbox-crs" | "center-crs" | "subset-crs";
  /** Whether it may be repeated. Repeating means the same as a list with commas. */
  readonly repeats?: true;
  /** Whether `read` itself judges the empty text, in place of a general check. */
  readonly readsEmpty?: true;
  /** Reads the text. `crs`: the system that the parameter in `crs` named. Throws `Unfit`, or a `GatewayError`. */
  readonly read: (text: string, scope: ParameterScope, crs: Crs) => Value;
}

/** The text is not a value of the parameter. The message continues the sentence after "expected". */
export class Unfit extends Error {}

export function unfit(expected: string): never {
  throw new Unfit(expected);
}

const NUMBER = /^[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$/;

/** The number in a text; NaN for a text that is not a number. A `+` that was not percent-encoded arrives as a space. */
export function numberOf(text: string): number {
  const signed = text.replace(/^ /, "+");
  return NUMBER.test(signed) ? Number(signed) : NaN;
}

export function readWhole(text: string, least: number, most = Infinity): number {
  const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  return unfit(`a whole number from ${least}${most === Infinity ? "" : ` to ${most}`}`);
}

export function readDecimal(text: string, [least, most]: readonly [number, number]): number {
  const value = numberOf(text);
  return value >= least && value <= most ? value : unfit(`a number from ${least} to ${most}`);
}

const NAME = /("(?:[^"]|"")+"|[^",][^,]*)(,|$)/y;
const SIGNED_NAME = new RegExp(`[-+ ]?${NAME.source}`, "y");

/**
 * Splits names that are joined by commas. A name that holds a comma, or begins with a quote or a sign, is in double
 * quotes. `signed`: each name may have a sign before it. Undefined where a name is missing.
 */
export function splitNames(text: string, signed = false): readonly { sign: string; name: string }[] | undefined {
  const pattern = signed ? SIGNED_NAME : NAME;
  const names: { sign: string; name: string }[] = [];
  for (pattern.lastIndex = 0; ;) {
    const match = pattern.exec(text);
    if (!match) return undefined;
    const [whole, written = "", end] = match;
    const sign = signed && /^[-+ ]/.test(whole) ? whole.charAt(0) : "";
    names.push({ sign, name: written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written });
    if (end === "") return names;
  }
}

export function readBoolean(text: string): boolean {
  // clients in Python write True
  return /^([Tt]rue|[Ff]alse)$/.test(text) ? /^t/i.test(text) : unfit("true or false");
}
