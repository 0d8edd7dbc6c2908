/** Links to tiles. */
import type { Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { JSON_FORMAT } from "../exchange/formats.ts";
import type { Link } from "../exchange/links.ts";
import { TILING_SCHEMES_REL } from "./tileMatrixSets.ts";

/** OGC 20-057 §11, §12: the schemes of the relation's URI. Clients look for either. */
const SPELLINGS = ["http", "https"] as const;

function linksTo(kind: "vector" | "map", title: string, href: string): Link[] {
  return SPELLINGS.map((scheme) => ({
    rel: `${scheme}://www.opengis.net/def/rel/ogc/1.0/tilesets-${kind}`,
    type: JSON_FORMAT.mediaType,
    title,
    href,
  }));
}

/** The links to the tiles of a collection: vector tiles unless it is a raster, map tiles if there is a MapServer. */
export function tileLinks({ addresses, maps }: Pick<Exchange, "addresses" | "maps">, collection: Collection): Link[] {
  const { id, title, raster } = collection;
  return [
    ...(raster ? [] : linksTo("vector", `Vector tiles of ${title}`, addresses.of(["collections", id, "tiles"]))),
    ...(maps ? linksTo("map", `Map tiles of ${title}`, addresses.of(["collections", id, "map", "tiles"])) : []),
  ];
}

/** The links to the tiles of several collections, for the landing page. */
export function datasetTileLinks({ addresses, maps }: Pick<Exchange, "addresses" | "maps">): Link[] {
  return [
    {
      rel: TILING_SCHEMES_REL,
      type: JSON_FORMAT.mediaType,
      title: "The division of the world into tiles",
      href: addresses.of(["tileMatrixSets"]),
    },
    ...linksTo("vector", "Vector tiles of the collections", addresses.of(["tiles"])),
    ...(maps ? linksTo("map", "Map tiles of the collections", addresses.of(["map", "tiles"])) : []),
  ];
}
