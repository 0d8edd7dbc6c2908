/** The results of the statements that ran. */
import { lazy, Suspense } from "react";
import type { Explained } from "../../service/sql/plan.ts";
import { summaryOf, type Result } from "../../service/sql/results.ts";
import type { Runnable, Statement } from "../../service/sql/statements.ts";
import { shorten } from "../../service/rows/values.ts";
import type { Problem } from "../../ui/code/Editor.tsx";
import type { Looks } from "../../service/sql/charts.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { ResultView } from "../../ui/results/ResultView.tsx";
import { t } from "../../words/words.ts";

const PlanTree = lazy(async () => ({ default: (await import("./Plan.tsx")).PlanTree }));

export interface Answer {
  readonly results?: readonly Result[];
  /** The statements that ran, one for each result. */
  readonly statements: readonly Statement[];
  readonly explained?: Explained;
  readonly error?: Error;
  readonly problem?: Problem;
  readonly isDry: boolean;
  /** The statement that answered, if there was only one and it was not rolled back. */
  readonly ran?: Runnable;
  readonly ms: number;
}

/** The longest title of a result, in characters of its statement. */
const LONGEST_TITLE = 100;

export interface AnswersProps {
  readonly answer: Answer | undefined;
  /** How the result of one statement is shown. */
  readonly looks: Looks;
  readonly onLooks: (looks: Looks) => void;
}

export function Answers({ answer, looks, onLooks }: AnswersProps) {
  const isOne = answer?.statements.length === 1;
  return (
    <>
      <ErrorNote error={answer?.error ?? null} />
      <Notes notes={answer?.explained?.notes} />
      <Suspense>{answer?.explained && <PlanTree plan={answer.explained.plan} />}</Suspense>
      {answer?.results?.map((result, index) => (
        <div key={index}>
          {!isOne && (
            <h2 className="quiet">
              <code>{shorten(answer.statements[index]!.text, LONGEST_TITLE)}</code>: {summaryOf(result)}
            </h2>
          )}
          <Notes notes={result.notes} />
          <ResultView
            result={result}
            {...(isOne ? { looks, onLooks } : { label: t("Result {index}", { index: index + 1 }) })}
          />
        </div>
      ))}
    </>
  );
}

function Notes({ notes = [] }: { readonly notes: readonly string[] | undefined }) {
  return notes.map((note) => (
    <p key={note} className="quiet">
      {note}
    </p>
  ));
}

export function toSentence({ results, isDry, ms }: Answer): string {
  if (!results) return `${Math.round(ms)} ms`;
  const summary =
    results.length === 1
      ? summaryOf(results[0]!, ms)
      : t("{count} statements, {ms} ms", { count: results.length, ms: Math.round(ms) });
  return `${summary}${isDry ? t(", and rolled back") : ""}`;
}
