const LEGAL = /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/;

/** Whether the text is a legal name in GraphQL, and not reserved (like `__…`). */
export function isLegalName(name: string): boolean {
  return LEGAL.test(name);
}

/** The words of a name: the parts between characters that are neither letter nor digit. */
function words(name: string): string[] {
  return name.split(/[^A-Za-z0-9]+/).filter(Boolean);
}

/**
 * Keeps the characters that GraphQL allows and replaces each other one by its code point, so that different names stay
 * different.
 */
function toAscii(name: string): string {
  return name.replace(/[^\x20-\x7e]/gu, (character) => `x${character.codePointAt(0)!.toString(16)}`);
}

/** Converts `city_parks` to `CityParks`. */
export function toPascalCase(name: string): string {
  const joined = words(toAscii(name))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return /^[A-Za-z]/.test(joined) ? joined : `_${joined}`;
}

/** Converts `item_types` to `itemTypes`. */
export function toCamelCase(name: string): string {
  const pascal = toPascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** The name itself if it is legal, else with `_` for each illegal character. */
export function toLegalName(name: string): string {
  if (isLegalName(name)) return name;
  const replaced = toAscii(name)
    .replace(/[^_A-Za-z0-9]/g, "_")
    .replace(/^__+/, "_");
  return /^[_A-Za-z]/.test(replaced) ? replaced : `_${replaced}`;
}

/** Unique names in one place. The second request for `name` gets `name2`, so the order of requests matters. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  take(name: string): string {
    let free = name;
    for (let number = 2; this.#taken.has(free); number++) free = `${name}${number}`;
    this.#taken.add(free);
    return free;
  }
}
