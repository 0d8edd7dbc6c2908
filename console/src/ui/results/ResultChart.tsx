/** Numbers of a result as a line over another column, or over the rows in their order. */
import { useMemo, useState } from "react";
import { numbersOf, timesOf, type Result } from "../../service/sql/results.ts";
import { Chart } from "./Chart.tsx";

export interface ResultChartProps {
  readonly schema: Result["schema"];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export function ResultChart({ schema, rows }: ResultChartProps) {
  const numbers = numbersOf(schema);
  const times = timesOf(schema);
  const [up, setUp] = useState(numbers.at(-1)!);
  const [across, setAcross] = useState(times[0] ?? (numbers.length > 1 ? numbers[0]! : ""));
  const isTime = times.includes(across);
  const points = useMemo(() => pointsOf(rows, across, up, isTime), [rows, across, up, isTime]);
  const lines = useMemo(
    () => [{ label: up, colour: "--accent", values: points.map(([, value]) => value) }],
    [points, up],
  );
  const places = useMemo(() => points.map(([place]) => place), [points]);
  return (
    <>
      <div className="tools">
        <Choice label="Up" value={up} values={numbers} onChange={setUp} />
        <Choice label="Across" value={across} values={["", ...times, ...numbers]} onChange={setAcross} />
      </div>
      <Chart
        title={`${up} over ${across === "" ? "the rows" : across}`}
        places={places}
        lines={lines}
        kind={isTime ? "time" : "number"}
      />
    </>
  );
}

function pointsOf(
  rows: ResultChartProps["rows"],
  across: string,
  up: string,
  isTime: boolean,
): readonly (readonly [place: number, value: number | null])[] {
  return rows
    .map((row, index) => {
      const place = across === "" ? index + 1 : isTime ? Date.parse(String(row[across])) / 1000 : toNumber(row[across]);
      return [place ?? Number.NaN, toNumber(row[up])] as const;
    })
    .filter(([place]) => Number.isFinite(place))
    .toSorted(([one], [other]) => one - other);
}

function toNumber(value: unknown): number | null {
  const number = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
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
            {each === "" ? "the rows in their order" : each}
          </option>
        ))}
      </select>
    </label>
  );
}
