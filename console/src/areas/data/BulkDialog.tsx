/**
 * Sets one value in many rows, or deletes them: the chosen rows, or all that match the filter. It shows their number
 * first.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { deleteWhere, MOST_UNDONE, updateWhere } from "../../service/rows/bulk.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { countRows } from "../../service/rows/rows.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { fromText } from "../../service/rows/values.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { NullableField } from "../../ui/forms/ValueField.tsx";
import { t } from "../../words/words.ts";

export interface BulkDialogProps {
  readonly what: "change" | "delete";
  readonly relation: Relation;
  readonly where: object;
  readonly onClose: () => void;
  /** Called with the keys of the rows that were written. */
  readonly onDone: (keys: readonly string[]) => Promise<void>;
}

export function BulkDialog({ what, relation, where, onClose, onDone }: BulkDialogProps) {
  const { schema, table, type, columns } = relation;
  const count = useQuery({
    queryKey: ["count", schema, type, where, "now"],
    queryFn: ({ signal }) => countRows(schema, relation, { where }, signal),
    staleTime: 0,
  });
  const writable = columns.filter(({ canUpdate }) => canUpdate);
  const [name, setName] = useState(writable[0]?.name ?? "");
  const [text, setText] = useState("");
  const [isNull, setIsNull] = useState(false);
  const column = writable.find((each) => each.name === name);
  const rows = count.data === undefined ? t("… rows") : rowsText(count.data);

  async function run(): Promise<void> {
    if (count.data === undefined) throw count.error ?? new Error(t("How many they are is not known yet."));
    if (what === "delete") return onDone(await deleteWhere(schema, relation, where));
    if (!column) throw new Error(t("Choose a column."));
    return onDone(await updateWhere(schema, relation, where, { [name]: isNull ? null : fromText(column, text) }));
  }

  return (
    <FormDialog
      title={
        what === "change"
          ? t("Change {rows} of {table}?", { rows, table })
          : t("Delete {rows} of {table}?", { rows, table })
      }
      action={what === "change" ? t("Change {rows}", { rows }) : t("Delete {rows}", { rows })}
      cancel={t("Keep")}
      isDanger={what === "delete"}
      onClose={onClose}
      onSubmit={run}
    >
      {what === "change" && column && (
        <>
          <Field label={t("Column")}>
            <select
              value={name}
              onChange={({ target }) => {
                setName(target.value);
                setText("");
                setIsNull(false);
              }}
            >
              {writable.map((each) => (
                <option key={each.name}>{each.name}</option>
              ))}
            </select>
          </Field>
          <NullableField
            key={name}
            column={column}
            relation={relation}
            text={text}
            isNull={isNull}
            autoFocus={false}
            onChange={(next, nextIsNull) => {
              setText(next);
              setIsNull(nextIsNull);
            }}
          />
        </>
      )}
      <p>
        {t("All of them, or none if one is refused.")}
        {what === "delete" && ` ${t("The table's foreign keys may delete rows that refer to them.")}`}
        {relation.versionedSince === undefined
          ? ` ${t("This cannot be undone.")}`
          : (count.data ?? 0) > MOST_UNDONE
            ? ` ${t("History keeps the old rows.")}`
            : ` ${t("History keeps the old rows, and this can be undone.")}`}
      </p>
    </FormDialog>
  );
}
