/** Rows as features: their ids and their text. */
import type { ByteRow } from "../../server/kernel/database/database.ts";
import { encodeReserved } from "../../server/kernel/http/percentEncoding.ts";
import type { Collection } from "../collections.ts";
import type { Crs } from "../crs.ts";
import { FEATURE_COLUMNS } from "./featureSql.ts";
import type { Keyset } from "./keyset.ts";
import { rowOf } from "../../server/types/table.ts";
import { giveBack, takeBuffer } from "../maps/spareBuffers.ts";

/** PostgreSQL's text of each column of the key. */
export type FeatureKey = readonly (string | null)[];

/** The same of each column that features are sorted by, and then of the key. */
export type FeaturePlace = FeatureKey;

function keyOf(place: FeaturePlace, { key }: Pick<Collection, "key">): FeatureKey {
  return place.slice(place.length - key.length);
}

/** The one text for a key: a column's own, or all of them percent-encoded and joined by commas. Undefined: no key. */
export function featureIdOf(key: FeatureKey): string | undefined {
  if (key.length === 0 || key.includes(null)) return undefined;
  const values = key as readonly string[];
  return values.length === 1 ? values[0] : values.map(encodeReserved).join(",");
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

/** What the answer says of a feature whose geometry cannot be shown. */
export interface Problem {
  readonly id: string | undefined;
  readonly message: string;
}

/** Between two features. */
export const SEPARATOR = ",\n";
const NULL = "null";
const GEOMETRY = `,"geometry":`;
const PROPERTIES = `,"properties":`;
/** A character of UTF-16 takes at most so many bytes in UTF-8. */
const BYTES_PER_CHARACTER = 3;

/** PostGIS writes what is no number as NaN and Infinity, which no type of geometry has the capital letters of. */
const NOT_FINITE = ["N", "I"].map((letter) => letter.charCodeAt(0));

export interface FeaturesOptions {
  readonly crs: Crs;
  /** Rows after so many are not taken, only seen. Default all are taken. */
  readonly room?: number | undefined;
  /** The same, where the rows are the last ones: it is the first row of more that is not taken. */
  readonly roomAtEnd?: number | undefined;
  /** Bytes that the text will need, as far as that is known. */
  readonly expectedBytes?: number | undefined;
}

/** Features that came in one portion, and the text of all of them. */
export class Features {
  readonly #collection: Collection;
  readonly #options: FeaturesOptions;
  readonly problems: Problem[] = [];
  /** Rows that came. */
  rows = 0;
  /** Features that were made of them. */
  count = 0;
  /** Whether there was a row that was not taken. */
  hasMore = false;
  /** Of the row of `selectOne`. */
  version: string | undefined;
  first: FeaturePlace | undefined;
  last: FeaturePlace | undefined;
  #bytes: Buffer;
  #length = 0;

  constructor(collection: Collection, options: FeaturesOptions) {
    this.#collection = collection;
    this.#options = options;
    this.#bytes = takeBuffer(options.expectedBytes ?? 0);
  }

  /** GeoJSON, feature after feature. */
  get text(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Nothing will read the text any more. */
  release(): void {
    giveBack(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }

  /** `row`: of `selectPage` or `selectOne`. */
  add(row: ByteRow): void {
    this.rows++;
    const { room = Infinity, roomAtEnd = Infinity } = this.#options;
    const isExtra = this.count >= room || (this.rows === 1 && Number(row.text(FEATURE_COLUMNS.count)) > roomAtEnd);
    this.hasMore ||= isExtra;
    if (isExtra) return;
    const place: (string | null)[] = [];
    for (let index = FEATURE_COLUMNS.place; index < row.size; index++) place.push(row.text(index));
    if (this.count === 0) this.first = place;
    this.last = place;
    this.#write(row, keyOf(place, this.#collection));
    this.count++;
  }

  #write(row: ByteRow, key: FeatureKey): void {
    const { geometry, properties, failed } = FEATURE_COLUMNS;
    const id = featureIdOf(key);
    const begin = `${this.count > 0 ? SEPARATOR : ""}{"type":"Feature"${
      id === undefined ? "" : `,"id":${idJson(this.#collection, id)}`
    }${GEOMETRY}`;
    this.#reserve(begin.length, row.lengthOf(geometry) + row.lengthOf(properties));
    this.#put(begin);
    const start = this.#length;
    this.#length = row.copy(geometry, this.#bytes, start);
    const isShown = row.text(failed) === "f" && this.#isFinite(start);
    if (!isShown) this.#length = start;
    if (this.#length === start) this.#put(NULL);
    this.#put(PROPERTIES);
    this.#length = row.copy(properties, this.#bytes, this.#length);
    if (!isShown) this.#report(id);
    this.#put("}");
  }

  #report(id: string | undefined): void {
    const message = `The geometry cannot be given in ${this.#options.crs.uri}`;
    const member = `,"problem":${JSON.stringify(message)}`;
    this.problems.push({ id, message });
    this.#reserve(member.length, 0);
    this.#put(member);
  }

  #isFinite(start: number): boolean {
    const written = this.#bytes.subarray(start, this.#length);
    return !NOT_FINITE.some((letter) => written.includes(letter));
  }

  /** Room for so many characters and bytes, and for what stands around them. */
  #reserve(characters: number, bytes: number): void {
    const around = GEOMETRY.length + NULL.length + PROPERTIES.length + 1;
    const needed = this.#length + characters * BYTES_PER_CHARACTER + bytes + around;
    if (needed <= this.#bytes.length) return;
    const larger = takeBuffer(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    giveBack(this.#bytes);
    this.#bytes = larger;
  }

  #put(text: string): void {
    this.#length += this.#bytes.write(text, this.#length);
  }
}
