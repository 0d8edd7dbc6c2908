import { html } from "../../server/kernel/http/html.ts";
import type { CollectionColumn } from "../collections.ts";
import type { CollectionExchange } from "../exchange.ts";
import type { Link } from "../links.ts";
import { columnTable, sendPage } from "./layout.ts";

/** `columns`: those that select features. */
export function queryablesPage(
  exchange: CollectionExchange,
  columns: readonly CollectionColumn[],
  links: readonly Link[],
): void {
  const { id, title } = exchange.collection;
  sendPage(exchange, {
    title: `${title}: queryables`,
    description: "The columns that select features by column=value.",
    trail: [
      { title: "Collections", path: ["collections"] },
      { title, path: ["collections", id] },
    ],
    links,
    body: columns.length > 0 ? columnTable("Queryables", columns) : html`<p>There are none.</p>`,
  });
}
