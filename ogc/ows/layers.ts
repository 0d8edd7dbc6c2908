/** The layers of a classic service: the collections that the caller may see. */
import { GatewayError } from "../../server/ground/errors.ts";
import { CollectionNotFound, readable, type Admission } from "../collections/access.ts";
import { asOf, inStyle, type Collection } from "../collections/collections.ts";
import { hiddenRasters } from "../maps/mapCollections.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";
import { exception } from "./exception.ts";
import type { OwsExchange } from "./exchange.ts";

const HIDDEN: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "INSUFFICIENT_USER_AUTHENTICATION", "FORBIDDEN"]);

/**
 * The collections of these names, in their order, each once in a style, as of the instant that the request names.
 * `styles`: one for each name; an empty one means the default. Throws `StyleNotDefined`. A layer that the caller may
 * not see is treated as unknown: both throw `COLLECTION_NOT_FOUND` with the same message.
 */
export async function layersNamed(
  exchange: OwsExchange,
  names: readonly string[],
  styles: readonly string[] = [],
): Promise<Admission> {
  const byId = new Map(exchange.offered.map((collection) => [collection.id, collection]));
  const all = names.map((name) => {
    const collection = byId.get(name) ?? byId.get(`${exchange.schema}.${name}`);
    if (!collection) throw new CollectionNotFound(name);
    return collection;
  });
  const named = [...new Set(all)];
  try {
    const { collections, confirm } = await exchange.admit(named);
    const [hidden] = await hiddenRasters(exchange, collections);
    if (hidden) throw new CollectionNotFound(hidden.id);
    const { time } = exchange.given;
    const seen = new Map(collections.map((collection) => [collection.id, asOf(collection, time)]));
    const drawn = all.map(({ id }, index) => inStyleNamed(exchange, seen.get(id)!, styles[index] ?? ""));
    return { collections: [...new Set(drawn)], confirm };
  } catch (error) {
    if (!(error instanceof GatewayError) || !HIDDEN.has(error.code)) throw error;
    const seen = new Set((await readable(exchange, named)).map(({ id }) => id));
    const unseen = named.find(({ id }) => !seen.has(id));
    throw unseen ? new CollectionNotFound(unseen.id) : error;
  }
}

/**
 * The collection in the named style; an empty name means the default. Throws `StyleNotDefined`, in WMTS
 * `InvalidParameterValue`.
 */
function inStyleNamed({ service }: OwsExchange, collection: Collection, name: string): Collection {
  if (name === "") return collection;
  if (name === DEFAULT_STYLE || collection.styles.some((style) => style.name === name))
    return inStyle(collection, name);
  const named = JSON.stringify(name.slice(0, 100));
  const problem = `The layer ${collection.id} has no style ${named}`;
  if (service === "WMTS") throw exception("InvalidParameterValue", `STYLE: ${problem}`, "style");
  throw exception("StyleNotDefined", problem, "styles");
}

/** All layers that the caller may see, by schema and name. */
export async function layersSeen(exchange: OwsExchange): Promise<readonly Collection[]> {
  const { offered } = exchange;
  if (offered.length === 0) return [];
  const seen = await readable(exchange, offered);
  const hidden = await hiddenRasters(exchange, seen);
  return hidden.length === 0 ? seen : seen.filter((collection) => !hidden.includes(collection));
}
