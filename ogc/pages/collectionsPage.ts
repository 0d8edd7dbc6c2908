import { html } from "../../server/kernel/http/html.ts";
import type { Collection } from "../collections.ts";
import type { Exchange } from "../exchange.ts";
import type { Link } from "../links.ts";
import { sendPage } from "./layout.ts";
import { pager } from "./pager.ts";

export function collectionsPage(
  exchange: Exchange,
  collections: readonly Collection[],
  matched: number,
  links: readonly Link[],
): void {
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
              <th scope="col">Title</th>
              <th scope="col">Id</th>
              <th scope="col">Description</th>
              <th scope="col">Content</th>
            </tr>
          </thead>
          <tbody>
            ${collections.map(
              ({ id, title, description }) =>
                html`<tr>
                  <th scope="row"><a href="${addresses.local(["collections", id])}">${title}</a></th>
                  <td><code>${id}</code></td>
                  <td>${description}</td>
                  <td>
                    <a href="${addresses.local(["collections", id, "items"])}" aria-label="Features of ${title}"
                      >Features</a
                    >
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${pager(links)}`,
  });
}
