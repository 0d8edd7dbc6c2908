/** Numeric columns of a result as a line over another column, or over the rows in their order. */
import { useState } from "react";
import { numbersOf, timesOf, type Result } from "../../service/sql/results.ts";
import { Points } from "./Points.tsx";
import { t } from "../../words/words.ts";

export interface ResultChartProps {
  readonly schema: Result["schema"];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export function ResultChart({ schema, rows }: ResultChartProps) {
  const numbers = numbersOf(schema);
  const times = timesOf(schema);
  const [up, setUp] = useState(numbers.at(-1)!);
  const [across, setAcross] = useState(times[0] ?? (numbers.length > 1 ? numbers[0]! : ""));
  return (
    <>
      <div className="tools">
        <Choice label={t("Up")} value={up} values={numbers} onChange={setUp} />
        <Choice label={t("Across")} value={across} values={["", ...times, ...numbers]} onChange={setAcross} />
      </div>
      <Points
        title={across === "" ? t("{up} over the rows", { up }) : t("{up} over {across}", { up, across })}
        schema={schema}
        rows={rows}
        across={across}
        up={up}
      />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, values, onChange }: ChoiceProps) {
  return (
    <label>
      {label}{" "}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {each === "" ? t("the rows in their order") : each}
          </option>
        ))}
      </select>
    </label>
  );
}
