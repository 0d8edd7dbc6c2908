/** `/collections/{collectionId}/queryables` and `/queryables`: what a filter may name, as JSON Schema. */
import { readable } from "../access.ts";
import type { Collection, CollectionColumn } from "../collections.ts";
import { sendText, type CollectionExchange, type Exchange, selfLinks } from "../exchange.ts";
import { queryableColumns } from "../filter.ts";
import { HTML } from "../formats.ts";
import { columnsPage } from "../pages/columnsPage.ts";
import { queryableSchema } from "./propertySchema.ts";

export const QUERYABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/queryables";
export const SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema";

export function queryables(exchange: CollectionExchange): void {
  const { collection } = exchange;
  sendQueryables(
    exchange,
    ["collections", collection.id, "queryables"],
    collection.title,
    queryableColumns(collection),
  );
}

/** Those that all collections have that the caller may read: a filter of a map of several holds for each. */
export async function datasetQueryables(exchange: Exchange): Promise<void> {
  const { collections, database } = exchange;
  const all = (await readable(exchange, [...collections.values()])).filter(({ raster }) => !raster);
  sendQueryables(exchange, ["queryables"], database.name, inAll(all));
}

function inAll(collections: readonly Collection[]): readonly CollectionColumn[] {
  const [first, ...others] = collections.map(queryableColumns);
  const isIn = (column: CollectionColumn): boolean =>
    others.every((columns) => columns.some(({ name, type }) => name === column.name && type.name === column.type.name));
  return (first ?? []).filter(isIn);
}

function sendQueryables(
  exchange: Exchange,
  path: readonly string[],
  title: string,
  columns: readonly CollectionColumn[],
): void {
  const { addresses, format, config } = exchange;
  const address = addresses.of(path);
  const links = selfLinks(exchange, address, "Queryables");
  if (format === HTML) {
    const collection = "collection" in exchange ? (exchange as CollectionExchange).collection : undefined;
    const description = "What a filter may name, such as filter=name LIKE 'A%'.";
    columnsPage(exchange, { heading: "Queryables", title, description, collection, columns, links });
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
