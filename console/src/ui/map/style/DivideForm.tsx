/** Divides the rows into classes by the values of a column. */
import { useState } from "react";
import { METHODS, readClasses, type ClassMethod, type Shape, type Style } from "../../../service/maps.ts";
import type { Table } from "../../../service/rows/relations.ts";
import { ErrorNote } from "../../ErrorNote.tsx";
import { Field } from "../../forms/Field.tsx";
import { RAMPS, type Ramp } from "./colours.ts";
import { toStyle } from "./divide.ts";
import { t } from "../../../words/words.ts";

/** The label of each method. */
const TITLES: Readonly<Record<ClassMethod, string>> = {
  quantile: t("equal count"),
  equal: t("spans of one length"),
  natural: t("where the values lie close"),
  unique: t("each value its own"),
};

const NUMBERS = /^(smallint|integer|bigint|numeric|real|double precision)\b/;

export interface DivideFormProps {
  readonly schema: string;
  readonly table: Table;
  readonly shape: Shape;
  readonly onDivide: (style: Style) => void;
}

export function DivideForm({ schema, table, shape, onDivide }: DivideFormProps) {
  const columns = table.columns.filter(
    ({ type, rights }) => rights.includes("select") && !/geometry|geography|json|bytea|\[\]/.test(type),
  );
  const [column, setColumn] = useState(columns[0]?.name ?? "");
  const isNumber = NUMBERS.test(columns.find(({ name }) => name === column)?.type ?? "");
  const [chosen, setMethod] = useState<ClassMethod>("quantile");
  const method = isNumber ? chosen : "unique";
  const [count, setCount] = useState("5");
  const [ramp, setRamp] = useState<Ramp>("Blues");
  const [failure, setFailure] = useState<Error | null>(null);

  async function divide(): Promise<void> {
    try {
      const classes = await readClasses(schema, table.name, { column, count: Number(count), method });
      if (classes.length === 0) throw new Error(t("There is no value of {column}.", { column }));
      onDivide(toStyle({ column, method, classes, ramp, shape }));
      setFailure(null);
    } catch (error) {
      setFailure(error as Error);
    }
  }

  return (
    <form
      aria-label={t("Classify by values")}
      onSubmit={(event) => {
        event.preventDefault();
        void divide();
      }}
    >
      <div className="fields columns">
        <Field label={t("By column")}>
          <select value={column} onChange={({ target }) => setColumn(target.value)}>
            {columns.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label={t("Classes")}>
          <select value={method} onChange={({ target }) => setMethod(target.value as ClassMethod)}>
            {METHODS.filter((each) => isNumber || each === "unique").map((each) => (
              <option key={each} value={each}>
                {TITLES[each]}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t("Number of classes")}>
          <input
            type="number"
            min={1}
            max={100}
            required
            value={count}
            onChange={({ target }) => setCount(target.value)}
          />
        </Field>
        <Field label={t("Colours")}>
          <select value={ramp} onChange={({ target }) => setRamp(target.value as Ramp)}>
            {Object.keys(RAMPS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      </div>
      <button type="submit" className="second">
        {t("Classify")}
      </button>
      <ErrorNote error={failure} />
    </form>
  );
}
