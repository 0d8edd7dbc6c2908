import type { Definition } from "../../service/tables/definitions.ts";
import { CopyButton } from "../code/CopyButton.tsx";
import { ofService, t } from "../../words/words.ts";

export interface DefinitionsProps {
  readonly label: string;
  readonly definitions: readonly Definition[];
  /** Whether the table is shown next to the name. Default: false. */
  readonly isOfSeveral?: boolean;
}

/** A list of definitions, each with its SQL to open and copy. */
export function Definitions({ label, definitions, isOfSeveral = false }: DefinitionsProps) {
  return (
    <ul className="parts" aria-label={label}>
      {definitions.map(({ kind, name, table, sql }) => (
        <li key={`${kind} ${table} ${name}`}>
          <details>
            <summary>
              <strong>{name}</strong>{" "}
              <span className="quiet">
                {ofService(kind)}
                {isOfSeveral && table !== null && ` ${t("of {table}", { table })}`}
              </span>
            </summary>
            <div className="preview">
              <CopyButton text={sql} title={t("Copy the SQL of {name}", { name })} />
              <pre tabIndex={0} role="region" aria-label={t("SQL of {name}", { name })}>
                {sql}
              </pre>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
