/** Comments on rows, for accounts that may read them. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RowComment } from "../http/openapi.ts";
import { answer, rest } from "../http/rest.ts";
import type { Relation } from "./relations.ts";

export type { RowComment };

const COMMENTS = "/schemas/{schema}/tables/{table}/comments";
const COMMENT = `${COMMENTS}/{id}` as const;

/** The comments on a row. `key`: undefined for the latest of the whole table. */
export function useComments(relation: Relation, key: string | undefined) {
  const most = key === undefined ? "100" : "1000";
  return useQuery({
    queryKey: ["comments", relation.schema, relation.table, key ?? null],
    queryFn: ({ signal }) =>
      answer(
        rest.GET(COMMENTS, {
          params: { path: relation, query: { ...(key !== undefined && { key }), limit: most } },
          signal,
        }),
      ),
    staleTime: 0,
  });
}

/** The writes of comments. Each reads the comments again afterwards. */
export function useCommentWrites(relation: Relation) {
  const client = useQueryClient();
  const path = { schema: relation.schema, table: relation.table };
  const readAgain = (): Promise<void> =>
    client.invalidateQueries({ queryKey: ["comments", relation.schema, relation.table] });
  return {
    async add(key: string, body: string): Promise<void> {
      await rest.POST(COMMENTS, { params: { path: relation }, body: { key, body } });
      await readAgain();
    },
    async change({ id }: RowComment, body: string): Promise<void> {
      await rest.PATCH(COMMENT, { params: { path: { ...path, id: String(id) } }, body: { body } });
      await readAgain();
    },
    async remove({ id }: RowComment): Promise<void> {
      await rest.DELETE(COMMENT, { params: { path: { ...path, id: String(id) } } });
      await readAgain();
    },
  };
}
