/** The parameter `style-definition`: a map in a style that is not stored. */
import { GatewayError } from "../../server/ground/errors.ts";
import type { Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";

/**
 * The collection in the style of the request. PostgreSQL validates that style like any other. Throws
 * `INVALID_PARAMETER`.
 */
export async function inDraftStyle({ database, parameters }: Exchange, collection: Collection): Promise<Collection> {
  const draftStyle = parameters["style-definition"];
  if (draftStyle === undefined) return collection;
  if (collection.raster)
    throw new GatewayError("INVALID_PARAMETER", `style-definition: ${collection.id} is a raster, which has no style`);
  const { problem } = await database.db.one<{ problem: string | null }>(
    "select portolan.style_problem($1::oid, $2) as problem",
    [collection.oid, draftStyle],
  );
  if (problem !== null) throw new GatewayError("INVALID_PARAMETER", `style-definition: ${problem}`);
  return { ...collection, draftStyle };
}
