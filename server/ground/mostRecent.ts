import { LRUCache } from "lru-cache";

/**
 * The entries that were used last, `most` at most. With `max` an LRUCache makes room for all of them at once: 50,000 take a
 * megabyte and 5 ms. This one grows with what it has.
 */
export function mostRecent<K extends {}, V extends {}>(most: number): LRUCache<K, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
