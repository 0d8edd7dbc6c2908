/** Drafted and reviewed rows, for accounts with a role in the workflow. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Waiting, WaitingRow } from "./http/openapi.ts";
import { answer, rest } from "./http/rest.ts";

export type { Waiting, WaitingRow };

export type WaitingState = "drafted" | "reviewed";

type Named = Pick<Waiting, "schema" | "table">;

const PAGE = 100;
const ROWS = "/schemas/{schema}/tables/{table}/workflow/rows";

export function useWaiting() {
  return useQuery({ queryKey: ["waiting"], queryFn: ({ signal }) => answer(rest.GET("/workflow", { signal })) });
}

export function useWaitingRows(table: Named, state: WaitingState) {
  return useInfiniteQuery({
    queryKey: ["waiting rows", table.schema, table.table, state],
    queryFn: ({ pageParam, signal }) => {
      const query = { state, limit: String(PAGE), offset: String(pageParam) };
      return answer(rest.GET(ROWS, { params: { path: table, query }, signal }));
    },
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length < PAGE ? undefined : pages.length * PAGE),
  });
}

/** Moves all of the rows or none, and only if they are as they were shown. */
export async function move(table: Named, rows: readonly WaitingRow[], to: WaitingState | "published"): Promise<void> {
  const body = { to, rows: rows.map(({ key, version }) => ({ key, version })) };
  await rest.POST(ROWS, { params: { path: table }, body });
}
