import { useSchemas } from "../schemas.ts";
import { t } from "../../words/words.ts";

export interface SchemaChoiceProps {
  readonly value: string;
  readonly onChange: (schema: string) => void;
}

export function SchemaChoice({ value, onChange }: SchemaChoiceProps) {
  return (
    <select aria-label={t("Schema")} value={value} onChange={({ target }) => onChange(target.value)}>
      {useSchemas().map((schema) => (
        <option key={schema}>{schema}</option>
      ))}
    </select>
  );
}
