/** `/maps/{database}/{name}`: a saved map that is shared with everybody. */
import { html } from "../kernel/http/html.ts";
import type { Route } from "../kernel/http/routes.ts";
import { readPublic, sendPublicPage, type PublicKernel, type PublicKind } from "./publicPage.ts";

const MAP: PublicKind = { noun: "map", table: "maps", columns: "name, title, view, layers" };

interface PublicMap {
  readonly name: string;
  readonly title: string | null;
}

/** `origins`: those of basemaps, from which the page may load. */
export function publicMapRoute(kernel: PublicKernel, origins: readonly string[]): Route {
  const basemaps = JSON.stringify(kernel.config.basemaps);
  return {
    path: "/maps/{database}/{name}",
    summary: "A saved map that is shared with everybody",
    handlers: {
      async GET(request, response, parameters) {
        const { row: map } = await readPublic<PublicMap>(kernel, request, parameters, MAP);
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
