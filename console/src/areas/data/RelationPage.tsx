/** One relation: its rows in a grid, with filter and order in the address. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ServiceError } from "../../service/ask.ts";
import { everyRow, takeBack, undoOf, whereOf, type Undo } from "../../service/bulk.ts";
import { toChoice, withFilter, withNextSort } from "../../service/gridSearch.ts";
import type { Column, Relation } from "../../service/relations.ts";
import { updateCell, type Row, type Value } from "../../service/rows.ts";
import { rowsText, useRows } from "../../service/useRows.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { OpenRelation } from "../../ui/relations.tsx";
import { BulkDialog } from "./BulkDialog.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { Grid } from "./Grid.tsx";
import { InsertDialog } from "./InsertDialog.tsx";

export function RelationPage() {
  return (
    <OpenRelation>
      {(relation) => <Rows key={`${relation.schema} ${relation.type}`} schema={relation.schema} relation={relation} />}
    </OpenRelation>
  );
}

/** More are deleted by their keys alone, not each by its version. */
const ONE_BY_ONE = 15;

interface Done {
  readonly sentence: string;
  readonly undo: Undo | undefined;
}

function Rows({ schema, relation }: { readonly schema: string; readonly relation: Relation }) {
  const search = useSearch({ from: "/data/$schema/$type" });
  const navigate = useNavigate({ from: "/data/$schema/$type" });
  const choice = toChoice(search);
  const { rows, count, error, isPending, readOn, replace, reload: readAgain } = useRows(schema, relation, choice);
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const [dialog, setDialog] = useState<"insert" | "delete" | "change all" | "delete all">();
  const [done, setDone] = useState<Done>();
  const [failure, setFailure] = useState<Error | null>(null);

  async function reload(): Promise<void> {
    setSelected(new Map());
    await readAgain();
  }

  async function tell(what: "changed" | "deleted", keys: readonly string[]): Promise<void> {
    setDone({ sentence: `${rowsText(keys.length)} ${what}.`, undo: await undoOf(relation, keys) });
    await reload();
  }

  async function undo(from: Undo): Promise<void> {
    try {
      await takeBack(relation, from);
      setDone({ sentence: `${rowsText(from.keys.length)} as before.`, undo: undefined });
      setFailure(null);
    } catch (error) {
      setFailure(error as Error);
    }
    await reload();
  }

  async function write(row: Row, column: Column, value: Value): Promise<void> {
    try {
      replace(row, await updateCell(schema, relation, row, column.name, value));
      setFailure(null);
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === "CONFLICT")) throw error;
      throw new Error("Somebody has changed this row since you read it. Reload to see it as it is now.", {
        cause: error,
      });
    }
  }

  function toggleSort(column: string): void {
    void navigate({ search: (now) => withNextSort(now, column) });
  }

  /** The chosen rows, never more than these; where none is chosen all that match. */
  const target = selected.size > 0 ? whereOf(relation, [...selected.values()]) : (choice.where ?? everyRow(relation));

  return (
    <section className="relation" aria-label={relation.type}>
      <div className="head">
        <h1>{relation.type}</h1>
        <span className="quiet" aria-live="polite">
          {count === undefined ? "" : rowsText(count)}
        </span>
        <span className="tools">
          {relation.canInsert && relation.insertColumns.length > 0 && (
            <button type="button" onClick={() => setDialog("insert")}>
              Add a row
            </button>
          )}
          {relation.canUpdate && relation.hasKey && (
            <button type="button" disabled={!count || !target} onClick={() => setDialog("change all")}>
              Change {selected.size > 0 ? selected.size : "all"}
            </button>
          )}
          {relation.canDelete && relation.hasKey && (
            <button
              type="button"
              disabled={selected.size === 0 && (!choice.where || !count)}
              onClick={() => setDialog(selected.size > 0 && selected.size <= ONE_BY_ONE ? "delete" : "delete all")}
            >
              Delete {selected.size > 0 ? selected.size : choice.where && "all that match"}
            </button>
          )}
          {relation.versionedSince && (
            <Link
              className="button"
              to="/history/$schema/$type"
              params={{ schema, type: relation.type }}
              search={selected.size === 1 ? { key: [...selected.keys()][0]! } : {}}
            >
              History
            </Link>
          )}
          <button type="button" onClick={() => void reload()}>
            Reload
          </button>
          <Link to="/data/$schema/$type/api" params={{ schema, type: relation.type }}>
            For programs
          </Link>
        </span>
      </div>
      {relation.description && <p className="quiet">{relation.description}</p>}
      {!relation.canInsert && !relation.canUpdate && !relation.canDelete && (
        <p className="quiet">You may read it and not write it.</p>
      )}
      <FilterBar
        columns={relation.columns}
        where={choice.where}
        onChange={(where) => void navigate({ search: (now) => withFilter(now, where) })}
      />
      {done && (
        <p role="status" className="tools">
          {done.sentence}
          {done.undo && (
            <button type="button" onClick={() => void undo(done.undo!)}>
              Undo
            </button>
          )}
        </p>
      )}
      <ErrorNote error={failure ?? error} onClose={() => setFailure(null)} />
      {!isPending && !error && rows.length === 0 && (
        <p className="empty">{choice.where ? "No row matches this filter." : "There is no row that you may see."}</p>
      )}
      {rows.length > 0 && (
        <Grid
          relation={relation}
          rows={rows}
          sort={choice.sort}
          onSort={toggleSort}
          selected={selected}
          onSelect={setSelected}
          onWrite={relation.canUpdate && relation.hasKey ? write : undefined}
          onEnd={readOn}
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
          onDone={() => tell("deleted", [...selected.keys()])}
        />
      )}
      {(dialog === "change all" || dialog === "delete all") && target && (
        <BulkDialog
          what={dialog === "change all" ? "change" : "delete"}
          relation={relation}
          where={target}
          onClose={() => setDialog(undefined)}
          onDone={(keys) => tell(dialog === "change all" ? "changed" : "deleted", keys)}
        />
      )}
    </section>
  );
}
