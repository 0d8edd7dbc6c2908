/**
 * Finds `:name` in SQL as PostgreSQL reads it: not in strings, quoted identifiers, dollar quotes, comments, casts, slices.
 * libpg-query's own `scan()` takes five times as long, and of a text that is not closed it tells no tokens at all.
 */

export interface Lexed {
  /** The statement with `$1`, `$2`, … in the place of parameters. */
  readonly text: string;
  /** Names of the parameters in the order of first use; `$1` is the first. */
  readonly parameters: readonly string[];
  /** The place of PostgreSQL's own `$1` in the source, which would collide with our parameters; else undefined. */
  readonly positional: number | undefined;
  /** Deepest nesting of parentheses and brackets. */
  readonly depth: number;
  /** The place in the source for a place in `text`; both in characters (code points), from 0. */
  toSource(place: number): number;
}

const IDENTIFIER = /[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_$\u0080-\u{10ffff}]*/uy;
const NUMBER = /(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?/iy;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_\u0080-\u{10ffff}]*)?\$/uy;
const POSITIONAL = /\$\d+/y;
/** A string continues after white space with a line break, in the same kind (PostgreSQL, section 4.1.2.1). */
const CONTINUATION = /[ \t\f\v]*(?:--[^\n\r]*)?[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*[\n\r])*'/y;
/** Words after which an operand comes, so that a colon in a subscript begins a parameter. */
const OPERATOR_WORDS =
  /^(and|or|not|in|like|ilike|similar|between|is|from|case|when|then|else|select|distinct|where|having|by|on|using|escape|collate|any|all|some|limit|offset)$/i;

/** Reads a statement. Never throws: PostgreSQL refuses strings that are not closed. */
export function lex(source: string): Lexed {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: string;
  #at = 0;
  readonly #brackets: string[] = [];
  #depth = 0;
  /** Whether the last token ends an operand, so that a colon in a subscript divides its bounds. */
  #operand = false;
  readonly #numbers = new Map<string, number>();
  readonly #parts: { text: string; source: number; copied: boolean }[] = [];
  #copied = 0;
  #positional: number | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  run(): Lexed {
    while (this.#at < this.#source.length) this.#next();
    this.#copy(this.#source.length);
    const parts = this.#parts;
    const sourceOffset = (offset: number): number => {
      let before = 0;
      for (const { text, source, copied } of parts) {
        if (offset < before + text.length) return source + (copied ? offset - before : 0);
        before += text.length;
      }
      return this.#source.length;
    };
    const all = parts.map(({ text }) => text).join("");
    return {
      text: all,
      parameters: [...this.#numbers.keys()],
      positional: this.#positional,
      depth: this.#depth,
      toSource: (place) => {
        const offset = Array.from(all).slice(0, place).join("").length;
        return Array.from(this.#source.slice(0, sourceOffset(offset))).length;
      },
    };
  }

  #next(): void {
    const character = this.#source[this.#at]!;
    if (/[ \t\n\r\f\v]/.test(character)) this.#at++;
    else if (character === "-" && this.#is("--")) this.#to(/[\n\r]/g, 2);
    else if (character === "/" && this.#is("/*")) this.#comment();
    else if (character === "'") this.#string(false);
    else if (character === '"') this.#quotedIdentifier();
    else if (character === "$") this.#dollar();
    else if (character === ":") this.#colon();
    else if (/[0-9.]/.test(character) && this.#match(NUMBER) !== undefined) this.#operand = true;
    else if (this.#word() === undefined) this.#punctuation(character);
  }

  #is(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#source) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** Goes to the next place where the pattern, which has the flag g, matches, or to the end. Gives whether it does. */
  #to(pattern: RegExp, skip: number): boolean {
    pattern.lastIndex = this.#at + skip;
    const found = pattern.exec(this.#source);
    this.#at = found ? found.index : this.#source.length;
    return found !== null;
  }

  #word(): string | undefined {
    const word = this.#match(IDENTIFIER);
    if (word === undefined) return undefined;
    if (/^e$/i.test(word) && this.#is("'")) this.#string(true);
    else if (/^u$/i.test(word) && (this.#is("&'") || this.#is('&"'))) this.#at++; // no backslash hides a quote in these
    else this.#operand = !OPERATOR_WORDS.test(word);
    return word;
  }

  #string(escapes: boolean): void {
    const special = escapes ? /['\\]/g : /'/g;
    let skip = 1;
    while (this.#to(special, skip)) {
      skip = 0;
      if (this.#is("\\") || this.#is("''")) {
        this.#at += 2;
        continue;
      }
      this.#at++;
      if (this.#match(CONTINUATION) === undefined) break;
    }
    this.#operand = true;
  }

  #quotedIdentifier(): void {
    let skip = 1;
    while (this.#to(/"/g, skip)) {
      skip = 0;
      this.#at++;
      if (!this.#is('"')) break;
      this.#at++;
    }
    this.#operand = true;
  }

  #dollar(): void {
    const start = this.#at;
    const tag = this.#match(DOLLAR_QUOTE);
    if (tag !== undefined) {
      const end = this.#source.indexOf(tag, this.#at);
      this.#at = end < 0 ? this.#source.length : end + tag.length;
    } else if (this.#match(POSITIONAL) !== undefined) this.#positional ??= start;
    else this.#at++;
    this.#operand = true;
  }

  /** Comments nest. */
  #comment(): void {
    let depth = 0;
    do {
      depth += this.#is("/*") ? 1 : -1;
      this.#at += 2;
    } while (depth > 0 && this.#to(/\/\*|\*\//g, 0));
  }

  #colon(): void {
    if (this.#is("::") || this.#is(":=")) {
      this.#at += 2;
      this.#operand = false;
      return;
    }
    const start = this.#at++;
    if (this.#brackets.at(-1) === "[" && this.#operand) {
      this.#operand = false; // the bounds of a slice
      return;
    }
    const name = this.#match(IDENTIFIER);
    if (name === undefined) return;
    this.#copy(start);
    const number = this.#numbers.get(name) ?? this.#numbers.size + 1;
    this.#numbers.set(name, number);
    this.#parts.push({ text: ` $${number}`, source: start, copied: false });
    this.#copied = this.#at;
    this.#operand = true;
  }

  #punctuation(character: string): void {
    this.#at += character.length;
    if (character === "(" || character === "[") {
      this.#brackets.push(character);
      this.#depth = Math.max(this.#depth, this.#brackets.length);
    } else if (character === ")" || character === "]") this.#brackets.pop();
    this.#operand = character === ")" || character === "]";
  }

  #copy(end: number): void {
    if (end > this.#copied)
      this.#parts.push({ text: this.#source.slice(this.#copied, end), source: this.#copied, copied: true });
  }
}
