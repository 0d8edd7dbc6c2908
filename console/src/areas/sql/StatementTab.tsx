/** One tab of SQL: a text, its parameters and the last answer. Ctrl-Enter runs the selection, or everything. */
import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";
import type { ServiceError } from "../../service/http/ask.ts";
import { parametersIn } from "../../service/sql/parameters.ts";
import { chartIn, looksOf, type Looks, type QueryChart } from "../../service/sql/charts.ts";
import { explainSql } from "../../service/sql/plan.ts";
import type { Column } from "../../service/rows/relations.ts";
import { runStatements, statementsIn, toBody, type Runnable, type Statement } from "../../service/sql/statements.ts";
import { CodeSamples } from "../../ui/code/CodeSamples.tsx";
import { completeParameters } from "../../ui/code/completeParameters.ts";
import { Editor, type Insertion } from "../../ui/code/Editor.tsx";
import { paramsToShow, toParams } from "../../ui/code/givenParams.ts";
import { GivenValues, type Given } from "../../ui/forms/GivenValues.tsx";
import { useSqlLanguage } from "../../ui/code/useSqlLanguage.ts";
import { Answers, toSentence, type Answer } from "./Answers.tsx";
import { Examples } from "./Examples.tsx";
import { SavedQueries } from "./SavedQueries.tsx";
import { statementSamples } from "../../ui/code/statementSamples.ts";
import { useParameters } from "./useParameters.ts";
import { t } from "../../words/words.ts";

const AddToDashboard = lazy(async () => ({ default: (await import("./AddToDashboard.tsx")).AddToDashboard }));
const NewMethodDialog = lazy(async () => ({
  default: (await import("../../ui/forms/NewMethodDialog.tsx")).NewMethodDialog,
}));

type How = "run" | "dry" | "plan" | "analyze";

/** The ways to run it, and their effects. */
const BUTTONS: readonly (readonly [how: How, name: string, title?: string])[] = [
  ["run", t("Run")],
  ["dry", t("Dry run"), t("Runs it, shows the answer, and rolls everything back")],
  ["plan", t("Explain")],
  ["analyze", t("Analyze"), t("Runs it, and rolls everything back")],
];

export interface StatementTabProps {
  /** The initial text. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Names the tab after the saved query that is open in it. */
  readonly onName: (name: string) => void;
  /** The statements that the account has run in this browser, and the function that adds one. */
  readonly ran: readonly string[];
  readonly onRun: (statement: string) => void;
  /** The text to write at the cursor next. */
  readonly insertion: Insertion | undefined;
}

export function StatementTab({ text, onChange, onName, ran, onRun, insertion }: StatementTabProps) {
  const [given, setGiven] = useState<Given>({});
  const [looks, setLooks] = useState<Looks>({ as: "table" });
  const language = useSqlLanguage(completeParameters);
  const columns = useParameters(text);

  const { answer, isRunning, run } = useRuns(columns, given, onRun);

  const inserted = useInsertion(insertion);
  /** Changing it starts a new editor with the present text. */
  const [chosen, setChosen] = useState(0);
  function choose(example: string): void {
    inserted.forget();
    onChange(example);
    setChosen((before) => before + 1);
  }

  const [isStored, setIsStored] = useState(false);
  const parts = useMemo(() => partsOf(text), [text]);
  return (
    <>
      <SavedQueries
        text={text}
        chart={chartIn(looks)}
        ran={ran}
        onChoose={choose}
        onOpen={(query) => {
          setLooks(looksOf(query.chart));
          choose(query.q);
        }}
        onInsert={inserted.insert}
        onName={onName}
      />
      <Editor
        key={chosen}
        label={t("Statement")}
        text={text}
        onChange={onChange}
        onRun={(statement, from) => void run(statement, from)}
        language={language}
        problem={answer?.problem}
        insertion={inserted.next}
      />
      {columns.length > 0 && (
        <div
          className="fields columns"
          role="group"
          aria-label={t("Parameters")}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void run(text);
          }}
        >
          <GivenValues columns={columns} given={given} onChange={setGiven} />
        </div>
      )}
      <Tools
        isRunning={isRunning}
        isEmpty={text.trim() === ""}
        hasSeveral={parts.length > 1}
        answer={answer}
        onRun={(how) => void run(text, 0, how)}
        onStore={() => setIsStored(true)}
      >
        {answer?.ran && <ToDashboard runnable={answer.ran} chart={chartIn(looks)} />}
      </Tools>
      {text.trim() === "" && !answer && <Examples onChoose={choose} />}
      <Answers answer={answer} looks={looks} onLooks={setLooks} />
      <Api statements={parts} columns={columns} given={given} />
      <Suspense>{isStored && <NewMethodDialog q={parts[0]!.text} onClose={() => setIsStored(false)} />}</Suspense>
    </>
  );
}

/** Runs statements with the given values, one run at a time. */
function useRuns(columns: readonly Column[], given: Given, onRun: (statement: string) => void) {
  const [answer, setAnswer] = useState<Answer>();
  const [isRunning, setIsRunning] = useState(false);

  async function run(wanted: string, from = 0, how: How = "run"): Promise<void> {
    if (wanted.trim() === "" || isRunning) return;
    onRun(wanted);
    setIsRunning(true);
    const start = performance.now();
    const isExplained = how === "plan" || how === "analyze";
    const statements = isExplained ? [{ text: wanted, from: 0 }] : partsOf(wanted);
    const common = { statements, isDry: how === "dry" };
    try {
      const runnable = statements.map((each) => withParams(each, columns, given, toParams));
      const answered = isExplained
        ? { explained: await explainSql(runnable[0]!, how) }
        : { results: await runStatements(runnable, how === "dry") };
      const ran = how === "run" && runnable.length === 1 ? { ran: runnable[0]! } : {};
      setAnswer({ ...answered, ...common, ...ran, ms: performance.now() - start });
    } catch (error) {
      const { message, position, statement = 0 } = error as ServiceError;
      const before = from + (statements[statement]?.from ?? 0);
      const problem = position === undefined ? {} : { problem: { message, position: before + position } };
      setAnswer({ error: error as Error, ...problem, ...common, ms: performance.now() - start });
    } finally {
      setIsRunning(false);
    }
  }

  return { answer, isRunning, run };
}

interface ToDashboardProps {
  readonly runnable: Runnable;
  readonly chart: QueryChart | null;
}

function ToDashboard({ runnable, chart }: ToDashboardProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {t("Add to a dashboard")}
      </button>
      <Suspense>
        {isOpen && <AddToDashboard runnable={runnable} chart={chart} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </>
  );
}

/** The next text to insert: a snippet of this tab, or a name that was chosen among the objects. */
function useInsertion(chosen: Insertion | undefined) {
  const [snippet, setSnippet] = useState<Insertion>();
  const [before, setBefore] = useState(chosen);
  /** The insertion that an earlier editor has made. */
  const [spent, setSpent] = useState<Insertion>();
  if (chosen !== before) {
    setBefore(chosen);
    setSnippet(undefined);
  }
  const next = snippet ?? chosen;
  return {
    next: next === spent ? undefined : next,
    insert: (text: string): void => setSnippet({ text }),
    /** A new editor does not insert it again. */
    forget: (): void => setSpent(next),
  };
}

interface ToolsProps {
  readonly isRunning: boolean;
  readonly isEmpty: boolean;
  readonly hasSeveral: boolean;
  readonly answer: Answer | undefined;
  readonly onRun: (how: How) => void;
  readonly onStore: () => void;
  /** Further tools. */
  readonly children: ReactNode;
}

function Tools({ isRunning, isEmpty, hasSeveral, answer, onRun, onStore, children }: ToolsProps) {
  return (
    <div className="tools">
      {BUTTONS.map(([how, name, title]) => (
        <button
          key={how}
          type="button"
          className={how === "run" ? "primary" : ""}
          aria-disabled={isRunning || isEmpty}
          title={title}
          onClick={() => onRun(how)}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        aria-disabled={isEmpty || hasSeveral}
        title={hasSeveral ? t("A method has one statement") : t("Programs call it by its name, with its parameters")}
        onClick={onStore}
      >
        {t("Store as a method")}
      </button>
      {children}
      <span className="quiet" aria-live="polite">
        {isRunning ? t("Running …") : answer ? toSentence(answer) : t("Ctrl-Enter runs the selection, or everything.")}
      </span>
    </div>
  );
}

interface ApiProps {
  readonly statements: readonly Statement[];
  readonly columns: readonly Column[];
  readonly given: Given;
}

/** The same request as code. */
function Api({ statements, columns, given }: ApiProps) {
  if (statements.every(({ text }) => text.trim() === "")) return null;
  const body = toBody(statements.map((each) => withParams(each, columns, given, paramsToShow)));
  return (
    <details>
      <summary>API</summary>
      <CodeSamples label={t("Language")} samples={statementSamples(body)} />
    </details>
  );
}

/** The statements of a text. A text with one statement is used unchanged, with its comments. */
function partsOf(text: string): readonly Statement[] {
  const parts = statementsIn(text);
  return parts.length > 1 ? parts : [{ text, from: 0 }];
}

function withParams({ text }: Statement, columns: readonly Column[], given: Given, read: typeof toParams): Runnable {
  const names = parametersIn(text);
  return {
    text,
    params: read(
      columns.filter(({ name }) => names.includes(name)),
      given,
    ),
  };
}
