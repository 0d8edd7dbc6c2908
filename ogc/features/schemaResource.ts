/** The common part of `/queryables`, `/sortables` and `/schema`: columns as JSON Schema 2020-12, or as an HTML page. */
import type { JsonSchema } from "../../server/types/table.ts";
import type { CollectionColumn } from "../collections/collections.ts";
import { sendText, selfLinks, type CollectionExchange, type Exchange } from "../exchange/exchange.ts";
import { HTML } from "../exchange/formats.ts";
import { columnsPage } from "../pages/columnsPage.ts";

export interface SchemaResource {
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly heading: string;
  /** The collection of the columns. */
  readonly title: string;
  /** For the page: the purpose of the columns. */
  readonly use: string;
  readonly columns: readonly CollectionColumn[];
  /** For the page: notes on columns, by their names. */
  readonly notes?: ReadonlyMap<string, string>;
  /** The members besides `$schema`, `$id`, `type` and `title`. */
  readonly schema: JsonSchema;
}

export function sendSchema(exchange: Exchange, resource: SchemaResource): void {
  const { path, query, heading, title, use, columns, notes, schema } = resource;
  const address = exchange.addresses.of(path, query);
  const links = selfLinks(exchange, address, heading);
  if (exchange.format === HTML) {
    const collection = "collection" in exchange ? (exchange as CollectionExchange).collection : undefined;
    columnsPage(exchange, { heading, title, description: use, collection, columns, notes, links });
    return;
  }
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const body = { $schema, $id: address, type: "object", title, ...schema };
  sendText(exchange, { mediaType: exchange.format.mediaType, text: JSON.stringify(body), links });
}

/** The columns as the properties of an object without other properties. */
export function propertiesOf(
  columns: readonly CollectionColumn[],
  schemaOf: (column: CollectionColumn) => JsonSchema,
): JsonSchema {
  return {
    properties: Object.fromEntries(columns.map((column) => [column.name, schemaOf(column)])),
    additionalProperties: false,
  };
}
