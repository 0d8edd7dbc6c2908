import { html } from "../../server/kernel/http/html.ts";
import type { Collection } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Link } from "../exchange/links.ts";
import { contentPages, sendPage, SIGN_IN } from "./layout.ts";
import { pager } from "./pager.ts";

export interface CollectionsPage {
  readonly collections: readonly Collection[];
  readonly matched: number;
  /** Whether others may read collections that this caller may not. */
  readonly hasMore: boolean;
  readonly links: readonly Link[];
}

export function collectionsPage(exchange: Exchange, { collections, matched, hasMore, links }: CollectionsPage): void {
  const { addresses } = exchange;
  sendPage(exchange, {
    title: "Collections",
    description: `${matched} that you may read.`,
    trail: [],
    links,
    body: html`<div class="scroll" role="region" aria-label="Collections" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">Title and id</th>
              <th scope="col">Description</th>
              <th scope="col">Content</th>
            </tr>
          </thead>
          <tbody>
            ${collections.map((collection) => {
              const { id, title, description } = collection;
              return html`<tr>
                <th scope="row">
                  <a href="${addresses.local(["collections", id])}">${title}</a><br /><code class="quiet">${id}</code>
                </th>
                <td>${description}</td>
                <td>
                  ${contentPages(exchange, collection).map(
                    ({ title: name, href }) => html`<a href="${href}" aria-label="${name} of ${title}">${name}</a> `,
                  )}
                </td>
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
      ${hasMore && SIGN_IN} ${pager(links)}`,
  });
}
