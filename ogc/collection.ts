/** `/collections/{collectionId}`: one collection, as the list has it too. */
import type { Collection } from "./collections.ts";
import { selfLinks, sendJson, withFormat, type CollectionExchange, type Exchange } from "./exchange.ts";
import { GEOJSON, HTML, JSON_FORMAT } from "./formats.ts";
import type { Link } from "./links.ts";

export function describeCollection(exchange: CollectionExchange): void {
  const { addresses, collection } = exchange;
  const links = [
    ...selfLinks(exchange, addresses.of(["collections", collection.id]), collection.title),
    ...contentLinks(exchange, collection),
  ];
  sendJson(exchange, { ...describe(collection), links }, links);
}

/** The members of a collection, without links. */
export function describe(collection: Collection): Record<string, unknown> {
  const { id, title, description, crs, storageCrs } = collection;
  return {
    id,
    title,
    ...(description !== undefined && { description }),
    itemType: "feature",
    crs: crs.map(({ uri }) => uri),
    ...(storageCrs && { storageCrs: storageCrs.uri }),
  };
}

/** The ways to what is in a collection. */
export function contentLinks({ addresses }: Pick<Exchange, "addresses">, collection: Collection): Link[] {
  const items = addresses.of(["collections", collection.id, "items"]);
  return [GEOJSON, HTML].map((format) => ({
    rel: "items",
    type: format.mediaType,
    title: `${collection.title} as ${format.title}`,
    href: withFormat(items, format),
  }));
}

/** The way to a collection itself. */
export function collectionLink({ addresses }: Pick<Exchange, "addresses">, { id, title }: Collection): Link {
  return { rel: "collection", type: JSON_FORMAT.mediaType, title, href: addresses.of(["collections", id]) };
}
