/** Adds or changes a column. */
import { shortType } from "../../service/rows/shortType.ts";
import { useState } from "react";
import { tablePath } from "../../service/http/rest.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { ChangeDialog } from "../../ui/forms/ChangeDialog.tsx";
import { DefaultInput, type Default } from "./DefaultInput.tsx";
import { TypeInput } from "../../ui/forms/TypeInput.tsx";
import { t } from "../../words/words.ts";

export interface ColumnOf {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

export interface ColumnDialogProps {
  readonly schema: string;
  readonly table: string;
  /** Undefined for a new column. */
  readonly column: ColumnOf | undefined;
  readonly onClose: () => void;
}

export function ColumnDialog({ schema, table, column, onClose }: ColumnDialogProps) {
  const [name, setName] = useState(column?.name ?? "");
  const present = column && shortType(column.type);
  const [type, setType] = useState(present ?? "text");
  const [nullable, setNullable] = useState(column?.nullable ?? true);
  const [given, setGiven] = useState<Default>();
  const members = {
    ...(name !== column?.name && { name }),
    ...(type !== present && { type }),
    ...(nullable !== (column?.nullable ?? true) && { nullable }),
    ...(given !== undefined && { default: given }),
  };
  const path = `${tablePath({ schema, table })}/columns`;
  const isWhole = name !== "" && type !== "" && Object.keys(members).length > 0;
  return (
    <ChangeDialog
      title={column ? t("Change the column {name}", { name: column.name }) : t("A new column of {table}", { table })}
      action={column ? t("Change column") : t("Add column")}
      change={
        !isWhole
          ? undefined
          : column
            ? { method: "PATCH", path: `${path}/${encodeURIComponent(column.name)}`, body: members }
            : { method: "POST", path, body: { ...members, name, type } }
      }
      onClose={onClose}
    >
      <Field label={t("Name")}>
        <input required autoFocus spellCheck={false} value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label={t("Type")} {...(column && { hint: t("Existing values are converted, all or none") })}>
        <TypeInput schema={schema} value={type} onChange={setType} />
      </Field>
      <div className="field">
        <span>{t("Default")}</span>
        <DefaultInput value={given} onChange={setGiven} isThere={column !== undefined} />
      </div>
      <label>
        <input type="checkbox" checked={!nullable} onChange={({ target }) => setNullable(!target.checked)} />{" "}
        {t("Not null")}
      </label>
    </ChangeDialog>
  );
}
