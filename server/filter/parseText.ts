/** The filter language as SQL-like text → syntax tree. It is never SQL: no part of the text reaches PostgreSQL. */
import { badInput, GatewayError } from "../ground/errors.ts";
import { and, Budget, isNull, not, or, type Limits } from "./nodes.ts";
import { quote } from "../types/show.ts";
import type { Column, Filter, Operator, Shape } from "./tree.ts";
import type { TypeKind } from "../types/columnType.ts";

/** Characters in one text. */
const MAX_LENGTH = 100_000;

type Token =
  | { readonly kind: "word" | "quoted" | "string" | "number" | "symbol"; readonly text: string; readonly at: number }
  | { readonly kind: "end"; readonly text: ""; readonly at: number };

const SPACE = /\s*/y;
/** The tokens of PostgreSQL's lexer; a sign belongs to the number, because there is no arithmetic. */
const TOKENS: readonly (readonly [kind: "word" | "quoted" | "string" | "number" | "symbol", pattern: RegExp])[] = [
  ["string", /'[^']*(?:''[^']*)*'/y],
  ["quoted", /"(?:[^"]|"")[^"]*(?:""[^"]*)*"/y],
  ["number", /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?![\p{L}\d_])/iuy],
  ["word", /[\p{L}_][\p{L}\p{M}\d_$]*/uy],
  ["symbol", /<>|!=|<=|>=|[=<>(),]/y],
];

const COMPARISONS: ReadonlyMap<string, Operator> = new Map([
  ["=", "eq"],
  ["<>", "neq"],
  ["!=", "neq"],
  ["<", "lt"],
  ["<=", "lte"],
  [">", "gt"],
  [">=", "gte"],
]);
const RESERVED: ReadonlySet<string> = new Set([
  "and",
  "or",
  "not",
  "in",
  "is",
  "null",
  "like",
  "ilike",
  "true",
  "false",
]);
/** For these types a number stays text, so that it is never rounded. */
const NUMBERS: ReadonlySet<TypeKind> = new Set<TypeKind>(["integer", "bigint", "float"]);

function tokens(source: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.test(source);
    at = SPACE.lastIndex;
    if (at === source.length) break;
    const token = tokenAt(source, at);
    found.push(token);
    at += token.text.length;
  }
  found.push({ kind: "end", text: "", at });
  return found;
}

function tokenAt(source: string, at: number): Token {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) return { kind, text, at };
  }
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (character === "'" || character === '"') return badInput(`where: the quote at character ${at + 1} is not closed`);
  return badInput(`where: unexpected ${quote(character)} at character ${at + 1}`);
}

const unquote = (text: string, mark: string): string => text.slice(1, -1).replaceAll(mark + mark, mark);

class TextParser {
  readonly #tokens: readonly Token[];
  readonly #shape: Shape;
  readonly #budget: Budget;
  #next = 0;

  constructor(source: string, shape: Shape, limits: Limits) {
    this.#tokens = tokens(source);
    this.#shape = shape;
    this.#budget = new Budget(limits);
  }

  whole(): Filter {
    const filter = this.#or(1);
    if (this.#peek().kind !== "end") this.#unexpected("and, or, or the end");
    return filter;
  }

  #or(depth: number): Filter {
    this.#budget.descend(depth, "where");
    const filters = [this.#and(depth)];
    while (this.#takeWord("or")) filters.push(this.#and(depth));
    return or(filters);
  }

  #and(depth: number): Filter {
    const filters = [this.#not(depth)];
    while (this.#takeWord("and")) filters.push(this.#not(depth));
    return and(filters);
  }

  #not(depth: number): Filter {
    if (this.#takeWord("not")) {
      this.#budget.count("where");
      this.#budget.descend(depth + 1, "where");
      return not(this.#not(depth + 1));
    }
    if (!this.#takeSymbol("(")) return this.#comparison();
    const filter = this.#or(depth + 1);
    this.#expectSymbol(")");
    return filter;
  }

  #comparison(): Filter {
    this.#budget.count("where");
    const column = this.#column();
    const path = `where.${column.name}`;
    const operator = COMPARISONS.get(this.#peek().text);
    if (operator && this.#peek().kind === "symbol") {
      this.#next++;
      return this.#budget.compare(column, operator, this.#value(column), path);
    }
    if (this.#takeWord("is")) {
      const isNot = this.#takeWord("not");
      if (!this.#takeWord("null")) this.#unexpected(isNot ? "null" : "null or not null");
      return isNull(column, !isNot);
    }
    const isNot = this.#takeWord("not");
    if (this.#takeWord("in")) return this.#budget.oneOf(column, isNot ? "nin" : "in", this.#list(column), path);
    const pattern = (["like", "ilike"] as const).find((word) => this.#takeWord(word));
    if (!pattern) return this.#unexpected(isNot ? "in, like or ilike" : "an operator");
    const like = this.#budget.compare(column, pattern, this.#value(column), path);
    return isNot ? not(like) : like;
  }

  #column(): Column {
    const token = this.#peek();
    const isQuoted = token.kind === "quoted";
    if (!isQuoted && (token.kind !== "word" || RESERVED.has(token.text.toLowerCase())))
      return this.#unexpected("the name of a column");
    this.#next++;
    const name = isQuoted ? unquote(token.text, '"') : token.text;
    // SQL folds a bare name to lower case; a column with exactly this name comes first
    const column = this.#shape.column(name) ?? (isQuoted ? undefined : this.#shape.column(name.toLowerCase()));
    return column ?? badInput(`where: there is no column ${quote(name)}`);
  }

  #list(column: Column): unknown[] {
    this.#expectSymbol("(");
    const values = [this.#value(column)];
    while (this.#takeSymbol(",")) values.push(this.#value(column));
    this.#expectSymbol(")");
    return values;
  }

  #value(column: Column): unknown {
    const token = this.#peek();
    const word = token.kind === "word" ? token.text.toLowerCase() : undefined;
    if (word === "null") badInput("where: nothing is equal to null; write is null, or is not null");
    if (token.kind !== "string" && token.kind !== "number" && word !== "true" && word !== "false")
      return this.#unexpected("a value: 'text', a number, true or false");
    this.#next++;
    if (token.kind === "string") return unquote(token.text, "'");
    if (token.kind === "number") return NUMBERS.has(column.type.kind) ? token.text : Number(token.text);
    return word === "true";
  }

  #peek(): Token {
    return this.#tokens[this.#next]!; // the last token is the end, which is never consumed
  }

  #takeWord(word: string): boolean {
    const token = this.#peek();
    const isTaken = token.kind === "word" && token.text.toLowerCase() === word;
    if (isTaken) this.#next++;
    return isTaken;
  }

  #takeSymbol(symbol: string): boolean {
    const token = this.#peek();
    const isTaken = token.kind === "symbol" && token.text === symbol;
    if (isTaken) this.#next++;
    return isTaken;
  }

  #expectSymbol(symbol: string): void {
    if (!this.#takeSymbol(symbol)) this.#unexpected(symbol);
  }

  #unexpected(expected: string): never {
    const { kind, text, at } = this.#peek();
    const got = kind === "end" ? "the end" : `${quote(text)} at character ${at + 1}`;
    return badInput(`where: expected ${expected}, got ${got}`);
  }
}

/**
 * Parses a condition as text: `name like 'A%' and (size >= 1.5 or "odd ""name""" is null) and not kind in (1, 2)`.
 *
 * - `= != <> < <= > >=`, `[not] in (…)`, `[not] like`, `[not] ilike`, `is [not] null`, joined by `not`, `and`, `or`, which
 *   bind in this order, and parentheses. Words in any letter case.
 * - A comparison is a column, an operator and a value: `'text'` with `''` for a quote, a signed number, `true`, `false`.
 *   A null is only found by `is null`; as a value it is refused.
 * - A bare name is a column as it is written, or else in lower case; one in double quotes is taken as it is.
 *
 * Returns undefined for empty text. Throws `BAD_USER_INPUT` that says what was expected where, `LIMIT_EXCEEDED` beyond
 * `maxDepth`, 1,000 parts, 10,000 elements in a list, or 100,000 characters.
 */
export function parseFilterText(text: string, shape: Shape, options: Limits = {}): Filter | undefined {
  if (text.length > MAX_LENGTH)
    throw new GatewayError("LIMIT_EXCEEDED", `where: a text of more than ${MAX_LENGTH} characters`);
  if (text.trim() === "") return undefined;
  return new TextParser(text, shape, options).whole();
}
