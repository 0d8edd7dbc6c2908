/** `/maps/{database}/{name}`: a saved map that is shared with everybody. */
import { html } from "../kernel/http/html.ts";
import type { Route } from "../kernel/http/routes.ts";
import { readPublic, sendPublicPage, type PublicItem, type PublicKernel, type PublicKind } from "./publicPage.ts";

const MAP: PublicKind = { noun: "map", table: "maps", columns: "name, title, view, layers" };

interface PublicMap {
  readonly name: string;
  readonly title: string | null;
  readonly layers: readonly { readonly collection?: string }[];
}

/** Which of the ids name collections that the caller may read. */
export type ReadableIds = (
  asker: Pick<PublicItem<unknown>, "database" | "identity" | "context">,
  ids: readonly string[],
) => Promise<ReadonlySet<string>>;

/** `origins`: those of basemaps, from which the page may load. */
export function publicMapRoute(kernel: PublicKernel, origins: readonly string[], readableIds: ReadableIds): Route {
  const basemaps = JSON.stringify(kernel.config.basemaps);
  return {
    path: "/maps/{database}/{name}",
    summary: "A saved map that is shared with everybody",
    handlers: {
      async GET(request, response, parameters) {
        const item = await readPublic<PublicMap>(kernel, request, parameters, MAP);
        const map = { ...item.row, layers: await layersForVisitors(item, readableIds) };
        sendPublicPage(request, response, kernel, {
          title: map.title ?? map.name,
          database: parameters["database"]!,
          script: "publicMap",
          data: html`data-basemaps="${basemaps}" data-loads-basemaps data-map="${JSON.stringify(map)}"`,
          origins,
        });
      },
    },
  };
}

/** The layers without those of collections that a visitor may not see, so that the page does not name them. */
async function layersForVisitors(item: PublicItem<PublicMap>, readableIds: ReadableIds): Promise<PublicMap["layers"]> {
  const { layers } = item.row;
  const seen = await readableIds(
    item,
    layers.flatMap(({ collection }) => collection ?? []),
  );
  return layers.filter(({ collection }) => collection === undefined || seen.has(collection));
}
