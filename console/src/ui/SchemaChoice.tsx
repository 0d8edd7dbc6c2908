import { schemas } from "../../service/address.ts";
import { useAccount } from "../../ui/Shell.tsx";

/** The exposed schemas of the database that one is signed in to. */
export function useSchemas(): readonly string[] {
  const { data: account } = useAccount();
  return schemas[account?.database ?? ""] ?? [];
}

export interface SchemaChoiceProps {
  readonly value: string;
  readonly onChange: (schema: string) => void;
}

export function SchemaChoice({ value, onChange }: SchemaChoiceProps) {
  return (
    <select aria-label="Schema" value={value} onChange={({ target }) => onChange(target.value)}>
      {useSchemas().map((schema) => (
        <option key={schema}>{schema}</option>
      ))}
    </select>
  );
}
