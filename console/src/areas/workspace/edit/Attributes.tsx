/** The values of a row, next to its shape: a field by the type, comment, checks and foreign key of each column. */
import { useId } from "react";
import type { Column } from "../../../service/rows/relations.ts";
import { conditionsOf, withChoices } from "../../../service/rows/checks.ts";
import type { Row } from "../../../service/rows/rows.ts";
import { shortType } from "../../../service/rows/shortType.ts";
import { isGeometry } from "../../../service/rows/isGeometry.ts";
import { toText } from "../../../service/rows/values.ts";
import { useConstraints } from "../../../service/tables/schemas.ts";
import { NullableField } from "../../../ui/forms/ValueField.tsx";
import type { EditedTable } from "./editRows.ts";
import type { Edit } from "./edits.ts";
import { t } from "../../../words/words.ts";

export interface AttributesProps {
  readonly table: EditedTable;
  /** Undefined for a new row. */
  readonly row: Row | undefined;
  readonly edit: Edit | undefined;
  /** `column`: the name of the changed one. */
  readonly onChange: (given: Edit["given"], column: string) => void;
}

export function Attributes({ table: { relation }, row, edit, onChange }: AttributesProps) {
  const { data: constraints = [] } = useConstraints(relation.schema, relation.table);
  const columns = row ? relation.columns.filter(({ canUpdate }) => canUpdate) : relation.insertColumns;
  const given = edit?.given ?? {};
  return (
    <div className="fields">
      {columns
        .filter((column) => !isGeometry(column))
        .map((column) => (
          <Attribute
            key={column.name}
            column={withChoices(column, constraints)}
            conditions={conditionsOf(column, constraints)}
            isNew={!row}
            value={column.name in given ? given[column.name] : initialOf(column, row, edit)}
            onChange={(value) => onChange({ ...given, [column.name]: value }, column.name)}
          />
        ))}
    </div>
  );
}

/** The initial text; undefined where no value is given, so that a default applies. */
function initialOf({ name }: Column, row: Row | undefined, edit: Edit | undefined): string | null | undefined {
  const values = row ? row.values : edit?.copied;
  if (!values || !(name in values)) return undefined;
  return values[name] === null ? null : toText(values[name]);
}

interface AttributeProps {
  readonly column: Column;
  readonly conditions: readonly string[];
  readonly isNew: boolean;
  readonly value: string | null | undefined;
  readonly onChange: (value: string | null) => void;
}

function Attribute({ column, conditions, isNew, value, onChange }: AttributeProps) {
  const id = useId();
  const { name, sqlType, isNullable, hasDefault, description } = column;
  const left = hasDefault ? t("its default") : isNullable ? "null" : t("required");
  return (
    <div className="field" role="group" aria-labelledby={id} aria-describedby={`${id}-about`}>
      <span id={id}>
        {name} <span className="quiet">{shortType(sqlType)}</span>
      </span>
      <NullableField
        column={column}
        text={value ?? ""}
        isNull={value === null}
        autoFocus={false}
        placeholder={value === undefined && isNew ? left : ""}
        onChange={(text, isNull) => onChange(isNull ? null : text)}
      />
      <span id={`${id}-about`} className="quiet">
        {[description, ...conditions, !isNullable && !hasDefault ? t("required") : ""].filter(Boolean).join(" · ")}
      </span>
    </div>
  );
}
