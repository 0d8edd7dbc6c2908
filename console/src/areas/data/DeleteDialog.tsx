/** Names the rows before they are deleted; if somebody has changed one meanwhile, none is deleted. */
import type { Relation } from "../../service/rows/relations.ts";
import { deleteRows, type Row } from "../../service/rows/rows.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";

export interface DeleteDialogProps {
  readonly schema: string;
  readonly relation: Relation;
  readonly rows: readonly Row[];
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function DeleteDialog({ schema, relation, rows, onClose, onDone }: DeleteDialogProps) {
  const what = rows.length === 1 ? `the row ${rows[0]!.key}` : `${rows.length} rows`;
  return (
    <FormDialog
      title={`Delete ${what} of ${relation.table}?`}
      action={`Delete ${what}`}
      cancel="Keep"
      isDanger
      onClose={onClose}
      onSubmit={async () => {
        await deleteRows(schema, relation, rows);
        await onDone();
      }}
    >
      <p>
        All of them go, or none where one may not. Rows that refer to them may go too, as the table's foreign keys say.
      </p>
    </FormDialog>
  );
}
