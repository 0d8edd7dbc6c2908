/** The JSON of a body. All digits of its numbers are kept, and none of its members is ignored. */
import { badInput, GatewayError } from "../../server/ground/errors.ts";
import { isRawNumber, parseBoth } from "../../server/types/exactJson.ts";
import { isObject } from "../../server/types/json.ts";
import { quote } from "../../server/types/show.ts";
import { endOfString, takeApart } from "./takeApart.ts";

const codeOf = (character: string): number => character.charCodeAt(0);
const [QUOTE, COLON, LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [
  codeOf('"'),
  codeOf(":"),
  codeOf("["),
  codeOf("]"),
  codeOf("{"),
  codeOf("}"),
];

/** The deepest nesting of arrays and objects. */
const MOST_LEVELS = 100;
/** The levels around a feature of a FeatureCollection. */
const LEVEL_OF_FEATURES = 2;
/** The most objects and members in one feature. */
const MOST_MEMBERS = 500_000;
/**
 * Texts longer than this have their levels and members counted before parsing, which takes many times the memory of the
 * text for each.
 */
const LONG = 1_000_000;

export interface Body {
  /** The value with JavaScript's numbers, which geometries use. */
  readonly json: unknown;
  /** The same value, with raw numbers where JavaScript cannot hold them. */
  readonly exact: unknown;
  /**
   * The features of a FeatureCollection. The list `features` in `json` is empty then. Each feature is parsed when it is
   * needed, and throws the same errors as the whole.
   */
  readonly features?: Iterable<Body>;
}

/**
 * Parses a body. Throws `BAD_USER_INPUT` for a text that is not JSON, is nested too deeply, or has a member twice (RFC
 * 8259 §4), and
 * `LIMIT_EXCEEDED` for a long text with too many members.
 */
export function parseBody(text: string): Body {
  return parseCollection(text) ?? parseWhole(text, MOST_LEVELS);
}

/**
 * Splits the text of a FeatureCollection into its features. The garbage collector would search a larger part again and
 * again, and it would have left the processor's cache when it is read.
 */
function parseCollection(text: string): Body | undefined {
  const parts = takeApart(text);
  if (!parts) return undefined;
  const body = parseWhole(parts.around, MOST_LEVELS);
  if (!isObject(body.json) || body.json["type"] !== "FeatureCollection") return undefined;
  return { ...body, features: { [Symbol.iterator]: () => eachOf(text, parts.features) } };
}

/** Parses the features one by one. `places`: the beginning and end of each. */
function* eachOf(text: string, places: readonly number[]): Generator<Body> {
  for (let at = 0; at < places.length; at += 2)
    yield parseWhole(text.slice(places[at], places[at + 1]), MOST_LEVELS - LEVEL_OF_FEATURES);
}

function parseWhole(text: string, levels: number): Body {
  if (text.length > LONG) refuseCostly(text, levels);
  let body: Body;
  try {
    body = parseBoth(text);
  } catch (error) {
    throw new GatewayError("BAD_USER_INPUT", "The request body is not valid JSON", { cause: error });
  }
  if (countMembers(body.json, levels) !== countNames(text)) badInput(`The request body has ${twice(text)} twice`);
  return body;
}

function tooDeep(): never {
  return badInput(`The request body is nested more than ${MOST_LEVELS} levels deep`);
}

function refuseCostly(text: string, levels: number): void {
  let [depth, members] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LIST || code === OBJECT) {
      if (++depth > levels) tooDeep();
      if (code === OBJECT) members++;
    } else if (code === END_OF_LIST || code === END_OF_OBJECT) depth--;
    else if (code === COLON) members++;
    else if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return; // it is not JSON
    }
    if (members > MOST_MEMBERS)
      throw new GatewayError("LIMIT_EXCEEDED", `A feature has more than ${MOST_MEMBERS} objects and members`);
  }
}

/** The number of members of all objects in it. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (levels === 0) return tooDeep();
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value as unknown[])
      if (typeof element === "object" && !(levels > 1 && isOfNumbers(element)))
        count += countMembers(element, levels - 1);
    return count;
  }
  for (const name in value) count += 1 + countMembers((value as Record<string, unknown>)[name], levels - 1);
  return count;
}

/** Whether a list has only numbers. Most lists are positions; the caller skips them without a call for each number. */
function isOfNumbers(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (const element of value as unknown[]) if (typeof element !== "number") return false;
  return true;
}

function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (/\s/.test(text[at] ?? "")) at++;
  return text.charCodeAt(at) === COLON;
}

/** The number of names of members: the strings before a colon in valid JSON. */
function countNames(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = endOfString(text, start);
    if (text.charCodeAt(end + 1) === COLON || isName(text, end)) count++;
    start = text.indexOf('"', end + 1);
  }
  return count;
}

/** The first name that an object has twice, for an error message. */
function twice(text: string): string {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names && isName(text, end)) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        if (names.has(name)) return `the member ${quote(name)}`;
        names.add(name);
      }
      at = end;
    } else if (text[at] === "{") open.push(new Set());
    else if (text[at] === "}") open.pop();
  }
  return "a member";
}

/**
 * The value with texts in place of numbers that JavaScript cannot hold. Every type but json reads the text as the
 * number.
 */
export function withTextNumbers(value: unknown): unknown {
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(withTextNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTextNumbers(member)]));
}
