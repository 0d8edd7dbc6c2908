/** A new table: its columns, its key and its comment. */
import { useState } from "react";
import type { Table } from "../../service/rows/relations.ts";
import { schemaPath, useSchemaTables } from "../../service/tables/schemas.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { ChangeDialog } from "../../ui/forms/ChangeDialog.tsx";
import { DefaultInput, type Default } from "./DefaultInput.tsx";
import { TypeInput } from "../../ui/forms/TypeInput.tsx";
import { t } from "../../words/words.ts";

export interface TableDialogProps {
  readonly schema: string;
  readonly onClose: () => void;
  /** Called with the name of the new table. */
  readonly onDone: (table: string) => void;
}

interface NewColumn {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly isKey: boolean;
  readonly isUnique: boolean;
  readonly default: Default;
  /** The table whose key the column refers to; empty for none. */
  readonly table: string;
}

const NEXT: NewColumn = {
  name: "",
  type: "text",
  isNeeded: false,
  isKey: false,
  isUnique: false,
  default: undefined,
  table: "",
};
const KEY: NewColumn = { ...NEXT, name: "id", type: "bigint", isNeeded: true, isKey: true };

export function TableDialog({ schema, onClose, onDone }: TableDialogProps) {
  const [name, setName] = useState("");
  const [columns, setColumns] = useState<readonly NewColumn[]>([KEY]);
  const [comment, setComment] = useState("");
  const tables = useSchemaTables(schema).data?.filter(({ key: of, kind }) => kind === "table" && of.length === 1) ?? [];
  const isWhole = name !== "" && columns.every((column) => column.name !== "" && column.type !== "");
  const key = columns.filter(({ isKey }) => isKey);
  const constraints = columns.flatMap(({ name: column, isKey, isUnique, table }) => {
    const to = tables.find((each) => each.name === table);
    return [
      ...(isUnique && !isKey ? [{ kind: "unique", columns: [column] }] : []),
      ...(to
        ? [{ kind: "foreign_key", columns: [column], references: { schema, table: to.name, columns: to.key } }]
        : []),
    ];
  });
  const body = {
    name,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      ...(column.isNeeded && !column.isKey && { nullable: false }),
      // a key of one number column is numbered automatically
      ...(column.isKey &&
        key.length === 1 &&
        column.default === undefined &&
        /^(smallint|integer|int|bigint|int[248])$/.test(column.type) && { identity: true }),
      ...(column.default !== undefined && { default: column.default }),
    })),
    key: key.map((column) => column.name),
    ...(constraints.length > 0 && { constraints }),
    ...(comment !== "" && { comment }),
  };

  return (
    <ChangeDialog
      title={t("A new table in {schema}", { schema })}
      action={t("Create table")}
      change={isWhole ? { method: "POST", path: `${schemaPath(schema)}/tables`, body } : undefined}
      onClose={onClose}
      onDone={() => onDone(name)}
    >
      <Field label={t("Name")}>
        <input required autoFocus spellCheck={false} value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <fieldset>
        <legend>{t("Columns")}</legend>
        {columns.map((column, index) => (
          <ColumnLine
            key={index}
            schema={schema}
            number={index + 1}
            column={column}
            tables={tables}
            onChange={(change) => setColumns((now) => now.with(index, { ...now[index]!, ...change }))}
            onRemove={columns.length > 1 ? () => setColumns((now) => now.toSpliced(index, 1)) : undefined}
          />
        ))}
        <button type="button" onClick={() => setColumns((now) => [...now, NEXT])}>
          {t("Add column")}
        </button>
      </fieldset>
      {key.length === 0 && <p className="quiet">{t("Without a key its rows cannot be changed one by one here.")}</p>}
      <Field label={t("Comment")} hint={t("Its content; the description in every interface")}>
        <textarea rows={2} value={comment} onChange={({ target }) => setComment(target.value)} />
      </Field>
    </ChangeDialog>
  );
}

interface ColumnLineProps {
  readonly schema: string;
  readonly number: number;
  readonly column: NewColumn;
  /** The tables that it may refer to. */
  readonly tables: readonly Table[];
  readonly onChange: (change: Partial<NewColumn>) => void;
  /** Undefined for the only column. */
  readonly onRemove: (() => void) | undefined;
}

function ColumnLine({ schema, number, column, tables, onChange, onRemove }: ColumnLineProps) {
  return (
    <div className="tools" role="group" aria-label={t("Column {index}", { index: number })}>
      <input
        required
        aria-label={t("Column")}
        autoFocus={number > 1}
        placeholder={t("name")}
        spellCheck={false}
        value={column.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TypeInput schema={schema} aria-label={t("Type")} value={column.type} onChange={(type) => onChange({ type })} />
      <label>
        <input type="checkbox" checked={column.isKey} onChange={({ target }) => onChange({ isKey: target.checked })} />{" "}
        {t("key")}
      </label>
      <label>
        <input
          type="checkbox"
          disabled={column.isKey}
          checked={column.isNeeded || column.isKey}
          onChange={({ target }) => onChange({ isNeeded: target.checked })}
        />{" "}
        {t("not null")}
      </label>
      <label>
        <input
          type="checkbox"
          disabled={column.isKey}
          checked={column.isUnique || column.isKey}
          onChange={({ target }) => onChange({ isUnique: target.checked })}
        />{" "}
        {t("unique")}
      </label>
      <DefaultInput value={column.default} onChange={(value) => onChange({ default: value })} />
      <select
        aria-label={t("Refers to")}
        value={column.table}
        onChange={({ target: { value } }) => {
          const to = tables.find((each) => each.name === value);
          const type = to?.columns.find(({ name }) => name === to.key[0])?.type;
          onChange({ table: value, ...(type !== undefined && { type }) });
        }}
      >
        <option value="">{t("refers to no table")}</option>
        {tables.map(({ name, key: [of] }) => (
          <option key={name} value={name}>
            {t("refers to {name} ({of})", { name, of })}
          </option>
        ))}
      </select>
      {onRemove && (
        <button
          type="button"
          className="plain"
          aria-label={t("Without column {index}", { index: number })}
          onClick={onRemove}
        >
          ×
        </button>
      )}
    </div>
  );
}
