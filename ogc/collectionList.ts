/** `/collections`: those that the caller may read, a page at a time. */
import { mayHaveMore, readable } from "./access.ts";
import { contentLinks, describe } from "./collection.ts";
import { selfLinks, sendJson, type Exchange } from "./exchange.ts";
import { HTML, JSON_FORMAT } from "./formats.ts";
import type { Link } from "./links.ts";
import { limitOf } from "./parameters/table.ts";
import { collectionsPage } from "./pages/collectionsPage.ts";

export async function listCollections(exchange: Exchange): Promise<void> {
  const { addresses, parameters, route } = exchange;
  const { limit, offset } = parameters;
  const all = await readable(exchange, [...exchange.collections.values()]);
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
    collectionsPage(exchange, page, all.length, mayHaveMore(exchange, all), links);
    return;
  }
  const extents = await exchange.extents.ofAll(exchange, page);
  const collections = page.map((collection, index) => ({
    ...describe(collection, extents[index]),
    links: [
      {
        rel: "self",
        type: JSON_FORMAT.mediaType,
        title: collection.title,
        href: addresses.of(["collections", collection.id]),
      },
      ...contentLinks(exchange, collection),
    ],
  }));
  sendJson(exchange, { collections, numberMatched: all.length, numberReturned: page.length, links }, links);
}
