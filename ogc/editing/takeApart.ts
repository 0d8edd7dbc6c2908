/**
 * Finds the features in the text of a FeatureCollection by quotes and braces alone, so that each can be parsed by
 * itself.
 */

const codeOf = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, OPEN, COMMA, COLON] = [codeOf('"'), codeOf("\\"), codeOf("{"), codeOf(","), codeOf(":")];
const [LIST, END_OF_LIST] = [codeOf("["), codeOf("]")];
/** JSON's whitespace (RFC 8259 §2). */
const SPACE: readonly number[] = [" ", "\t", "\n", "\r"].map(codeOf);
const NAME = '"features"';

export interface Parts {
  /** The collection with an empty list of features. */
  readonly around: string;
  /** The beginning and end of the first feature, of the second one, and so on. */
  readonly features: readonly number[];
}

/**
 * The parts of the text. Undefined for a text that is not a FeatureCollection, and for a list with anything but
 * objects. A text that is not JSON may be split; one of its parts is then not JSON either.
 */
export function takeApart(text: string): Parts | undefined {
  const scan = new Scan(text);
  const start = scan.startOfFeatures();
  if (start === undefined) return undefined;
  const features: number[] = [];
  let at = afterSpace(text, start);
  while (text.charCodeAt(at) === OPEN) {
    const end = scan.endOfObject(at);
    if (end === undefined) return undefined;
    features.push(at, end);
    at = afterSpace(text, end);
    if (text.charCodeAt(at) !== COMMA) break;
    at = afterSpace(text, at + 1);
    if (text.charCodeAt(at) !== OPEN) return undefined;
  }
  return text.charCodeAt(at) === END_OF_LIST ? { around: text.slice(0, start) + text.slice(at), features } : undefined;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (SPACE.includes(text.charCodeAt(at))) at++;
  return at;
}

/** The end of the string that begins at `start` in valid JSON; -1 where it does not end. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (;;) {
    let at = end - 1;
    while (text.charCodeAt(at) === BACKSLASH) at--;
    if ((end - at) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
}

/** The places of a character, asked for from left to right. All questions together go through the text once. */
class Places {
  readonly #text: string;
  readonly #character: string;
  #at = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** The first place from `from` on; Infinity where there is none. */
  from(from: number): number {
    if (this.#at < from) {
      const at = this.#text.indexOf(this.#character, from);
      this.#at = at < 0 ? Infinity : at;
    }
    return this.#at;
  }
}

/** Goes through a text once. */
class Scan {
  readonly #text: string;
  readonly #places: readonly [Places, Places, Places];

  constructor(text: string) {
    this.#text = text;
    this.#places = [new Places(text, '"'), new Places(text, "{"), new Places(text, "}")];
  }

  #next(from: number): number {
    const [quotes, opening, closing] = this.#places;
    return Math.min(quotes.from(from), opening.from(from), closing.from(from));
  }

  /** The place after the opening bracket of the outermost member `features`. */
  startOfFeatures(): number | undefined {
    const text = this.#text;
    const start = afterSpace(text, 0);
    if (text.charCodeAt(start) !== OPEN) return undefined;
    let found: number | undefined;
    this.#walk(start, (from, to, depth) => {
      if (depth !== 1 || to - from !== NAME.length || !text.startsWith(NAME, from)) return false;
      const colon = afterSpace(text, to);
      if (text.charCodeAt(colon) !== COLON) return false;
      found = afterSpace(text, colon + 1);
      return true;
    });
    return found !== undefined && text.charCodeAt(found) === LIST ? found + 1 : undefined;
  }

  /** The place after the brace that closes the one at `start`. */
  endOfObject(start: number): number | undefined {
    return this.#walk(start, () => false);
  }

  /**
   * As `endOfObject`, but ends with undefined at a string for which `isEnough` holds. `from` is the string's first
   * quote, `to` the place after its last one.
   */
  #walk(start: number, isEnough: (from: number, to: number, depth: number) => boolean): number | undefined {
    const text = this.#text;
    let depth = 0;
    for (let next = this.#next(start); next !== Infinity;) {
      const code = text.charCodeAt(next);
      let at = next + 1;
      if (code === QUOTE) {
        at = endOfString(text, next) + 1;
        if (at === 0 || isEnough(next, at, depth)) return undefined;
      } else if (code === OPEN) depth++;
      else if (--depth === 0) return at;
      next = this.#next(at);
    }
    return undefined;
  }
}
