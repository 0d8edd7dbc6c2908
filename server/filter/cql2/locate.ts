/** Finds the place of a path's value in JSON text. */

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;
const SPACE = /\s*/y;
const SEGMENT = /\.(\w+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy;

class Scanner {
  readonly #source: string;
  at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#match(SPACE);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const text = pattern.exec(this.#source)?.[0] ?? "";
    this.at += text.length;
    return text;
  }

  /** To the member of that name, or the element of that index; false where there is none. */
  enter(wanted: string | number): boolean {
    const isObject = this.#source[this.at] === "{";
    this.#step();
    for (let index = 0; !"]}".includes(this.#source[this.at] ?? "]"); index++) {
      const key = isObject ? this.#key() : index;
      if (key === wanted) return true;
      this.#skip();
      if (this.#source[this.at] === ",") this.#step();
    }
    return false;
  }

  #step(): void {
    this.at++;
    this.#match(SPACE);
  }

  #key(): string {
    const text = this.#match(STRING);
    this.#match(SPACE);
    this.#step(); // the colon
    return JSON.parse(text) as string;
  }

  /** Past one value. */
  #skip(): void {
    let depth = 0;
    do {
      const character = this.#source[this.at] ?? "";
      if (character === "{" || character === "[") depth++;
      if (character === "}" || character === "]") depth--;
      if (character === '"') this.#match(STRING);
      else if ("{}[],:".includes(character)) this.at++;
      else this.#match(SCALAR);
      this.#match(SPACE);
    } while (depth > 0 && this.at < this.#source.length);
  }
}

/** The index of the value at `path` (`.args[0].property`) in `source`, which is JSON; or of the nearest value around it. */
export function indexOf(path: string, source: string): number {
  const scanner = new Scanner(source);
  for (const [, word, index, quoted] of path.matchAll(SEGMENT)) {
    const wanted = index === undefined ? (word ?? (JSON.parse(quoted!) as string)) : Number(index);
    const { at } = scanner;
    if (!scanner.enter(wanted)) return at;
  }
  return scanner.at;
}
