/** A new row: what is left alone takes its default; null and the empty text are two things. */
import { useState } from "react";
import type { Relation } from "../../service/relations.ts";
import { insertRow } from "../../service/rows.ts";
import { FormDialog } from "../../ui/FormDialog.tsx";
import { GivenValues, toData, type Given } from "../../ui/GivenValues.tsx";

export interface InsertDialogProps {
  readonly schema: string;
  readonly relation: Relation;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function InsertDialog({ schema, relation, onClose, onDone }: InsertDialogProps) {
  const [given, setGiven] = useState<Given>({});

  async function save(): Promise<void> {
    await insertRow(schema, relation, toData(relation.insertColumns, given));
    await onDone();
  }

  return (
    <FormDialog title={`Add a row to ${relation.type}`} action="Add" onClose={onClose} onSubmit={save}>
      <GivenValues columns={relation.insertColumns} given={given} onChange={setGiven} autoFocus />
    </FormDialog>
  );
}
