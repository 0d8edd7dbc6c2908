/**
 * The objects that the account may use in SQL: schemas with their tables, columns and functions. Pressing one writes
 * its name at the cursor.
 */
import { shortType } from "../../service/rows/shortType.ts";
import { useQuery } from "@tanstack/react-query";
import { Columns3, Database, SquareFunction, Table2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Table } from "../../service/rows/relations.ts";
import { quotedName } from "../../service/sql/literals.ts";
import { definitionsOf } from "../../service/tables/definitions.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { t } from "../../words/words.ts";

interface ChoosingProps {
  readonly onChoose: (text: string) => void;
}

export function ObjectTree({ onChoose }: ChoosingProps) {
  const schemas = useSchemas();
  const [search, setSearch] = useState("");
  return (
    <div className="object-tree">
      <input
        type="search"
        placeholder={t("Find an object")}
        aria-label={t("Find an object")}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {schemas.map((schema, index) => (
        <Branch key={schema} icon={Database} name={schema} isOpen={index === 0}>
          <SchemaObjects schema={schema} search={search.toLowerCase()} onChoose={onChoose} />
        </Branch>
      ))}
    </div>
  );
}

interface BranchProps {
  readonly icon: typeof Database;
  readonly name: string;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** A branch of the tree. Its content is loaded when it is opened. */
function Branch({ icon, name, isOpen = false, children }: BranchProps) {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>
        <Icon of={icon} size={16} />
        {name}
      </summary>
      {wasOpened && children}
    </details>
  );
}

function SchemaObjects({ schema, search, onChoose }: ChoosingProps & Readonly<Record<"schema" | "search", string>>) {
  const { data, error, isPending } = useQuery(tablesOf(schema));
  const tables = data?.filter((table) => table.rights.includes("select") && holds(table, search));
  return (
    <>
      <ErrorNote error={error} />
      {isPending && <p className="quiet">…</p>}
      {tables?.length === 0 && <p className="quiet">{search === "" ? t("No tables.") : t("None of that name.")}</p>}
      {tables?.map((table) => (
        <Branch key={table.name} icon={Table2} name={table.name}>
          <Columns table={table} onChoose={onChoose} />
        </Branch>
      ))}
      <Branch icon={SquareFunction} name={t("Functions")}>
        <Functions schema={schema} search={search} onChoose={onChoose} />
      </Branch>
    </>
  );
}

function holds({ name, columns }: Table, search: string): boolean {
  return [name, ...columns.map((column) => column.name)].some((each) => each.toLowerCase().includes(search));
}

function Columns({ table, onChoose }: ChoosingProps & { readonly table: Table }) {
  const name = [table.schema, table.name].map(quotedName).join(".");
  return (
    <ul>
      <li>
        <button type="button" className="plain" onClick={() => onChoose(name)}>
          {name}
        </button>
      </li>
      {table.columns.map((column) => (
        <li key={column.name}>
          <button type="button" className="plain" onClick={() => onChoose(quotedName(column.name))}>
            <Icon of={Columns3} size={14} />
            <span>{column.name}</span> <span className="quiet">{shortType(column.type)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Functions({ schema, search, onChoose }: ChoosingProps & Readonly<Record<"schema" | "search", string>>) {
  const { data, error, isPending } = useQuery(definitionsOf(schema));
  const functions = data?.filter(({ kind, name }) => kind === "function" && name.toLowerCase().includes(search));
  return (
    <>
      <ErrorNote error={error} />
      {isPending && <p className="quiet">…</p>}
      {functions?.length === 0 && <p className="quiet">{t("None.")}</p>}
      <ul>
        {functions?.map(({ name }) => (
          <li key={name}>
            <button type="button" className="plain" onClick={() => onChoose(callOf(schema, name))}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A call of `name(arguments)`, whose arguments are left to be written. */
function callOf(schema: string, name: string): string {
  const [, plain = name] = /^([^(]+)\(/.exec(name) ?? [];
  return `${[schema, plain.replace(/^.*\./, "")].map(quotedName).join(".")}()`;
}
