/** The JSON of a body: no digit of it is lost, and no member of it is passed over. */
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

/** Arrays and objects in one another. */
const MOST_LEVELS = 100;
/** The levels around a feature of a collection. */
const LEVEL_OF_FEATURES = 2;
/** Objects and their members in one feature. */
const MOST_MEMBERS = 500_000;
/** Parsing takes many times the text of each level and member: in a text longer than this they are counted first. */
const LONG = 1_000_000;

export interface Body {
  /** With JavaScript's numbers, as geometries have them. */
  readonly json: unknown;
  /** The same with numbers that JavaScript cannot hold as raw ones. */
  readonly exact: unknown;
  /**
   * For a FeatureCollection, whose own list of features is empty then. Each feature is parsed when it is needed, and throws
   * as the whole does.
   */
  readonly features?: Iterable<Body>;
}

/**
 * Throws `BAD_USER_INPUT` for a text that is no JSON, is nested too deeply, or has a member twice (RFC 8259 §4),
 * `LIMIT_EXCEEDED` for a long text with too many members.
 */
export function parseBody(text: string): Body {
  return parseCollection(text) ?? parseWhole(text, MOST_LEVELS);
}

/** A larger part would be searched for garbage again and again, and be out of the processor's cache when it is read. */
function parseCollection(text: string): Body | undefined {
  const parts = takeApart(text);
  if (!parts) return undefined;
  const body = parseWhole(parts.around, MOST_LEVELS);
  if (!isObject(body.json) || body.json["type"] !== "FeatureCollection") return undefined;
  return { ...body, features: { [Symbol.iterator]: () => eachOf(text, parts.features) } };
}

/** `places`: where each begins and ends. */
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
      if (at < 0) return; // it is no JSON
    }
    if (members > MOST_MEMBERS)
      throw new GatewayError("LIMIT_EXCEEDED", `A feature has more than ${MOST_MEMBERS} objects and members`);
  }
}

/** Of all objects in it. */
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

/** Most lists are positions: they are passed over without a call for each. */
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

/** The strings before a colon in valid JSON. */
function countNames(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = endOfString(text, start);
    if (text.charCodeAt(end + 1) === COLON || isName(text, end)) count++;
    start = text.indexOf('"', end + 1);
  }
  return count;
}

/** The first name that an object has twice, for a message. */
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

/** A value with each number that JavaScript cannot hold as text, which every type but json takes for the number. */
export function withTextNumbers(value: unknown): unknown {
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(withTextNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTextNumbers(member)]));
}
