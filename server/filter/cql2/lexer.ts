/** CQL2 text → tokens (OGC 21-065r2, annex B). */
import { quote } from "../../types/show.ts";
import { checkTokens, fail } from "./syntax.ts";

export type TokenKind = "word" | "quoted" | "string" | "number" | "symbol" | "geometry" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The text in the filter. */
  readonly text: string;
  /** A word in lower case, to recognize words of the language; empty for other tokens. */
  readonly word: string;
  readonly at: number;
}

const SPACE = /[\s\u0085\u180e]*/y;
const IDENTIFIER = /[:_\p{L}\p{Nl}][:_.\p{L}\p{M}\p{N}\u00b7\u203f\u2040]*/uy;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?![\p{L}_.])/iuy;
const QUOTED = /"(?:[^"]|"")+"/uy;
const SYMBOL = /<>|<=|>=|[=<>(),+\-*/%^]/y;
/** A word that begins a geometry, where a list of positions or EMPTY follows. */
const GEOMETRY =
  /(?:MULTI(?:POINT|LINESTRING|POLYGON)|POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)\s*(?:(?:ZM|Z|M)\s*)?(?:\(|EMPTY(?![\p{L}\p{N}_]))/iuy;

/** The form of most names and of all words of the language; one that continues with another letter is an `IDENTIFIER`. */
const PLAIN = /[:_A-Za-z][:_.A-Za-z0-9]*/y;
const BEYOND_ASCII = 0x80;

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/**
 * Up to the closing quote: two quotes, and a quote after a backslash, are one quote. A backslash does not escape a
 * backslash.
 */
function stringAt(source: string, at: number): string {
  for (let index = at + 1; index < source.length; index++) {
    const character = source[index];
    const isPair = source[index + 1] === "'" || (character === "\\" && source[index + 1] === "\\");
    if (character === "'" && !isPair) return source.slice(at, index + 1);
    if ((character === "'" || character === "\\") && isPair) index++;
  }
  return fail(at, "the quote is not closed");
}

/** To the parenthesis that ends it. */
function geometryAt(source: string, at: number, beginning: string): string {
  if (!beginning.endsWith("(")) return beginning;
  let open = 1;
  for (let index = at + beginning.length; index < source.length; index++) {
    if (source[index] === "(") open++;
    else if (source[index] === ")" && --open === 0) return source.slice(at, index + 1);
  }
  return fail(at, "the geometry is not closed");
}

const token = (kind: TokenKind, text: string, at: number): Token => ({
  kind,
  text,
  word: kind === "word" ? text.toLowerCase() : "",
  at,
});

/** By the first character: trying one pattern after another would take most of the time of a filter. */
function tokenAt(source: string, at: number): Token {
  const first = source[at]!;
  if (first === "'") return token("string", stringAt(source, at), at);
  const geometry = /[gmlp]/i.test(first) ? match(GEOMETRY, source, at) : undefined;
  if (geometry) return token("geometry", geometryAt(source, at, geometry), at);
  const kind = kindOf(first);
  const text = kind === "word" ? wordAt(source, at) : match(PATTERNS[kind], source, at);
  if (text !== undefined) return token(kind, text, at);
  if (kind === "quoted") return fail(at, "the name in double quotes is empty or not closed");
  return fail(at, `unexpected ${quote(String.fromCodePoint(source.codePointAt(at) ?? 0))}`);
}

const PATTERNS = { number: NUMBER, quoted: QUOTED, symbol: SYMBOL } as const;

/** The tokens that can begin with a character. */
function kindOf(first: string): "word" | keyof typeof PATTERNS {
  if (/[:_A-Za-z\u0080-\uffff]/.test(first)) return "word";
  if (/[.0-9]/.test(first)) return "number";
  return first === '"' ? "quoted" : "symbol";
}

function wordAt(source: string, at: number): string | undefined {
  const plain = match(PLAIN, source, at);
  const isWhole = plain !== undefined && !(source.charCodeAt(at + plain.length) >= BEYOND_ASCII);
  return isWhole ? plain : match(IDENTIFIER, source, at);
}

const mayBeSpace = (code: number): boolean => code <= 0x20 || code >= BEYOND_ASCII;

/** The tokens of `source`; the last is the end. Throws `Cql2Error`. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    if (mayBeSpace(source.charCodeAt(at))) at += match(SPACE, source, at)?.length ?? 0;
    if (at >= source.length) break;
    const next = tokenAt(source, at);
    tokens.push(next);
    checkTokens(tokens.length, at);
    at += next.text.length;
  }
  tokens.push(token("end", "", source.length));
  return tokens;
}
