import { html, type Html } from "../../server/kernel/http/html.ts";
import type { Link } from "../exchange/links.ts";

/** The links to the pages before and after. `label`: distinguishes it from another pager on the same page. */
export function pager(links: readonly Link[], label = "Pages"): Html | undefined {
  const previous = links.find(({ rel }) => rel === "prev");
  const next = links.find(({ rel }) => rel === "next");
  if (!previous && !next) return undefined;
  return html`<nav class="pager" aria-label="${label}">
    ${previous && html`<a rel="prev" href="${previous.href}">Previous page</a>`}
    ${next && html`<a rel="next" href="${next.href}">Next page</a>`}
  </nav>`;
}
