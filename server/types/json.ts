/** JSON as it comes in from a caller. */
import { badInput } from "../ground/errors.ts";
import { at, quote, show } from "./show.ts";

const DECIMAL = /^\s*[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i;
const NOT_FINITE = /^\s*(nan|[-+]?inf(inity)?)\s*$/i;

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(json: unknown): json is JsonObject {
  return json !== null && typeof json === "object" && !Array.isArray(json);
}

/**
 * The members of `json` named in `names`; missing ones are undefined. Throws `BAD_USER_INPUT` for any other member.
 * `expected`: the shape, for the message.
 */
export function members<const Name extends string>(
  json: JsonObject,
  names: readonly Name[],
  path: string,
  expected: string,
): Readonly<Record<Name, unknown>> {
  const known = new Map<string, unknown>(names.map((name) => [name, undefined]));
  for (const [name, value] of Object.entries(json)) {
    if (!known.has(name)) badInput(`${path}: expected ${expected}; it has no member ${quote(name)}`);
    known.set(name, value);
  }
  return Object.fromEntries(known) as Record<Name, unknown>;
}

/** A finite number. Throws `BAD_USER_INPUT`. */
export function finiteNumber(json: unknown, path: string, expected = "a number"): number {
  if (typeof json === "number" && Number.isFinite(json)) return json;
  return badInput(`${path}: expected ${expected}, got ${show(json)}`);
}

/**
 * A number of any size, as PostgreSQL reads it. It may be text where JSON has no number, or no exact number, for it.
 * Throws `BAD_USER_INPUT`.
 */
export function decimalText(json: unknown, path: string): string {
  if (typeof json === "number") return String(finiteNumber(json, path));
  if (typeof json === "string" && (DECIMAL.test(json) || NOT_FINITE.test(json))) return json.trim();
  return badInput(`${path}: expected a number, got ${show(json)}`);
}

/**
 * Text that PostgreSQL can store: valid Unicode without U+0000, which a driver would otherwise cut or replace silently.
 * Throws `BAD_USER_INPUT`.
 */
export function storableText(text: string, path: string): string {
  if (text.includes("\u0000")) badInput(`${path}: the character U+0000 cannot be stored`);
  if (!text.isWellFormed()) badInput(`${path}: the text is not valid Unicode (half a surrogate pair)`);
  return text;
}

/** `json` as JSON text. Throws `BAD_USER_INPUT` when it is nested too deeply to be written. */
export function jsonText(json: unknown, path: string): string {
  try {
    const text = JSON.stringify(json) as string | undefined;
    return text ?? badInput(`${path}: expected a JSON value, got ${show(json)}`);
  } catch (error) {
    if (error instanceof RangeError) badInput(`${path}: the JSON value is nested too deeply`);
    throw error;
  }
}

/** `list` as a list, with the paths of its elements. Throws `BAD_USER_INPUT`. */
export function elements(json: unknown, path: string, expected: string): readonly [element: unknown, path: string][] {
  if (!Array.isArray(json)) return badInput(`${path}: expected ${expected}, got ${show(json)}`);
  return json.map((element: unknown, index) => [element, at(path, index)]);
}
