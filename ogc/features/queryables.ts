/** `/collections/{collectionId}/queryables`: the columns that select features by `name=value`, as JSON Schema. */
import { sendText, type CollectionExchange, selfLinks } from "../exchange.ts";
import { filterSchema } from "./propertySchema.ts";

export const QUERYABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/queryables";

export function queryables(exchange: CollectionExchange): void {
  const { addresses, collection, format } = exchange;
  const address = addresses.of(["collections", collection.id, "queryables"]);
  const body = {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    $id: address,
    type: "object",
    title: collection.title,
    properties: Object.fromEntries(
      collection.columns.filter(({ filterable }) => filterable).map((column) => [column.name, filterSchema(column)]),
    ),
    additionalProperties: false,
  };
  sendText(exchange, format.mediaType, JSON.stringify(body), selfLinks(exchange, address, "Queryables"));
}
