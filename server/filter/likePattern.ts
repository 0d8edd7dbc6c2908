/** LIKE of PostgreSQL in process: `%` any characters, `_` one of them, a backslash takes the next one as it is. */
import { lowerCase } from "../types/lowerCase.ts";
import { badInput, GatewayError } from "../ground/errors.ts";

/** Characters in one pattern: the work to match a text grows with both. */
const MAX_LENGTH = 1_000;

/** One character: undefined matches any. */
type Part = readonly (string | undefined)[];

/**
 * Whether texts match `pattern`, in time proportional to text × pattern at most. `fold`: ignores case (ILIKE). Throws
 * `BAD_USER_INPUT` for a backslash at the end, `LIMIT_EXCEEDED` beyond 1,000 characters.
 */
export function likeMatcher(pattern: string, fold: boolean, path: string): (text: string) => boolean {
  if (pattern.length > MAX_LENGTH)
    throw new GatewayError("LIMIT_EXCEEDED", `${path}: a pattern of more than ${MAX_LENGTH} characters`);
  const parts = split(fold ? lowerCase(pattern) : pattern, path);
  const [only] = parts;
  if (parts.length === 1 && only?.every((character) => character !== undefined)) {
    const whole = only.join("");
    return fold ? (text) => lowerCase(text) === whole : (text) => text === whole;
  }
  return (text) => matches(Array.from(fold ? lowerCase(text) : text), parts);
}

/** The parts between the `%`, at least one. */
function split(pattern: string, path: string): Part[] {
  const parts: (string | undefined)[][] = [[]];
  let isEscaped = false;
  for (const character of pattern) {
    if (isEscaped) {
      parts.at(-1)?.push(character);
      isEscaped = false;
    } else if (character === "\\") isEscaped = true;
    else if (character === "%") parts.push([]);
    else parts.at(-1)?.push(character === "_" ? undefined : character);
  }
  if (isEscaped) badInput(`${path}: a pattern must not end with a backslash`);
  return parts;
}

/**
 * The first part must be at the beginning and the last at the end; the others follow one another, each as early as possible.
 */
function matches(text: readonly string[], parts: readonly Part[]): boolean {
  const first = parts[0] ?? [];
  if (!fits(text, 0, first)) return false;
  if (parts.length === 1) return text.length === first.length;
  const last = parts.at(-1) ?? [];
  const end = text.length - last.length;
  let at = first.length;
  if (end < at || !fits(text, end, last)) return false;
  for (const part of parts.slice(1, -1)) {
    while (at + part.length <= end && !fits(text, at, part)) at++;
    at += part.length;
    if (at > end) return false;
  }
  return true;
}

function fits(text: readonly string[], at: number, part: Part): boolean {
  if (at + part.length > text.length) return false;
  for (let index = 0; index < part.length; index++) {
    const character = part[index];
    if (character !== undefined && character !== text[at + index]) return false;
  }
  return true;
}
