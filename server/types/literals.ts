/** PostgreSQL's text of arrays, ranges and composites: writes it, so that any value is one parameter, and parses it. */

/** In the form of an element of an array, a bound of a range, or a value of a composite. */
export function quoted(text: string): string {
  return text.includes('"') || text.includes("\\") ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`;
}

/** An element of an array: text, NULL, or an array of the next dimension. */
export type ArrayItem = string | null | readonly ArrayItem[];

/** `{"a",NULL,{"b"}}`. `delimiter`: of the element type: `;` for box, `:` for geometry, `,` for all others. */
export function arrayLiteral(items: readonly ArrayItem[], delimiter = ","): string {
  let text = "";
  for (const item of items) {
    if (text !== "") text += delimiter;
    text += item === null ? "NULL" : typeof item === "string" ? quoted(item) : arrayLiteral(item, delimiter);
  }
  return `{${text}}`;
}

export interface RangeBounds {
  readonly lower: string | null;
  readonly upper: string | null;
  readonly lowerInclusive: boolean;
  readonly upperInclusive: boolean;
}

/** `["a","b")`; a null bound is no bound. */
export function rangeLiteral({ lower, upper, lowerInclusive, upperInclusive }: RangeBounds): string {
  const bound = (text: string | null): string => (text === null ? "" : quoted(text));
  return `${lowerInclusive ? "[" : "("}${bound(lower)},${bound(upper)}${upperInclusive ? "]" : ")"}`;
}

/** `("a",,"b")`. */
export function compositeLiteral(attributes: readonly (string | null)[]): string {
  return `(${attributes.map((text) => (text === null ? "" : quoted(text))).join(",")})`;
}

// Reading -----------------------------------------------------------------------------------------

/** `{1,"a b",NULL,{…}}`, perhaps with bounds before it (`[0:1]={…}`). */
export function readArray(text: string, delimiter: string): readonly ArrayItem[] {
  let at = text.indexOf("{") + 1;
  return list();

  function list(): ArrayItem[] {
    const items: ArrayItem[] = [];
    for (;;) {
      const character = text[at];
      if (character === undefined) return items;
      if (character === "}") {
        at++;
        return items;
      }
      if (character === delimiter) at++;
      else if (character === "{") {
        at++;
        items.push(list());
      } else items.push(character === '"' ? quoted() : bare());
    }
  }

  function quoted(): string {
    let value = "";
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === "\\") at++;
      value += text[at];
    }
    at++;
    return value;
  }

  function bare(): string | null {
    const start = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== "}") at++;
    const value = text.slice(start, at);
    return value === "NULL" ? null : value;
  }
}

/** `(1,"a ""b""",)`: an empty place is NULL. */
export function readComposite(text: string): (string | null)[] {
  const fields: (string | null)[] = [];
  let at = 1;
  while (at < text.length) {
    const { value, end } = readField(text, at, ",)");
    fields.push(value);
    if (text[end] === ")") break;
    at = end + 1;
  }
  return fields;
}

const EMPTY: RangeBounds = { lower: null, upper: null, lowerInclusive: false, upperInclusive: false };

/** `[1,"2 3")`; `empty` has no bounds. */
export function readRange(text: string): RangeBounds {
  return text === "empty" ? EMPTY : readRangeAt(text, 0).range;
}

/** `{[1,2),[3,4)}`. */
export function readMultirange(text: string): RangeBounds[] {
  const ranges: RangeBounds[] = [];
  for (let at = 1; at < text.length && text[at] !== "}";) {
    const { range, end } = readRangeAt(text, at);
    ranges.push(range);
    at = text[end] === "," ? end + 1 : end;
  }
  return ranges;
}

function readRangeAt(text: string, at: number): { range: RangeBounds; end: number } {
  const lower = readField(text, at + 1, ",");
  const upper = readField(text, lower.end + 1, ")]");
  return {
    range: {
      lower: lower.value,
      upper: upper.value,
      lowerInclusive: text[at] === "[",
      upperInclusive: text[upper.end] === "]",
    },
    end: upper.end + 1,
  };
}

/** A field up to one of `ends`: quotes are doubled or escaped inside quotes; without any text it is NULL. */
function readField(text: string, start: number, ends: string): { value: string | null; end: number } {
  let value = "";
  let isQuoted = false;
  let inQuotes = false;
  let at = start;
  for (; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") value += text[++at] ?? "";
    else if (character === '"') {
      if (inQuotes && text[at + 1] === '"') value += text[++at];
      else inQuotes = !inQuotes;
      isQuoted = true;
    } else if (!inQuotes && ends.includes(character)) break;
    else value += character;
  }
  return { value: value === "" && !isQuoted ? null : value, end: at };
}
