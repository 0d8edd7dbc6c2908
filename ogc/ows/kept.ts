/** Capabilities that were made before: as long as nothing has changed, they are the same for callers who see the same layers. */
import { LRUCache } from "lru-cache";
import type { Extent } from "../collections/bounds.ts";
import type { Collection, CollectionMap } from "../collections/collections.ts";
import type { OwsExchange } from "./exchange.ts";

/** Documents of a catalogue: a caller's rights, a service, a version and an address have one each. */
const KEPT = 100;
const documents = new WeakMap<CollectionMap, LRUCache<string, Kept>>();

interface Kept {
  /** The extents that it was made of: the same objects as long as nothing has changed. */
  readonly extents: readonly (Extent | undefined)[];
  readonly text: string;
}

/** What a document shows. */
export interface Content {
  readonly seen: readonly Collection[];
  /** Of each of them. */
  readonly extents: readonly (Extent | undefined)[];
}

/** As it was made for the same layers the last time, where nothing has changed since; else what `make` makes. */
export async function keptDocument(
  { collections, service, version, address }: OwsExchange,
  { seen, extents }: Content,
  make: () => string | Promise<string>,
): Promise<string> {
  const kept = documents.get(collections) ?? new LRUCache<string, Kept>({ max: KEPT });
  documents.set(collections, kept);
  const key = JSON.stringify([service, version, address, seen.map(({ id }) => id)]);
  const known = kept.get(key);
  if (known?.extents.length === extents.length && known.extents.every((extent, i) => extent === extents[i]))
    return known.text;
  const text = await make();
  kept.set(key, { extents, text });
  return text;
}
