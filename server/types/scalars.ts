/** The scalar types that a filter is judged for in process: how a text of each is read, and how two values compare. */
import { sortableDecimal } from "./decimal.ts";
import { dateOf, instantOf, timeOf, timestampOf, zonedTimeOf } from "./instants.ts";
import { intervalOf } from "./intervals.ts";
import { lowerCase } from "./lowerCase.ts";
import { networkOf } from "./networks.ts";

/** Equal values of a type are the same to a `Set`. */
export type Scalar = number | bigint | string | boolean;

export interface ScalarType {
  /** A value from PostgreSQL's text or a caller's text; undefined for a text that is no value of the type. */
  read(text: string): Scalar | undefined;
  /** Whether a caller's text is a value of the type, where `read` accepts more. */
  isValue?(text: string): boolean;
  /** Negative, 0 or positive; NaN where it is not known which is the larger one. */
  compare(a: never, b: never): number;
  /** The text that LIKE sees of a value in PostgreSQL's text. Default: that text. */
  readonly patternText?: (text: string) => string;
  /** Whether `<` and similar operators order the values. Default true. */
  readonly isOrdered?: boolean;
}

/** Numbers, and strings by code unit. NaN is equal to itself and larger than all others, as in PostgreSQL. */
function compare(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/** Compares by code point, as collation "C" does: the database's own collation is not known here. */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (x === y) continue;
    // surrogates sort after the characters from U+E000 on
    const isPair = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000;
    return isPair(x) === isPair(y) ? x - y : isPair(x) ? 1 : -1;
  }
  return a.length - b.length;
}

const matching =
  (pattern: RegExp, normal: (text: string) => Scalar = (text) => text) =>
  (text: string): Scalar | undefined => {
    const trimmed = text.trim();
    return pattern.test(trimmed) ? normal(trimmed) : undefined;
  };

function withoutBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  return text.slice(0, end);
}

const hexOf = (text: string): string => text.replace(/[^0-9a-f]/gi, "").toLowerCase();

function floatOf(text: string, round: (number: number) => number): number | undefined {
  const trimmed = text.trim().toLowerCase();
  const special = /^([-+]?)inf(inity)?$/.exec(trimmed);
  if (special) return special[1] === "-" ? -Infinity : Infinity;
  if (trimmed === "nan") return NaN;
  const number = trimmed === "" ? NaN : round(Number(trimmed));
  const isLost = number === 0 && /^[^e]*[1-9]/.test(trimmed); // PostgreSQL: out of range
  return Number.isFinite(number) && !isLost ? number : undefined;
}

function oidOf(text: string): number | undefined {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  return number < 2 ** 32 ? number : undefined;
}

const text: ScalarType = { read: (value) => value, compare: compareText };
const integer: ScalarType = { read: matching(/^[-+]?\d+$/, Number), compare };
const hex = (pattern: RegExp): ScalarType => ({ read: matching(pattern, hexOf), compare });

/** Each by the name of its type. */
export const scalars = {
  bool: {
    read: matching(/^(t|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|of|off|0)$/i, (value) =>
      /^([ty1]|on$)/i.test(value),
    ),
    compare,
  },
  int2: integer,
  int4: integer,
  oid: { read: oidOf, compare },
  int8: { read: matching(/^[-+]?\d+$/, (value) => BigInt(value.replace("+", ""))), compare },
  numeric: { read: sortableDecimal, compare },
  float4: { read: (value) => floatOf(value, Math.fround), compare },
  float8: { read: (value) => floatOf(value, Number), compare },
  text,
  // PostgreSQL: blanks at the end count neither in comparisons nor for LIKE
  bpchar: { read: withoutBlanks, compare: compareText, patternText: withoutBlanks },
  uuid: hex(/^\{?[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i),
  bytea: { read: matching(/^\\x([0-9a-f]{2})*$/i, (value) => value.toLowerCase()), compare },
  date: { read: dateOf, compare },
  time: { read: timeOf, compare },
  timetz: { read: zonedTimeOf, compare },
  timestamp: { read: timestampOf, compare },
  timestamptz: { read: instantOf, compare },
  interval: { read: intervalOf, compare },
  // PostgreSQL: a cast to text, as LIKE makes it, writes the mask
  inet: { read: (value) => networkOf(value), compare, patternText: withMask },
  cidr: { read: (value) => networkOf(value, true), compare, patternText: withMask },
  macaddr: hex(/^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i),
  macaddr8: hex(/^[0-9a-f]{2}([:-][0-9a-f]{2}){7}$/i),
  /** For the extension citext: compares and matches patterns without regard to case. */
  citext: { read: lowerCase, compare: compareText },
} satisfies Record<string, ScalarType>;

function withMask(value: string): string {
  if (value.includes("/")) return value;
  return `${value}/${value.includes(":") ? 128 : 32}`;
}

/** The order of an enum is that of its labels; without them only equality can be told. */
export function enumScalar(labels: readonly string[] | undefined): ScalarType {
  if (!labels) return { ...text, isOrdered: false };
  const places = new Map(labels.map((label, place) => [label, place]));
  return {
    read: (label) => label, // one that was added later is equal to none of the others
    isValue: (label) => places.has(label),
    compare: (a: string, b: string) => (a === b ? 0 : (places.get(a) ?? NaN) - (places.get(b) ?? NaN)),
  };
}
