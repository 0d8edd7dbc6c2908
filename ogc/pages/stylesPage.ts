import { html, type Html } from "../../server/kernel/http/html.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { MAPBOX_STYLE } from "../exchange/formats.ts";
import type { Link } from "../exchange/links.ts";
import type { TileSource } from "../tiles/tileSource.ts";
import { legends, linkList, sendPage, trailOf } from "./layout.ts";

export interface StylesPage {
  readonly title: string;
  readonly source: TileSource;
  /** The path below the landing page. */
  readonly path: readonly string[];
  readonly links: readonly Link[];
}

/** A page with the styles of a source, and their look on maps. */
export function stylesPage(
  exchange: Exchange,
  { title, source, path, links }: StylesPage,
  styles: readonly { readonly name: string; readonly title: string }[],
): void {
  const { addresses } = exchange;
  sendPage(exchange, {
    title,
    trail: trailOf(source),
    links,
    body: html`${linkList(styles.map(({ name, title: named }) => ({ title: named === source.title ? name : `${name}: ${named}`, href: addresses.local([...path, name]) })))}
    ${legends(exchange, source.collections)}`,
  });
}

/** A page with a style as a client reads it. */
export function stylePage(
  exchange: Exchange,
  { title, source, path, links, style }: StylesPage & { readonly style: object },
): void {
  const { addresses } = exchange;
  sendPage(exchange, {
    title: `Style of ${title}`,
    trail: [...trailOf(source), { title: "Styles", path: path.slice(0, -1) }],
    links,
    body: html`<p>A client that draws vector tiles itself, such as MapLibre, takes this address as its style:</p>
      <pre tabindex="0"><code>${addresses.of(path, { ...source.query, f: MAPBOX_STYLE.name })}</code></pre>
      ${legends(exchange, source.collections)}
      <details>
        <summary>The content of that address</summary>
        <pre tabindex="0">${text(style)}</pre>
      </details>`,
  });
}

function text(style: object): Html {
  return html`${JSON.stringify(style, null, 2)}`;
}
