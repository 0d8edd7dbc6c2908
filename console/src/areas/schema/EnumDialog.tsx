/** Makes an enum, adds a label to one, or drops one. */
import { useState } from "react";
import { schemaPath, type EnumType } from "../../service/tables/schemas.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { ChangeDialog } from "../../ui/forms/ChangeDialog.tsx";
import { t } from "../../words/words.ts";

export interface EnumDialogProps {
  readonly schema: string;
  /** Undefined for a new enum. */
  readonly type?: EnumType;
  readonly onClose: () => void;
}

export function EnumDialog({ schema, type, onClose }: EnumDialogProps) {
  return type ? (
    <ChangeEnum schema={schema} type={type} onClose={onClose} />
  ) : (
    <NewEnum schema={schema} onClose={onClose} />
  );
}

function NewEnum({ schema, onClose }: Omit<EnumDialogProps, "type">) {
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const values = text.split("\n").filter((line) => line !== "");
  return (
    <ChangeDialog
      title={t("A new enum in {schema}", { schema })}
      action={t("Create enum")}
      change={
        name === "" || values.length === 0
          ? undefined
          : { method: "POST", path: `${schemaPath(schema)}/types`, body: { name, values } }
      }
      onClose={onClose}
    >
      <Field label={t("Name")}>
        <input required autoFocus spellCheck={false} value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label={t("Labels")} hint={t("One a line, in their order")}>
        <textarea required rows={5} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
    </ChangeDialog>
  );
}

function ChangeEnum({ schema, type, onClose }: Required<EnumDialogProps>) {
  const path = `${schemaPath(schema)}/types/${encodeURIComponent(type.name)}`;
  const [what, setWhat] = useState<"add" | "rename" | "drop">("add");
  const [value, setValue] = useState("");
  const [label, setLabel] = useState(type.values[0] ?? "");
  const bodies = {
    add: { add: { value, ...(label !== "" && { after: label }) } },
    rename: { rename: { value: label, to: value } },
    drop: undefined,
  };
  return (
    <ChangeDialog
      title={t("The enum {name}", { name: type.name })}
      action={
        { add: t("Add the label"), rename: t("Rename the label"), drop: t("Drop {name}", { name: type.name }) }[what]
      }
      isDanger={what === "drop"}
      change={
        what === "drop"
          ? { method: "DELETE", path }
          : value === ""
            ? undefined
            : { method: "PATCH", path, body: bodies[what] }
      }
      onClose={onClose}
    >
      <p>{type.values.join(", ")}</p>
      <Field label={t("What to do")}>
        <select value={what} onChange={({ target }) => setWhat(target.value as typeof what)}>
          <option value="add">{t("Add a label")}</option>
          <option value="rename">{t("Rename a label")}</option>
          <option value="drop">{t("Drop the enum")}</option>
        </select>
      </Field>
      {what === "drop" ? (
        <p>{t("It is dropped unless a column uses it. This cannot be undone.")}</p>
      ) : (
        <>
          <Field label={what === "add" ? t("After") : t("Which label")}>
            <select value={label} onChange={({ target }) => setLabel(target.value)}>
              {type.values.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </Field>
          <Field label={what === "add" ? t("New label") : t("New name")}>
            <input required value={value} onChange={({ target }) => setValue(target.value)} />
          </Field>
        </>
      )}
    </ChangeDialog>
  );
}
