/** A new row: what is left alone takes its default; null and the empty text are two things. */
import { useState } from "react";
import type { Column, Relation } from "../../service/relations.ts";
import { insertRow, type Value } from "../../service/rows.ts";
import { fromText } from "../../service/values.ts";
import { FormDialog } from "../../ui/FormDialog.tsx";
import { ValueField } from "./ValueField.tsx";

export interface InsertDialogProps {
  readonly schema: string;
  readonly relation: Relation;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

/** What was given for a column, null too; a column that is not there was left alone. */
type Given = Readonly<Record<string, string | null>>;

export function InsertDialog({ schema, relation, onClose, onDone }: InsertDialogProps) {
  const [given, setGiven] = useState<Given>({});

  function give({ name }: Column, value: string | null | undefined): void {
    setGiven(({ [name]: _before, ...others }) => (value === undefined ? others : { ...others, [name]: value }));
  }

  return (
    <FormDialog
      title={`Add a row to ${relation.type}`}
      action="Add"
      onClose={onClose}
      onSubmit={async () => {
        await insertRow(schema, relation, toData(relation.insertColumns, given));
        await onDone();
      }}
    >
      {relation.insertColumns.map((column, index) => (
        <NewValue
          key={column.name}
          column={column}
          value={given[column.name]}
          autoFocus={index === 0}
          onChange={(value) => give(column, value)}
        />
      ))}
    </FormDialog>
  );
}

interface NewValueProps {
  readonly column: Column;
  readonly value: string | null | undefined;
  readonly autoFocus: boolean;
  readonly onChange: (value: string | null | undefined) => void;
}

function NewValue({ column, value, autoFocus, onChange }: NewValueProps) {
  const { name, type, isNullable, hasDefault } = column;
  const left = hasDefault ? "its default" : isNullable ? "null" : "needed";
  return (
    <div className="field">
      <div className="tools">
        <span>
          {name} <span className="quiet">{type}</span>
        </span>
        {value !== undefined ? (
          <button
            type="button"
            className="plain"
            aria-label={`Leave ${name} alone`}
            onClick={() => onChange(undefined)}
          >
            Leave alone: {left}
          </button>
        ) : (
          isNullable &&
          hasDefault && (
            <button type="button" className="plain" aria-label={`Null for ${name}`} onClick={() => onChange(null)}>
              null
            </button>
          )
        )}
      </div>
      <ValueField
        column={column}
        text={value ?? ""}
        autoFocus={autoFocus}
        placeholder={value === undefined ? left : value === null ? "null" : "the empty text"}
        onChange={onChange}
      />
    </div>
  );
}

function toData(columns: readonly Column[], given: Given): Record<string, Value> {
  const typed = columns.filter(({ name }) => given[name] !== undefined);
  return Object.fromEntries(
    typed.map((column) => {
      const text = given[column.name]!;
      try {
        return [column.name, text === null ? null : fromText(column, text)];
      } catch (error) {
        throw new Error(`${column.name}: ${(error as Error).message}`, { cause: error });
      }
    }),
  );
}
