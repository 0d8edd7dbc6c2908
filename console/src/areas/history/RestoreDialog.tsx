/** Lists the rows before they are replaced. */
import { restore, when } from "../../service/rows/history.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { t } from "../../words/words.ts";

export interface RestoreDialogProps {
  readonly relation: Relation;
  readonly keys: readonly string[];
  readonly at: string;
  readonly onClose: () => void;
  /** Called with the result, as a sentence. */
  readonly onDone: (sentence: string) => Promise<void>;
}

export function RestoreDialog({ relation, keys, at, onClose, onDone }: RestoreDialogProps) {
  const what = keys.length === 1 ? t("the row {key}", { key: keys[0] }) : rowsText(keys.length);
  return (
    <FormDialog
      title={t("Restore {rows} of {table}?", { rows: what, table: relation.table })}
      action={t("Restore {rows}", { rows: what })}
      onClose={onClose}
      onSubmit={async () => {
        await restore(relation, keys, at);
        await onDone(
          keys.length === 1
            ? t("The row {key} is as at {when}.", { key: keys[0], when: when(at) })
            : t("{rows} are as at {when}.", { rows: rowsText(keys.length), when: when(at) }),
        );
      }}
    >
      <p>
        {t(
          "This restores the state of {when}: existing rows are overwritten, deleted ones are added; all of them or none. The replaced rows stay in the history, and can be restored too.",
          { when: when(at) },
        )}
      </p>
    </FormDialog>
  );
}
