/** The columns of one row as a form. Columns that the account may not change are text. */
import { shortType } from "../../../service/rows/shortType.ts";
import type { Column, Relation } from "../../../service/rows/relations.ts";
import type { Row, Value } from "../../../service/rows/rows.ts";
import { emptyText, fromText, shorten, show, toText } from "../../../service/rows/values.ts";
import { ShapeNote } from "../../../ui/forms/ShapeNote.tsx";
import { NullableField } from "../../../ui/forms/ValueField.tsx";
import type { Titles } from "../../../ui/grid/GridRow.tsx";

/** The typed texts, by column name. */
export type Draft = Readonly<Record<string, { readonly text: string; readonly isNull: boolean }>>;

/** The typed values. Throws for a text that is not a value of its column. */
export function valuesOf(columns: readonly Column[], draft: Draft): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    columns
      .filter(({ name }) => draft[name])
      .map((column) => {
        const { text, isNull } = draft[column.name]!;
        try {
          return [column.name, isNull ? null : fromText(column, text)];
        } catch (error) {
          throw new Error(`${column.name}: ${(error as Error).message}`, { cause: error });
        }
      }),
  );
}

export interface RowFieldsProps {
  readonly relation: Relation;
  readonly columns: readonly Column[];
  readonly row: Row;
  readonly titles: Titles;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

const LONGEST = 2000;

export function RowFields({ relation, columns, row, titles, draft, onChange }: RowFieldsProps) {
  const mayWrite = relation.canUpdate && relation.hasKey;
  return columns.map((column) => {
    const { name, sqlType, description } = column;
    const value = row.values[name];
    const typed = draft[name] ?? { text: toText(value), isNull: value === null };
    const title = value === null ? undefined : titles.get(name)?.get(String(value));
    return (
      <div key={name} className="field">
        <span title={description}>
          {name} <span className="quiet">{shortType(sqlType)}</span>
        </span>
        {mayWrite && column.canUpdate ? (
          <>
            <NullableField
              column={column}
              relation={relation}
              row={row}
              text={typed.text}
              isNull={typed.isNull}
              autoFocus={false}
              onChange={(text, isNull) => onChange({ ...draft, [name]: { text, isNull } })}
            />
            <ShapeNote relation={relation} column={column} row={row} />
          </>
        ) : (
          <span className={value === null ? "quiet" : "value"}>
            {value === null ? emptyText(row, name) : shorten(show(value), LONGEST)}
          </span>
        )}
        {title !== undefined && !draft[name] && <span className="quiet">{title}</span>}
      </div>
    );
  });
}
