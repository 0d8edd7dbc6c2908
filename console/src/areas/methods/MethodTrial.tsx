/** The parameters as a form, the method's answer, and the same call as code. */
import { useState } from "react";
import {
  call,
  CallError,
  dryRun,
  toColumn,
  tryOut,
  type Definition,
  type Method,
  type Types,
} from "../../service/methods.ts";
import { summaryOf, type Result } from "../../service/sql/results.ts";
import { CodeSamples } from "../../ui/code/CodeSamples.tsx";
import type { Problem } from "../../ui/code/Editor.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { GivenValues, type Given } from "../../ui/forms/GivenValues.tsx";
import { paramsToShow, toParams } from "../../ui/code/givenParams.ts";
import { ResultView } from "../../ui/results/ResultView.tsx";
import { samplesOf } from "./samples.ts";
import { t } from "../../words/words.ts";

export interface MethodTrialProps {
  readonly method: Method;
  /** The unsaved definition; undefined where nothing has changed. */
  readonly draft: Definition | undefined;
  readonly inputs: Types;
  /** Receives the position of an error in the statement. */
  readonly onProblem: (problem: Problem | undefined) => void;
}

interface Answer {
  readonly result?: Result;
  readonly error?: Error;
  readonly isDry: boolean;
  readonly ms: number;
}

export function MethodTrial({ method, draft, inputs, onProblem }: MethodTrialProps) {
  const [given, setGiven] = useState<Given>({});
  const [answer, setAnswer] = useState<Answer>();
  const [isRunning, setIsRunning] = useState(false);
  const columns = Object.entries(inputs).map(([name, type]) => toColumn(name, type));

  async function run(isDry: boolean): Promise<void> {
    setIsRunning(true);
    const start = performance.now();
    try {
      const params = toParams(columns, given);
      const result = await (draft
        ? tryOut(method.method, draft, params)
        : isDry
          ? dryRun(method.method, params)
          : call(method.method, params));
      onProblem(undefined);
      setAnswer({ result, isDry, ms: performance.now() - start });
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof CallError) onProblem(error.position === undefined ? undefined : { ...error, message });
      setAnswer({ error: error as Error, isDry, ms: performance.now() - start });
    } finally {
      setIsRunning(false);
    }
  }

  return (
    <>
      <form
        aria-label={t("Parameters")}
        onSubmit={(event) => {
          event.preventDefault();
          void run((event.nativeEvent as SubmitEvent).submitter?.getAttribute("value") !== "run");
        }}
      >
        <div className="fields columns">
          <GivenValues columns={columns} given={given} onChange={setGiven} />
        </div>
        <div className="tools">
          <button type="submit" value="dry" className="second" aria-disabled={isRunning}>
            {t("Dry run")}
          </button>
          <button type="submit" value="run" aria-disabled={isRunning || draft !== undefined}>
            {t("Run")}
          </button>
          <span className="quiet" aria-live="polite">
            {isRunning ? t("Running …") : answer ? toSentence(answer) : t("A dry run rolls everything back.")}
          </span>
        </div>
      </form>
      <ErrorNote error={answer?.error ?? null} />
      {answer?.result?.notes?.map((note) => (
        <p key={note} className="quiet">
          {note}
        </p>
      ))}
      {answer?.result && <ResultView result={answer.result} />}
      <details>
        <summary>{t("Call it from a program")}</summary>
        <CodeSamples label={t("Language")} samples={samplesOf(method.method, paramsToShow(columns, given))} />
      </details>
    </>
  );
}

function toSentence({ result, isDry, ms }: Answer): string {
  if (!result) return `${Math.round(ms)} ms`;
  return `${summaryOf(result, ms)}${isDry ? t(", and rolled back") : ""}`;
}
