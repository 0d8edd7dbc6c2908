/** Comments on rows, for accounts that may read them. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RowComment } from "../http/openapi.ts";
import { read, send, tablePath } from "../http/rest.ts";
import type { Relation } from "./relations.ts";

export type { RowComment };

/** The comments on a row. `key`: undefined for the latest of the whole table. */
export function useComments(relation: Relation, key: string | undefined) {
  const most = key === undefined ? "100" : "1000";
  return useQuery({
    queryKey: ["comments", relation.schema, relation.table, key ?? null],
    queryFn: ({ signal }) =>
      read<readonly RowComment[]>(
        `${commentsPath(relation)}?${new URLSearchParams({ ...(key !== undefined && { key }), limit: most })}`,
        signal,
      ),
    staleTime: 0,
  });
}

/** The writes of comments. Each reads the comments again afterwards. */
export function useCommentWrites(relation: Relation) {
  const client = useQueryClient();
  const path = commentsPath(relation);
  const readAgain = (): Promise<void> =>
    client.invalidateQueries({ queryKey: ["comments", relation.schema, relation.table] });
  return {
    async add(key: string, body: string): Promise<void> {
      await send("POST", path, { key, body });
      await readAgain();
    },
    async change({ id }: RowComment, body: string): Promise<void> {
      await send("PATCH", `${path}/${id}`, { body });
      await readAgain();
    },
    async remove({ id }: RowComment): Promise<void> {
      await send("DELETE", `${path}/${id}`);
      await readAgain();
    },
  };
}

function commentsPath(relation: Relation): string {
  return `${tablePath(relation)}/comments`;
}
