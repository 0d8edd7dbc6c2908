/** Edits one value. Enter saves, Escape cancels. Null and the empty text differ. */
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type KeyboardEvent } from "react";
import { readVersions } from "../../service/rows/history.ts";
import type { Column, Relation } from "../../service/rows/relations.ts";
import { isAboutVersion, type Row, type Value } from "../../service/rows/rows.ts";
import { fromText, shorten, toText } from "../../service/rows/values.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { ShapeNote } from "../forms/ShapeNote.tsx";
import { NullableField } from "../forms/ValueField.tsx";
import { keepEdit, keptEdit } from "./UnsavedEdit.tsx";
import { useInSight } from "./useInSight.ts";
import { t } from "../../words/words.ts";
import { parts } from "../../words/parts.ts";

/** The most characters of another person's value that are shown. */
const LONGEST = 100;

export interface CellEditorProps {
  readonly relation: Relation;
  readonly row: Row;
  readonly column: Column;
  /** Rejects with the message; the editor then stays open with the typed text. */
  readonly onSave: (row: Row, value: Value) => Promise<void>;
  readonly onClose: () => void;
}

export function CellEditor({ relation, row, column, onSave, onClose }: CellEditorProps) {
  /** The row at the start of the edit, so that another person's change is never overwritten unnoticed. */
  const [begun, setBegun] = useState(row);
  const { key, version } = begun;
  const value = row.values[column.name];
  const [{ text, isNull }, setTyped] = useState(() => {
    const kept = keptEdit(relation);
    const isThis = kept?.key === key && kept?.version === version && kept?.column === column.name;
    return kept && isThis ? kept : { text: toText(value), isNull: value === null };
  });
  const [problem, setProblem] = useState<Error | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useInSight(element);
  const isChanged = row.version !== version && !isSaving;
  const writer = useWriter(relation, isChanged ? row.key : undefined);

  function type(typed: { readonly text: string; readonly isNull: boolean }): void {
    setTyped(typed);
    keepEdit(relation, { key, version, column: column.name, ...typed });
  }

  function close(): void {
    keepEdit(relation, undefined);
    onClose();
  }

  function overwrite(): void {
    setBegun(row);
    setProblem(null);
  }

  async function save(): Promise<void> {
    const before = begun.values[column.name];
    // a text may hold less than its value: written again, arcs of a geometry would be lines
    if (isNull === (before === null) && (isNull || text === toText(before))) return close();
    setIsSaving(true);
    try {
      await onSave(begun, isNull ? null : fromText(column, text));
      close();
    } catch (error) {
      setProblem(error as Error);
      setIsSaving(false);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && !event.shiftKey) void save();
    else return;
    event.preventDefault();
  }

  return (
    <div
      ref={element}
      className="editor"
      role="group"
      aria-label={t("Change {name}", { name: column.name })}
      onKeyDown={onKeyDown}
    >
      <NullableField
        column={column}
        relation={relation}
        row={begun}
        text={text}
        isNull={isNull}
        onChange={(next, nextIsNull) => type({ text: next, isNull: nextIsNull })}
      />
      <ShapeNote relation={relation} column={column} row={row} />
      <button type="button" aria-disabled={isSaving} onClick={() => void save()}>
        {t("Save")}
      </button>
      <button type="button" className="plain" onClick={close}>
        {t("Cancel")}
      </button>
      {isChanged && <ChangedNote writer={writer} value={row.values[column.name]} onOverwrite={overwrite} />}
      <ErrorNote isFrame error={isChanged && isAboutVersion(problem) ? null : problem} />
    </div>
  );
}

interface ChangedNoteProps {
  readonly writer: string;
  /** The present value of the cell. */
  readonly value: Value | undefined;
  readonly onOverwrite: () => void;
}

/** Another version of the row has come since the edit began. */
function ChangedNote({ writer, value, onOverwrite }: ChangedNoteProps) {
  return (
    <p className="note error" role="alert">
      {parts("{writer} has changed this row meanwhile; here is now {value}.", {
        writer,
        value: <q>{shorten(toText(value), LONGEST)}</q>,
      })}{" "}
      <button type="button" onClick={onOverwrite}>
        {t("Overwrite")}
      </button>
    </p>
  );
}

/** The last writer of a row, from its history. `key`: undefined where it is not needed. */
function useWriter(relation: Relation, key: string | undefined): string {
  const { data } = useQuery({
    queryKey: ["versions", relation.schema, relation.type, key, "last"],
    queryFn: async ({ signal }) => (await readVersions(relation, key!, signal)).at(-1)?.written_by ?? null,
    enabled: key !== undefined && relation.versionedSince !== undefined,
    staleTime: 0,
  });
  return data ?? t("Somebody");
}
