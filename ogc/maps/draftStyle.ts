/** The parameter `style-definition`: a map, or vector tiles and their style, in a style that the collection does not have. */
import { GatewayError } from "../../server/ground/errors.ts";
import type { Collection } from "../collections/collections.ts";
import { ofCatalogue } from "../collections/reach.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Variants } from "./variants.ts";

/** The most styles of a collection that are known: requests for the tiles of a map have the same. */
const MOST_KNOWN = 50;
const drafts = new Variants<string>(MOST_KNOWN, (collection, draftStyle) => ({ ...collection, draftStyle }));

/**
 * The collection in the style of the request. PostgreSQL validates that style like any other, under the caller's rights
 * and limits: columns that the caller may not select are unknown to it. Throws `INVALID_PARAMETER`.
 */
export async function inDraftStyle(
  { database, identity, context, parameters }: Exchange,
  collection: Collection,
): Promise<Collection> {
  const draftStyle = parameters["style-definition"];
  if (draftStyle === undefined) return collection;
  if (collection.raster)
    throw new GatewayError("INVALID_PARAMETER", `style-definition: ${collection.id} is a raster, which has no style`);
  const problem = await database.withIdentity(identity, ofCatalogue(context), async (transaction) => {
    const { rows } = await transaction.query<{ problem: string | null }>({
      text: "select portolan.draft_style_problem($1::oid, $2) as problem",
      values: [collection.oid, draftStyle],
      last: true,
    });
    return rows[0]!.problem;
  });
  if (problem !== null) throw new GatewayError("INVALID_PARAMETER", `style-definition: ${problem}`);
  return drafts.of(collection, draftStyle);
}
