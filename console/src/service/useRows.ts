import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import type { Relation } from "./relations.ts";
import { countRows, readPage, type Choice, type Row, type RowPage } from "./rows.ts";

/** The rows of a relation that are chosen, page after page, and how many there are in all. */
export function useRows(schema: string, relation: Relation, choice: Choice) {
  const client = useQueryClient();
  const queryKey = ["rows", schema, relation.type, choice] as const;
  const rows = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(schema, relation, choice, pageParam, signal),
    initialPageParam: undefined as string | number | undefined,
    getNextPageParam: (page: RowPage) => page.next,
  });
  const { where, at } = choice;
  const count = useQuery({
    queryKey: ["count", schema, relation.type, where, at],
    queryFn: ({ signal }) => countRows(schema, relation, { where, at }, signal),
  });
  return {
    rows: rows.data?.pages.flatMap((page) => page.rows) ?? [],
    count: count.data,
    error: rows.error,
    isPending: rows.isPending,
    /** Reads the next page, unless it is on its way already. */
    readOn(): void {
      if (rows.hasNextPage && !rows.isFetchingNextPage) void rows.fetchNextPage();
    },
    replace(before: Row, now: Row): void {
      client.setQueryData<InfiniteData<RowPage>>(queryKey, (data) => data && replaceRow(data, before, now));
    },
    /** Reads all of it again, whatever was chosen. */
    async reload(): Promise<void> {
      await Promise.all(
        ["rows", "count"].map((what) => client.invalidateQueries({ queryKey: [what, schema, relation.type] })),
      );
    },
  };
}

function replaceRow(data: InfiniteData<RowPage>, before: Row, now: Row): InfiniteData<RowPage> {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      rows: page.rows.map((row) => (row.key === before.key ? now : row)),
    })),
  };
}

/** How many, in words: `1 row`, `1,234 rows`. */
export function rowsText(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "row" : "rows"}`;
}
