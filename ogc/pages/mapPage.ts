import { html } from "../../server/kernel/http/html.ts";
import type { Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { selfLinks } from "../exchange/exchange.ts";
import { CRS84 } from "../crs/crs.ts";
import type { Bounds } from "../collections/bounds.ts";
import { data, groundLine, legends, sendPage } from "./layout.ts";

export interface MapPage {
  /** Path of the map below the landing page. */
  readonly path: readonly string[];
  /** The collections, the lowest first. */
  readonly collections: readonly Collection[];
  /** Ids for the parameter `collections`; undefined for the map of one collection, and for the map of all. */
  readonly ids: string | undefined;
  /** The bounds in longitude and latitude. */
  readonly bounds: Bounds;
}

/** A page with the map in OpenLayers, its legends, and a form with the parameters of the picture. */
export function mapPage(exchange: Exchange, { path, collections, ids, bounds }: MapPage): void {
  const { addresses } = exchange;
  const title = collections.map((collection) => collection.title).join(", ");
  const action = addresses.local(path);
  sendPage(exchange, {
    title: `Map of ${title}`,
    trail: [
      { title: "Collections", path: ["collections"] },
      ...(path.length > 1
        ? collections.map(({ id, title: name }) => ({ title: name, path: ["collections", id] }))
        : []),
    ],
    scripts: ["map.js", "picture.js"],
    links: selfLinks(exchange, addresses.of(path, { collections: ids }), `Map of ${title}`),
    body: html`<figure class="map">
        <div
          id="picture"
          tabindex="0"
          role="application"
          aria-label="Map of ${title}; arrow keys move it, plus and minus zoom"
        >
          <noscript><p>The map needs JavaScript; the picture below does not.</p></noscript>
        </div>
        <p id="picture-state" class="hint" role="status"></p>
        <figcaption>Drawn by MapServer under your own rights. ${groundLine(exchange.config)}</figcaption>
      </figure>
      ${data("map-request", JSON.stringify({ address: action, collections: ids, bounds }))}
      ${legends(exchange, collections)}
      <h2>As a picture</h2>
      <form class="parameters" action="${action}" method="get">
        ${ids !== undefined && html`<input type="hidden" name="collections" value="${ids}" />`}
        <label>Rectangle <input name="bbox" value="${bounds.join(",")}" required size="40" /></label>
        <label>
          System
          <select name="crs">
            ${crsOf(collections).map((uri) => html`<option>${uri}</option>`)}
          </select>
        </label>
        <label>Width <input name="width" type="number" min="1" max="16384" value="1024" required /></label>
        <label>
          Format
          <select name="f">
            <option>png</option>
            <option>jpeg</option>
            <option>tiff</option>
          </select>
        </label>
        <label>
          Transparent
          <select name="transparent">
            <option>true</option>
            <option>false</option>
          </select>
        </label>
        <label>Background <input name="bgcolor" value="0xFFFFFF" required size="10" /></label>
        <button>Draw</button>
      </form>`,
  });
}

function crsOf(collections: readonly Collection[]): readonly string[] {
  return [...new Set([CRS84.uri, ...collections.flatMap(({ crs }) => crs.map(({ uri }) => uri))])];
}
