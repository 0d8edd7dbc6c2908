/** A result as a line, bars or a number, with the choice of the kind and of its columns. */
import { chartOf, type QueryChart } from "../../service/sql/charts.ts";
import { numbersOf, type Result } from "../../service/sql/results.ts";
import { ShownResult } from "./ShownResult.tsx";
import { SHOWS } from "./shows.ts";
import { t } from "../../words/words.ts";

export interface ResultChartProps {
  readonly result: Result;
  /** May name columns that the result does not have. */
  readonly chart: QueryChart;
  readonly onChange: (chart: QueryChart) => void;
}

const KINDS = ["line", "bar", "number"] as const;

export function ResultChart({ result, chart, onChange }: ResultChartProps) {
  const { schema } = result;
  const present = { ...chartOf(schema, chart.show), ...chart };
  const { show, x, y } = present;
  const across = show === "line" ? t("the rows in their order") : undefined;
  return (
    <>
      <div className="tools">
        <label>
          {t("Kind")}{" "}
          <select
            value={show}
            onChange={({ target }) =>
              onChange({ ...chartOf(schema, target.value as QueryChart["show"]), ...(y && { y }) })
            }
          >
            {KINDS.map((each) => (
              <option key={each} value={each}>
                {SHOWS[each]}
              </option>
            ))}
          </select>
        </label>
        {show !== "number" && (
          <Choice
            label={t("X axis")}
            value={x ?? ""}
            values={Object.keys(schema)}
            empty={across}
            onChange={(column) => onChange({ ...present, x: column })}
          />
        )}
        <Choice
          label={show === "number" ? t("Column") : t("Y axis")}
          value={y ?? ""}
          values={numbersOf(schema)}
          onChange={(column) => onChange({ ...present, y: column })}
        />
      </div>
      <ShownResult result={result} title={t("Chart")} {...{ show, x, y }} />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** A column that is not among `values` is offered too. */
  readonly value: string;
  readonly values: readonly string[];
  /** The text for no column, if it may be chosen. */
  readonly empty?: string | undefined;
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, values, empty, onChange }: ChoiceProps) {
  return (
    <label>
      {label}{" "}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {empty !== undefined && <option value="">{empty}</option>}
        {[...new Set([...(value === "" ? [] : [value]), ...values])].map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
