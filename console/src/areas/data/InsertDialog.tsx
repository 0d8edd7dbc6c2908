/** The dialog for a new row. An untouched field takes its default; null and the empty text differ. */
import type { Relation } from "../../service/rows/relations.ts";
import { insertRow } from "../../service/rows/rows.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { GivenValues, toData, type Given } from "../../ui/forms/GivenValues.tsx";
import { useKept } from "../../ui/hooks/useKept.ts";
import { t } from "../../words/words.ts";

export interface InsertDialogProps {
  readonly schema: string;
  readonly relation: Relation;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function InsertDialog({ schema, relation, onClose, onDone }: InsertDialogProps) {
  const [kept, keep] = useKept(`insert:${JSON.stringify([schema, relation.table])}`, "{}");
  const given = JSON.parse(kept) as Given;

  async function save(): Promise<void> {
    await insertRow(schema, relation, toData(relation.insertColumns, given));
    await onDone();
  }

  function close(): void {
    keep(undefined);
    onClose();
  }

  return (
    <FormDialog
      title={t("Add a row to {table}", { table: relation.table })}
      action={t("Add")}
      onClose={close}
      onSubmit={save}
    >
      <GivenValues
        columns={relation.insertColumns}
        given={given}
        onChange={(next) => keep(JSON.stringify(next))}
        autoFocus
      />
    </FormDialog>
  );
}
