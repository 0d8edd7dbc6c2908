/** PostgreSQL's text form of containers, so that any value, however nested, is one parameter. Null is SQL's NULL. */

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

export type ArrayItem = string | null | readonly ArrayItem[];

/** `{"a",NULL,{"b"}}`. `delimiter`: of the element type: `;` for box, `:` for geometry, `,` for all others. */
export function arrayLiteral(items: readonly ArrayItem[], delimiter = ","): string {
  const parts = items.map((item) => {
    if (item === null) return "NULL";
    return typeof item === "string" ? quoted(item) : arrayLiteral(item, delimiter);
  });
  return `{${parts.join(delimiter)}}`;
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
