/**
 * Objects that soon leave again, such as the requests that are being answered. A Set or a Map of them costs memory: when it is
 * full, V8 moves its members to a new table, and the old table refers to the new one. After a full collection the table is in
 * the old generation. From then on every table stays in memory until the next full collection, with the members that it had.
 */
export class ShortLived<T> implements Iterable<T> {
  readonly #places: Place<T>[] = [];

  get size(): number {
    return this.#places.length;
  }

  /** Returns a function that removes the member. Later calls of it do nothing. */
  add(member: T): () => void {
    const places = this.#places;
    const place = { member, index: places.length };
    places.push(place);
    return () => {
      if (places[place.index] !== place) return;
      const last = places.pop()!;
      if (last === place) return;
      places[place.index] = last;
      last.index = place.index;
    };
  }

  /** The members, in no order. */
  *[Symbol.iterator](): Generator<T> {
    for (const { member } of this.#places) yield member;
  }
}

interface Place<T> {
  readonly member: T;
  index: number;
}
