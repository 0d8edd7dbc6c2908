/** A result as a number, a line, bars or a table. */
import { lazy, Suspense } from "react";
import { numbersOf, timesOf, type Result } from "../../service/sql/results.ts";
import { show as textOf } from "../../service/rows/values.ts";
import { ResultTable } from "./ResultTable.tsx";
import type { SHOWS } from "./shows.ts";
import { number, t } from "../../words/words.ts";

/** Loaded on demand, because it includes uPlot. */
const Points = lazy(async () => ({ default: (await import("./Points.tsx")).Points }));

export interface ShownResultProps {
  readonly result: Result;
  readonly title: string;
  readonly show: keyof typeof SHOWS;
  /** Empty, of a line: the rows in their order. */
  readonly x?: string | null | undefined;
  readonly y?: string | null | undefined;
  /** Whether a table tells the types of its columns. Default true. */
  readonly hasTypes?: boolean;
}

/** The most bars that can be distinguished. */
const MOST_BARS = 50;

export function ShownResult({ result: { schema, data }, title, show, x, y, hasTypes }: ShownResultProps) {
  if (typeof data === "string" || show === "table")
    return typeof data === "string" ? (
      <pre>{data}</pre>
    ) : (
      <ResultTable
        label={t("Rows of {title}", { title })}
        schema={schema}
        rows={data}
        {...(hasTypes !== undefined && { hasTypes })}
      />
    );
  const numbers = numbersOf(schema);
  const given = y === "" ? undefined : y;
  /** The x axis of a line: the first column of times, else the first of several columns of numbers, else the rows. */
  const place = x ?? timesOf(schema)[0] ?? numbers.find((name) => numbers.length > 1 && name !== given) ?? "";
  const up = given ?? numbers.find((name) => show !== "line" || name !== place) ?? numbers[0];
  const missing = [x, y].find((name) => name !== undefined && name !== null && name !== "" && !(name in schema));
  if (missing !== undefined) return <p className="quiet">{t("The result has no column {missing}.", { missing })}</p>;
  if (data.length === 0) return <p className="quiet">{t("No rows.")}</p>;
  if (show === "number") return <p className="figure">{textOf(data[0]![up ?? Object.keys(schema)[0]!])}</p>;
  if (up === undefined) return <p className="quiet">{t("The result has no column of numbers.")}</p>;
  if (show === "bar") {
    const across = (x === "" ? undefined : x) ?? Object.keys(schema).find((name) => name !== up) ?? up;
    return <Bars title={title} rows={data.slice(0, MOST_BARS)} across={across} up={up} />;
  }
  return (
    <Suspense fallback={<p className="quiet">…</p>}>
      <Points
        title={place === "" ? t("{up} over the rows", { up }) : t("{up} over {across}", { up, across: place })}
        schema={schema}
        rows={data}
        across={place}
        up={up}
      />
    </Suspense>
  );
}

interface BarsProps {
  readonly title: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly across: string;
  readonly up: string;
}

/** Bars in a table, so that every value is also a text. */
function Bars({ title, rows, across, up }: BarsProps) {
  const numbers = rows.map((row) => Number(row[up]));
  const most = Math.max(...numbers.filter(Number.isFinite), 0);
  return (
    <div className="scroll" role="region" aria-label={t("Bars of {title}", { title })} tabIndex={0}>
      <table className="bars">
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{textOf(row[across])}</th>
              <td>
                <span
                  className="fill"
                  style={{ width: `${most > 0 ? Math.max(0, (numbers[index]! / most) * 100) : 0}%` }}
                />
              </td>
              <td className="amount">{number(numbers[index]!)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
