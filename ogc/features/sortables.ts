/** `/collections/{collectionId}/sortables`: what features may be sorted by, as JSON Schema. */
import { sendText, selfLinks, type CollectionExchange } from "../exchange.ts";
import { HTML } from "../formats.ts";
import { columnsPage } from "../pages/columnsPage.ts";
import { queryableSchema } from "./propertySchema.ts";
import { SCHEMA_DIALECT } from "./queryables.ts";
import { sortableColumns } from "./sorting.ts";

export const SORTABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/sortables";

export function sortables(exchange: CollectionExchange): void {
  const { addresses, collection, format, config } = exchange;
  const { id, title } = collection;
  const address = addresses.of(["collections", id, "sortables"]);
  const links = selfLinks(exchange, address, "Sortables");
  const columns = sortableColumns(collection);
  if (format === HTML) {
    const description = "What features may be sorted by, such as sortby=-name.";
    columnsPage(exchange, { heading: "Sortables", title, description, collection, columns, links });
    return;
  }
  const body = {
    $schema: SCHEMA_DIALECT,
    $id: address,
    type: "object",
    title,
    properties: Object.fromEntries(columns.map((column) => [column.name, queryableSchema(column, config)])),
    additionalProperties: false,
  };
  sendText(exchange, format.mediaType, JSON.stringify(body), links);
}
