/** The tables of a schema by their names in PostgreSQL, and what the person may do with each. */
import { queryOptions } from "@tanstack/react-query";
import type { Table } from "./relations.ts";
import { read } from "./rest.ts";

export function readTables(schema: string, signal?: AbortSignal): Promise<readonly Table[]> {
  return read(`/schemas/${encodeURIComponent(schema)}/tables`, signal);
}

export const tablesOf = (schema: string) =>
  queryOptions({
    queryKey: ["tables", schema],
    queryFn: ({ signal }) => readTables(schema, signal),
    staleTime: 60_000,
  });
