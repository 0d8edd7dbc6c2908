/** CQL2 text → tokens (OGC 21-065r2, annex B). */
import { quote } from "../../types/show.ts";
import { checkTokens, fail } from "./syntax.ts";

export type TokenKind = "word" | "quoted" | "string" | "number" | "symbol" | "geometry" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** As it is written. */
  readonly text: string;
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

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** To the quote that ends it: two quotes, and a quote after a backslash, stand for one. A backslash hides no backslash. */
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

function tokenAt(source: string, at: number): Token {
  if (source[at] === "'") return { kind: "string", text: stringAt(source, at), at };
  const geometry = match(GEOMETRY, source, at);
  if (geometry) return { kind: "geometry", text: geometryAt(source, at, geometry), at };
  for (const [kind, pattern] of [
    ["word", IDENTIFIER],
    ["number", NUMBER],
    ["quoted", QUOTED],
    ["symbol", SYMBOL],
  ] as const) {
    const text = match(pattern, source, at);
    if (text !== undefined) return { kind, text, at };
  }
  if (source[at] === '"') return fail(at, "the name in double quotes is empty or not closed");
  return fail(at, `unexpected ${quote(String.fromCodePoint(source.codePointAt(at) ?? 0))}`);
}

/** The tokens of `source`; the last is the end. Throws `Cql2Error`. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    at += match(SPACE, source, at)?.length ?? 0;
    if (at >= source.length) break;
    const token = tokenAt(source, at);
    tokens.push(token);
    checkTokens(tokens.length, at);
    at += token.text.length;
  }
  return [...tokens, { kind: "end", text: "", at: source.length }];
}
