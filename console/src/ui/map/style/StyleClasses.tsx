/** The classes of a style: each by hand, or all from values of the table. */
import type { Shape, Style, StyleClass } from "../../../service/maps.ts";
import type { Table } from "../../../service/rows/relations.ts";
import type { Typed } from "../../../service/rows/values.ts";
import { ClassCard } from "./ClassCard.tsx";
import { coloursOf } from "./colours.ts";
import { drawingOf } from "./divide.ts";
import { DivideForm } from "./DivideForm.tsx";
import { t } from "../../../words/words.ts";

export interface StyleClassesProps {
  readonly schema: string;
  readonly style: Style;
  readonly shape: Shape;
  readonly table: Table;
  /** Incremented when the fields are replaced as a whole. */
  readonly round: number;
  /** `what`: the changed field, so that typing in one field is one step of undo. */
  readonly onChange: (style: Style, what: string) => void;
  readonly onReplace: (style: Style) => void;
}

export function StyleClasses(props: StyleClassesProps) {
  const { schema, table, shape, style, onReplace } = props;
  return (
    <>
      <h2>{t("Classes")}</h2>
      <ClassList {...props} />
      <button type="button" onClick={() => onReplace([...style, wholeOf(shape)])}>
        {t("Add a class")}
      </button>
      <p className="quiet">{t("The first class that a row fits in draws it.")}</p>
      <h2>{t("Classify by values")}</h2>
      <DivideForm schema={schema} table={table} shape={shape} onDivide={onReplace} />
    </>
  );
}

/** The class of all rows. */
export function wholeOf(shape: Shape): StyleClass {
  return { name: "All", styles: [drawingOf(shape, coloursOf("Blues", 1)[0]!)] };
}

function ClassList({ style, shape, table, round, onChange, onReplace }: StyleClassesProps) {
  const put = (index: number, value: StyleClass): Style => style.map((each, at) => (at === index ? value : each));
  return (
    <ol className="classes">
      {style.map((value, index) => (
        <ClassCard
          key={`${round} ${index}`}
          value={value}
          shape={shape}
          columns={columnsToDraw(table)}
          onChange={(next, what) => onChange(put(index, next), `${index} ${what}`)}
          onRemove={() => onReplace(style.filter((_, at) => at !== index))}
          onUp={index === 0 ? undefined : () => onReplace(moved(style, index))}
        />
      ))}
    </ol>
  );
}

/** The columns that the condition of a class can use. */
function columnsToDraw({ columns }: Table): readonly Typed[] {
  return columns
    .filter(({ type }) => !/geometry|geography|json|bytea|\[\]/.test(type))
    .map(({ name, type }) => ({ name, type: kindOf(type), selection: name }));
}

/** The kind of value that a typed text becomes. All other types stay texts, which PostgreSQL reads. */
function kindOf(sqlType: string): string {
  return sqlType === "boolean"
    ? "Boolean"
    : /^(smallint|integer|real|double precision)$/.test(sqlType)
      ? "Float"
      : "String";
}

/** The style with a class one further to the front. */
function moved(style: Style, index: number): Style {
  const before = style.slice(0, index - 1);
  return [...before, style[index]!, style[index - 1]!, ...style.slice(index + 1)];
}
