/** One table: its columns, keys, constraints and indexes, with the changes that the account may make. */
import { shortType } from "../../service/rows/shortType.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { definitionsOf } from "../../service/tables/definitions.ts";
import type { Table } from "../../service/rows/relations.ts";
import { tablePath } from "../../service/http/rest.ts";
import { countRows } from "../../service/rows/rows.ts";
import { useConstraints, useIndices, useSchemaTables, type Change } from "../../service/tables/schemas.ts";
import { findTable } from "../../service/tables/tables.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { Definitions } from "../../ui/lists/Definitions.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { NotFound } from "../../ui/NotFound.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { ChangeDialog } from "../../ui/forms/ChangeDialog.tsx";
import { ColumnDialog } from "./ColumnDialog.tsx";
import { Comment } from "./Comment.tsx";
import { ConstraintDialog } from "./ConstraintDialog.tsx";
import { IndexDialog } from "./IndexDialog.tsx";
import { TableSettings } from "./TableSettings.tsx";
import { ofService, t } from "../../words/words.ts";

type Open =
  | { readonly what: "new column" | "constraint" | "index" | "rename" | "drop" }
  | { readonly what: "column"; readonly name: string }
  | { readonly what: "drop part"; readonly title: string; readonly path: string };

export function TablePage() {
  const { schema, table } = useParams({ from: "/schema/$schema/$table" });
  const tables = useSchemaTables(schema);
  const found = tables.data && findTable(tables.data, table);
  if (tables.isPending) return <p className="empty">{t("One moment …")}</p>;
  if (!found)
    return tables.error ? <ErrorNote error={tables.error} /> : <NotFound what={t("There is no {table}.", { table })} />;
  return <Parts key={`${schema} ${table}`} table={found} />;
}

function Parts({ table }: { readonly table: Table }) {
  const { schema, name, kind, description, columns } = table;
  const { data: account } = useAccount();
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const isTable = kind === "table";
  // for somebody else's table, super users get the SQL to copy
  const mayAlter = account?.superUser === true || table.rights.includes("alter");
  const dropPart = (title: string, part: string): void =>
    setOpen({ what: "drop part", title, path: `${tablePath({ schema, table: name })}/${part}` });
  const of = { schema, table: name, columns, onClose: close };
  return (
    <section className="schema-table" aria-label={name}>
      <Head table={table} mayAlter={mayAlter} onOpen={(what) => setOpen({ what })} />
      {mayAlter ? (
        <Comment schema={schema} table={name} text={description} />
      ) : (
        description !== null && <p>{description}</p>
      )}
      <div className="head">
        <h2>{t("Columns")}</h2>
        {isTable && mayAlter && (
          <button type="button" onClick={() => setOpen({ what: "new column" })}>
            {t("Add a column")}
          </button>
        )}
      </div>
      <Columns
        table={table}
        mayAlter={mayAlter}
        onChange={(column) => setOpen({ what: "column", name: column })}
        onDrop={(column) =>
          dropPart(t("the column {column} with all its values", { column }), `columns/${encodeURIComponent(column)}`)
        }
      />
      {isTable && (
        <Constraints
          table={table}
          mayAlter={mayAlter}
          onAdd={() => setOpen({ what: "constraint" })}
          onDrop={dropPart}
        />
      )}
      {isTable && (
        <Indices table={table} mayAlter={mayAlter} onAdd={() => setOpen({ what: "index" })} onDrop={dropPart} />
      )}
      <OtherParts table={table} />
      {account?.superUser && <TableSettings table={table} />}
      {open?.what === "new column" && <ColumnDialog {...of} column={undefined} />}
      {open?.what === "column" && <ColumnDialog {...of} column={columns.find((column) => column.name === open.name)} />}
      {open?.what === "constraint" && <ConstraintDialog {...of} />}
      {open?.what === "index" && <IndexDialog {...of} />}
      {open?.what === "rename" && <RenameDialog table={table} onClose={close} />}
      {open?.what === "drop" && <DropDialog table={table} onClose={close} />}
      {open?.what === "drop part" && (
        <ChangeDialog
          title={t("Drop {title}?", { title: open.title })}
          action={t("Drop")}
          isDanger
          change={{ method: "DELETE", path: open.path }}
          onClose={close}
        >
          <p>{t("It is dropped unless something depends on it. This cannot be undone.")}</p>
        </ChangeDialog>
      )}
    </section>
  );
}

interface HeadProps {
  readonly table: Table;
  readonly mayAlter: boolean;
  readonly onOpen: (what: "rename" | "drop") => void;
}

function Head({ table, mayAlter, onOpen }: HeadProps) {
  const { schema, name, kind } = table;
  return (
    <div className="head">
      <h1>{name}</h1>
      <span className="quiet">{t("{kind} in {schema}", { kind: ofService(kind), schema })}</span>
      <span className="tools">
        {table.graphql_type !== null && (
          <Link className="button" to="/data/$schema/$table" params={{ schema, table: name }}>
            {t("Rows")}
          </Link>
        )}
        {mayAlter && (
          <>
            <button type="button" onClick={() => onOpen("rename")}>
              {t("Rename")}
            </button>
            <button type="button" onClick={() => onOpen("drop")}>
              {t("Drop")}
            </button>
          </>
        )}
      </span>
    </div>
  );
}

/** The constraints in SQL's words. */
function constraintsOf(column: { isKey: boolean; nullable: boolean; given: string | null }): string {
  const { isKey, nullable, given } = column;
  const isGenerated = given?.startsWith("generated ") === true;
  const words = [
    isKey && "PRIMARY KEY",
    !isKey && !nullable && "NOT NULL",
    given !== null &&
      (isGenerated ? given.toUpperCase().replace(/\(.*\)/, () => /\(.*\)/.exec(given)![0]) : `DEFAULT ${given}`),
  ];
  return words.filter((word) => word !== false).join(", ");
}

interface ColumnsProps {
  readonly table: Table;
  readonly mayAlter: boolean;
  readonly onChange: (column: string) => void;
  readonly onDrop: (column: string) => void;
}

function Columns({
  table: { schema, name: table, kind, columns, key, workflow },
  mayAlter,
  onChange,
  onDrop,
}: ColumnsProps) {
  return (
    <ScrolledTable
      className="stacked columns-of"
      label={t("Columns")}
      titles={[t("Name"), t("Type"), t("Constraints"), t("Comment"), ""]}
    >
      {columns.map(({ name, type, nullable, default: given, description }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>
            <code>{shortType(type)}</code>
          </td>
          <td className="quiet constraints">{constraintsOf({ isKey: key.includes(name), nullable, given })}</td>
          <td className="wide">
            {mayAlter ? <Comment schema={schema} table={table} column={name} text={description} /> : description}
          </td>
          <td className="tools">
            {mayAlter && kind === "table" && !(workflow !== null && /^portolan_(status|workflow)$/.test(name)) && (
              <>
                <button
                  type="button"
                  className="plain"
                  aria-label={t("Change {name}", { name })}
                  onClick={() => onChange(name)}
                >
                  {t("Change")}
                </button>
                <button
                  type="button"
                  className="plain"
                  aria-label={t("Drop {name}", { name })}
                  onClick={() => onDrop(name)}
                >
                  {t("Drop")}
                </button>
              </>
            )}
          </td>
        </tr>
      ))}
    </ScrolledTable>
  );
}

interface PartsOfTableProps {
  readonly table: Table;
  readonly mayAlter: boolean;
  readonly onAdd: () => void;
  readonly onDrop: (title: string, part: string) => void;
}

function Constraints({ table: { schema, name }, mayAlter, onAdd, onDrop }: PartsOfTableProps) {
  const constraints = useConstraints(schema, name);
  return (
    <PartList
      mayAlter={mayAlter}
      title={t("Constraints")}
      error={constraints.error}
      parts={constraints.data ?? []}
      none={t("None.")}
      add={t("Add a constraint")}
      onAdd={onAdd}
      onDrop={(part) => onDrop(t("the constraint {part}", { part }), `constraints/${encodeURIComponent(part)}`)}
    />
  );
}

function Indices({ table: { schema, name }, mayAlter, onAdd, onDrop }: PartsOfTableProps) {
  const indices = useIndices(schema, name);
  return (
    <PartList
      mayAlter={mayAlter}
      title={t("Indexes")}
      error={indices.error}
      parts={indices.data?.filter(({ constraint_name: of }) => of === null) ?? []}
      none={t("None beside those of its keys.")}
      add={t("Add an index")}
      onAdd={onAdd}
      onDrop={(part) => onDrop(t("the index {part}", { part }), `indices/${encodeURIComponent(part)}`)}
    />
  );
}

/** Objects that can only be changed in SQL. */
function OtherParts({ table: { schema, name, kind } }: { readonly table: Table }) {
  const { data, error } = useQuery(definitionsOf(schema));
  const own = data?.filter(({ table }) => table === name) ?? [];
  const title = kind === "table" ? t("Triggers and policies") : t("Definition, triggers and policies");
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ErrorNote error={error} />
      {data && own.length === 0 && <p className="quiet">{t("None.")}</p>}
      <Definitions label={title} definitions={own} />
    </section>
  );
}

interface PartListProps {
  readonly mayAlter: boolean;
  readonly title: string;
  readonly error: Error | null;
  readonly parts: readonly { readonly name: string; readonly definition: string }[];
  readonly none: string;
  readonly add: string;
  readonly onAdd: () => void;
  readonly onDrop: (part: string) => void;
}

function PartList({ mayAlter, title, error, parts, none, add, onAdd, onDrop }: PartListProps) {
  return (
    <section aria-label={title}>
      <div className="head">
        <h2>{title}</h2>
        {mayAlter && (
          <button type="button" onClick={onAdd}>
            {add}
          </button>
        )}
      </div>
      <ErrorNote error={error} />
      {parts.length === 0 && <p className="quiet">{none}</p>}
      <ul className="parts">
        {parts.map(({ name, definition }) => (
          <li key={name} className="tools">
            <strong>{name}</strong>
            <code>{definition}</code>
            {mayAlter && (
              <button
                type="button"
                className="plain"
                aria-label={t("Drop {name}", { name })}
                onClick={() => onDrop(name)}
              >
                {t("Drop")}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface OfTableProps {
  readonly table: Table;
  readonly onClose: () => void;
}

function RenameDialog({ table: { schema, name }, onClose }: OfTableProps) {
  const navigate = useNavigate();
  const [next, setNext] = useState(name);
  const change: Change = { method: "PATCH", path: tablePath({ schema, table: name }), body: { name: next } };
  return (
    <ChangeDialog
      title={t("Rename {name}", { name })}
      action={t("Rename")}
      change={next === "" || next === name ? undefined : change}
      onClose={onClose}
      onDone={() => void navigate({ to: "/schema/$schema/$table", params: { schema, table: next } })}
    >
      <Field label={t("Name")} hint={t("Addresses and programs that use the old name no longer find it")}>
        <input required autoFocus spellCheck={false} value={next} onChange={({ target }) => setNext(target.value)} />
      </Field>
    </ChangeDialog>
  );
}

function DropDialog({ table, onClose }: OfTableProps) {
  const { schema, name, kind, graphql_type: type } = table;
  const navigate = useNavigate();
  const count = useQuery({
    queryKey: ["count", schema, type],
    queryFn: ({ signal }) => countRows(schema, { type: type! }, { where: undefined }, signal),
    enabled: type !== null,
    retry: false,
  });
  const rows =
    kind === "table"
      ? count.data === undefined
        ? t("It is dropped with all its rows, unless something depends on it.")
        : t("It is dropped with {rows} that you see, unless something depends on it.", { rows: rowsText(count.data) })
      : t("It is dropped, unless something depends on it.");
  return (
    <ChangeDialog
      title={t("Drop the {kind} {name}?", { kind: ofService(kind), name })}
      action={t("Drop {name}", { name })}
      isDanger
      change={{ method: "DELETE", path: tablePath({ schema, table: name }) }}
      onClose={onClose}
      onDone={() => void navigate({ to: "/schema/$schema", params: { schema } })}
    >
      <p>
        {rows} {t("This cannot be undone.")}
      </p>
    </ChangeDialog>
  );
}
