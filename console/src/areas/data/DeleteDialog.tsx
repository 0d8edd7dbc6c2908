/** Lists the rows before they are deleted. If somebody has changed one meanwhile, none is deleted. */
import type { Relation } from "../../service/rows/relations.ts";
import { deleteRows, type Row } from "../../service/rows/rows.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { t } from "../../words/words.ts";

export interface DeleteDialogProps {
  readonly schema: string;
  readonly relation: Relation;
  readonly rows: readonly Row[];
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function DeleteDialog({ schema, relation, rows, onClose, onDone }: DeleteDialogProps) {
  const what = rows.length === 1 ? t("the row {key}", { key: rows[0]!.key }) : rowsText(rows.length);
  return (
    <FormDialog
      title={t("Delete {rows} of {table}?", { rows: what, table: relation.table })}
      action={t("Delete {rows}", { rows: what })}
      cancel={t("Keep")}
      isDanger
      onClose={onClose}
      onSubmit={async () => {
        await deleteRows(schema, relation, rows);
        await onDone();
      }}
    >
      <p>
        {t(
          "All of them are deleted, or none if one is refused. The table's foreign keys may delete rows that refer to them.",
        )}
      </p>
    </FormDialog>
  );
}
