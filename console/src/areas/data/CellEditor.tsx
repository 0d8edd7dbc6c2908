/** Changes one value. Enter saves, Escape leaves it; null and the empty text are two things. */
import { useState, type KeyboardEvent } from "react";
import type { Column } from "../../service/relations.ts";
import type { Value } from "../../service/rows.ts";
import { fromText, toText } from "../../service/values.ts";
import { NullableField } from "../../ui/ValueField.tsx";

export interface CellEditorProps {
  readonly column: Column;
  readonly value: Value;
  /** Rejects with what to tell; the editor stays open then, with what was typed. */
  readonly onSave: (value: Value) => Promise<void>;
  readonly onClose: () => void;
}

export function CellEditor({ column, value, onSave, onClose }: CellEditorProps) {
  const [text, setText] = useState(toText(value));
  const [isNull, setIsNull] = useState(value === null);
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);

  async function save(): Promise<void> {
    setIsSaving(true);
    try {
      await onSave(isNull ? null : fromText(column, text));
      onClose();
    } catch (error) {
      setProblem((error as Error).message);
      setIsSaving(false);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && !event.shiftKey) void save();
    else return;
    event.preventDefault();
  }

  return (
    <div className="editor" role="group" aria-label={`Change ${column.name}`} onKeyDown={onKeyDown}>
      <NullableField column={column} text={text} isNull={isNull} onChange={setText} onNull={setIsNull} />
      <button type="button" disabled={isSaving} onClick={() => void save()}>
        Save
      </button>
      <button type="button" className="plain" onClick={onClose}>
        Cancel
      </button>
      {problem !== undefined && (
        <p className="note error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
