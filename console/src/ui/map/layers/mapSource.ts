/** The source of the layers of a map: the console requests them as the account, a public page anonymously. */
import { queryOptions } from "@tanstack/react-query";
import type { Basemap } from "../../../service/http/address.ts";
import { ogcPath, type Box, type MapLayer } from "../../../service/maps.ts";
import { t } from "../../../words/words.ts";

export interface MapSource {
  readonly database: string;
  /** Differs between callers, so that data of one are not shown to another. */
  readonly caller: string;
  /** `path`: below the service. Rejects with the error of a failed answer. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  readonly basemaps: Readonly<Record<string, Basemap>>;
}

/** A collection of the OGC API that the caller may read. */
export interface Collection {
  readonly id: string;
  readonly title: string;
  readonly description: string | undefined;
  /** The extent in degrees. */
  readonly extent: Box | undefined;
  /** The beginning of its history, in milliseconds. */
  readonly since: number | undefined;
  /** Whether it is a raster file, without features. */
  readonly isRaster: boolean;
  /** Under which its data are given, for the map that shows them. */
  readonly license: { readonly title: string; readonly href: string } | undefined;
}

/** The name of a layer on the map. */
export function titleOf(
  { title, land, basemap, collection }: MapLayer,
  { basemaps }: MapSource,
  collections: ReadonlyMap<string, Collection> | undefined,
): string {
  if (title) return title;
  if (land) return t("Land");
  if (typeof basemap === "string") return basemaps[basemap]?.title ?? basemap;
  return collections?.get(collection!)?.title ?? collection!;
}

interface Described {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly itemType?: string;
  readonly links?: readonly { readonly rel: string; readonly title?: string; readonly href: string }[];
  readonly extent?: {
    readonly spatial?: { readonly bbox?: readonly (readonly number[])[] };
    readonly temporal?: { readonly interval?: readonly (readonly (string | null)[])[] };
  };
}

const MOST_COLLECTIONS = 10_000;

export function collectionPathOf({ database }: MapSource, id: string): string {
  return `${ogcPath(database)}/collections/${encodeURIComponent(id)}`;
}

/** All collections that the caller may read, by their ids. */
export const collectionsOf = (source: MapSource) =>
  queryOptions({
    queryKey: ["collections", source.database, source.caller],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, Collection>> => {
      const response = await source.ask(`${ogcPath(source.database)}/collections?f=json&limit=${MOST_COLLECTIONS}`, {
        signal,
      });
      const { collections } = (await response.json()) as { readonly collections: readonly Described[] };
      return new Map(collections.map((each) => [each.id, toCollection(each)]));
    },
    staleTime: 60_000,
  });

function toCollection({ id, title, description, itemType, extent, links }: Described): Collection {
  const box = extent?.spatial?.bbox?.[0] ?? [];
  const license = links?.find(({ rel, href }) => rel === "license" && /^https?:/.test(href));
  const begin = extent?.temporal?.interval?.[0]?.[0];
  return {
    id,
    title,
    description,
    // a box of six numbers includes heights
    extent:
      box.length === 6 ? [box[0]!, box[1]!, box[3]!, box[4]!] : box.length === 4 ? (box as unknown as Box) : undefined,
    since: begin === undefined || begin === null ? undefined : Date.parse(begin),
    isRaster: itemType !== "feature",
    license: license && { title: license.title ?? license.href, href: license.href },
  };
}
