/** A field for each of several columns or parameters. Null, the empty text and an untouched field differ. */
import { shortType } from "../../service/rows/shortType.ts";
import type { Column, Relation } from "../../service/rows/relations.ts";
import type { Value } from "../../service/rows/rows.ts";
import { fromText } from "../../service/rows/values.ts";
import { ValueField } from "./ValueField.tsx";
import { t } from "../../words/words.ts";

/** The given values, including null. A missing column was left untouched. */
export type Given = Readonly<Record<string, string | null>>;

export interface GivenValuesProps {
  readonly columns: readonly Column[];
  /** Their table; undefined for parameters. */
  readonly relation?: Relation | undefined;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
  /** Whether the first field gets the focus at once. Default: false. */
  readonly autoFocus?: boolean;
}

export function GivenValues({ columns, relation, given, onChange, autoFocus = false }: GivenValuesProps) {
  function give({ name }: Column, value: string | null | undefined): void {
    const { [name]: _before, ...others } = given;
    onChange(value === undefined ? others : { ...others, [name]: value });
  }
  return columns.map((column, index) => (
    <NewValue
      key={column.name}
      column={column}
      relation={relation}
      value={given[column.name]}
      autoFocus={autoFocus && index === 0}
      onChange={(value) => give(column, value)}
    />
  ));
}

interface NewValueProps {
  readonly column: Column;
  readonly relation: Relation | undefined;
  readonly value: string | null | undefined;
  readonly autoFocus: boolean;
  readonly onChange: (value: string | null | undefined) => void;
}

function NewValue({ column, relation, value, autoFocus, onChange }: NewValueProps) {
  const { name, type, sqlType, isNullable, hasDefault } = column;
  const left = hasDefault ? t("its default") : isNullable ? "null" : t("required");
  return (
    <div className="field">
      <div className="tools">
        <span>
          <strong>{name}</strong> <span className="quiet">{shortType(sqlType) || type}</span>
        </span>
        {value !== undefined ? (
          <button
            type="button"
            className="plain"
            aria-label={t("Reset {name}", { name })}
            onClick={() => onChange(undefined)}
          >
            {t("Reset")}
          </button>
        ) : (
          isNullable &&
          hasDefault && (
            <button
              type="button"
              className="plain"
              aria-label={t("Null for {name}", { name })}
              onClick={() => onChange(null)}
            >
              null
            </button>
          )
        )}
      </div>
      <ValueField
        column={column}
        relation={relation}
        text={value ?? ""}
        autoFocus={autoFocus}
        placeholder={value === undefined ? left : value === null ? "null" : t("the empty text")}
        onChange={onChange}
      />
    </div>
  );
}

/** The given fields as values. Throws for a text that is not a value of its column. */
export function toData(columns: readonly Column[], given: Given): Record<string, Value> {
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
