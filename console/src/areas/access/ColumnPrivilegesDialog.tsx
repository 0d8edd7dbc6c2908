/** The privileges of an account on single columns of a table, chosen by clicks, with the SQL that will run. */
import { useState } from "react";
import type { ColumnPrivilege, Level } from "../../service/access.ts";
import { tablePath } from "../../service/http/rest.ts";
import { ChangeDialog } from "../../ui/forms/ChangeDialog.tsx";
import { ofService, t } from "../../words/words.ts";

type Privilege = ColumnPrivilege["privileges"][number];

const PRIVILEGES: readonly Privilege[] = ["select", "insert", "update"];

export interface ColumnPrivilegesDialogProps {
  readonly schema: string;
  readonly table: string;
  readonly account: string;
  /** The level on the whole table. */
  readonly level: Level;
  readonly columns: readonly string[];
  /** The present privileges, by column. */
  readonly given: ReadonlyMap<string, readonly Privilege[]>;
  readonly onClose: () => void;
  readonly onDone: (sentence: string) => void;
}

export function ColumnPrivilegesDialog(props: ColumnPrivilegesDialogProps) {
  const { schema, table, account, level, columns, given, onClose, onDone } = props;
  const [chosen, setChosen] = useState(given);
  const of = (from: typeof given, column: string): readonly Privilege[] => from.get(column) ?? [];
  const changed = columns.filter((column) => of(chosen, column).join() !== of(given, column).join());
  const body = { subuser: account, columns: Object.fromEntries(changed.map((name) => [name, of(chosen, name)])) };

  function set(names: readonly string[], privilege: Privilege, has: boolean): void {
    const next = new Map(chosen);
    for (const name of names)
      next.set(
        name,
        PRIVILEGES.filter((each) => (each === privilege ? has : of(chosen, name).includes(each))),
      );
    setChosen(next);
  }

  return (
    <ChangeDialog
      title={t("Columns of {table} for {account}", { table, account })}
      action={t("Run")}
      change={
        changed.length === 0
          ? undefined
          : { method: "PATCH", path: `${tablePath({ schema, table })}/column-privileges`, body }
      }
      onClose={onClose}
      onDone={() => onDone(t("{account}: columns of {table}", { account, table }))}
    >
      <p className="quiet">
        {level === "none"
          ? t("It has no privilege on the whole table.")
          : t(
              "It has {level} on the whole table, and so on all columns. A choice here stays when that is reduced to read.",
              { level: ofService(level) },
            )}{" "}
        {t("Deleting rows needs a privilege on the whole table.")}
      </p>
      <div className="scroll" role="region" aria-label={t("Columns and privileges")} tabIndex={0}>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">{t("Column")}</th>
              {PRIVILEGES.map((privilege) => (
                <th key={privilege} scope="col">
                  <label>
                    <input
                      type="checkbox"
                      aria-label={t("{privilege} on all columns", { privilege })}
                      checked={columns.every((column) => of(chosen, column).includes(privilege))}
                      onChange={({ target }) => set(columns, privilege, target.checked)}
                    />{" "}
                    {privilege}
                  </label>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column}>
                <th scope="row">{column}</th>
                {PRIVILEGES.map((privilege) => (
                  <td key={privilege}>
                    <input
                      type="checkbox"
                      aria-label={t("{privilege} on {column}", { privilege, column })}
                      checked={of(chosen, column).includes(privilege)}
                      onChange={({ target }) => set([column], privilege, target.checked)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ChangeDialog>
  );
}
