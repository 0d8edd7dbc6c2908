/** The tools for editing a layer, the values of the chosen row, and the unsaved changes. */
import type OlMap from "ol/Map.js";
import { useEffect } from "react";
import { ErrorNote } from "../../../ui/ErrorNote.tsx";
import { useAttempt } from "../../../ui/hooks/useAttempt.ts";
import { useStable } from "../../../ui/hooks/useStable.ts";
import { Attributes } from "./Attributes.tsx";
import { ConflictError, MOST_EDITED, saveEdits, type EditedTable } from "./editRows.ts";
import { EditTools } from "./EditTools.tsx";
import { rebased, withEdit, without } from "./edits.ts";
import { useEditing, type Editing } from "./useEditing.ts";
import { plural, t } from "../../../words/words.ts";

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
  const { error, isBusy, run, clear } = useAttempt();
  const { edits, hasMore, chosen } = editing;
  const { table: name } = table.relation;
  useKeys(map, editing);

  const save = (): void =>
    void run(async () => {
      await saveEdits(table, edits);
      await editing.readAgain();
      editing.clear();
      onSaved();
    });

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
        <button type="button" className="primary" aria-disabled={edits.size === 0 || isBusy} onClick={save}>
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
        <Conflict error={error} editing={editing} onDone={clear} />
      ) : (
        <ErrorNote error={error} onClose={clear} />
      )}
      <ErrorNote error={editing.error} onClose={() => editing.setError(null)} />
      {hasMore && (
        <p className="quiet">
          {t("Only {count} rows of those in view can be edited. Zoom in.", { count: MOST_EDITED })}
        </p>
      )}
      <p className="quiet" role="status">
        {chosen.length === 0
          ? t("Click a shape to choose it, or draw a new one.")
          : t("{count} chosen. Shift and a click choose another one too.", { count: chosen.length })}
      </p>
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

interface ConflictProps {
  readonly error: ConflictError;
  readonly editing: Editing;
  readonly onDone: () => void;
}

/** A conflict with another writer. Both ways to resolve it keep all other changes. */
function Conflict({ error, editing, onDone }: ConflictProps) {
  async function writeOver(): Promise<void> {
    const now = new Map((await editing.readAgain()).map((row) => [row.key!, row]));
    editing.setPast((past) => rebased(past, now));
    onDone();
  }

  async function takeTheirs(): Promise<void> {
    await editing.readAgain();
    editing.setPast((past) => without(past, error.keys));
    onDone();
  }

  return (
    <p className="note error" role="alert">
      {t("{message} Nothing has been saved.", { message: error.message })}
      <button type="button" onClick={() => void takeTheirs()}>
        {t("Take theirs")}
      </button>
      <button type="button" onClick={() => void writeOver()}>
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
