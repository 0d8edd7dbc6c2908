/** The parameter `color`: the colours in which collections without a style are drawn. */
import { LRUCache } from "lru-cache";
import { GatewayError } from "../../server/ground/errors.ts";
import type { Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Colour } from "./colours.ts";

type Asked = Pick<Exchange, "parameters">;

/** The most colours of a collection that are known: the maps of a database share a palette. */
const MOST_KNOWN = 20;
const known = new WeakMap<Collection, LRUCache<Colour, Collection>>();

/** The collections in the colours of the request. Throws `INVALID_PARAMETER` for another number of them. */
export function inColours({ parameters }: Asked, collections: readonly Collection[]): readonly Collection[] {
  const { color, collections: ids } = parameters;
  if (color === undefined) return collections;
  const count = ids?.length ?? collections.length;
  if (color.length !== count)
    throw new GatewayError("INVALID_PARAMETER", `color: there are ${color.length} for ${count} collections`);
  const byId = new Map((ids ?? collections.map(({ id }) => id)).map((id, index) => [id, color[index]]));
  return collections.map((each) => {
    const colour = byId.get(each.id);
    return colour === undefined || each.raster ? each : inColour(each, colour);
  });
}

/** Throws `INVALID_PARAMETER` where the request names no collections that its colours could be for. */
export function refuseColours({ parameters }: Asked): void {
  if (parameters.color !== undefined)
    throw new GatewayError("INVALID_PARAMETER", "color: collections must name those that it is for");
}

/** The same object for the same colour, so that its style is known. */
function inColour(collection: Collection, colour: Colour): Collection {
  const coloured = known.get(collection) ?? new LRUCache<Colour, Collection>({ max: MOST_KNOWN });
  known.set(collection, coloured);
  const found = coloured.get(colour) ?? { ...collection, colour };
  coloured.set(colour, found);
  return found;
}
