/** The parameter `color`: the colours in which collections without a style are drawn. */
import { GatewayError } from "../../server/ground/errors.ts";
import type { Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Colour } from "./colours.ts";
import { Variants } from "./variants.ts";

type Asked = Pick<Exchange, "parameters">;

/** The most colours of a collection that are known: the maps of a database share a palette. */
const MOST_KNOWN = 20;
const coloured = new Variants<Colour>(MOST_KNOWN, (collection, colour) => ({ ...collection, colour }));

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
    return colour === undefined || each.raster ? each : coloured.of(each, colour);
  });
}

/** Throws `INVALID_PARAMETER` where the request names no collections that its colours could be for. */
export function refuseColours({ parameters }: Asked): void {
  if (parameters.color !== undefined)
    throw new GatewayError("INVALID_PARAMETER", "color: collections must name those that it is for");
}
