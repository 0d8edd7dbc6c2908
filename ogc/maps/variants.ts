/** Collections as a request wants them drawn. */
import { LRUCache } from "lru-cache";
import type { Collection } from "../collections/collections.ts";

/** Variants of collections. The same value gives the same object, so that its style, statements and tiles are known. */
export class Variants<Value extends string> {
  readonly #most: number;
  readonly #make: (collection: Collection, value: Value) => Collection;
  readonly #known = new WeakMap<Collection, LRUCache<Value, Collection>>();

  /** `most`: how many of a collection are kept. */
  constructor(most: number, make: (collection: Collection, value: Value) => Collection) {
    this.#most = most;
    this.#make = make;
  }

  of(collection: Collection, value: Value): Collection {
    const known = this.#known.get(collection) ?? new LRUCache<Value, Collection>({ max: this.#most });
    this.#known.set(collection, known);
    const found = known.get(value) ?? this.#make(collection, value);
    known.set(value, found);
    return found;
  }
}
