/** The parameter `style-definition`: a map, or vector tiles and their style, in a style that the collection does not have. */
import { LRUCache } from "lru-cache";
import { GatewayError } from "../../server/ground/errors.ts";
import type { Collection } from "../collections/collections.ts";
import { ofCatalogue } from "../collections/reach.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** The most styles of a collection that are known: requests for the tiles of a map have the same. */
const MOST_KNOWN = 50;
const known = new WeakMap<Collection, LRUCache<string, Collection>>();

/** The same object for the same style, so that its statements and tiles are known. */
function withDraft(collection: Collection, draftStyle: string): Collection {
  const drafts = known.get(collection) ?? new LRUCache<string, Collection>({ max: MOST_KNOWN });
  known.set(collection, drafts);
  const draft = drafts.get(draftStyle) ?? { ...collection, draftStyle };
  drafts.set(draftStyle, draft);
  return draft;
}

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
  return withDraft(collection, draftStyle);
}
