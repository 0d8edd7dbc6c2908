import { html } from "../../server/kernel/http/html.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Link } from "../exchange/links.ts";
import { columnTable, sendPage } from "./layout.ts";

export interface ColumnsPage {
  readonly heading: string;
  /** The collection of the columns. */
  readonly title: string;
  readonly description: string;
  /** Undefined for the columns of all collections. */
  readonly collection: Collection | undefined;
  readonly columns: readonly CollectionColumn[];
  /** Further notes about a column, by its name. */
  readonly notes?: ReadonlyMap<string, string> | undefined;
  readonly links: readonly Link[];
}

/** A page about columns. */
export function columnsPage(
  exchange: Exchange,
  { heading, title, description, collection, columns, notes, links }: ColumnsPage,
): void {
  sendPage(exchange, {
    title: `${title}: ${heading.toLowerCase()}`,
    description,
    trail: [
      { title: "Collections", path: ["collections"] },
      ...(collection ? [{ title, path: ["collections", collection.id] }] : []),
    ],
    links,
    body: columns.length > 0 ? columnTable(heading, columns, notes) : html`<p>There are none.</p>`,
  });
}
