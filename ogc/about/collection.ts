/** `/collections/{collectionId}`: one collection, in the same form as in the list. */
import { isSpatial, type Collection } from "../collections/collections.ts";
import { selfLinks, sendJson, withFormat, type CollectionExchange, type Exchange } from "../exchange/exchange.ts";
import { spatialExtent } from "../collections/bounds.ts";
import type { WholeExtent } from "../collections/extent.ts";
import { describeArgument } from "../features/propertySchema.ts";
import { FEATURES_FORMATS, HTML, JSON_FORMAT, JSON_SCHEMA } from "../exchange/formats.ts";
import type { Link } from "../exchange/links.ts";
import { mapLinks, withoutMapFormats } from "../maps/mapLinks.ts";
import { stylesLink } from "../styles/styles.ts";
import { tileLinks } from "../tiles/tileLinks.ts";
import { collectionPage } from "../pages/collectionPage.ts";
import { QUERYABLES_REL } from "../features/queryables.ts";
import { BODIES } from "../features/propertySchema.ts";
import { SCHEMA_REL } from "../features/schema.ts";
import { SORTABLES_REL } from "../features/sortables.ts";

export async function describeCollection(exchange: CollectionExchange): Promise<void> {
  const { addresses, collection, extents } = exchange;
  const extent = await extents.of(exchange, collection);
  const links = [
    ...selfLinks(exchange, addresses.of(["collections", collection.id]), collection.title),
    ...contentLinks(exchange, collection),
  ];
  if (exchange.format === HTML) collectionPage(exchange, extent, withoutMapFormats(links));
  else sendJson(exchange, { ...describe(collection, extent), links }, links);
}

/** OGC API Features Part 1 §7.13.3: the only temporal reference system of the standard. */
const GREGORIAN = "http://www.opengis.net/def/uom/ISO-8601/0/Gregorian";

/** The members of a collection, without links. */
export function describe(collection: Collection, { spatial, temporal }: WholeExtent): Record<string, unknown> {
  const { id, title, description, keywords, crs, storageCrs, since, routine } = collection;
  const interval = since ? [since.toISOString(), null] : temporal;
  return {
    id,
    title,
    ...(description !== undefined && { description }),
    ...(keywords.length > 0 && { keywords }),
    ...((spatial ?? interval) && {
      extent: {
        ...(spatial && { spatial: spatialExtent(spatial, storageCrs) }),
        ...(interval && { temporal: { interval: [interval], trs: GREGORIAN } }),
      },
    }),
    ...(!collection.raster && { itemType: "feature" }),
    crs: crs.map(({ uri }) => uri),
    ...(storageCrs && { storageCrs: storageCrs.uri }),
    ...(routine && { parameters: routine.parameters.map(describeArgument) }),
  };
}

/** The JSON text of a collection, with its links. Kept as long as the catalogue is the same. */
const listed = new WeakMap<Collection, { readonly extent: WholeExtent; readonly text: string }>();

/**
 * A collection in the list. The text is the same for all callers who may read the collection, whichever columns they
 * may read.
 */
export function listedText(exchange: Exchange, { id }: Collection, extent: WholeExtent): string {
  const collection = exchange.collections.get(id)!;
  const known = listed.get(collection);
  if (known && known.extent.spatial === extent.spatial && known.extent.temporal === extent.temporal) return known.text;
  const { mediaType: type } = JSON_FORMAT;
  const self: Link = { rel: "self", type, title: collection.title, href: exchange.addresses.of(["collections", id]) };
  const links = [self, ...contentLinks(exchange, collection)];
  const text = JSON.stringify({ ...describe(collection, extent), links });
  listed.set(collection, { extent, text });
  return text;
}

/** Links to the content of a collection: features, except for a raster, and maps. */
export function contentLinks(exchange: Pick<Exchange, "addresses" | "maps">, collection: Collection): Link[] {
  return [
    ...(collection.raster ? [] : featureLinks(exchange, collection)),
    ...(isSpatial(collection) ? drawnLinks(exchange, collection) : []),
    ...licenseLinks(collection),
  ];
}

/** Links to the maps, tiles and styles of a collection. */
function drawnLinks(exchange: Pick<Exchange, "addresses" | "maps">, collection: Collection): Link[] {
  const { id, title, raster } = collection;
  return [
    ...mapLinks(exchange, collection),
    ...tileLinks(exchange, collection),
    ...(raster ? [] : [stylesLink(exchange.addresses, ["collections", id], `Styles of ${title}`)]),
  ];
}

/** The link to the licence, with IANA's relation `license`. */
function licenseLinks({ license }: Collection): Link[] {
  const { name: title, url: href } = license ?? {};
  return title === undefined || href === undefined ? [] : [{ rel: "license", type: HTML.mediaType, title, href }];
}

function featureLinks({ addresses }: Pick<Exchange, "addresses">, collection: Collection): Link[] {
  const items = addresses.of(["collections", collection.id, "items"]);
  const schemas = [
    { rel: SCHEMA_REL, path: "schema", title: "Schema" },
    { rel: QUERYABLES_REL, path: "queryables", title: "Queryables" },
    { rel: SORTABLES_REL, path: "sortables", title: "Sortables" },
  ];
  return [
    ...FEATURES_FORMATS.map((format) => ({
      rel: "items",
      type: format.mediaType,
      title: `${collection.title} as ${format.title}`,
      href: withFormat(items, format),
    })),
    ...schemas.flatMap(({ rel, path, title }) =>
      [JSON_SCHEMA, HTML].map((format) => ({
        rel,
        type: format.mediaType,
        title: `${title} of ${collection.title} as ${format.title}`,
        href: withFormat(addresses.of(["collections", collection.id, path]), format),
      })),
    ),
    {
      rel: "describedby",
      type: JSON_SCHEMA.mediaType,
      title: `Schema of ${collection.title} in GeoJSON`,
      href: withFormat(addresses.of(["collections", collection.id, "schema"], { type: "replace" }), JSON_SCHEMA),
    },
    ...(collection.isWritable
      ? BODIES.map((body) => ({
          rel: body === "create" ? "create-form" : "edit-form", // RFC 6861
          type: JSON_SCHEMA.mediaType,
          title: `The schema of a body to ${body} a feature of ${collection.title}`,
          href: withFormat(addresses.of(["collections", collection.id, "schema"], { type: body }), JSON_SCHEMA),
        }))
      : []),
  ];
}

/** The link to a collection itself. */
export function collectionLink({ addresses }: Pick<Exchange, "addresses">, { id, title }: Collection): Link {
  return { rel: "collection", type: JSON_FORMAT.mediaType, title, href: addresses.ofCollection(id) };
}
