/** The grants of each account on each table; super users may do everything and are left out. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  useCodeOwners,
  usePrivileges,
  useTables,
  useUsers,
  type Level,
  type TableCodeOwners,
  type TablePrivilege,
} from "../../service/access.ts";
import { send, tablePath } from "../../service/http/rest.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { SchemaChoice } from "../../ui/forms/SchemaChoice.tsx";

const LEVELS: readonly Level[] = ["none", "read", "write", "all"];

export function Privileges() {
  const own = useSchemas();
  const [chosen, setSchema] = useState<string>();
  const schema = chosen ?? own[0] ?? "";
  const tables = useTables(schema);
  const users = useUsers();
  const privileges = usePrivileges(schema);
  const code = useCodeOwners(schema);
  const client = useQueryClient();
  const [search, setSearch] = useState("");
  const [said, setSaid] = useState("");
  const [failure, setFailure] = useState<Error | null>(null);
  const accounts = users.data?.filter(({ superuser, name }) => !superuser && name !== "anonymous") ?? [];

  async function set(table: string, subuser: string, privilege: Level): Promise<void> {
    try {
      setFailure(null);
      await send("PATCH", `${tablePath({ schema, table })}/privileges`, [{ subuser, privilege }]);
      await client.invalidateQueries({ queryKey: ["privileges", schema] });
      setSaid(`${subuser}: ${privilege} on ${table}`);
    } catch (error) {
      setFailure(error as Error);
    }
  }

  return (
    <section aria-label="Privileges">
      <div className="head">
        <h1>Privileges</h1>
        <SchemaChoice value={schema} onChange={setSchema} />
        <input
          type="search"
          placeholder="Find a table"
          aria-label="Find a table"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <span className="quiet" aria-live="polite">
          {said}
        </span>
      </div>
      <p className="quiet">
        What an account may do by a grant of its own; it also has what its group has. Each choice holds at once.
      </p>
      {code.data && code.data.size > 0 && (
        <p className="quiet">
          Some tables run code of roles that are not trusted, with all rights of the account that reads or writes them,
          also of a super user.
        </p>
      )}
      <ErrorNote error={failure ?? tables.error ?? privileges.error ?? code.error} onClose={() => setFailure(null)} />
      {accounts.length === 0 && users.data && (
        <p className="empty">All accounts are super users: add one that is not.</p>
      )}
      <div className="scroll" role="region" aria-label="Accounts and tables" tabIndex={0}>
        <Matrix
          accounts={accounts.map(({ name }) => name)}
          tables={tables.data?.filter((table) => table.toLowerCase().includes(search.toLowerCase())) ?? []}
          privileges={privileges.data}
          code={code.data}
          onSet={(table, account, level) => void set(table, account, level)}
        />
      </div>
    </section>
  );
}

interface MatrixProps {
  readonly accounts: readonly string[];
  readonly tables: readonly string[];
  /** Undefined until they are known. */
  readonly privileges: readonly TablePrivilege[] | undefined;
  readonly code: ReadonlyMap<string, TableCodeOwners> | undefined;
  readonly onSet: (table: string, account: string, level: Level) => void;
}

/** The owners of the code that a table runs, in words. */
function CodeNote({ reads, writes }: TableCodeOwners) {
  return (
    <small className="quiet code-owner">
      {reads !== null ? `runs code of ${reads}` : `writing runs code of ${String(writes)}`}
    </small>
  );
}

function Matrix({ accounts, tables, privileges, code, onSet }: MatrixProps) {
  const levels = new Map(privileges?.map(({ table, subuser, privilege }) => [`${table} ${subuser}`, privilege]));
  return (
    <table className="matrix">
      <thead>
        <tr>
          <th scope="col">Table</th>
          {accounts.map((account) => (
            <th key={account} scope="col">
              {account}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {privileges &&
          tables.map((table) => (
            <tr key={table}>
              <th scope="row">
                {table}
                {code?.has(table) && <CodeNote {...code.get(table)!} />}
              </th>
              {accounts.map((account) => {
                const level = levels.get(`${table} ${account}`) ?? "none";
                return (
                  <td key={account}>
                    <select
                      aria-label={`${account} on ${table}`}
                      className={level}
                      value={level}
                      onChange={({ target }) => onSet(table, account, target.value as Level)}
                    >
                      {LEVELS.map((each) => (
                        <option key={each}>{each}</option>
                      ))}
                    </select>
                  </td>
                );
              })}
            </tr>
          ))}
      </tbody>
    </table>
  );
}
