/** The tools for editing a layer, the values of the chosen row, and the unsaved changes. */
import type OlMap from "ol/Map.js";
import { useEffect } from "react";
import type { Row } from "../../../service/rows/rows.ts";
import { shorten } from "../../../service/rows/values.ts";
import { ErrorNote } from "../../../ui/ErrorNote.tsx";
import { useStable } from "../../../ui/hooks/useStable.ts";
import { Attributes } from "./Attributes.tsx";
import { ConflictError, MOST_EDITED, type EditedTable } from "./editRows.ts";
import { EditTools } from "./EditTools.tsx";
import { isNew, withEdit } from "./edits.ts";
import { useEditing, type Editing } from "./useEditing.ts";
import { useSaving } from "./useSaving.ts";
import { plural, t } from "../../../words/words.ts";

/** The most characters of a text in the title of a row. */
const LONGEST = 40;

export interface EditPanelProps {
  readonly table: EditedTable;
  readonly map: OlMap;
  /** Why the table cannot be written at present. */
  readonly lack: Error | null;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function EditPanel({ table, map, lack, onSaved, onClose }: EditPanelProps) {
  const editing = useEditing(table, map);
  const saving = useSaving(table, editing, onSaved);
  const { error, isBusy, clear } = saving;
  const { edits, hasMore, chosen } = editing;
  const { table: name } = table.relation;
  useKeys(map, editing);

  return (
    <section className="side-panel edit-panel" aria-label={t("Edit {name}", { name })}>
      <div className="head">
        <h2>{t("Edit {name}", { name })}</h2>
        <span className="tools">
          <button type="button" className="plain" aria-disabled={edits.size > 0} onClick={onClose}>
            {t("Close")}
          </button>
        </span>
      </div>
      <ErrorNote error={lack} />
      <EditTools table={table} editing={editing} />
      <div className="tools">
        <button type="button" className="primary" aria-disabled={edits.size === 0 || isBusy} onClick={saving.save}>
          {t("Save")}
        </button>
        <button
          type="button"
          aria-disabled={edits.size === 0}
          onClick={() => {
            editing.clear();
            clear();
          }}
        >
          {t("Discard")}
        </button>
        <span className="quiet" role="status">
          {edits.size === 0 ? "" : plural(edits.size, "{count} row is not saved.", "{count} rows are not saved.")}
        </span>
      </div>
      {error instanceof ConflictError ? (
        <Conflict error={error} saving={saving} />
      ) : (
        <ErrorNote error={error} onClose={clear} />
      )}
      <ErrorNote error={editing.error} onClose={() => editing.setError(null)} />
      {hasMore && (
        <p className="quiet">
          {t("Only {count} rows of those in view can be edited. Zoom in.", { count: MOST_EDITED })}
        </p>
      )}
      <NotOffered editing={editing} />
      <p className="quiet" role="status">
        {chosen.length === 0
          ? t("Click a shape to choose it, or draw a new one.")
          : t("{count} chosen. Shift and a click choose another one too.", { count: chosen.length })}
      </p>
      {editing.isUnfaithful && (
        <p className="note">
          {t(
            "The map would lose a part of this shape: arcs, measures, surfaces or its reference system. Change it with SQL; its values can be changed here.",
          )}
        </p>
      )}
      <Others editing={editing} />
      {chosen.length === 1 && (
        <Attributes
          key={chosen[0]}
          table={table}
          row={editing.rowOf(chosen[0]!)}
          edit={edits.get(chosen[0]!)}
          onChange={(given, column) =>
            editing.apply(withEdit(edits, chosen[0]!, editing.rowOf(chosen[0]!), { given }), `${chosen[0]} ${column}`)
          }
        />
      )}
    </section>
  );
}

/** The rows whose shapes cannot be edited here, and why. */
function NotOffered({ editing: { collections, systems } }: { readonly editing: Editing }) {
  return (
    <>
      {collections > 0 && (
        <p className="note">
          {plural(
            collections,
            "{count} row in view cannot be edited here: its shape is a GeometryCollection. Change it with SQL.",
            "{count} rows in view cannot be edited here: their shapes are GeometryCollections. Change them with SQL.",
          )}
        </p>
      )}
      {systems && systems.others > 0 && (
        <p className="note">
          {plural(
            systems.others,
            "{count} row cannot be edited here: its shape has another reference system than the map. Change it with SQL.",
            "{count} rows cannot be edited here: their shapes have another reference system than the map. Change them with SQL.",
          )}{" "}
          {t("Reference systems: {codes}.", { codes: systems.otherSystems.join(", ") })}{" "}
          {systems.ofNew === undefined && t("New shapes would not have it, so insert them with SQL too.")}
        </p>
      )}
    </>
  );
}

/** The shapes at the place of the last click, to choose one that lies below others. */
function Others({ editing: { others, chosen, choose, rowOf } }: { readonly editing: Editing }) {
  if (others.length === 0) return null;
  return (
    <ul className="choices" aria-label={t("Shapes at this place")}>
      {others.map((id) => (
        <li key={id}>
          <button type="button" className="plain" aria-pressed={chosen.includes(id)} onClick={() => choose(id)}>
            {isNew(id) ? t("New row") : rowTitle(rowOf(id), id)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The key of a row, and its first text, which is mostly its name. */
function rowTitle(row: Row | undefined, key: string): string {
  const text = Object.entries(row?.values ?? {}).find(([, value]) => typeof value === "string" && value !== key)?.[1];
  return text === undefined ? key : `${key} · ${shorten(String(text), LONGEST)}`;
}

interface ConflictProps {
  readonly error: ConflictError;
  readonly saving: ReturnType<typeof useSaving>;
}

/** A conflict with another writer. Both ways to resolve it keep all other changes. */
function Conflict({ error, saving: { isBusy, takeTheirs, keepMine } }: ConflictProps) {
  return (
    <p className="note error" role="alert">
      {t("{message} Nothing has been saved.", { message: error.message })}
      <button type="button" aria-disabled={isBusy} onClick={() => takeTheirs(error)}>
        {t("Take theirs")}
      </button>
      <button type="button" aria-disabled={isBusy} onClick={() => keepMine(error)}>
        {t("Keep mine, to write over it")}
      </button>
    </p>
  );
}

/** The keys of the map while it is edited. */
function useKeys(map: OlMap, { press, undo, redo, remove, chosen, mode }: Editing): void {
  const act = useStable({
    press(event: KeyboardEvent): void {
      const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
      if (isUndo) (event.shiftKey ? redo : undo)?.();
      else if (event.key === "Delete" && chosen.length > 0 && mode !== "draw") remove();
      else if (!press(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  });
  useEffect(() => {
    const element = map.getTargetElement()!;
    element.addEventListener("keydown", act.press);
    return () => element.removeEventListener("keydown", act.press);
  }, [map, act]);
}
