/** The tables of a schema by their names in PostgreSQL, and the account's rights on each. */
import { queryOptions } from "@tanstack/react-query";
import type { Table } from "../rows/relations.ts";
import { answer, rest } from "../http/rest.ts";

export function readTables(schema: string, signal?: AbortSignal): Promise<readonly Table[]> {
  return answer(rest.GET("/schemas/{schema}/tables", { params: { path: { schema } }, ...(signal && { signal }) }));
}

export const tablesOf = (schema: string) =>
  queryOptions({
    queryKey: ["tables", schema],
    queryFn: ({ signal }) => readTables(schema, signal),
    staleTime: 60_000,
  });

/** The table that an address names, by its name in PostgreSQL or GraphQL. */
export function findTable(tables: readonly Table[], given: string | undefined): Table | undefined {
  return tables.find(({ name }) => name === given) ?? tables.find(({ graphql_type: type }) => type === given);
}
