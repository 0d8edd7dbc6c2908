/** `/collections/{collectionId}/sortables`: the properties that features can be sorted by, as JSON Schema. */
import type { CollectionExchange } from "../exchange/exchange.ts";
import { queryableSchema } from "./propertySchema.ts";
import { propertiesOf, sendSchema } from "./schemaResource.ts";
import { sortableColumns } from "./page/sorting.ts";

export const SORTABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/sortables";

export function sortables(exchange: CollectionExchange): void {
  const { id, title } = exchange.collection;
  const columns = sortableColumns(exchange.collection);
  sendSchema(exchange, {
    path: ["collections", id, "sortables"],
    heading: "Sortables",
    title,
    use: "The properties that features can be sorted by, such as sortby=-name.",
    columns,
    schema: propertiesOf(columns, (column) => queryableSchema(column, exchange.config)),
  });
}
