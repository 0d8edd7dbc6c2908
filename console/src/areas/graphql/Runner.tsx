/** One document: its editor, its run, and code to copy. */
import { useQueryClient } from "@tanstack/react-query";
import type { Extension } from "@codemirror/state";
import { useRef, useState } from "react";
import {
  introspection,
  isSubscription,
  operationsIn,
  type DocumentRequest,
  type HeaderValues,
} from "../../service/documents.ts";
import { prettyJson } from "../../service/http/exactJson.ts";
import { shorten } from "../../service/rows/values.ts";
import { CodeSamples } from "../../ui/code/CodeSamples.tsx";
import { CopyButton } from "../../ui/code/CopyButton.tsx";
import { documentSamples, subscriptionSamples } from "../../ui/code/documentSamples.ts";
import { Editor } from "../../ui/code/Editor.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { useKept } from "../../ui/hooks/useKept.ts";
import { useSettled } from "../../ui/hooks/useSettled.ts";
import type { Documents, Run } from "./useDocuments.ts";
import { useRun, type Running } from "./useRun.ts";
import { t } from "../../words/words.ts";

export interface RunnerProps {
  readonly schema: string;
  readonly documents: Documents;
  readonly onRun: (run: Run) => void;
}

export function Runner({ schema, documents, onRun }: RunnerProps) {
  const { text, variables } = documents.current;
  const language = useLanguage(schema);
  const [headers, setHeaders] = useKept("graphql headers", ""); // kept for this window only: it may hold a token
  const operations = operationsIn(useSettled(text, 200));
  const [chosen, setChosen] = useState<string>();
  const name = chosenOf(
    operations.map((each) => each.name),
    chosen,
  );
  const running = useRun(schema, (request, ms, isError) =>
    onRun({
      at: new Date().toISOString(),
      name: request.operationName ?? "",
      text: request.query,
      variables,
      ms,
      isError,
    }),
  );

  function run(query: string): void {
    if (query.trim() === "") return;
    try {
      running.run(toRequest(query, variables, name), readHeaders(headers));
    } catch (error) {
      running.fail(error as Error);
    }
  }

  return (
    <>
      <div className="document" onFocus={language.load}>
        <Editor
          label={t("Document")}
          text={text}
          onChange={(next) => documents.change({ text: next })}
          onRun={run}
          language={language.extension}
        />
      </div>
      <ErrorNote error={language.error} />
      <Given
        variables={variables}
        onVariables={(next) => documents.change({ variables: next })}
        headers={headers}
        onHeaders={setHeaders}
      />
      <RunTools
        text={text}
        name={name}
        names={operations.map((each) => each.name)}
        onChoose={setChosen}
        running={running}
        onRun={() => run(text)}
      />
      <ErrorNote error={running.error} />
      <Answers answers={running.answers} />
      {text.trim() !== "" && <AsCode schema={schema} text={text} variables={variables} name={name} />}
    </>
  );
}

interface GivenProps {
  readonly variables: string;
  readonly onVariables: (text: string) => void;
  readonly headers: string;
  readonly onHeaders: (text: string) => void;
}

function Given({ variables, onVariables, headers, onHeaders }: GivenProps) {
  return (
    <div className="fields columns">
      <Field label={t("Variables")} hint="JSON">
        <textarea rows={3} spellCheck={false} value={variables} onChange={({ target }) => onVariables(target.value)} />
      </Field>
      <Field label={t("Headers")} hint={t("JSON, such as the Authorization of another account")}>
        <textarea rows={3} spellCheck={false} value={headers} onChange={({ target }) => onHeaders(target.value)} />
      </Field>
    </div>
  );
}

interface RunToolsProps {
  readonly text: string;
  readonly name: string | undefined;
  /** The names of all operations. */
  readonly names: readonly string[];
  readonly onChoose: (name: string) => void;
  readonly running: Running;
  readonly onRun: () => void;
}

function RunTools({ text, name, names, onChoose, running, onRun }: RunToolsProps) {
  const { isRunning, ms, stop } = running;
  const said = isRunning
    ? isSubscription(text, name)
      ? t("Following …")
      : t("Running …")
    : ms === undefined
      ? t("Ctrl-Enter runs the selection, or everything.")
      : `${Math.round(ms)} ms`;
  return (
    <div className="tools">
      {isRunning ? (
        <button type="button" onClick={stop}>
          {t("Stop")}
        </button>
      ) : (
        <button type="button" className="primary" aria-disabled={text.trim() === ""} onClick={onRun}>
          {t("Run")}
        </button>
      )}
      {names.length > 1 && (
        <select aria-label={t("Which operation")} value={name} onChange={({ target }) => onChoose(target.value)}>
          {[...new Set(names)].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
      <span className="quiet" role="status">
        {said}
      </span>
    </div>
  );
}

/** The language support, loaded when the editor is first used: the part that knows the schema is large. */
function useLanguage(schema: string) {
  const client = useQueryClient();
  const [extension, setExtension] = useState<Extension>(NONE);
  const [error, setError] = useState<Error | null>(null);
  const isAsked = useRef(false);
  return {
    extension,
    error,
    load(): void {
      if (isAsked.current) return;
      isAsked.current = true;
      Promise.all([client.ensureQueryData(introspection(schema)), import("./language.ts")])
        .then(([introspected, { languageOf }]) => setExtension(languageOf(introspected)))
        .catch((thrown: unknown) => {
          isAsked.current = false; // the next visit tries again
          setError(thrown as Error);
        });
    },
  };
}

const NONE: Extension = [];

function Answers({ answers }: { readonly answers: readonly string[] }) {
  const shown = answers.map(prettyJson).join("\n\n");
  if (answers.length === 0) return null;
  return (
    <>
      <div className="tools">
        <CopyButton
          text={shown}
          title={answers.length === 1 ? t("Copy the answer") : t("Copy {count} answers", { count: answers.length })}
        />
      </div>
      <pre className="scroll" role="region" aria-label={t("Answer")} tabIndex={0}>
        {shorten(shown, LONGEST)}
      </pre>
    </>
  );
}

/** The most characters of an answer that are drawn. Copying takes all of it. */
const LONGEST = 20_000;

interface AsCodeProps {
  readonly schema: string;
  readonly text: string;
  readonly variables: string;
  readonly name: string | undefined;
}

function AsCode({ schema, text, variables, name }: AsCodeProps) {
  const request = toShow(text, variables, name);
  const samples = isSubscription(text, name) ? subscriptionSamples(schema, request) : documentSamples(schema, request);
  return (
    <details>
      <summary>{t("Ask it from a program")}</summary>
      <CodeSamples label={t("Language")} samples={samples} />
    </details>
  );
}

function chosenOf(names: readonly string[], chosen: string | undefined): string | undefined {
  return chosen !== undefined && names.includes(chosen) ? chosen : names.at(-1);
}

/**
 * The request. Throws where the variables are not JSON. `chosen`: the name of one of several operations, if it exists.
 */
function toRequest(query: string, variables: string, chosen: string | undefined): DocumentRequest {
  const operationName = chosenOf(
    operationsIn(query).map((each) => each.name),
    chosen,
  );
  const given = readObject(t("variables"), variables);
  return { query, ...(given && { variables: given }), ...(operationName !== undefined && { operationName }) };
}

/** The request for display. Incomplete variables are left out. */
function toShow(query: string, variables: string, chosen: string | undefined): DocumentRequest {
  try {
    return toRequest(query, variables, chosen);
  } catch {
    return toRequest(query, "", chosen);
  }
}

function readHeaders(text: string): HeaderValues {
  const headers = readObject(t("headers"), text) ?? {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function readObject(what: string, text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(t("The {what} are not JSON.", { what }));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(t("The {what} are not a JSON object.", { what }));
  return value as Readonly<Record<string, unknown>>;
}
