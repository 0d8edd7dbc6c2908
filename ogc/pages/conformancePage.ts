import { html } from "../../server/kernel/http/html.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Link } from "../exchange/links.ts";
import { sendPage } from "./layout.ts";

export function conformancePage(exchange: Exchange, classes: readonly string[], links: readonly Link[]): void {
  sendPage(exchange, {
    title: "Conformance",
    description: "The conformance classes of standards that this API meets.",
    trail: [],
    links,
    body: html`<ul class="plain">
      ${classes.map(
        (uri) =>
          html`<li>
            <a href="${uri}"><code>${uri}</code></a>
          </li>`,
      )}
    </ul>`,
  });
}
