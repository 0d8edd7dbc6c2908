/** JSON without loss of digits, although JavaScript's numbers cannot hold all of them. */
import { sortableDecimal } from "./decimal.ts";

type Reviver = (key: string, value: unknown) => unknown;

/** A number with its original text, which `JSON.stringify` writes again. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** ECMAScript "JSON.parse source text access", in Node since 22; not yet in TypeScript's library. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

export const isRawNumber = isRawJSON;

/** For `JSON.parse`: numbers for which `isKept` holds become `toValue` of their text. */
function keep(isKept: (value: number, source: string) => boolean, toValue: (source: string) => unknown): Reviver {
  return ((_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && context?.source !== undefined && isKept(value, context.source)
      ? toValue(context.source)
      : value) as Reviver;
}

/** Integers that JavaScript cannot hold become text, which GraphQL takes for exact numbers. */
export const keepIntegers = keep(
  (value, source) => Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source),
  (source) => source,
);
/** Numbers that no double holds are raw. */
const keepDigits = keep(
  (value, source) => !Number.isFinite(value) || (String(value) !== source && /(?:\d\.?){16}/.test(source)),
  rawJSON,
);
/** Numbers that JavaScript would write differently. */
const keepNumbers = keep((value, source) => !isSame(String(value), source), rawJSON);

/** Whether two numbers are equal, as 1000, 1e3 and 1000.0 are: JSON has one type of number (RFC 8259 §6). */
function isSame(a: string, b: string): boolean {
  return a === b || sortableDecimal(a) === sortableDecimal(b);
}

const [POINT, ZERO, NINE] = [0x2e, 0x30, 0x39];
/** JavaScript holds all numbers of fewer digits. */
const MANY_DIGITS = 16;

/**
 * Whether the text has a long run of digits, with or without a point, for which `lossy` holds; `lossy` also gets the
 * text after it. Only every 16th character is examined, because each long run contains one of them. A regular
 * expression would take as long as `JSON.parse`.
 */
function hasManyDigits(text: string, lossy: (digits: string, next: string) => boolean): boolean {
  const isOfNumber = (at: number): boolean => {
    const code = text.charCodeAt(at);
    return (code >= ZERO && code <= NINE) || code === POINT;
  };
  for (let at = MANY_DIGITS - 1; at < text.length; at += MANY_DIGITS) {
    if (!isOfNumber(at)) continue;
    let [first, last] = [at, at];
    while (isOfNumber(first - 1)) first--;
    while (isOfNumber(last + 1)) last++;
    const digits = last - first < MANY_DIGITS - 1 ? "" : text.slice(first, last + 1);
    if (digits !== "" && lossy(digits, text[last + 1] ?? "")) return true;
    at = last;
  }
  return false;
}

/** Whether the text may have a number that JavaScript's numbers cannot hold exactly. */
function mayLoseDigits(text: string): boolean {
  const isLost = (digits: string, next: string): boolean => /[eE]/.test(next) || String(Number(digits)) !== digits;
  return hasManyDigits(text, isLost) || /[eE]\+?\d{3}/.test(text);
}

/** Like `JSON.parse` with `keepIntegers`, and as fast if there are no such integers. Throws the same errors. */
export function parseKeepingIntegers(text: string): unknown {
  return hasManyDigits(text, (digits) => !digits.includes(".")) ? JSON.parse(text, keepIntegers) : JSON.parse(text);
}

/** The same with `keepDigits`. */
export function parseKeepingDigits(text: string): unknown {
  return mayLoseDigits(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** Like `JSON.parse`, and the same with `keepDigits`: one value where nothing is lost. */
export function parseBoth(text: string): { readonly json: unknown; readonly exact: unknown } {
  const json: unknown = JSON.parse(text);
  return { json, exact: mayLoseDigits(text) ? JSON.parse(text, keepDigits) : json };
}

/** `JSON.parse` that keeps the text of numbers. */
export function parseKeepingNumbers(text: string): unknown {
  return JSON.parse(text, keepNumbers);
}

/** Whether arrays and objects are nested more than `levels` deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
