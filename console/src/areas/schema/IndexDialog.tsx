/** Adds an index. */
import { useState } from "react";
import { tablePath } from "../../service/http/rest.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { ChangeDialog } from "../../ui/forms/ChangeDialog.tsx";
import { Choices } from "../../ui/forms/Choices.tsx";
import type { ConstraintDialogProps } from "./ConstraintDialog.tsx";
import { t } from "../../words/words.ts";

const METHODS = [
  ["btree", t("order and equality (btree)")],
  ["gist", t("geometries and ranges (gist)")],
  ["gin", t("documents and arrays (gin)")],
  ["hash", t("equality alone (hash)")],
  ["brin", t("very large tables in order (brin)")],
] as const;

/** The index method that fits the types of the columns. */
function methodOf(types: readonly string[]): string {
  const has = (type: RegExp): boolean => types.some((each) => type.test(each));
  if (has(/^(\S+\.)?(geometry|geography)\b(?!.*\[\])|range$/)) return "gist";
  return has(/\[\]$|^(jsonb|tsvector|(\S+\.)?hstore)$/) ? "gin" : "btree";
}

export function IndexDialog({ schema, table, columns, onClose }: ConstraintDialogProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [own, setMethod] = useState<string>();
  const method = own ?? methodOf(columns.filter(({ name }) => chosen.includes(name)).map(({ type }) => type));
  const [unique, setUnique] = useState(false);
  return (
    <ChangeDialog
      title={t("A new index of {table}", { table })}
      action={t("Create index")}
      change={
        chosen.length === 0
          ? undefined
          : {
              method: "POST",
              path: `${tablePath({ schema, table })}/indices`,
              body: { columns: chosen, method, ...(unique && { unique }) },
            }
      }
      onClose={onClose}
    >
      <Choices
        legend={t("Columns")}
        names={columns.map((column) => column.name)}
        chosen={chosen}
        onChange={setChosen}
      />
      <Field label={t("For")} hint={t("Writers of the table wait while it is made")}>
        <select value={method} onChange={({ target }) => setMethod(target.value)}>
          {METHODS.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <label>
        <input type="checkbox" checked={unique} onChange={({ target }) => setUnique(target.checked)} /> {t("Unique")}
      </label>
    </ChangeDialog>
  );
}
