import { html } from "../../server/kernel/http/html.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Link } from "../exchange/links.ts";
import { HTML } from "../exchange/formats.ts";
import { linkList, sendPage, SIGN_IN } from "./layout.ts";

export interface LandingPage {
  readonly title: string;
  readonly description: string;
  /** Whether others may read collections that this caller may not. */
  readonly hasMore: boolean;
  readonly links: readonly Link[];
}

export function landingPage(exchange: Exchange, { title, description, hasMore, links }: LandingPage): void {
  const { addresses } = exchange;
  const hasMap = links.some(({ rel }) => /\/map$/.test(rel));
  sendPage(exchange, {
    title,
    description,
    trail: [],
    links,
    body: html`${linkList([
        { title: "Collections", href: addresses.local(["collections"]) },
        ...(hasMap ? [{ title: "Map", href: addresses.local(["map"], { f: HTML.name }) }] : []),
        { title: "Tiles", href: addresses.local(["tiles"]) },
        { title: "Try the API", href: addresses.local(["api"]) },
        { title: "Conformance", href: addresses.local(["conformance"]) },
      ])}
      ${hasMore && SIGN_IN}
      <section aria-labelledby="programs">
        <h2 id="programs">In your program</h2>
        <p>QGIS, GDAL, ArcGIS and others take this address as that of an OGC API:</p>
        <pre tabindex="0"><code>${addresses.root}</code></pre>
      </section>`,
  });
}
