/** One relation: its rows in a grid or another kind of view, with filter and order in the address. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState, type MouseEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { ServiceError } from "../../service/http/ask.ts";
import { takeBack, undoOf } from "../../service/rows/bulk.ts";
import { toChoice, withFilter, withLook, withNextSort } from "../../service/rows/gridSearch.ts";
import type { ViewSearch } from "../../service/rows/viewSearch.ts";
import { searchOf, views } from "../../service/views.ts";
import type { Look } from "../../service/rows/look.ts";
import type { Column, Relation } from "../../service/rows/relations.ts";
import { textColumnsOf } from "../../service/rows/replace.ts";
import { updateCell, type Choice, type Row, type Value } from "../../service/rows/rows.ts";
import { rowsText, useRows } from "../../service/rows/useRows.ts";
import { writeCells, type RowChange } from "../../service/rows/writeCells.ts";
import { isGeometry } from "../../service/rows/isGeometry.ts";
import { shorten } from "../../service/rows/values.ts";
import { Icon } from "../../ui/Icon.tsx";
import { OpenRelation } from "../../ui/relations.tsx";
import { CommentsDialog } from "./CommentsDialog.tsx";
import { ColumnsDialog } from "./ColumnsDialog.tsx";
import { ExportDialog } from "./ExportDialog.tsx";
import { FilterBar } from "../../ui/grid/FilterBar.tsx";
import { GridWithMap } from "./GridWithMap.tsx";
import { RelatedDialog } from "./RelatedDialog.tsx";
import { ToldNote, type Told } from "../../ui/grid/ToldNote.tsx";
import { useTitles } from "../../ui/grid/useTitles.ts";
import { UnsavedEdit } from "../../ui/grid/UnsavedEdit.tsx";
import { useFlash } from "./useFlash.ts";
import { OtherView } from "./views/OtherView.tsx";
import { useChoices } from "./views/useChoices.ts";
import { ViewsDialog } from "./views/ViewsDialog.tsx";
import { ViewTools } from "./views/ViewTools.tsx";
import { targetOf, WriteDialog, type Dialog, type Shown } from "./WriteDialog.tsx";
import { t } from "../../words/words.ts";

export function RelationPage() {
  return (
    <OpenRelation>
      {(relation) => <Rows key={`${relation.schema} ${relation.table}`} schema={relation.schema} relation={relation} />}
    </OpenRelation>
  );
}

/** The most rows that are deleted with a check of each version. More are deleted by their keys alone. */
const ONE_BY_ONE = 15;

interface Done {
  readonly sentence: string;
  readonly count: number;
  readonly undo: (() => Promise<void>) | undefined;
}

function Rows({ schema, relation }: { readonly schema: string; readonly relation: Relation }) {
  const search = useSearch({ from: "/data/$schema/$table" });
  const navigate = useNavigate({ from: "/data/$schema/$table" });
  const choice = toChoice(search);
  const { rows, count, error, isPending, onSight, replace, reload: readAgain } = useRows(schema, relation, choice);
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const [dialog, setDialog] = useState<Dialog>();
  const [told, setTold] = useState<Told>(null);
  const change = (next: ViewSearch): void => void navigate({ search: next });
  useOpenView(search, change);

  async function reload(): Promise<void> {
    setSelected(new Map());
    await readAgain();
  }
  const written = useFlash(relation, readAgain);
  const titles = useTitles(relation, rows);
  const changeLook = (look: Look | undefined): void => void navigate({ search: (now) => withLook(now, look) });
  const { done, tell, paste, undo } = useDone(relation, reload, setTold);

  async function write(row: Row, column: Column, value: Value): Promise<void> {
    replace(row, await orReadAgain(updateCell(relation, row, column.name, value), readAgain));
    setTold(null);
  }

  const mayWrite = relation.canUpdate && relation.hasKey;
  const viewed = useChoices(relation, search.as);
  const close = (): void => setDialog(undefined);
  const shown: Shown = { schema, relation, selected, where: choice.where, count };
  return (
    <section className="relation" aria-label={relation.table}>
      <Head {...shown} onOpen={setDialog} onReload={() => void reload()} />
      <div className="which">
        <FilterBar
          columns={relation.columns}
          where={choice.where}
          onChange={(where) => void navigate({ search: (now) => withFilter(now, where) })}
        />
        <ViewTools relation={viewed ?? relation} search={search} onSearch={change}>
          <LookTools hasMap={search.as === undefined && relation.columns.some(isGeometry)} onOpen={setDialog} />
        </ViewTools>
      </div>
      <UnsavedEdit relation={relation} onSaved={reload} />
      <DoneNote done={done} onUndo={undo} />
      <ToldNote told={told} error={error} onClose={() => setTold(null)} />
      {!isPending && !error && rows.length === 0 && (
        <p className="empty">
          {choice.where ? t("No row matches this filter.") : t("There is no row that you may see.")}
        </p>
      )}
      {search.as && viewed && (rows.length > 0 || search.as === "calendar") && (
        <OtherView
          kind={search.as}
          {...{ relation: viewed, rows, count, titles, search, onSight }}
          onSearch={change}
          onWrite={mayWrite ? write : undefined}
          onWritten={readAgain}
        />
      )}
      {!search.as && (rows.length > 0 || isPending) && (
        <GridWithMap
          hasMap={search.map === true && relation.columns.some(isGeometry)}
          relation={relation}
          rows={rows}
          look={search.look}
          onLook={changeLook}
          sort={choice.sort}
          onSort={(column) => void navigate({ search: (now) => withNextSort(now, column) })}
          selected={selected}
          onSelect={setSelected}
          onWrite={mayWrite ? write : undefined}
          onPaste={mayWrite ? paste : undefined}
          onTell={setTold}
          written={written}
          titles={titles}
          onSight={onSight}
        />
      )}
      <ReadDialog {...shown} dialog={dialog} choice={choice} search={search} onLook={changeLook} onClose={close} />
      <WriteDialog {...shown} dialog={dialog} onClose={close} onInserted={reload} onDone={tell} />
    </section>
  );
}

interface ReadDialogProps extends Shown {
  readonly dialog: Dialog | undefined;
  readonly choice: Choice;
  readonly search: ViewSearch;
  readonly onLook: (look: Look | undefined) => void;
  readonly onClose: () => void;
}

/** The open dialog, if it is one that does not write rows. */
function ReadDialog({ dialog, relation, selected, count, choice, search, onLook, onClose }: ReadDialogProps) {
  if (dialog === "columns")
    return <ColumnsDialog columns={relation.columns} look={search.look} onChange={onLook} onClose={onClose} />;
  if (dialog === "export")
    return <ExportDialog relation={relation} choice={choice} look={search.look} count={count} onClose={onClose} />;
  if (dialog === "related" && selected.size === 1)
    return <RelatedDialog relation={relation} row={[...selected.values()][0]!} onClose={onClose} />;
  if (dialog === "comments")
    return <CommentsDialog relation={relation} rowKey={[...selected.keys()][0]} onClose={onClose} />;
  if (dialog === "views") return <ViewsDialog relation={relation} search={search} onClose={onClose} />;
  return undefined;
}

interface DoneNoteProps {
  readonly done: Done | undefined;
  readonly onUndo: (done: Done) => Promise<void>;
}

function DoneNote({ done, onUndo }: DoneNoteProps) {
  if (!done) return undefined;
  return (
    <p role="status" className="tools">
      {done.sentence}
      {done.undo && (
        <button type="button" onClick={() => void onUndo(done)}>
          {t("Undo")}
        </button>
      )}
    </p>
  );
}

/** Applies the settings of a saved view if the link names only the view. */
function useOpenView(search: ViewSearch, onSearch: (search: ViewSearch) => void): void {
  const isBare = Object.keys(search).length === 1 && search.view !== undefined;
  const { data } = useQuery({ ...views.all, enabled: isBare });
  const view = isBare ? data?.find(({ name }) => name === search.view) : undefined;
  useEffect(() => {
    const whole = view && searchOf(view);
    if (whole && Object.keys(whole).length > 1) onSearch(whole);
  }, [view]);
}

/**
 * Waits for a write. If somebody else has changed the row, it is read again first, so that the editor shows it with the
 * message.
 */
async function orReadAgain<Now>(write: Promise<Now>, readAgain: () => Promise<void>): Promise<Now> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "CONFLICT") await readAgain();
    throw error;
  }
}

/** Moves the focus past the toolbar to the rows. */
function skipToRows(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.grid [data-place][tabindex="0"]')?.focus();
}

/** The last change, and its undo. */
function useDone(relation: Relation, reload: () => Promise<void>, onFailure: (failure: Error | null) => void) {
  const [done, setDone] = useState<Done>();
  return {
    done,
    async tell(what: "changed" | "deleted", keys: readonly string[], count = keys.length): Promise<void> {
      const from = count > keys.length ? undefined : await undoOf(relation, keys);
      setDone({
        sentence:
          what === "changed"
            ? t("{rows} changed.", { rows: rowsText(count) })
            : t("{rows} deleted.", { rows: rowsText(count) }),
        count,
        undo: from && (() => takeBack(relation, from)),
      });
      await reload();
    },
    async paste(changes: readonly RowChange[]): Promise<void> {
      const before = await writeCells(relation, changes);
      setDone({
        sentence: t("Pasted into {rows}.", { rows: rowsText(before.length) }),
        count: before.length,
        undo: async () => void (await writeCells(relation, before)),
      });
      await reload();
    },
    async undo({ count, undo }: Done): Promise<void> {
      try {
        await undo?.();
        setDone({ sentence: t("{rows} as before.", { rows: rowsText(count) }), count, undo: undefined });
        onFailure(null);
      } catch (error) {
        onFailure(error as Error);
      }
      await reload();
    },
  };
}

interface HeadProps extends Shown {
  readonly onOpen: (dialog: Dialog) => void;
  readonly onReload: () => void;
}

function Head({ onOpen, onReload, ...shown }: HeadProps) {
  const { schema, relation, selected, where, count } = shown;
  const { table, hasKey, canInsert, canUpdate, canDelete } = relation;
  return (
    <>
      <a className="skip" href="#rows" onClick={skipToRows}>
        {t("Skip to rows")}
      </a>
      <div className="head">
        <h1>{table}</h1>
        <span className="quiet" aria-live="polite">
          {count === undefined ? "" : rowsText(count)}
        </span>
        {relation.type !== table && (
          <span className="quiet">
            GraphQL <code>{relation.type}</code>
          </span>
        )}
        <span className="tools">
          <button type="button" className="plain" aria-label={t("Reload")} title={t("Reload")} onClick={onReload}>
            <Icon of={RefreshCw} size={16} />
          </button>
          <Link to="/data/$schema/$table/api" params={{ schema, table }}>
            API
          </Link>
        </span>
        {relation.description && <About text={relation.description} />}
        {!canInsert && !canUpdate && !canDelete && (
          <p className="quiet about">{t("You may read it and not write it.")}</p>
        )}
        <div className="tools with-rows" role="group" aria-label={t("Rows")}>
          {canInsert && relation.insertColumns.length > 0 && (
            <button type="button" className="primary" onClick={() => onOpen("insert")}>
              {t("Add a row")}
            </button>
          )}
          {canInsert && (
            <Link className="button" to="/import/$schema/$table" params={{ schema, table }}>
              {t("Import")}
            </Link>
          )}
          <button type="button" onClick={() => onOpen("export")}>
            {t("Export")}
          </button>
          {canUpdate && hasKey && (
            <button type="button" aria-disabled={!count || !targetOf(shown)} onClick={() => onOpen("change all")}>
              {selected.size > 0 ? t("Change {count}", { count: selected.size }) : t("Change all")}
            </button>
          )}
          {canUpdate && hasKey && textColumnsOf(relation).length > 0 && (
            <button type="button" aria-disabled={!count} onClick={() => onOpen("replace")}>
              {t("Replace")}
            </button>
          )}
          {canDelete && hasKey && (
            <button
              type="button"
              aria-disabled={selected.size === 0 && (!where || !count)}
              onClick={() => onOpen(selected.size > 0 && selected.size <= ONE_BY_ONE ? "delete" : "delete all")}
            >
              {deleteText(selected.size, where !== undefined)}
            </button>
          )}
          <RowTools relation={relation} selected={selected} onOpen={onOpen} />
        </div>
      </div>
    </>
  );
}

type RowToolsProps = Pick<HeadProps, "relation" | "selected" | "onOpen">;

/** The tools for a single chosen row, besides its values. */
function RowTools({ relation, selected, onOpen }: RowToolsProps) {
  const { schema, table, hasKey } = relation;
  return (
    <>
      {hasKey && (
        <button type="button" aria-disabled={selected.size !== 1} onClick={() => onOpen("related")}>
          {t("Related rows")}
        </button>
      )}
      {hasKey && (
        <button type="button" aria-disabled={selected.size > 1} onClick={() => onOpen("comments")}>
          {t("Comments")}
        </button>
      )}
      {relation.versionedSince && (
        <Link
          className="button"
          to="/history/$schema/$table"
          params={{ schema, table }}
          search={selected.size === 1 ? { key: [...selected.keys()][0]! } : {}}
        >
          {t("History")}
        </Link>
      )}
    </>
  );
}

/** Characters of a comment that leave room for the rows. */
const SHORT = 400;

/** The comment of the table. A long one is folded. */
function About({ text }: { readonly text: string }) {
  if (text.length <= SHORT) return <p className="quiet about">{text}</p>;
  return (
    <details className="quiet about">
      <summary>{shorten(text, SHORT / 2)}</summary>
      {text}
    </details>
  );
}

/** The label of the delete button, for the chosen rows or else for those that the filter finds. */
function deleteText(chosen: number, isFiltered: boolean): string {
  if (chosen > 0) return t("Delete {count}", { count: chosen });
  return isFiltered ? t("Delete all that match") : t("Delete");
}

/** The tools for how the rows are shown. */
function LookTools({ hasMap, onOpen }: { readonly hasMap: boolean; readonly onOpen: (dialog: Dialog) => void }) {
  return (
    <>
      {hasMap && <MapSwitch />}
      <button type="button" onClick={() => onOpen("columns")}>
        {t("Columns")}
      </button>
      <button type="button" onClick={() => onOpen("views")}>
        {t("Views")}
      </button>
    </>
  );
}

/** The switch for the map next to the rows. Its state is in the address. */
function MapSwitch() {
  const { map: isShown } = useSearch({ from: "/data/$schema/$table" });
  const navigate = useNavigate({ from: "/data/$schema/$table" });
  function change(): void {
    void navigate({ search: ({ map: _before, ...others }) => (isShown ? others : { ...others, map: true }) });
  }
  return (
    <button type="button" aria-pressed={isShown ?? false} onClick={change}>
      {t("Map")}
    </button>
  );
}
