/** Drafted and reviewed rows, for accounts with a role in the workflow. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Waiting, WaitingRow } from "./http/openapi.ts";
import { read, send, tablePath } from "./http/rest.ts";

export type { Waiting, WaitingRow };

export type WaitingState = "drafted" | "reviewed";

type Named = Pick<Waiting, "schema" | "table">;

const PAGE = 100;

export function useWaiting() {
  return useQuery({ queryKey: ["waiting"], queryFn: ({ signal }) => read<readonly Waiting[]>("/workflow", signal) });
}

export function useWaitingRows(table: Named, state: WaitingState) {
  return useInfiniteQuery({
    queryKey: ["waiting rows", table.schema, table.table, state],
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams({ state, limit: String(PAGE), offset: String(pageParam) });
      return read<readonly WaitingRow[]>(`${tablePath(table)}/workflow/rows?${parameters}`, signal);
    },
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length < PAGE ? undefined : pages.length * PAGE),
  });
}

/** Moves all of the rows or none, and only if they are as they were shown. */
export async function move(table: Named, rows: readonly WaitingRow[], to: WaitingState | "published"): Promise<void> {
  await send("POST", `${tablePath(table)}/workflow/rows`, {
    to,
    rows: rows.map(({ key, version }) => ({ key, version })),
  });
}
