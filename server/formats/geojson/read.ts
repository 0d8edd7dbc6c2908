/** Reads features of GeoJSON (RFC 7946) and of GeoJSON sequences (RFC 8142, or one a line), one after the other. */
import { badInput } from "../../ground/errors.ts";
import { isDeeperThan, parseBoth } from "../../types/exactJson.ts";
import { isObject, type JsonObject } from "../../types/json.ts";
import { portionsOfNamed, type Item, type NamedCells } from "../portions.ts";
import { LONGEST_ROW, MOST_LEVELS, ROWS_OF_PORTION, type Cell, type Source } from "../source.ts";
import { decoded } from "../text.ts";

/** The name of a feature's geometry among its properties. */
export const GEOMETRY = "geometry";
const ID = "id";

export type Sequence = "collection" | "sequence";

/** `portion`: the number of rows in one. */
export function geojsonSource(bytes: AsyncIterable<Uint8Array>, sequence: Sequence, portion = ROWS_OF_PORTION): Source {
  const portions = portionsOfNamed(itemsOf(decoded(bytes, "utf-8"), sequence), "feature", portion);
  return { unit: "feature", optional: new Set([ID]), portions };
}

async function* itemsOf(texts: AsyncIterable<string>, sequence: Sequence): AsyncGenerator<Generator<Item<NamedCells>>> {
  const features = new Features(sequence);
  let place = 0;
  function* items(text: string): Generator<Item<NamedCells>> {
    for (const feature of features.push(text))
      yield { place: ++place, read: () => ({ cells: cellsOf(feature), characters: feature.length }) };
  }
  for await (const text of texts) yield items(text);
  features.end();
}

function cellsOf(text: string): ReadonlyMap<string, Cell> {
  let both: ReturnType<typeof parseBoth>;
  try {
    both = parseBoth(text);
  } catch {
    return badInput("is not valid JSON");
  }
  const [{ geometry }, { type, properties, id }] = [both.json as JsonObject, both.exact as JsonObject];
  if (isDeeperThan(both.json, MOST_LEVELS)) badInput(`is nested more than ${MOST_LEVELS} levels deep`);
  if (type !== "Feature") badInput('"type" is not "Feature"');
  if (properties !== null && properties !== undefined && !isObject(properties))
    badInput('"properties" is not an object');
  const cells = new Map<string, Cell>(id === undefined ? [] : [[ID, id]]);
  for (const [name, value] of Object.entries(properties ?? {})) cells.set(name, value);
  if (geometry !== null && geometry !== undefined) cells.set(GEOMETRY, geometry);
  return cells;
}

/** The names for WGS 84 in older GeoJSON. */
const WGS84_NAME = /(CRS84|EPSG:+4326)/i;
const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [34, 92, 123, 125, 91, 93];

/** Cuts the features out of text, in pieces of any size. */
class Features {
  /** The nesting depth of a feature. */
  readonly #level: number;
  #text = "";
  #at = 0;
  #depth = 0;
  /** The beginning of the present string; -1: none. */
  #string = -1;
  /** The beginning of the present feature; -1: none. */
  #start = -1;
  #startDepth = 0;
  #last = "";
  #inFeatures: boolean;
  #hasFeatures: boolean;
  #count = 0;

  constructor(sequence: Sequence) {
    this.#level = sequence === "sequence" ? 0 : 2;
    this.#inFeatures = this.#hasFeatures = sequence === "sequence";
  }

  *push(text: string): Generator<string> {
    this.#text += text;
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (this.#string >= 0) {
        if (code === BACKSLASH) this.#at++;
        else if (code === QUOTE) this.#endString();
      } else if (code === QUOTE) this.#string = this.#at;
      else if (code === OPEN || code === OPEN_LIST) this.#open(code);
      else if (code === CLOSE || code === CLOSE_LIST) {
        const object = this.#close();
        if (object !== undefined) yield object;
      } else if (this.#start < 0 && this.#depth === this.#level && this.#inFeatures && code > 32 && code !== 44)
        badInput(`after feature ${this.#count}: expected another, got ${JSON.stringify(this.#text[this.#at])}`);
    }
    this.#forget();
  }

  end(): void {
    if (this.#depth > 0 || this.#string >= 0)
      badInput(`the file ends in the middle, after ${this.#count} whole features`);
    if (!this.#hasFeatures) badInput('the file is not a FeatureCollection: it has no list "features"');
  }

  #endString(): void {
    if (this.#depth === 1) this.#last = this.#text.slice(this.#string + 1, this.#at);
    this.#string = -1;
  }

  #open(code: number): void {
    const isWanted =
      code === OPEN &&
      ((this.#inFeatures && this.#depth === this.#level) || (this.#depth === 1 && this.#last === "crs"));
    if (isWanted && this.#start < 0) [this.#start, this.#startDepth] = [this.#at, this.#depth];
    if (code === OPEN_LIST && this.#depth === 1 && this.#last === "features" && this.#level === 2)
      this.#inFeatures = this.#hasFeatures = true;
    this.#depth++;
  }

  /** A whole feature, if it ends here. */
  #close(): string | undefined {
    this.#depth--;
    if (this.#depth < 0) badInput(`after feature ${this.#count}: a closing bracket has no opening one`);
    if (this.#inFeatures && this.#depth < this.#level) this.#inFeatures = false;
    if (this.#start < 0 || this.#depth !== this.#startDepth) return undefined;
    const object = this.#text.slice(this.#start, this.#at + 1);
    this.#start = -1;
    if (!this.#inFeatures) {
      if (!WGS84_NAME.test(object)) badInput(`GeoJSON is in WGS 84 (RFC 7946), and "crs" says ${object.slice(0, 200)}`);
      return undefined;
    }
    this.#count++;
    return object;
  }

  /** Drops text that has been read and is no longer needed. */
  #forget(): void {
    const from = Math.min(
      this.#at,
      ...(this.#start < 0 ? [] : [this.#start]),
      ...(this.#string < 0 ? [] : [this.#string]),
    );
    if (this.#at - from > LONGEST_ROW) badInput(`feature ${this.#count + 1}: is longer than ${LONGEST_ROW} characters`);
    this.#text = this.#text.slice(from);
    this.#at -= from;
    if (this.#start >= 0) this.#start -= from;
    if (this.#string >= 0) this.#string -= from;
  }
}
