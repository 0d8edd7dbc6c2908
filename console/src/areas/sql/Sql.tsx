/** Statements of one's own, run under one's own rights. Ctrl-Enter runs what is selected, or all of it. */
import { useState } from "react";
import { ask, json } from "../../service/ask.ts";
import { show } from "../../service/values.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { SqlEditor } from "./SqlEditor.tsx";

interface Result {
  readonly schema: Readonly<Record<string, { readonly type: string; readonly array: boolean }>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly affected_rows?: number;
}

interface Answer {
  readonly result?: Result;
  readonly error?: Error;
  readonly ms: number;
}

const KEPT = "portolan:sql";
/** So many rows are drawn; all of them were read. */
const SHOWN = 1000;

export function Sql() {
  const [text, setText] = useState(() => localStorage.getItem(KEPT) ?? "");
  const [answer, setAnswer] = useState<Answer>();
  const [isRunning, setIsRunning] = useState(false);

  async function run(statement: string): Promise<void> {
    if (statement.trim() === "" || isRunning) return;
    localStorage.setItem(KEPT, text);
    setIsRunning(true);
    const start = performance.now();
    try {
      const response = await ask("/api/v4/sql", json({ q: statement }));
      const result = parse(await response.text()) as Result;
      setAnswer({ result, ms: performance.now() - start });
    } catch (error) {
      setAnswer({ error: error as Error, ms: performance.now() - start });
    } finally {
      setIsRunning(false);
    }
  }

  return (
    <section className="sql" aria-label="SQL">
      <h1 className="hidden">SQL</h1>
      <SqlEditor text={text} onChange={setText} onRun={(statement) => void run(statement)} />
      <div className="tools">
        <button type="button" disabled={isRunning || text.trim() === ""} onClick={() => void run(text)}>
          {isRunning ? "Running …" : "Run"}
        </button>
        <span className="quiet" aria-live="polite">
          {answer && !isRunning ? summary(answer) : "Ctrl-Enter runs what is selected, or all of it."}
        </span>
      </div>
      <ErrorNote error={answer?.error ?? null} />
      {answer?.result && <ResultTable result={answer.result} />}
    </section>
  );
}

function summary({ result, ms }: Answer): string {
  const time = `${Math.round(ms)} ms`;
  if (!result) return time;
  const { affected_rows: affected, data } = result;
  const rows = affected ?? data.length;
  const shown = affected === undefined && data.length > SHOWN ? `, the first ${SHOWN} shown` : "";
  return `${rows} ${rows === 1 ? "row" : "rows"}${affected === undefined ? "" : " affected"}${shown}, ${time}`;
}

/** Numbers that JavaScript cannot hold stay as they were sent. */
function parse(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && context?.source && /^-?\d+$/.test(context.source)
      ? context.source
      : value) as (this: unknown, key: string, value: unknown) => unknown);
}

function ResultTable({ result: { schema, data } }: { readonly result: Result }) {
  const columns = Object.entries(schema);
  if (columns.length === 0) return null;
  return (
    <div className="scroll" role="region" aria-label="Result" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(([name, { type, array }]) => (
              <th key={name} scope="col">
                {name} <span className="quiet">{array ? `${type}[]` : type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.slice(0, SHOWN).map((row, index) => (
            <tr key={index}>
              {columns.map(([name]) => (
                <td key={name} className={row[name] === null ? "null" : ""}>
                  {row[name] === null ? "null" : show(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
