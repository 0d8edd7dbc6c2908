/** `/collections/{collectionId}/queryables`: the columns that select features by `name=value`, as JSON Schema. */
import { sendText, type CollectionExchange, selfLinks } from "../exchange.ts";
import { HTML } from "../formats.ts";
import { queryablesPage } from "../pages/queryablesPage.ts";
import { filterSchema } from "./propertySchema.ts";

export const QUERYABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/queryables";

export function queryables(exchange: CollectionExchange): void {
  const { addresses, collection, format } = exchange;
  const address = addresses.of(["collections", collection.id, "queryables"]);
  const links = selfLinks(exchange, address, "Queryables");
  const columns = collection.columns.filter(({ filterable }) => filterable);
  if (format === HTML) {
    queryablesPage(exchange, columns, links);
    return;
  }
  const body = {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    $id: address,
    type: "object",
    title: collection.title,
    properties: Object.fromEntries(columns.map((column) => [column.name, filterSchema(column)])),
    additionalProperties: false,
  };
  sendText(exchange, format.mediaType, JSON.stringify(body), links);
}
