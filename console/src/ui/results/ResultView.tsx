/** The rows of a statement as a table, JSON, a map or a chart; a document unchanged. */
import { lazy, Suspense, useState } from "react";
import { chartOf, type Looks } from "../../service/sql/charts.ts";
import { numbersOf, type Result } from "../../service/sql/results.ts";
import { isShape, shorten } from "../../service/rows/values.ts";
import { CopyButton } from "../code/CopyButton.tsx";
import { saveAs } from "../saveAs.ts";
import { ResultTable } from "./ResultTable.tsx";
import { t } from "../../words/words.ts";

/** The most characters of a document that are drawn. Copying takes all of it. */
const LONGEST = 20_000;
/** Loaded on demand, because they include OpenLayers and uPlot. */
const ResultMap = lazy(async () => ({ default: (await import("./ResultMap.tsx")).ResultMap }));
const ResultChart = lazy(async () => ({ default: (await import("./ResultChart.tsx")).ResultChart }));

const TITLES = { table: t("Table"), json: "JSON", map: t("Map"), chart: t("Chart") } as const;

export interface ResultViewProps {
  readonly result: Result;
  /** The label for a screen reader, if there are several results. */
  readonly label?: string;
  /** How it is shown. Default: the view keeps it, and begins with the table. */
  readonly looks?: Looks;
  readonly onLooks?: (looks: Looks) => void;
}

export function ResultView({ result, label = t("Result"), looks: given, onLooks }: ResultViewProps) {
  const [own, setOwn] = useState<Looks>({ as: "table" });
  const wanted = given ?? own;
  const setLooks = onLooks ?? setOwn;
  const { data, format } = result;
  if (format === "excel" && typeof data === "string") return <Workbook base64={data} />;
  if (typeof data === "string") return <Document label={label} name={format ?? "text"} text={data} />;
  if (Object.keys(result.schema).length === 0) return null;
  const shape = Object.keys(result.schema).find((name) => data.some((row) => isShape(row[name])));
  const offered: readonly Looks["as"][] = [
    "table",
    "json",
    ...(shape === undefined ? [] : (["map"] as const)),
    ...(numbersOf(result.schema).length > 0 && (data.length > 1 || wanted.as === "chart") ? (["chart"] as const) : []),
  ];
  const looks = offered.includes(wanted.as) ? wanted.as : "table";
  return (
    <div className="result">
      <div className="tools" role="group" aria-label={t("Show as")}>
        {offered.map((each) => (
          <button
            key={each}
            type="button"
            className="plain"
            aria-pressed={looks === each}
            onClick={() => setLooks(each === "chart" ? { as: each, chart: chartOf(result.schema) } : { as: each })}
          >
            {TITLES[each]}
          </button>
        ))}
      </div>
      <Suspense fallback={<p className="quiet">{t("One moment …")}</p>}>
        {looks === "table" && <ResultTable label={label} schema={result.schema} rows={data} />}
        {looks === "json" && <Document label={label} name="JSON" text={JSON.stringify(data, null, 2)} />}
        {looks === "map" && <ResultMap rows={data} column={shape!} />}
        {looks === "chart" && wanted.as === "chart" && (
          <ResultChart result={result} chart={wanted.chart} onChange={(chart) => setLooks({ as: "chart", chart })} />
        )}
      </Suspense>
    </div>
  );
}

function Document({ label, name, text }: Readonly<Record<"label" | "name" | "text", string>>) {
  return (
    <>
      <CopyButton text={text} title={t("Copy the {name}", { name })} />
      <pre className="scroll" role="region" aria-label={label} tabIndex={0}>
        {shorten(text, LONGEST)}
      </pre>
    </>
  );
}

function Workbook({ base64 }: { readonly base64: string }) {
  function download(): void {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    saveAs("result.xlsx", new Blob([bytes]));
  }
  return (
    <button type="button" onClick={download}>
      {t("Download result.xlsx")}
    </button>
  );
}
