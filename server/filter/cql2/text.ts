/** CQL2 text → syntax, by the grammar of OGC 21-065r2 annex B; precedence is that of its productions. */
import { quote } from "../../types/show.ts";
import { tokensOf, type Token } from "./lexer.ts";
import { checkDepth, fail, type Syntax } from "./syntax.ts";

const COMPARISONS: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);
const RESERVED: ReadonlySet<string> = new Set([
  "and",
  "or",
  "not",
  "like",
  "between",
  "in",
  "is",
  "null",
  "true",
  "false",
]);

export interface TextOptions {
  /** Also ILIKE, as GDAL's `cql-text` has it. Default false. */
  readonly ilike?: boolean;
}

const call = (name: string, args: readonly Syntax[], at: number): Syntax => ({ kind: "call", name, args, at });

class TextParser {
  readonly #tokens: readonly Token[];
  readonly #patterns: readonly string[];
  #next = 0;
  #depth = 0;

  constructor(source: string, { ilike = false }: TextOptions) {
    this.#tokens = tokensOf(source);
    this.#patterns = ilike ? ["like", "ilike"] : ["like"];
  }

  whole(): Syntax {
    const syntax = this.#or();
    if (this.#peek().kind !== "end") this.#unexpected("and, or, an operator, or the end");
    return syntax;
  }

  #or(): Syntax {
    return this.#joined("or", () => this.#and());
  }

  #and(): Syntax {
    return this.#joined("and", () => this.#not());
  }

  /** Parts with the same word between them are one call. */
  #joined(word: string, part: () => Syntax): Syntax {
    const { at } = this.#peek();
    const parts = [part()];
    while (this.#takeWord(word)) parts.push(part());
    return parts.length === 1 ? parts[0]! : call(word, parts, at);
  }

  #not(): Syntax {
    const { at } = this.#peek();
    if (!this.#takeWord("not")) return this.#predicate();
    return call("not", [this.#nested(() => this.#not())], at);
  }

  #predicate(): Syntax {
    const { at } = this.#peek();
    const left = this.#sum();
    const comparison = this.#takeSymbol(COMPARISONS);
    if (comparison) return call(comparison.text, [left, this.#sum()], at);
    if (this.#takeWord("is")) {
      const isNot = this.#takeWord("not");
      if (!this.#takeWord("null")) this.#unexpected(isNot ? "null" : "null or not null");
      return this.#negated(isNot, call("isnull", [left], at));
    }
    const isNot = this.#takeWord("not");
    const pattern = this.#patterns.find((word) => this.#takeWord(word));
    if (pattern !== undefined) return this.#negated(isNot, call(pattern, [left, this.#sum()], at));
    if (this.#takeWord("between")) return this.#negated(isNot, call("between", [left, ...this.#bounds()], at));
    if (this.#takeWord("in")) return this.#negated(isNot, call("in", [left, this.#list()], at));
    return isNot ? this.#unexpected("like, between or in") : left;
  }

  #negated(isNot: boolean, syntax: Syntax): Syntax {
    return isNot ? { kind: "call", name: "not", args: [syntax], at: syntax.at } : syntax;
  }

  #bounds(): [Syntax, Syntax] {
    const low = this.#sum();
    if (!this.#takeWord("and")) this.#unexpected("and");
    return [low, this.#sum()];
  }

  #sum(): Syntax {
    return this.#calculation(["+", "-"], () => this.#product());
  }

  #product(): Syntax {
    return this.#calculation(["*", "/", "%", "div"], () => this.#power());
  }

  #power(): Syntax {
    return this.#calculation(["^"], () => this.#sign());
  }

  #calculation(operators: readonly string[], part: () => Syntax): Syntax {
    const { at } = this.#peek();
    let left = part();
    for (;;) {
      const { kind, text, word } = this.#peek();
      const operator = kind === "symbol" ? text : word;
      if (!operators.includes(operator)) return left;
      this.#next++;
      left = call(operator, [left, part()], at);
    }
  }

  #sign(): Syntax {
    const { at } = this.#peek();
    const sign = this.#takeSymbol("-") ?? this.#takeSymbol("+");
    if (!sign) return this.#primary();
    const operand = this.#nested(() => this.#sign());
    if (sign.text === "+") return operand;
    if (operand.kind !== "number") return call("*", [{ kind: "number", value: "-1", at }, operand], at);
    return { kind: "number", value: operand.value.startsWith("-") ? operand.value.slice(1) : `-${operand.value}`, at };
  }

  #primary(): Syntax {
    const { kind, text, word, at } = this.#peek();
    if (kind === "symbol" && text === "(") return this.#parenthesis();
    if (kind === "end" || kind === "symbol") return this.#unexpected("a value, a name or (");
    if (kind === "word") return this.#word(text, word, at);
    this.#next++;
    switch (kind) {
      case "string":
        return { kind: "text", value: unquote(text), at };
      case "number":
        return { kind: "number", value: text, at };
      case "geometry":
        return { kind: "geometry", value: text, at };
      case "quoted":
        return { kind: "property", name: text.slice(1, -1).replaceAll('""', '"'), at };
    }
  }

  /** An expression in parentheses, or a list of them. */
  #parenthesis(): Syntax {
    const { at } = this.#peek();
    const items = this.#items();
    return items.length === 1 ? items[0]! : { kind: "list", items, at };
  }

  #list(): Syntax {
    const { at } = this.#peek();
    return { kind: "list", items: this.#items(), at };
  }

  /** `(a, b, …)`, also of nothing. */
  #items(): Syntax[] {
    this.#expectSymbol("(");
    if (this.#takeSymbol(")")) return [];
    const items = this.#nested(() => {
      const found = [this.#or()];
      while (this.#takeSymbol(",")) found.push(this.#or());
      return found;
    });
    this.#expectSymbol(")");
    return items;
  }

  #word(text: string, word: string, at: number): Syntax {
    if (word === "null") fail(at, "nothing is equal to null; write is null, or is not null");
    if (RESERVED.has(word) && word !== "true" && word !== "false") this.#unexpected("a value, a name or (");
    this.#next++;
    if (word === "true" || word === "false") return { kind: "boolean", value: word === "true", at };
    const { kind, text: following } = this.#peek();
    if (kind !== "symbol" || following !== "(") return { kind: "property", name: text, at };
    const items = this.#items();
    return instance(word, items, at) ?? call(word, items, at);
  }

  #nested<Result>(parse: () => Result): Result {
    checkDepth(++this.#depth, this.#peek().at);
    const result = parse();
    this.#depth--;
    return result;
  }

  #peek(): Token {
    return this.#tokens[this.#next]!; // the last token is the end, which is never consumed
  }

  #takeWord(word: string): boolean {
    const isTaken = this.#peek().word === word;
    if (isTaken) this.#next++;
    return isTaken;
  }

  #takeSymbol(symbol: string | ReadonlySet<string>): Token | undefined {
    const token = this.#peek();
    const isWanted = typeof symbol === "string" ? token.text === symbol : symbol.has(token.text);
    if (token.kind !== "symbol" || !isWanted) return undefined;
    this.#next++;
    return token;
  }

  #expectSymbol(symbol: string): void {
    if (!this.#takeSymbol(symbol)) this.#unexpected(quote(symbol));
  }

  #unexpected(expected: string): never {
    const { kind, text, at } = this.#peek();
    return fail(at, `expected ${expected}, got ${kind === "end" ? "the end" : quote(text)}`);
  }
}

/** The content of quotes; a backslash remains, except one before a quote. */
function unquote(text: string): string {
  return text.slice(1, -1).replace(/''|\\\\|\\'/g, (pair) => (pair === "\\\\" ? pair : "'"));
}

/** DATE, TIMESTAMP, INTERVAL and BBOX, which are written as functions are. Undefined for any other. */
function instance(word: string, items: readonly Syntax[], at: number): Syntax | undefined {
  switch (word) {
    case "date":
    case "timestamp": {
      const [only] = items;
      if (items.length !== 1 || only?.kind !== "text") return fail(at, `expected ${word.toUpperCase()}('…')`);
      return { kind: word, value: only.value, at };
    }
    case "interval": {
      const [start, end] = items;
      if (items.length !== 2 || !start || !end) return fail(at, "expected INTERVAL(start, end)");
      return { kind: "interval", start: intervalEnd(start), end: intervalEnd(end), at };
    }
    case "bbox":
      return {
        kind: "bbox",
        numbers: items.map((item) =>
          item.kind === "number" ? Number(item.value) : fail(item.at, "expected a number"),
        ),
        at,
      };
    default:
      return undefined;
  }
}

const DAY = /^\d{4,6}-\d{2}-\d{2}( BC)?$/;

/** Text there is a day or an instant, `..` is open. */
export function intervalEnd(syntax: Syntax): Syntax | undefined {
  if (syntax.kind !== "text") return syntax;
  const { value, at } = syntax;
  return value === ".." ? undefined : { kind: DAY.test(value) ? "date" : "timestamp", value, at };
}

/** Parses CQL2 text. Throws `Cql2Error`, whose places are indices in `source`. */
export function parseText(source: string, options: TextOptions = {}): Syntax {
  return new TextParser(source, options).whole();
}
