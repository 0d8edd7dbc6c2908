/** Names what is about to go before it goes; rows that somebody has changed meanwhile keep all of them. */
import { useState } from "react";
import type { Relation } from "../../service/relations.ts";
import { deleteRows, type Row } from "../../service/rows.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";

export interface DeleteDialogProps {
  readonly schema: string;
  readonly relation: Relation;
  readonly rows: readonly Row[];
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function DeleteDialog({ schema, relation, rows, onClose, onDone }: DeleteDialogProps) {
  const [error, setError] = useState<Error | null>(null);
  const what = rows.length === 1 ? `the row ${rows[0]!.key}` : `${rows.length} rows`;

  async function remove(): Promise<void> {
    try {
      await deleteRows(schema, relation, rows);
      onClose();
      await onDone();
    } catch (thrown) {
      setError(thrown as Error);
    }
  }

  return (
    <Dialog title={`Delete ${what} of ${relation.type}?`} onClose={onClose}>
      <p>All of them go, or none where one may not. What refers to them may go too, as the table's foreign keys say.</p>
      <ErrorNote error={error} />
      <div className="tools">
        <button type="button" className="danger" onClick={() => void remove()}>
          Delete {what}
        </button>
        <button type="button" className="plain" onClick={onClose}>
          Keep
        </button>
      </div>
    </Dialog>
  );
}
