/** The choice of the form in which a panel shows its result. */
import type { Show } from "../../service/dashboards.ts";
import { Field } from "../forms/Field.tsx";
import { SHOWS } from "./shows.ts";
import { t } from "../../words/words.ts";

export interface ShowFieldProps {
  readonly show: Show;
  readonly onChange: (show: Show) => void;
}

export function ShowField({ show, onChange }: ShowFieldProps) {
  return (
    <Field label={t("Show as")}>
      <select value={show} onChange={({ target }) => onChange(target.value as Show)}>
        {Object.entries(SHOWS).map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
