/** The fields of all saved things: title, name, and the accounts that it is shared with. */
import { EVERYBODY, nameOf, type SavedText } from "../../service/saved.ts";
import { Field } from "./Field.tsx";
import { NamesField } from "./NamesField.tsx";
import { t } from "../../words/words.ts";

export interface SavedFieldsProps {
  readonly text: SavedText;
  readonly onChange: (text: SavedText) => void;
  /** Whether its name is fixed. */
  readonly isNamed?: boolean;
}

/** The fields. The name follows from the title until the user types another. */
export function SavedFields({ text, onChange, isNamed = false }: SavedFieldsProps) {
  const { name, title, shared } = text;
  return (
    <>
      <Field label={t("Title")}>
        <input
          maxLength={200}
          value={title}
          onChange={({ target: { value } }) =>
            onChange({ ...text, title: value, name: !isNamed && name === nameOf(title) ? nameOf(value) : name })
          }
        />
      </Field>
      {!isNamed && (
        <Field label={t("Name")} hint={t("1 to 60 of a-z, 0-9 and -, for its address")}>
          <input
            required
            pattern="[a-z0-9\-]{1,60}"
            spellCheck={false}
            value={name}
            onChange={({ target }) => onChange({ ...text, name: target.value })}
          />
        </Field>
      )}
      <Field
        label={t("Shared with")}
        hint={t("accounts and groups; {everybody}: everybody; empty: you alone", { everybody: EVERYBODY })}
      >
        <NamesField value={shared} onChange={(names) => onChange({ ...text, shared: names })} />
      </Field>
    </>
  );
}
