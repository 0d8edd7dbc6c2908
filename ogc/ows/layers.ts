/** The layers of a classic service: the collections that the caller may see. */
import { GatewayError } from "../../server/ground/errors.ts";
import { CollectionNotFound, readable, type Admission } from "../collections/access.ts";
import { asOf, type Collection } from "../collections/collections.ts";
import { hiddenRasters } from "../maps/mapCollections.ts";
import type { OwsExchange } from "./exchange.ts";

const HIDDEN: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "INSUFFICIENT_USER_AUTHENTICATION", "FORBIDDEN"]);

/**
 * The collections of these names, in their order, each once, as of the instant that the request names. A layer that the caller may not
 * see is unknown: both throw `COLLECTION_NOT_FOUND` with the same words.
 */
export async function layersNamed(exchange: OwsExchange, names: readonly string[]): Promise<Admission> {
  const byId = new Map(exchange.offered.map((collection) => [collection.id, collection]));
  const named = [...new Set(names)].map((name) => {
    const collection = byId.get(name) ?? byId.get(`${exchange.schema}.${name}`);
    if (!collection) throw new CollectionNotFound(name);
    return collection;
  });
  try {
    const { collections, confirm } = await exchange.admit(named);
    const [hidden] = await hiddenRasters(exchange, collections);
    if (hidden) throw new CollectionNotFound(hidden.id);
    const { time } = exchange.given;
    return { collections: collections.map((collection) => asOf(collection, time)), confirm };
  } catch (error) {
    if (!(error instanceof GatewayError) || !HIDDEN.has(error.code)) throw error;
    const seen = new Set((await readable(exchange, named)).map(({ id }) => id));
    const unseen = named.find(({ id }) => !seen.has(id));
    throw unseen ? new CollectionNotFound(unseen.id) : error;
  }
}

/** All layers that the caller may see, by schema and name. */
export async function layersSeen(exchange: OwsExchange): Promise<readonly Collection[]> {
  const { offered } = exchange;
  if (offered.length === 0) return [];
  const seen = await readable(exchange, offered);
  const hidden = await hiddenRasters(exchange, seen);
  return hidden.length === 0 ? seen : seen.filter((collection) => !hidden.includes(collection));
}
