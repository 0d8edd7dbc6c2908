/** The history of tables, for accounts that may read them. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { RowVersion, RowDifference as Difference } from "../http/openapi.ts";
import type { Relation } from "./relations.ts";
import { answer, rest } from "../http/rest.ts";
import { instant } from "../../words/words.ts";

export type { RowVersion, Difference };

/** A row by the names of its columns in PostgreSQL. */
export type Values = Readonly<Record<string, unknown>>;

const PAGE = 100;

export function useVersions(relation: Relation, key: string) {
  return useQuery({
    queryKey: ["versions", relation.schema, relation.type, key],
    queryFn: ({ signal }) => readVersions(relation, key, signal),
  });
}

export function readVersions(relation: Relation, key: string, signal?: AbortSignal): Promise<readonly RowVersion[]> {
  return answer(
    rest.GET("/schemas/{schema}/tables/{table}/history", {
      params: { path: relation, query: { key } },
      ...(signal && { signal }),
    }),
  );
}

/** The differences. `to`: undefined for the present. */
export function useDifferences(relation: Relation, from: string, to: string | undefined) {
  const range = { from, ...(to !== undefined && { to }) };
  return useInfiniteQuery({
    queryKey: ["differences", relation.schema, relation.type, range],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...range, limit: String(PAGE), offset: String(pageParam) };
      return answer(rest.GET("/schemas/{schema}/tables/{table}/diff", { params: { path: relation, query }, signal }));
    },
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length < PAGE ? undefined : pages.length * PAGE),
  });
}

/** Restores all rows or none. */
export async function restore(relation: Relation, keys: readonly string[], at: string): Promise<void> {
  const body = keys.map((key) => ({ key, at }));
  await rest.POST("/schemas/{schema}/tables/{table}/restore", { params: { path: relation }, body });
}

/** An instant for display, in local time. */
export function when(at: string): string {
  return instant(at);
}
