/** One relation: its rows in a grid, with filter and order in the address. */
import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ServiceError } from "../../service/ask.ts";
import type { Column, Relation } from "../../service/relations.ts";
import {
  countRows,
  readPage,
  updateCell,
  type Choice,
  type Row,
  type RowPage,
  type Value,
} from "../../service/rows.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useRelations } from "./Data.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { Grid } from "./Grid.tsx";
import { InsertDialog } from "./InsertDialog.tsx";

export function RelationPage() {
  const { schema, type } = useParams({ from: "/data/$schema/$type" });
  const { data, isPending, error } = useRelations(schema);
  const relation = data?.find((each) => each.type === type);
  if (isPending) return <p className="empty">One moment …</p>;
  if (error) return <ErrorNote error={error} />;
  if (!relation) return <p className="empty">There is no {type}, or you may not see it.</p>;
  return <Rows key={`${schema} ${type}`} schema={schema} relation={relation} />;
}

/** What the address says; a filter that is no JSON is none. */
function toChoice({ where, sort }: { readonly where?: string; readonly sort?: string }): Choice {
  const column = sort?.replace(/^-/, "");
  let filter: object | undefined;
  try {
    filter = where === undefined ? undefined : (JSON.parse(where) as object);
  } catch {
    // the address was cut
  }
  return {
    where: filter,
    sort: column ? { column, direction: sort?.startsWith("-") ? "desc" : "asc" } : undefined,
  };
}

function Rows({ schema, relation }: { readonly schema: string; readonly relation: Relation }) {
  const search = useSearch({ from: "/data/$schema/$type" });
  const navigate = useNavigate({ from: "/data/$schema/$type" });
  const client = useQueryClient();
  const choice = toChoice(search);
  const queryKey = ["rows", schema, relation.type, choice] as const;
  const rows = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(schema, relation, choice, pageParam, signal),
    initialPageParam: undefined as string | number | undefined,
    getNextPageParam: (page: RowPage) => page.next,
  });
  const count = useQuery({
    queryKey: ["count", schema, relation.type, choice.where],
    queryFn: ({ signal }) => countRows(schema, relation, choice.where, signal),
  });
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const [dialog, setDialog] = useState<"insert" | "delete">();
  const [failure, setFailure] = useState<Error | null>(null);
  const all = rows.data?.pages.flatMap((page) => page.rows) ?? [];

  async function reload(): Promise<void> {
    setSelected(new Map());
    await Promise.all([
      client.invalidateQueries({ queryKey: ["rows", schema, relation.type] }),
      client.invalidateQueries({ queryKey: ["count", schema, relation.type] }),
    ]);
  }

  async function write(row: Row, column: Column, value: Value): Promise<void> {
    try {
      const now = await updateCell(schema, relation, row, column.name, value);
      client.setQueryData<InfiniteData<RowPage>>(queryKey, (data) => data && replaceRow(data, row, now));
      setFailure(null);
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === "CONFLICT")) throw error;
      throw new Error("Somebody has changed this row since you read it. Reload to see it as it is now.", {
        cause: error,
      });
    }
  }

  function toggleSort(column: string): void {
    const { sort } = search;
    const next = sort === column ? `-${column}` : sort === `-${column}` ? undefined : column;
    void navigate({ search: ({ where }) => ({ ...(where !== undefined && { where }), ...(next && { sort: next }) }) });
  }

  return (
    <section className="relation" aria-label={relation.type}>
      <div className="head">
        <h1>{relation.type}</h1>
        <span className="quiet" aria-live="polite">
          {count.data === undefined ? "" : `${count.data.toLocaleString()} ${count.data === 1 ? "row" : "rows"}`}
        </span>
        <span className="tools">
          {relation.canInsert && relation.insertColumns.length > 0 && (
            <button type="button" onClick={() => setDialog("insert")}>
              Add a row
            </button>
          )}
          {relation.canDelete && relation.hasKey && (
            <button type="button" disabled={selected.size === 0} onClick={() => setDialog("delete")}>
              Delete {selected.size > 0 && selected.size}
            </button>
          )}
          <button type="button" onClick={() => void reload()}>
            Reload
          </button>
        </span>
      </div>
      {relation.description && <p className="quiet">{relation.description}</p>}
      {!relation.canInsert && !relation.canUpdate && !relation.canDelete && (
        <p className="quiet">You may read it and not write it.</p>
      )}
      <FilterBar
        columns={relation.columns}
        where={choice.where}
        onChange={(where) =>
          void navigate({
            search: ({ sort }) => ({ ...(sort && { sort }), ...(where && { where: JSON.stringify(where) }) }),
          })
        }
      />
      <ErrorNote error={failure ?? rows.error} onClose={() => setFailure(null)} />
      {!rows.isPending && !rows.error && all.length === 0 && (
        <p className="empty">{choice.where ? "No row matches this filter." : "There is no row that you may see."}</p>
      )}
      {all.length > 0 && (
        <Grid
          relation={relation}
          rows={all}
          sort={choice.sort}
          onSort={toggleSort}
          selected={selected}
          onSelect={setSelected}
          onWrite={relation.canUpdate && relation.hasKey ? write : undefined}
          onEnd={() => {
            if (rows.hasNextPage && !rows.isFetchingNextPage) void rows.fetchNextPage();
          }}
        />
      )}
      {dialog === "insert" && (
        <InsertDialog schema={schema} relation={relation} onClose={() => setDialog(undefined)} onDone={reload} />
      )}
      {dialog === "delete" && (
        <DeleteDialog
          schema={schema}
          relation={relation}
          rows={[...selected.values()]}
          onClose={() => setDialog(undefined)}
          onDone={reload}
        />
      )}
    </section>
  );
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
