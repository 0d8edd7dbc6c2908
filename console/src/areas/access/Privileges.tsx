/** The grants of each account on each table; super users may do everything and are left out. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import {
  useCodeOwners,
  useColumnPrivileges,
  setPrivilege,
  usePrivileges,
  useUsers,
  type ColumnPrivilege,
  type Level,
  type TableCodeOwners,
  type TablePrivilege,
} from "../../service/access.ts";
import type { Table } from "../../service/rows/relations.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { SchemaChoice } from "../../ui/forms/SchemaChoice.tsx";
import { ColumnPrivilegesDialog } from "./ColumnPrivilegesDialog.tsx";
import { ofService, plural, t } from "../../words/words.ts";
import { parts } from "../../words/parts.ts";

const LEVELS: readonly Level[] = ["none", "read", "write", "all"];

export function Privileges() {
  const own = useSchemas();
  const asked = useSearch({ from: "/access/privileges" });
  const [chosen, setSchema] = useState(asked.schema);
  const schema = chosen ?? own[0] ?? "";
  const tables = useQuery(tablesOf(schema));
  const users = useUsers();
  const privileges = usePrivileges(schema);
  const onColumns = useColumnPrivileges(schema);
  /** The cell whose columns are open. */
  const [opened, setOpened] = useState<Cell>();
  const code = useCodeOwners(schema);
  const client = useQueryClient();
  const [search, setSearch] = useState(asked.table ?? "");
  const [said, setSaid] = useState("");
  const [failure, setFailure] = useState<Error | null>(null);
  const names = tables.data?.map(({ name }) => name) ?? [];
  const accounts = users.data?.filter(({ superuser, name }) => !superuser && name !== "anonymous") ?? [];

  async function set(table: string, subuser: string, privilege: Level): Promise<void> {
    try {
      setFailure(null);
      await setPrivilege({ schema, table }, subuser, privilege);
      await client.invalidateQueries({ queryKey: ["privileges", schema] });
      await client.invalidateQueries({ queryKey: ["column privileges", schema] }); // "none" takes these too
      setSaid(t("{subuser}: {privilege} on {table}", { subuser, privilege, table }));
    } catch (error) {
      setFailure(error as Error);
    }
  }

  return (
    <section aria-label={t("Privileges")}>
      <div className="head">
        <h1>{t("Privileges")}</h1>
        <SchemaChoice value={schema} onChange={setSchema} />
        <input
          type="search"
          placeholder={t("Find a table")}
          aria-label={t("Find a table")}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <span className="quiet" aria-live="polite">
          {said}
        </span>
      </div>
      <Explanation />
      {code.data && code.data.size > 0 && <UntrustedCode />}
      <ErrorNote
        error={failure ?? tables.error ?? privileges.error ?? onColumns.error ?? code.error}
        onClose={() => setFailure(null)}
      />
      {accounts.length === 0 && users.data && (
        <p className="empty">{t("All accounts are super users: add one that is not.")}</p>
      )}
      <div className="scroll" role="region" aria-label={t("Accounts and tables")} tabIndex={0}>
        <Matrix
          accounts={accounts.map(({ name }) => name)}
          tables={names.filter((table) => table.toLowerCase().includes(search.toLowerCase()))}
          privileges={privileges.data}
          onColumns={onColumns.data}
          code={code.data}
          onOpen={setOpened}
          onSet={(table, account, level) => void set(table, account, level)}
        />
      </div>
      {opened && onColumns.data && (
        <ColumnsOf
          cell={opened}
          schema={schema}
          tables={tables.data ?? []}
          privileges={privileges.data ?? []}
          onColumns={onColumns.data}
          onClose={() => setOpened(undefined)}
          onDone={setSaid}
        />
      )}
    </section>
  );
}

function Explanation() {
  return (
    <p className="quiet">
      {parts(
        "The privileges of each account by its own grants; it also has those of its groups. Each choice takes effect at once. {columns} gives it single columns.",
        { columns: <i>{t("Columns")}</i> },
      )}
    </p>
  );
}

function UntrustedCode() {
  return (
    <p className="quiet">
      {t(
        "Some tables run code of untrusted roles, with all rights of the account that reads or writes them, even those of a super user.",
      )}
    </p>
  );
}

interface Cell {
  readonly table: string;
  readonly account: string;
}

interface ColumnsOfProps {
  readonly cell: Cell;
  readonly schema: string;
  readonly tables: readonly Table[];
  readonly privileges: readonly TablePrivilege[];
  readonly onColumns: readonly ColumnPrivilege[];
  readonly onClose: () => void;
  readonly onDone: (sentence: string) => void;
}

function ColumnsOf({ cell, tables, privileges, onColumns, ...rest }: ColumnsOfProps) {
  const { table, account } = cell;
  const given = onColumns.filter((each) => each.table === table && each.subuser === account);
  return (
    <ColumnPrivilegesDialog
      {...cell}
      {...rest}
      level={privileges.find((each) => each.table === table && each.subuser === account)?.privilege ?? "none"}
      columns={tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []}
      given={new Map(given.map((each) => [each.column, each.privileges]))}
    />
  );
}

interface MatrixProps {
  readonly accounts: readonly string[];
  readonly tables: readonly string[];
  /** Undefined while loading. */
  readonly privileges: readonly TablePrivilege[] | undefined;
  readonly onColumns: readonly ColumnPrivilege[] | undefined;
  readonly code: ReadonlyMap<string, TableCodeOwners> | undefined;
  readonly onOpen: (cell: Cell) => void;
  readonly onSet: (table: string, account: string, level: Level) => void;
}

/** A sentence about the owners of the code that a table runs. */
function CodeNote({ reads, writes }: TableCodeOwners) {
  return (
    <small className="quiet code-owner">
      {reads !== null
        ? t("runs code of {reads}", { reads })
        : t("writing runs code of {writes}", { writes: String(writes) })}
    </small>
  );
}

function Matrix({ accounts, tables, privileges, onColumns, code, onOpen, onSet }: MatrixProps) {
  const counts = new Map<string, number>();
  for (const { table, subuser } of onColumns ?? [])
    counts.set(`${table} ${subuser}`, (counts.get(`${table} ${subuser}`) ?? 0) + 1);
  const levels = new Map(privileges?.map(({ table, subuser, privilege }) => [`${table} ${subuser}`, privilege]));
  return (
    <table className="matrix">
      <thead>
        <tr>
          <th scope="col">{t("Table")}</th>
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
                const count = counts.get(`${table} ${account}`);
                return (
                  <td key={account}>
                    <select
                      aria-label={t("{account} on {table}", { account, table })}
                      className={level}
                      value={level}
                      onChange={({ target }) => onSet(table, account, target.value as Level)}
                    >
                      {LEVELS.map((each) => (
                        <option key={each} value={each}>
                          {ofService(each)}
                        </option>
                      ))}
                    </select>{" "}
                    <button
                      type="button"
                      className="plain"
                      aria-label={
                        count === undefined
                          ? t("Columns of {table} for {account}", { table, account })
                          : t("Columns of {table} for {account}, {count} given", { table, account, count })
                      }
                      onClick={() => onOpen({ table, account })}
                    >
                      {count === undefined ? t("Columns") : plural(count, "{count} column", "{count} columns")}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
      </tbody>
    </table>
  );
}
