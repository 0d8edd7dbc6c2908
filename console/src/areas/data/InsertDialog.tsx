/** The dialog for a new row. An untouched field takes its default; null and the empty text differ. */
import { isRepeated, newRequestKey } from "../../service/http/requestKey.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { insertRow } from "../../service/rows/rows.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { GivenValues, toData, type Given } from "../../ui/forms/GivenValues.tsx";
import { useKept } from "../../ui/hooks/useKept.ts";
import { t } from "../../words/words.ts";

interface Sent {
  readonly key: string;
  readonly values: string;
}

export interface InsertDialogProps {
  readonly schema: string;
  readonly relation: Relation;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function InsertDialog({ schema, relation, onClose, onDone }: InsertDialogProps) {
  const [kept, keep] = useKept(`insert:${JSON.stringify([schema, relation.table])}`, "{}");
  const given = JSON.parse(kept) as Given;
  /** The key and the values of a row whose answer was lost. */
  const [sentText, keepSent] = useKept(`insert sent:${JSON.stringify([schema, relation.table])}`, "null");

  async function save(): Promise<void> {
    const sent = (JSON.parse(sentText) as Sent | null) ?? { key: newRequestKey(), values: kept };
    keepSent(JSON.stringify(sent));
    try {
      await insertRow(schema, relation, toData(relation.insertColumns, given), sent.key);
    } catch (error) {
      if (!isRepeated(error)) throw error;
      if (sent.values !== kept) {
        keepSent(undefined);
        await onDone();
        throw new Error(
          t("The row has been added with the earlier values after all. Change it in the table, or add another one."),
          { cause: error },
        );
      }
    }
    keepSent(undefined);
    await onDone();
  }

  function close(): void {
    keep(undefined);
    keepSent(undefined);
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
        relation={relation}
        given={given}
        onChange={(next) => keep(JSON.stringify(next))}
        autoFocus
      />
    </FormDialog>
  );
}
