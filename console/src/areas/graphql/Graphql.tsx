/** GraphQL of one schema: its operations, documents in tabs, and the history of runs. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { introspection, operationsIn } from "../../service/documents.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { NotFound } from "../../ui/NotFound.tsx";
import { SideList } from "../../ui/shell/SideList.tsx";
import { useAllSchemas } from "../../ui/schemas.ts";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { Explorer } from "./Explorer.tsx";
import { beginWith, toSchema } from "./offered.ts";
import { Runner } from "./Runner.tsx";
import { useDocuments, useRuns, type Documents, type Run } from "./useDocuments.ts";
import { instant, t } from "../../words/words.ts";

export function Graphql() {
  const { schema: named } = useParams({ strict: false });
  const { data: account } = useAccount();
  const all = useAllSchemas();
  const schema = named ?? all[0];
  if (schema === undefined)
    return <p className="empty">{t("No schema is exposed: name one with the option schemas.")}</p>;
  if (!all.includes(schema)) return <NotFound what={t("There is no schema {schema}.", { schema })} />;
  return <Workbench key={schema} schema={schema} whose={`${account?.sub} ${account?.database} ${schema}`} />;
}

/** `whose`: the account for which documents are kept. */
function Workbench({ schema, whose }: { readonly schema: string; readonly whose: string }) {
  const introspected = useQuery(introspection(schema));
  const known = useMemo(() => introspected.data && toSchema(introspected.data), [introspected.data]);
  const documents = useDocuments(whose);
  const [runs, addRun, clearRuns] = useRuns(whose);
  const { id, begun, text } = documents.current;
  return (
    <SideList
      title="GraphQL"
      label={t("What there is to ask")}
      noun={t("an operation or type")}
      isChosen={text !== ""}
      content={
        <section className="graphql" aria-label="GraphQL">
          <Head schema={schema} documents={documents} />
          <ErrorNote error={introspected.error} />
          <Runner key={`${id} ${begun}`} schema={schema} documents={documents} onRun={addRun} />
          <Runs runs={runs} onOpen={documents.begin} onClear={clearRuns} />
        </section>
      }
    >
      {(search) =>
        known ? (
          <Explorer
            schema={known}
            search={search}
            onBegin={(offered) => documents.begin(beginWith(offered, known.types))}
          />
        ) : (
          introspected.isPending && <p className="quiet">…</p>
        )
      }
    </SideList>
  );
}

function Head({ schema, documents }: { readonly schema: string; readonly documents: Documents }) {
  const all = useAllSchemas();
  const navigate = useNavigate();
  return (
    <div className="head">
      <h1>GraphQL</h1>
      <select
        aria-label={t("Schema")}
        value={schema}
        onChange={({ target }) => void navigate({ to: "/graphql/$schema", params: { schema: target.value } })}
      >
        {all.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <div className="tools" role="group" aria-label={t("Documents")}>
        {documents.documents.map((each) => (
          <button
            key={each.id}
            type="button"
            className="plain"
            aria-pressed={each.id === documents.current.id}
            onClick={() => documents.show(each.id)}
          >
            {operationsIn(each.text).at(-1)?.name ?? t("Document {id}", { id: each.id })}
          </button>
        ))}
        <button type="button" onClick={() => documents.begin({ text: "", variables: "" })}>
          {t("New")}
        </button>
        <button type="button" onClick={documents.close}>
          {t("Close")}
        </button>
      </div>
    </div>
  );
}

interface RunsProps {
  readonly runs: readonly Run[];
  readonly onOpen: (run: Run) => void;
  readonly onClear: () => void;
}

function Runs({ runs, onOpen, onClear }: RunsProps) {
  if (runs.length === 0) return null;
  return (
    <details>
      <summary>{t("Earlier runs")}</summary>
      <ol className="runs" aria-label={t("Earlier runs")}>
        {runs.map((run) => (
          <li key={run.at}>
            <button type="button" className="plain" onClick={() => onOpen(run)}>
              {run.name === "" ? run.text.trim().slice(0, 60) : run.name}
            </button>{" "}
            <span className="quiet">
              {instant(run.at)}, {run.isError ? t("errors") : `${Math.round(run.ms)} ms`}
            </span>
          </li>
        ))}
      </ol>
      <button type="button" onClick={onClear}>
        {t("Forget them")}
      </button>
    </details>
  );
}
