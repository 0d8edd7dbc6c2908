/** One operation of the REST interface: its parameters, body and answers, a trial, and its call to copy. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ask } from "../../service/http/ask.ts";
import { operations, type Operation } from "../../service/openapiDocument.ts";
import { CodeSamples } from "../../ui/code/CodeSamples.tsx";
import { callSamples } from "../../ui/code/requestSamples.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { NotFound } from "../../ui/NotFound.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { t } from "../../words/words.ts";

export function OperationPage() {
  const { operation: id } = useParams({ from: "/rest/$operation" });
  const { data, error } = useQuery(operations);
  const operation = data?.find((each) => each.id === id);
  if (!data) return error ? <ErrorNote error={error} /> : <p className="empty">{t("One moment …")}</p>;
  if (!operation) return <NotFound what={t("There is no operation {id}.", { id })} />;
  return <Opened key={id} operation={operation} />;
}

function Opened({ operation }: { readonly operation: Operation }) {
  const { method, path, summary, description, body, answers } = operation;
  return (
    <section className="text rest-operation" aria-label={summary}>
      <h1 lang="en">{summary}</h1>
      <p>
        <code>
          {method} {path}
        </code>
      </p>
      {description !== undefined && <p lang="en">{description}</p>}
      <Trial operation={operation} />
      {body.length > 0 && (
        <>
          <h2>{t("Request body")}</h2>
          <Forms label={t("Request body")} forms={body} />
        </>
      )}
      <h2>{t("Answers")}</h2>
      {answers.map((answer) => (
        <details key={answer.status}>
          <summary>
            <strong>{answer.status}</strong> <span lang="en">{answer.description}</span>
          </summary>
          <Forms label={t("Answer {status}", { status: answer.status })} forms={answer.forms} />
        </details>
      ))}
    </section>
  );
}

function Forms({ label, forms }: { readonly label: string; readonly forms: Operation["body"] }) {
  return forms.map(([mediaType, text]) => (
    <div key={mediaType}>
      <p className="quiet">{mediaType}</p>
      {text !== "" && (
        <pre tabIndex={0} role="region" aria-label={`${label}: ${mediaType}`}>
          {text}
        </pre>
      )}
    </div>
  ));
}

/** The most characters of an answer that are shown. */
const MOST = 20_000;

interface Shown {
  readonly status: string;
  readonly text: string;
}

/** The values of the parameters, the call with them, and for reading operations its answer. */
function Trial({ operation: { method, path, parameters, body, takesToken } }: { readonly operation: Operation }) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const [shown, setShown] = useState<Shown>();
  const { error, isBusy, run, clear } = useAttempt();
  const inPath = parameters.filter((each) => each.in === "path");
  const inQuery = parameters.filter((each) => each.in === "query" && (given[each.name] ?? "") !== "");
  const isComplete = parameters.every(({ name, required = false }) => !required || (given[name] ?? "") !== "");
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    given[name] ? encodeURIComponent(given[name]) : whole,
  );
  const query = Object.fromEntries(inQuery.map(({ name }) => [name, given[name]!]));
  const address = `${filled}${inQuery.length > 0 ? `?${new URLSearchParams(query)}` : ""}`;

  async function send(): Promise<void> {
    const response = await ask(address);
    const type = response.headers.get("Content-Type") ?? "";
    const text = /json|text|xml|csv/.test(type) ? await response.text() : type;
    setShown({ status: `${response.status} ${response.statusText}`, text: readable(text).slice(0, MOST) });
  }

  return (
    <>
      {parameters.length > 0 && <h2>{t("Parameters")}</h2>}
      <div className="fields">
        {parameters
          .filter((each) => inPath.includes(each) || each.in === "query")
          .map(({ name, required = false, description = "" }) => (
            <Field
              key={name}
              label={name}
              hint={[required ? t("required") : "", description].filter(Boolean).join(" · ")}
            >
              <input
                value={given[name] ?? ""}
                spellCheck={false}
                onChange={({ target }) => setGiven({ ...given, [name]: target.value })}
              />
            </Field>
          ))}
      </div>
      {method === "GET" && (
        <p className="tools">
          <button
            type="button"
            className="primary"
            aria-disabled={!isComplete || isBusy}
            onClick={() => {
              setShown(undefined);
              void run(send);
            }}
          >
            {t("Run")}
          </button>
        </p>
      )}
      <ErrorNote error={error} onClose={clear} />
      {shown && (
        <>
          <p role="status">{shown.status}</p>
          <pre tabIndex={0} role="region" aria-label={t("Answer")}>
            {shown.text}
          </pre>
        </>
      )}
      <h2>{t("The call")}</h2>
      <CodeSamples
        label={t("Language")}
        samples={callSamples(method, address, { mediaType: body[0]?.[0], takesToken })}
      />
    </>
  );
}

/** JSON on several lines; other text as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
