/** Statements of one's own, run under one's own rights. Ctrl-Enter runs what is selected, or all of it. */
import { useState } from "react";
import type { ServiceError } from "../../service/ask.ts";
import { explainSql, type Explained } from "../../service/plan.ts";
import { summaryOf, type Result } from "../../service/results.ts";
import { runStatements, statementsIn, type Statement } from "../../service/statements.ts";
import { Editor, type Problem } from "../../ui/Editor.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { ResultView } from "../../ui/ResultView.tsx";
import { shorten } from "../../service/values.ts";
import { useAccount } from "../../ui/useAccount.ts";
import { useKept } from "../../ui/useKept.ts";
import { useSqlLanguage } from "../../ui/useSqlLanguage.ts";
import { PlanTree } from "./Plan.tsx";

interface Answer {
  readonly results?: readonly Result[];
  /** What was run: one of each result. */
  readonly statements: readonly Statement[];
  readonly explained?: Explained;
  readonly error?: Error;
  readonly problem?: Problem;
  readonly ms: number;
}

/** Of a statement above its result. */
const LONGEST_TITLE = 100;

/** What one writes is kept for oneself: whoever signs in to this browser next does not see it. */
export function Sql() {
  const { data: account } = useAccount();
  if (!account) return null;
  const owner = JSON.stringify([account.database, account.sub]);
  return <Statements key={owner} owner={owner} />;
}

function Statements({ owner }: { readonly owner: string }) {
  const [kept, keep] = useKept(`sql:${owner}`, "", localStorage);
  const [text, setText] = useState(kept);
  const [answer, setAnswer] = useState<Answer>();
  const [isRunning, setIsRunning] = useState(false);
  const language = useSqlLanguage();

  async function run(chosen: string, from = 0, explain?: "plan" | "analyze"): Promise<void> {
    if (chosen.trim() === "" || isRunning) return;
    keep(text);
    setIsRunning(true);
    const start = performance.now();
    const parts = explain ? [] : statementsIn(chosen);
    const statements = parts.length > 1 ? parts : [{ text: chosen, from: 0 }];
    try {
      const answered = explain
        ? { explained: await explainSql(chosen, explain) }
        : { results: await runStatements(statements) };
      setAnswer({ ...answered, statements, ms: performance.now() - start });
    } catch (error) {
      const { message, position, statement = 0 } = error as ServiceError;
      const before = from + (statements[statement]?.from ?? 0);
      const problem = position === undefined ? {} : { problem: { message, position: before + position } };
      setAnswer({ error: error as Error, ...problem, statements, ms: performance.now() - start });
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
      {answer?.results?.map((result, index) => (
        <div key={index}>
          {answer.statements.length > 1 && (
            <h2 className="quiet">
              <code>{shorten(answer.statements[index]!.text, LONGEST_TITLE)}</code>: {summaryOf(result)}
            </h2>
          )}
          <ResultView result={result} {...(answer.statements.length > 1 && { label: `Result ${index + 1}` })} />
        </div>
      ))}
    </section>
  );
}

function summary({ results, ms }: Answer): string {
  if (!results) return `${Math.round(ms)} ms`;
  return results.length === 1 ? summaryOf(results[0]!, ms) : `${results.length} statements, ${Math.round(ms)} ms`;
}
