/** `/collections`: a page of the collections that the caller may read. */
import { mayHaveMore, readableInSnapshot } from "../collections/access.ts";
import { listedText } from "./collection.ts";
import { selfLinks, sendText, type Exchange } from "../exchange/exchange.ts";
import { HTML } from "../exchange/formats.ts";
import type { Link } from "../exchange/links.ts";
import { limitOf } from "../exchange/parameters/table.ts";
import { collectionsPage } from "../pages/collectionsPage.ts";

export async function listCollections(exchange: Exchange): Promise<void> {
  const { addresses, parameters, route } = exchange;
  const { limit, offset } = parameters;
  const { collections: all, snapshot } = await readableInSnapshot(exchange, [...exchange.collections.values()]);
  const size = limit ?? limitOf(route).default;
  const start = Math.min(offset ?? 0, all.length);
  const page = all.slice(start, start + size);
  const other = (rel: string, title: string, to: number): Link => ({
    rel,
    title,
    type: exchange.format.mediaType,
    href: addresses.of(["collections"], { limit: size, offset: to, f: exchange.format.name }),
  });
  const links = [
    ...selfLinks(exchange, addresses.of(["collections"], { limit, offset }), "The collections"),
    ...(start + size < all.length ? [other("next", "The next page", start + size)] : []),
    ...(start > 0 ? [other("prev", "The page before", Math.max(0, start - size))] : []),
  ];
  if (exchange.format === HTML) {
    const hasMore = mayHaveMore(exchange, all);
    collectionsPage(exchange, { collections: page, matched: all.length, hasMore, links });
    return;
  }
  const extents = await exchange.extents.wholeOfAll(exchange, page, snapshot);
  const collections = page.map((collection, index) => listedText(exchange, collection, extents[index]!));
  const others = JSON.stringify({ numberMatched: all.length, numberReturned: page.length, links });
  const text = `{"collections":[${collections.join(",")}],${others.slice(1)}`;
  sendText(exchange, { mediaType: exchange.format.mediaType, text, links });
}
