/** One row in a dialog, to read it and to change it: all changes are one write. */
import { useState } from "react";
import type { Relation } from "../../../service/rows/relations.ts";
import type { Row } from "../../../service/rows/rows.ts";
import { writeCells } from "../../../service/rows/writeCells.ts";
import { CloseTools } from "../../../ui/forms/CloseTools.tsx";
import { Dialog } from "../../../ui/forms/Dialog.tsx";
import { FormDialog } from "../../../ui/forms/FormDialog.tsx";
import type { Titles } from "../../../ui/grid/GridRow.tsx";
import { RowFields, valuesOf, type Draft } from "./RowFields.tsx";

export interface RowDialogProps {
  readonly relation: Relation;
  readonly row: Row;
  readonly title: string;
  readonly titles: Titles;
  /** Reads the rows again: after a write, and where somebody else has changed this one. */
  readonly onWritten: () => Promise<void>;
  readonly onClose: () => void;
}

export function RowDialog({ relation, row, title, titles, onWritten, onClose }: RowDialogProps) {
  const [draft, setDraft] = useState<Draft>({});
  const fields = (
    <RowFields
      relation={relation}
      columns={relation.columns}
      row={row}
      titles={titles}
      draft={draft}
      onChange={setDraft}
    />
  );
  if (!relation.canUpdate || !relation.hasKey)
    return (
      <Dialog title={title} onClose={onClose}>
        <div className="fields">{fields}</div>
        <CloseTools onClose={onClose} />
      </Dialog>
    );
  return (
    <FormDialog
      title={title}
      action="Save"
      onClose={onClose}
      onSubmit={async () => {
        const values = valuesOf(relation.columns, draft);
        if (Object.keys(values).length > 0) await writeCells(relation, [{ row, values }]);
        await onWritten();
      }}
    >
      {fields}
    </FormDialog>
  );
}
