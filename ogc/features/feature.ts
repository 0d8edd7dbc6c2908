/** Rows as features: their ids, and their output. */
import { type ByteRow, Bytes } from "../../server/kernel/database/database.ts";
import { keyText } from "../../server/types/keyText.ts";
import { rowOf } from "../../server/types/table.ts";
import type { Collection } from "../collections/collections.ts";
import type { Crs } from "../crs/crs.ts";
import { FEATURE_COLUMNS, type FeatureEncoding, type FeatureKey } from "./encoding.ts";
import type { Keyset } from "./page/keyset.ts";

/** The same of each column that features are sorted by, and then of the key. */
export type FeaturePlace = FeatureKey;

function keyOf(place: FeaturePlace, { key }: Pick<Collection, "key">): FeatureKey {
  return place.slice(place.length - key.length);
}

/** Undefined: no key. */
export function featureIdOf(key: FeatureKey): string | undefined {
  return key.length === 0 || key.includes(null) ? undefined : keyText(key);
}

/** The place of a row in that order; undefined where no key tells it from others. */
export function keysetOf(place: FeaturePlace, collection: Pick<Collection, "key">, order: string): Keyset | undefined {
  const key = keyOf(place, collection);
  return key.length === 0 || key.includes(null) ? undefined : { values: place, order, inclusive: false };
}

/** Whole numbers are numbers in JSON, as far as JSON's readers can hold them. */
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
  /** Rows after this many are not taken, only noticed. Default: all are taken. */
  readonly room?: number | undefined;
  /** The same, where the rows are the last ones: it is the first row of more that is not taken. */
  readonly roomAtEnd?: number | undefined;
  /** Bytes that the text will need, as far as that is known. */
  readonly expectedBytes?: number | undefined;
}

/** Features that came in one portion, and their output. */
export class Features {
  readonly #collection: Collection;
  readonly #options: FeaturesOptions;
  readonly #bytes: Bytes;
  readonly problems: Problem[] = [];
  /** Rows that came. */
  rows = 0;
  /** Features that were made of them. */
  count = 0;
  /** Whether there was a row that was not taken. */
  hasMore = false;
  /** Of the row of `oneStatement`. */
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

  /** Feature after feature. */
  get text(): Buffer {
    return this.#bytes.written;
  }

  /** Nothing will read the text any more. */
  release(): void {
    this.#bytes.release();
  }

  /** `row`: of `pageStatement` or `oneStatement`. */
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
