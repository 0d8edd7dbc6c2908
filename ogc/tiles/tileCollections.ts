/** The collections in tiles of the dataset: those that `collections` names, else all that the caller may see. */
import { GatewayError } from "../../server/ground/errors.ts";
import { asOf, type Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Admission } from "../collections/access.ts";
import { chosenCollections, defaultCollections, seenByDefault } from "../maps/mapCollections.ts";
import { inColours, refuseColours } from "../maps/layerColours.ts";
import { instantOf } from "../exchange/parameters/datetime.ts";

/** The collections of vector tiles, in the order of layers. Throws `INVALID_PARAMETER` for a raster, and for too many. */
export async function tileCollections(exchange: Exchange): Promise<readonly Collection[]> {
  const { parameters, config } = exchange;
  if (parameters.collections !== undefined) {
    const { collections } = await chosenCollections(exchange, parameters.collections);
    const raster = collections.find((collection) => collection.raster);
    if (raster)
      throw new GatewayError("INVALID_PARAMETER", `collections: ${raster.id} is a raster, which has no vector tiles`);
    return inColours(exchange, collections);
  }
  refuseColours(exchange);
  const seen = (await seenByDefault(exchange)).filter(({ raster }) => !raster);
  if (seen.length > config.mapCollections)
    throw new GatewayError(
      "INVALID_PARAMETER",
      `collections: there are ${seen.length}, but a tile shows at most ${config.mapCollections}: name the wanted ones`,
    );
  return seen.map((collection) => asOf(collection, instantOf(parameters)));
}

/** The collections of map tiles, the lowest first. */
export async function mapTileCollections(exchange: Exchange): Promise<Admission> {
  const { parameters } = exchange;
  if (parameters.collections !== undefined) return chosenCollections(exchange, parameters.collections);
  return { collections: await defaultCollections(exchange), confirm: () => Promise.resolve() };
}
