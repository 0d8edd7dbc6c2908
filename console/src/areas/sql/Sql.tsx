/** Statements of one's own, run under one's own rights. Ctrl-Enter runs what is selected, or all of it. */
import { useState } from "react";
import { ask, json, type ServiceError } from "../../service/ask.ts";
import { parseExact } from "../../service/exactJson.ts";
import { explainSql, type Explained } from "../../service/plan.ts";
import { summaryOf, type Result } from "../../service/results.ts";
import { Editor, type Problem } from "../../ui/Editor.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { ResultView } from "../../ui/ResultView.tsx";
import { keep } from "../../ui/useKept.ts";
import { useSqlLanguage } from "../../ui/useSqlLanguage.ts";
import { PlanTree } from "./Plan.tsx";

interface Answer {
  readonly result?: Result;
  readonly explained?: Explained;
  readonly error?: Error;
  readonly problem?: Problem;
  readonly ms: number;
}

const KEPT = "portolan:sql";

export function Sql() {
  const [text, setText] = useState(() => localStorage.getItem(KEPT) ?? "");
  const [answer, setAnswer] = useState<Answer>();
  const [isRunning, setIsRunning] = useState(false);
  const language = useSqlLanguage();

  async function run(statement: string, from = 0, explain?: "plan" | "analyze"): Promise<void> {
    if (statement.trim() === "" || isRunning) return;
    keep(localStorage, KEPT, text);
    setIsRunning(true);
    const start = performance.now();
    try {
      const answered = explain ? { explained: await explainSql(statement, explain) } : { result: await ran(statement) };
      setAnswer({ ...answered, ms: performance.now() - start });
    } catch (error) {
      const { message, position } = error as ServiceError;
      const problem = position === undefined ? {} : { problem: { message, position: from + position } };
      setAnswer({ error: error as Error, ...problem, ms: performance.now() - start });
    } finally {
      setIsRunning(false);
    }
  }

  return (
    <section className="sql" aria-label="SQL">
      <h1 className="hidden">SQL</h1>
      <Editor
        label="Statement"
        text={text}
        onChange={setText}
        onRun={(statement, from) => void run(statement, from)}
        language={language}
        problem={answer?.problem}
      />
      <div className="tools">
        <button type="button" disabled={isRunning || text.trim() === ""} onClick={() => void run(text)}>
          {isRunning ? "Running …" : "Run"}
        </button>
        <button type="button" disabled={isRunning || text.trim() === ""} onClick={() => void run(text, 0, "plan")}>
          Explain
        </button>
        <button
          type="button"
          disabled={isRunning || text.trim() === ""}
          title="Runs it, and undoes everything that it does"
          onClick={() => void run(text, 0, "analyze")}
        >
          Analyze
        </button>
        <span className="quiet" aria-live="polite">
          {answer && !isRunning ? summary(answer) : "Ctrl-Enter runs what is selected, or all of it."}
        </span>
      </div>
      <ErrorNote error={answer?.error ?? null} />
      {answer?.explained?.notes?.map((note) => (
        <p key={note} className="quiet">
          {note}
        </p>
      ))}
      {answer?.explained && <PlanTree plan={answer.explained.plan} />}
      {answer?.result && <ResultView result={answer.result} />}
    </section>
  );
}

async function ran(q: string): Promise<Result> {
  const response = await ask("/api/v4/sql", json({ q }));
  return parseExact<Result>(await response.text());
}

function summary({ result, ms }: Answer): string {
  return result ? summaryOf(result, ms) : `${Math.round(ms)} ms`;
}
