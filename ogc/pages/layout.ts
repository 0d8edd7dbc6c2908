/** The common parts of the HTML pages of the OGC API. */
import type { OgcConfig } from "../../server/kernel/config/ogc.ts";
import { Html, html, page, pagePolicy } from "../../server/kernel/http/html.ts";
import { sendText, type Exchange } from "../exchange/exchange.ts";
import { HTML } from "../exchange/formats.ts";
import { contactHref } from "../exchange/publisher.ts";
import { LOGO } from "./assets.ts";
import { isSpatial, type Collection, type CollectionColumn } from "../collections/collections.ts";
import { queryString, type Link } from "../exchange/links.ts";
import type { TileSource } from "../tiles/tileSource.ts";

/**
 * The content security policy: scripts and pictures only from this service, none of them inline. OpenLayers sets styles
 * of elements by script, which does not count as inline style.
 */
const SOURCES = {
  "script-src": "'self'",
  "img-src": "'self' data: blob:",
  "connect-src": "'self'",
  "form-action": "'self'",
};
const POLICY = pagePolicy(SOURCES);

/** The policy of a page. On a page with a map, the background tiles may come from another host if one is configured. */
function policyOf({ baseMap }: OgcConfig, hasMap: boolean): string {
  if (!baseMap || !hasMap) return POLICY;
  const { protocol, host } = new URL(baseMap.url);
  // {s} and similar placeholders stand for one of several hosts
  const origin = `${protocol}//${decodeURIComponent(host).replace(/^[^.{]*\{[^.{}]*\}[^.]*\./, "*.")}`;
  return pagePolicy({ ...SOURCES, "img-src": `${SOURCES["img-src"]} ${origin}` });
}

export interface OgcPage {
  readonly title: string;
  readonly description?: string | undefined;
  /** The breadcrumbs from the landing page to this one. */
  readonly trail: readonly { readonly title: string; readonly path: readonly string[] }[];
  readonly body: Html;
  /** Names of the scripts in `assets/` that the page needs. */
  readonly scripts?: readonly string[];
  readonly links: readonly Link[];
  /** The version of the row that it shows. */
  readonly version?: string | undefined;
}

export function sendPage(
  exchange: Exchange,
  { title, description, trail, body, scripts = [], links, version }: OgcPage,
): void {
  const { addresses, database, response, config } = exchange;
  const own = addresses.local([]);
  const service = own.slice(0, own.indexOf("/api/v4/ogc/"));
  const assets = `${service}/api/v4/ogc/assets`;
  const hasMap = scripts.includes("map.js");
  const alternates = links.filter(({ rel }) => rel === "alternate");
  response.setHeader("Content-Security-Policy", policyOf(config, hasMap));
  const text = page({
    title: `${title} – ${database.name}`,
    root: service,
    head: html`${hasMap && html`<link rel="stylesheet" href="${assets}/ol/ol.css" />`}
      <link rel="stylesheet" href="${assets}/ogc.css" />
      ${links
        .filter(({ rel }) => ["alternate", "next", "prev"].includes(rel))
        .map(
          ({ rel, type, href, title: name }) =>
            html`<link rel="${rel}" type="${type}" href="${href}" title="${name}" />`,
        )}
      ${hasMap && html`<script defer src="${assets}/ol/ol.js"></script>`}
      ${scripts.map((script) => html`<script defer src="${assets}/${script}"></script>`)}`,
    body: html`<body class="page wide">
      <a class="skip" href="#content">To the content</a>
      <header>
        <nav aria-label="Breadcrumb">
          <ol class="trail">
            <li>
              <a href="${service}/"
                >${config.logo !== undefined && html`<img class="logo" src="${service}${LOGO}" alt="" />`}Portolan</a
              >
            </li>
            <li><a href="${own}">${database.name}</a></li>
            ${trail.map(({ title: name, path }) => html`<li><a href="${addresses.local(path)}">${name}</a></li>`)}
          </ol>
        </nav>
        ${accountLine(exchange, service)}
        <h1>${title}</h1>
        ${description !== undefined && html`<p id="description">${description}</p>`}
      </header>
      <main id="content">
        ${hasMap && config.baseMap && data("base-map", JSON.stringify(config.baseMap.url))} ${body}
      </main>
      <footer>
        ${publisher(config)}
        ${
          alternates.length > 0 &&
          html`<p>
            This page as
            ${alternates.map(
              ({ href, type }, index) => html`${index > 0 && ", "}<a href="${href}">${nameOf(exchange, type)}</a>`,
            )}
          </p>`
        }
        <details>
          <summary>All links of this page</summary>
          <ul class="plain">
            ${links.map(
              ({ rel, href, type, title: name }) =>
                html`<li><a href="${href}">${name}</a> <span class="quiet">${rel}, ${type}</span></li>`,
            )}
          </ul>
        </details>
      </footer>
    </body>`,
  });
  sendText(exchange, { mediaType: HTML.mediaType, text, links, version });
}

/** The publisher of the data, and the licence. */
function publisher({ contact, license, title }: OgcConfig): Html | undefined {
  if (!contact && !license) return undefined;
  const link = (text: string, href: string | undefined): Html =>
    href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`;
  const name = contact?.name ?? contact?.email ?? contact?.url;
  return html`<p>
    ${title !== undefined && html`${title}. `}
    ${contact && name !== undefined && html`Published by ${link(name, contactHref(contact))}. `}
    ${license && html`Licence: ${link(license.name, license.url)}.`}
  </p>`;
}

/**
 * The signed-in account, and a link to change it. A caller who sends credentials with each request cannot sign out
 * here.
 */
function accountLine({ identity, request, addresses, database }: Exchange, service: string): Html {
  const rest = (request.url ?? "").replace(/^.*?\/ogc\/database\/[^/?]+/i, "");
  const query = queryString({ database: database.name, return_to: addresses.local([]) + rest });
  if (identity.name === "anonymous")
    return html`<p class="account"><a href="${service}/signin?${query}">Sign in</a></p>`;
  const came = request.headers.authorization !== undefined;
  return html`<p class="account">
    ${identity.name} ${!came && html`<a href="${service}/signout?${query}">Sign out</a>`}
  </p>`;
}

function nameOf({ route }: Exchange, mediaType: string): string {
  return route.formats.find((format) => format.mediaType === mediaType)?.title ?? mediaType;
}

/** A table of columns under the heading or label `title`. `notes`: further notes on columns, by their names. */
export function columnTable(
  title: string,
  columns: readonly CollectionColumn[],
  notes: ReadonlyMap<string, string> = new Map(),
): Html {
  return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        ${columns.map(
          ({ name, type, description, filterable }) =>
            html`<tr>
              <th scope="row"><code>${name}</code></th>
              <td>${type.kind === "array" ? `${type.element?.name}[]` : type.name}</td>
              <td>
                ${description}
                ${filterable && html` <span class="quiet">Selects features: <code>?${name}=…</code></span>`}
                ${notes.get(name) && html` <span class="quiet">${notes.get(name)}</span>`}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Data for a script of the page. A browser does not run it, and nothing in it can close the element. */
export function data(id: string, value: string): Html {
  return new Html(`<script type="application/json" id="${id}">${value.replaceAll("<", "\\u003c")}</script>`);
}

interface MapFigure {
  readonly label: string;
  /** The text of a FeatureCollection. */
  readonly features: string;
  /** More content next to the map. */
  readonly more?: Html;
}

/** A map of features, drawn by `assets/map.js` from the data next to it. */
export function mapFigure({ config }: Pick<Exchange, "config">, { label, features, more }: MapFigure): Html {
  return html`<figure class="map">
      <div id="map" tabindex="0" role="application" aria-label="${label}; arrow keys move it, plus and minus zoom">
        <noscript><p>The map needs JavaScript.</p></noscript>
      </div>
      ${more}
      <figcaption>${groundLine(config)}</figcaption>
    </figure>
    ${data("features", features)}`;
}

/** The attribution of the background of a map. */
export function groundLine({ baseMap }: OgcConfig): string {
  return baseMap ? `Background: ${baseMap.attribution}.` : "Land: Natural Earth.";
}

/** The breadcrumbs from the landing page to the source of tiles and styles. */
export function trailOf({ path, title }: Pick<TileSource, "path" | "title">): OgcPage["trail"] {
  const [first, id] = path;
  if (first !== "collections" || id === undefined) return [];
  return [
    { title: "Collections", path: ["collections"] },
    { title, path: ["collections", id] },
  ];
}

/** The legends of collections, if there is a MapServer to draw them. */
export function legends({ addresses, maps }: Exchange, collections: readonly Collection[]): Html | undefined {
  const drawn = maps ? collections.filter(({ raster }) => !raster) : [];
  if (drawn.length === 0) return undefined;
  return html`<h2>Legend</h2>
    ${drawn.map(
      ({ id, title, styleName }) =>
        html`<figure class="legend">
          <img
            src="${addresses.local(["collections", id, "legend"], { ...(styleName !== undefined && { style: styleName }), f: "png" })}"
            alt="Legend of ${title}"
          />
          <figcaption>${title}</figcaption>
        </figure>`,
    )}`;
}

interface PageLink {
  readonly title: string;
  readonly href: string;
}

/**
 * The pages of a collection's content: features, maps and tiles. A raster has no features, and without MapServer there
 * are no maps.
 */
export function contentPages({ addresses, maps }: Exchange, collection: Collection): PageLink[] {
  const { id, raster } = collection;
  const isDrawn = isSpatial(collection);
  const of = (...path: readonly string[]): string => addresses.local(["collections", id, ...path]);
  return [
    ...(raster ? [] : [{ title: "Features", href: of("items") }]),
    ...(maps && isDrawn ? [{ title: "Map", href: addresses.local(["collections", id, "map"], { f: HTML.name }) }] : []),
    ...(raster || !isDrawn ? [] : [{ title: "Tiles", href: of("tiles") }]),
    ...(maps && isDrawn ? [{ title: "Map tiles", href: of("map", "tiles") }] : []),
    ...(raster || !isDrawn ? [] : [{ title: "Style", href: of("styles") }]),
  ];
}

/**
 * Says that there is more, but not what or how much, so that nothing is disclosed about collections that the caller may
 * not read.
 */
export const SIGN_IN = html`<p>Sign in to see more: other accounts may read further collections.</p>`;

export function linkList(links: readonly PageLink[]): Html {
  return html`<ul class="links">
    ${links.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li>`)}
  </ul>`;
}
