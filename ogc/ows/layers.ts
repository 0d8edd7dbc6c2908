/** The layers of a classic service: the collections that the caller may see. */
import { GatewayError } from "../../server/ground/errors.ts";
import { CollectionNotFound, readable, type Admission } from "../collections/access.ts";
import { asOf, inStyle, type Collection } from "../collections/collections.ts";
import { hiddenRasters } from "../maps/mapCollections.ts";
import { DEFAULT_STYLE } from "../exchange/parameters/table.ts";
import { exception } from "./exception.ts";
import type { OwsExchange } from "./exchange.ts";

const UNSEEN: ReadonlySet<string> = new Set([
  ...["UNAUTHENTICATED", "INSUFFICIENT_USER_AUTHENTICATION", "FORBIDDEN"],
  "COLLECTION_NOT_FOUND",
]);

/**
 * The collections of these names, in their order, each once in a style, as of the instant that the request names.
 * `styles`: one for each name; an empty one means the default. Throws `StyleNotDefined`. A layer that the caller may
 * not see is treated as unknown: `COLLECTION_NOT_FOUND` has the first name that means no layer or such a layer, as the
 * request has it.
 */
export async function layersNamed(
  exchange: OwsExchange,
  names: readonly string[],
  styles: readonly string[] = [],
): Promise<Admission> {
  const byId = new Map(exchange.offered.map((collection) => [collection.id, collection]));
  const found = names.map((name) => byId.get(name) ?? byId.get(`${exchange.schema}.${name}`));
  const all = found.filter((collection) => collection !== undefined);
  const named = [...new Set(all)];
  /** Throws for the first name without a layer that the caller sees, if there is one. */
  const refuseUnseen = async (): Promise<void> => {
    const seen = new Set((await seenOf(exchange, named)).map(({ id }) => id));
    const unseen = names.find((_, index) => !seen.has(found[index]?.id ?? ""));
    if (unseen !== undefined) throw new CollectionNotFound(unseen, { locator: parameterOf(exchange, names) });
  };
  if (all.length < names.length) await refuseUnseen();
  const admit = async (): Promise<Admission> => {
    try {
      return await exchange.admit(named);
    } catch (error) {
      if (error instanceof GatewayError && UNSEEN.has(error.code)) await refuseUnseen();
      throw error;
    }
  };
  const { collections, confirm } = await admit();
  if ((await hiddenRasters(exchange, collections)).length > 0) await refuseUnseen();
  const { time } = exchange.given;
  const seen = new Map(collections.map((collection) => [collection.id, asOf(collection, time)]));
  const drawn = all.map(({ id }, index) => inStyleNamed(exchange, seen.get(id)!, styles[index] ?? ""));
  return { collections: [...new Set(drawn)], confirm };
}

/** The parameter that has these names. */
function parameterOf({ service, given }: OwsExchange, names: readonly string[]): string {
  if (service === "WFS") return "typenames";
  return names === given.layers ? "layers" : names === given.query_layers ? "query_layers" : "layer";
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
  return seenOf(exchange, exchange.offered);
}

/** Those of `collections` that the caller may see. */
export async function seenOf(
  exchange: OwsExchange,
  collections: readonly Collection[],
): Promise<readonly Collection[]> {
  if (collections.length === 0) return [];
  const seen = await readable(exchange, collections);
  const hidden = await hiddenRasters(exchange, seen);
  return hidden.length === 0 ? seen : seen.filter((collection) => !hidden.includes(collection));
}
