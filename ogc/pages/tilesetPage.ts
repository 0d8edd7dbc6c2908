import { html } from "../../server/kernel/http/html.ts";
import type { Bounds } from "../collections/bounds.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { MVT, PNG } from "../exchange/formats.ts";
import type { Link } from "../exchange/links.ts";
import { tileTemplate, type TileSource } from "../tiles/tileSource.ts";
import { cellSizeOf, wholeOf, type TileMatrixLimits, type TileMatrixSet } from "../tiles/tileMatrixSet.ts";
import { data, groundLine, linkList, sendPage, trailOf } from "./layout.ts";

export interface TilesetsPage {
  readonly title: string;
  readonly source: TileSource;
  readonly sets: readonly TileMatrixSet[];
  readonly links: readonly Link[];
}

/** A page with the tilesets of a source. Each has its own page with a map. */
export function tilesetsPage(exchange: Exchange, { title, source, sets, links }: TilesetsPage): void {
  const { addresses } = exchange;
  sendPage(exchange, {
    title,
    trail: trailOf(source),
    links,
    body: linkList(
      sets.map((set) => ({ title: `In ${set.id}`, href: addresses.local([...source.path, set.id], source.query) })),
    ),
  });
}

export interface TilesetPage {
  readonly title: string;
  readonly source: TileSource;
  readonly set: TileMatrixSet;
  /** The extent of the features; undefined where it is empty or unknown. */
  readonly degrees: Bounds | undefined;
  /** The style of vector tiles, and the query that adds the properties it needs to them. */
  readonly style: { readonly layers: readonly object[]; readonly query: TileSource["query"] };
  /** The limits of each level. */
  readonly limits: readonly TileMatrixLimits[];
  readonly links: readonly Link[];
}

/** A page with the tiles in OpenLayers, in the style of their collections. A clicked feature shows its attributes. */
export function tilesetPage(exchange: Exchange, page: TilesetPage): void {
  const { title, source, set, style, links } = page;
  const format = source.kind === "vector" ? MVT : PNG;
  const template = tileTemplate(exchange, source, set, format);
  const drawn = tileTemplate(exchange, { ...source, query: { ...source.query, ...style.query } }, set, format);
  sendPage(exchange, {
    title: `${title} in ${set.id}`,
    trail: [...trailOf(source), { title: "Tiles", path: source.path }],
    scripts: ["map.js", "tileStyle.js", "tiles.js"],
    links: links.filter((link) => !("templated" in link)),
    body: html`<figure class="map">
        <div
          id="tiles"
          tabindex="0"
          role="application"
          aria-label="${title}; arrow keys move the map, plus and minus zoom"
        >
          <noscript><p>The map needs JavaScript.</p></noscript>
        </div>
        <p id="tiles-state" class="hint" role="status"></p>
        <figcaption>Made under your own rights. ${groundLine(exchange.config)}</figcaption>
      </figure>
      ${data("tileset", JSON.stringify(viewOf(page, drawn)))}
      <h2>For a client</h2>
      <p>Its address: <code>${template}</code></p>`,
  });
}

function viewOf({ source: { kind }, set, style, degrees, limits }: TilesetPage, template: string): object {
  const { crs, origin, tileSize, levels } = set;
  return {
    kind,
    // without the host, since the page may have been opened under another name of it
    template: template.replace(/^[a-z]+:\/\/[^/]+/, ""),
    layers: style.layers,
    crs: `EPSG:${crs.srid}`,
    origin,
    tileSize,
    resolutions: Array.from({ length: levels }, (_, level) => cellSizeOf(set, level)),
    whole: wholeOf(set),
    degrees,
    limits: limits.map(({ minTileRow, maxTileRow, minTileCol, maxTileCol }) => [
      minTileCol,
      minTileRow,
      maxTileCol,
      maxTileRow,
    ]),
  };
}
