/** `/collections/{collectionId}/queryables` and `/queryables`: the names for filters, as JSON Schema. */
import { readable } from "../collections/access.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";
import type { CollectionExchange, Exchange } from "../exchange/exchange.ts";
import { queryableColumns } from "./filter.ts";
import { queryableSchema } from "./propertySchema.ts";
import { propertiesOf, sendSchema } from "./schemaResource.ts";

export const QUERYABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/queryables";

export function queryables(exchange: CollectionExchange): void {
  const { collection } = exchange;
  const path = ["collections", collection.id, "queryables"];
  sendQueryables(exchange, path, collection.title, queryableColumns(collection));
}

/**
 * The columns that all collections share and that the caller may read. A filter of a map of several collections applies
 * to each of them.
 */
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
  sendSchema(exchange, {
    path,
    heading: "Queryables",
    title,
    use: "The names for a filter, such as filter=name LIKE 'A%'.",
    columns,
    schema: propertiesOf(columns, (column) => queryableSchema(column, exchange.config)),
  });
}
