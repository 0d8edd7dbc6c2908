/** Rows as features: their ids, and their output. */
import { type ByteRow, Bytes } from "../../server/kernel/database/database.ts";
import { keyText } from "../../server/types/keyText.ts";
import { rowOf } from "../../server/types/table.ts";
import type { Collection } from "../collections/collections.ts";
import type { Crs } from "../crs/crs.ts";
import { FEATURE_COLUMNS, type FeatureEncoding, type FeatureKey } from "./encoding.ts";
import type { Keyset } from "./page/keyset.ts";

/** The texts of each column that features are sorted by, and then those of the key. */
export type FeaturePlace = FeatureKey;

function keyOf(place: FeaturePlace, { key }: Pick<Collection, "key">): FeatureKey {
  return place.slice(place.length - key.length);
}

/** The id of a feature; undefined without a key. */
export function featureIdOf(key: FeatureKey): string | undefined {
  return key.length === 0 || key.includes(null) ? undefined : keyText(key);
}

/** The place of a row in that order; undefined without a key that identifies it. */
export function keysetOf(place: FeaturePlace, collection: Pick<Collection, "key">, order: string): Keyset | undefined {
  const key = keyOf(place, collection);
  return key.length === 0 || key.includes(null) ? undefined : { values: place, order, inclusive: false };
}

/** The id in JSON. A whole number that JSON's readers can hold is a number. */
export function idJson(collection: Collection, id: string): string {
  const [only, ...more] = collection.key;
  const isWhole = only !== undefined && more.length === 0 && rowOf(only.type).schema["type"] === "integer";
  return isWhole && Number.isSafeInteger(Number(id)) ? id : JSON.stringify(id);
}

/** The entry of an answer's `problems` for a feature whose geometry cannot be shown. */
export interface Problem {
  readonly id: string | undefined;
  readonly message: string;
}

/** The message about a geometry that cannot be shown. */
export function unshown({ uri }: Crs): string {
  return `The geometry cannot be given in ${uri}`;
}

export interface FeaturesOptions {
  readonly crs: Crs;
  readonly encoding: FeatureEncoding;
  /** The number of rows to take. Further rows are only noticed. Default: all rows. */
  readonly room?: number | undefined;
  /** The same where the page is the last rows. The surplus row is then the first one. */
  readonly roomAtEnd?: number | undefined;
  /** The expected size of the text in bytes, as far as it is known. */
  readonly expectedBytes?: number | undefined;
}

/** The features of one batch, and their output. */
export class Features {
  readonly #collection: Collection;
  readonly #options: FeaturesOptions;
  readonly #bytes: Bytes;
  readonly problems: Problem[] = [];
  /** The number of rows that came. */
  rows = 0;
  /** The number of features made of them. */
  count = 0;
  /** Whether a row came that was not taken. */
  hasMore = false;
  /** The version in the row of `oneStatement`. */
  version: string | undefined;
  /** Whether the first of them has a geometry that could not be shown. */
  isFirstUnshown = false;
  first: FeaturePlace | undefined;
  last: FeaturePlace | undefined;

  constructor(collection: Collection, options: FeaturesOptions) {
    this.#collection = collection;
    this.#options = options;
    this.#bytes = new Bytes(options.expectedBytes);
  }

  /** The texts of the features, one after the other. */
  get text(): Buffer {
    return this.#bytes.written;
  }

  /** Frees the text, which nothing reads any more. */
  release(): void {
    this.#bytes.release();
  }

  /** Adds a row of `pageStatement` or `oneStatement`. */
  add(row: ByteRow): void {
    this.rows++;
    const { room = Infinity, roomAtEnd = Infinity, encoding, crs } = this.#options;
    const isExtra = this.count >= room || (this.rows === 1 && Number(row.text(FEATURE_COLUMNS.count)) > roomAtEnd);
    this.hasMore ||= isExtra;
    if (isExtra) return;
    const place = placeOf(row, encoding);
    if (this.count === 0) this.first = place;
    else if (encoding.separator !== "") this.#bytes.put(encoding.separator);
    this.last = place;
    const key = keyOf(place, this.#collection);
    const isShown = encoding.write(row, key, this.#bytes);
    if (!isShown) {
      this.problems.push({ id: featureIdOf(key), message: unshown(crs) });
      this.isFirstUnshown ||= this.count === 0;
    }
    this.count++;
  }
}

function placeOf(row: ByteRow, { size }: FeatureEncoding): FeaturePlace {
  const place: (string | null)[] = [];
  for (let index = FEATURE_COLUMNS.values + size; index < row.size; index++) place.push(row.text(index));
  return place;
}
