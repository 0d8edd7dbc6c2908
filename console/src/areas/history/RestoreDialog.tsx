/** Names the rows before they are replaced. */
import { restore, when } from "../../service/rows/history.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";

export interface RestoreDialogProps {
  readonly relation: Relation;
  readonly keys: readonly string[];
  readonly at: string;
  readonly onClose: () => void;
  /** With the result, as a sentence. */
  readonly onDone: (sentence: string) => Promise<void>;
}

export function RestoreDialog({ relation, keys, at, onClose, onDone }: RestoreDialogProps) {
  const what = keys.length === 1 ? `the row ${keys[0]}` : rowsText(keys.length);
  return (
    <FormDialog
      title={`Restore ${what} of ${relation.table}?`}
      action={`Restore ${what}`}
      onClose={onClose}
      onSubmit={async () => {
        await restore(relation, keys, at);
        await onDone(`${what.replace(/^t/, "T")} ${keys.length === 1 ? "is" : "are"} as at ${when(at)}.`);
      }}
    >
      <p>
        It becomes what it was at {when(at)}: a row that is there now is written over, one that is gone is added; all of
        them or none. The replaced rows stay in the history, and can be restored in turn.
      </p>
    </FormDialog>
  );
}
