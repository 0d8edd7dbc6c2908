/** A new row: what is left alone takes its default. */
import { useState } from "react";
import type { Column, Relation } from "../../service/relations.ts";
import { insertRow } from "../../service/rows.ts";
import { fromText } from "../../service/values.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { ValueField } from "./CellEditor.tsx";

export interface InsertDialogProps {
  readonly schema: string;
  readonly relation: Relation;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function InsertDialog({ schema, relation, onClose, onDone }: InsertDialogProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<Error | null>(null);

  async function save(): Promise<void> {
    try {
      await insertRow(schema, relation, toData(relation.columns, texts));
      onClose();
      await onDone();
    } catch (thrown) {
      setError(thrown as Error);
    }
  }

  return (
    <Dialog title={`Add a row to ${relation.type}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="fields">
          {relation.columns.map((column, index) => (
            <div key={column.name} className="field">
              <span>
                {column.name} <span className="quiet">{column.type}</span>
              </span>
              <ValueField
                column={column}
                text={texts[column.name] ?? ""}
                autoFocus={index === 0}
                onChange={(text) => setTexts((before) => ({ ...before, [column.name]: text }))}
              />
            </div>
          ))}
        </div>
        <ErrorNote error={error} />
        <div className="tools">
          <button type="submit">Add</button>
          <button type="button" className="plain" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function toData(columns: readonly Column[], texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const typed = columns.filter(({ name }) => texts[name] !== undefined);
  return Object.fromEntries(
    typed.map((column) => {
      try {
        return [column.name, fromText(column, texts[column.name]!)];
      } catch (error) {
        throw new Error(`${column.name}: ${(error as Error).message}`, { cause: error });
      }
    }),
  );
}
