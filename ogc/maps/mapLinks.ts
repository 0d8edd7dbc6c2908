/** Links to maps. */
import type { Collection } from "../collections.ts";
import { withFormat, type Exchange } from "../exchange.ts";
import { HTML, JPEG, PNG } from "../formats.ts";
import type { Link } from "../links.ts";

/** OGC 20-058 §7.3.2: the relation of a map; clients look for either spelling. */
const MAP_RELS = ["http://www.opengis.net/def/rel/ogc/1.0/map", "https://www.opengis.net/def/rel/ogc/1.0/map"] as const;
const LEGEND_REL = "http://www.opengis.net/def/rel/ogc/1.0/legend";

/** The ways to the maps of a collection; none where there is no MapServer. */
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

/** The schema that `/map` without `collections` shows: the one that is configured, or the only one that has any. */
export function defaultSchema({ config, collections }: Pick<Exchange, "config" | "collections">): string | undefined {
  const [first, ...others] = new Set([...collections.values()].map(({ schema }) => schema));
  return config.defaultSchema ?? (others.length === 0 ? first : undefined);
}

/** The ways to the map of several collections, for the landing page; none where it would have to be asked which. */
export function datasetMapLinks(exchange: Pick<Exchange, "addresses" | "maps" | "config" | "collections">): Link[] {
  const { addresses, maps } = exchange;
  return maps && defaultSchema(exchange) !== undefined ? linksTo(addresses.of(["map"]), "Map of the collections") : [];
}

/** What the API of a database gives, in words. */
export function describeContent({ maps, database }: Pick<Exchange, "maps" | "database">): string {
  return `${maps ? "Features and maps" : "Features"} of the database ${database.name}`;
}

function linksTo(href: string, title: string): Link[] {
  return [PNG, JPEG, HTML].flatMap((format) =>
    MAP_RELS.map((rel) => ({
      rel,
      type: format.mediaType,
      title: `${title} as ${format.title}`,
      href: withFormat(href, format),
    })),
  );
}
