import { html } from "../../server/kernel/http/html.ts";
import type { Exchange } from "../exchange.ts";
import type { Link } from "../links.ts";
import { linkList, sendPage } from "./layout.ts";

export function landingPage(exchange: Exchange, title: string, description: string, links: readonly Link[]): void {
  const { addresses } = exchange;
  sendPage(exchange, {
    title,
    description,
    trail: [],
    links,
    body: html`${linkList([
        { title: "Collections", href: addresses.local(["collections"]) },
        { title: "Try the API", href: addresses.local(["api"]) },
        { title: "Conformance", href: addresses.local(["conformance"]) },
      ])}
      <section aria-labelledby="programs">
        <h2 id="programs">In your program</h2>
        <p>QGIS, GDAL, ArcGIS and others take this address as that of an OGC API:</p>
        <pre tabindex="0"><code>${addresses.root}</code></pre>
      </section>`,
  });
}
