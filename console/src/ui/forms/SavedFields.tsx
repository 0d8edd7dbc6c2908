/** The fields that all saved things have: title, name, and with whom it is shared. */
import { EVERYBODY, nameOf, type SavedText } from "../../service/saved.ts";
import { Field } from "./Field.tsx";

export interface SavedFieldsProps {
  readonly text: SavedText;
  readonly onChange: (text: SavedText) => void;
  /** Whether its name is given already, and stays. */
  readonly isNamed?: boolean;
}

/** A name follows from the title until somebody types another. */
export function SavedFields({ text, onChange, isNamed = false }: SavedFieldsProps) {
  const { name, title, shared } = text;
  return (
    <>
      <Field label="Title">
        <input
          maxLength={200}
          value={title}
          onChange={({ target: { value } }) =>
            onChange({ ...text, title: value, name: !isNamed && name === nameOf(title) ? nameOf(value) : name })
          }
        />
      </Field>
      {!isNamed && (
        <Field label="Name" hint="1 to 60 of a-z, 0-9 and -, for its address">
          <input
            required
            pattern="[a-z0-9\-]{1,60}"
            spellCheck={false}
            value={name}
            onChange={({ target }) => onChange({ ...text, name: target.value })}
          />
        </Field>
      )}
      <Field label="Shared with" hint={`accounts and groups; ${EVERYBODY}: everybody; empty: you alone`}>
        <input
          spellCheck={false}
          value={shared}
          onChange={({ target }) => onChange({ ...text, shared: target.value })}
        />
      </Field>
    </>
  );
}
