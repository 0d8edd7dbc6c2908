/** Links to maps. */
import type { Collection } from "../collections/collections.ts";
import { withFormat, type Exchange } from "../exchange/exchange.ts";
import { HTML, JPEG, PNG, TIFF } from "../exchange/formats.ts";
import type { Link } from "../exchange/links.ts";

/** OGC 20-058 §7.3.2: the relation of a map. Clients look for either spelling. */
const MAP_RELS = ["http://www.opengis.net/def/rel/ogc/1.0/map", "https://www.opengis.net/def/rel/ogc/1.0/map"] as const;
const LEGEND_REL = "http://www.opengis.net/def/rel/ogc/1.0/legend";

/** The links to the maps of a collection; none without a MapServer. */
export function mapLinks({ addresses, maps }: Pick<Exchange, "addresses" | "maps">, collection: Collection): Link[] {
  if (!maps) return [];
  const { id, title } = collection;
  const legend: Link = {
    rel: LEGEND_REL,
    type: PNG.mediaType,
    title: `Legend of ${title}`,
    href: withFormat(addresses.of(["collections", id, "legend"]), PNG),
  };
  return [
    ...linksTo(addresses.of(["collections", id, "map"]), `Map of ${title}`),
    ...(collection.raster ? [] : [legend]),
  ];
}

/** The links to the map of several collections, for the landing page. */
export function datasetMapLinks({ addresses, maps }: Pick<Exchange, "addresses" | "maps">): Link[] {
  return maps ? linksTo(addresses.of(["map"]), "Map of the collections") : [];
}

/** The links to the map in the style of this path (OGC 20-058 /req/styled-map/desc-links). */
export function styledMapLinks(
  { addresses, maps }: Pick<Exchange, "addresses" | "maps">,
  path: readonly string[],
  title: string,
): Link[] {
  const href = addresses.of([...path, "map"]);
  return maps ? MAP_RELS.map((rel) => ({ rel, type: PNG.mediaType, title: `Map of ${title}`, href })) : [];
}

/** The links without the separate formats of maps, for a page that lists its own formats only. */
export function withoutMapFormats(links: readonly Link[]): Link[] {
  const maps = new Set(links.filter(({ rel }) => rel === MAP_RELS[0]).map(({ href }) => href));
  return links.filter(({ rel, href }) => rel !== "alternate" || !maps.has(href.split("?", 1)[0]!));
}

/** A text about the contents of a database's API. */
export function describeContent({ maps, database }: Pick<Exchange, "maps" | "database">): string {
  return `${maps ? "Features and maps" : "Features"} of the database ${database.name}`;
}

/**
 * Links to the plain resource, whose format Accept selects and to which parameters can be appended, and to its formats.
 */
function linksTo(href: string, title: string): Link[] {
  return [
    ...MAP_RELS.map((rel) => ({ rel, type: PNG.mediaType, title, href })),
    ...[PNG, JPEG, TIFF, HTML].map((format) => ({
      rel: "alternate",
      type: format.mediaType,
      title: `${title} as ${format.title}`,
      href: withFormat(href, format),
    })),
  ];
}
