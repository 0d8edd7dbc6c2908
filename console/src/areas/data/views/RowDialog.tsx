/** One row in a dialog, for reading and editing. All changes are one write. */
import type { Relation } from "../../../service/rows/relations.ts";
import type { Row } from "../../../service/rows/rows.ts";
import { CloseTools } from "../../../ui/forms/CloseTools.tsx";
import { Dialog } from "../../../ui/forms/Dialog.tsx";
import { FormDialog } from "../../../ui/forms/FormDialog.tsx";
import type { Titles } from "../../../ui/grid/GridRow.tsx";
import { CommentsButton } from "../CommentsButton.tsx";
import { RowFields } from "./RowFields.tsx";
import { useRowDraft } from "./useRowDraft.ts";
import { t } from "../../../words/words.ts";

export interface RowDialogProps {
  readonly relation: Relation;
  readonly row: Row;
  readonly title: string;
  readonly titles: Titles;
  /** Reads the rows again. */
  readonly onWritten: () => Promise<void>;
  readonly onClose: () => void;
}

export function RowDialog({ relation, row: begun, title, titles, onWritten, onClose }: RowDialogProps) {
  const { row, draft, change, save } = useRowDraft(relation, begun, onWritten);
  const fields = (
    <RowFields
      relation={relation}
      columns={relation.columns}
      row={row}
      titles={titles}
      draft={draft}
      onChange={change}
    />
  );
  if (!relation.canUpdate || !relation.hasKey)
    return (
      <Dialog title={title} onClose={onClose}>
        <div className="fields">{fields}</div>
        <CommentsButton relation={relation} row={row} />
        <CloseTools onClose={onClose} />
      </Dialog>
    );
  return (
    <FormDialog title={title} action={t("Save")} onClose={onClose} onSubmit={save}>
      {fields}
      <CommentsButton relation={relation} row={row} />
    </FormDialog>
  );
}
