/** What the HTML pages of the OGC API share. */
import { Html, html, page } from "../../server/kernel/http/html.ts";
import { sendText, type Exchange } from "../exchange.ts";
import { HTML } from "../formats.ts";
import type { Link } from "../links.ts";

/** Scripts and pictures from us alone, none of them in the page; OpenLayers sets styles of elements by script, which is no style in the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

export interface OgcPage {
  readonly title: string;
  readonly description?: string | undefined;
  /** The way from the landing page to this one. */
  readonly trail: readonly { readonly title: string; readonly path: readonly string[] }[];
  readonly body: Html;
  /** Scripts of `assets/` that the page needs. */
  readonly scripts?: readonly string[];
  readonly links: readonly Link[];
}

export function sendPage(exchange: Exchange, { title, description, trail, body, scripts = [], links }: OgcPage): void {
  const { addresses, database, response } = exchange;
  const own = addresses.local([]);
  const service = own.slice(0, own.indexOf("/api/v4/ogc/"));
  const assets = `${service}/api/v4/ogc/assets`;
  const hasMap = scripts.includes("map.js");
  const alternates = links.filter(({ rel }) => rel === "alternate");
  response.setHeader("Content-Security-Policy", POLICY);
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
            <li><a href="${service}/">Portolan</a></li>
            <li><a href="${own}">${database.name}</a></li>
            ${trail.map(({ title: name, path }) => html`<li><a href="${addresses.local(path)}">${name}</a></li>`)}
          </ol>
        </nav>
        <h1>${title}</h1>
        ${description !== undefined && html`<p>${description}</p>`}
      </header>
      <main id="content">${body}</main>
      <footer>
        <p>
          This page as
          ${alternates.map(({ href, type }, index) => html`${index > 0 && ", "}<a href="${href}">${nameOf(type)}</a>`)}
        </p>
      </footer>
    </body>`,
  });
  sendText(exchange, HTML.mediaType, text, links);
}

function nameOf(type: string): string {
  if (type.startsWith("application/geo+json")) return "GeoJSON";
  return type.startsWith("application/vnd.oai.openapi") ? "OpenAPI 3.0" : "JSON";
}

/** Data for a script of ours: a browser does not run it, and nothing in it can end it. */
export function data(id: string, value: string): Html {
  return new Html(`<script type="application/json" id="${id}">${value.replaceAll("<", "\\u003c")}</script>`);
}

/** A map of features, drawn by `assets/map.js` from what stands beside it. `features`: text of a FeatureCollection. */
export function mapFigure(label: string, features: string): Html {
  return html`<figure class="map">
      <div id="map" tabindex="0" role="application" aria-label="${label}; arrow keys move it, plus and minus zoom">
        <noscript><p>The map needs JavaScript.</p></noscript>
      </div>
      <figcaption>Land: Natural Earth.</figcaption>
    </figure>
    ${data("features", features)}`;
}

export function linkList(links: readonly { readonly title: string; readonly href: string }[]): Html {
  return html`<ul class="links">
    ${links.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li>`)}
  </ul>`;
}
