/** Configuration: exports it, compares a document with the present state, and applies it. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { applyConfiguration, readConfiguration, type ConfigurationChange } from "../../service/configuration.ts";
import type { Values } from "../../service/rows/history.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { ForSuperUsers } from "../../ui/ForSuperUsers.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { Changed } from "../../ui/lists/Changed.tsx";
import { saveAs } from "../../ui/saveAs.ts";
import { plural, t } from "../../words/words.ts";

export function Configuration() {
  return (
    <ForSuperUsers>
      <Document />
    </ForSuperUsers>
  );
}

async function takeOut(): Promise<void> {
  const json = JSON.stringify(await readConfiguration(), null, 2);
  saveAs("configuration.json", new Blob([json], { type: "application/json" }));
}

/** The changes that a document would make, valid while the document is the same. */
interface Compared {
  readonly document: object;
  readonly prune: boolean;
  readonly changes: readonly ConfigurationChange[];
}

function Document() {
  const client = useQueryClient();
  const { error, isBusy, run, clear } = useAttempt();
  const [text, setText] = useState("");
  const [prune, setPrune] = useState(false);
  const [compared, setCompared] = useState<Compared>();
  const [applied, setApplied] = useState<number>();

  function change(next: { readonly text?: string; readonly prune?: boolean }): void {
    if (next.text !== undefined) setText(next.text);
    if (next.prune !== undefined) setPrune(next.prune);
    setCompared(undefined);
    setApplied(undefined);
    clear();
  }

  async function compare(): Promise<void> {
    const document = parse(text);
    setCompared({ document, prune, changes: await applyConfiguration(document, { prune, dry: true }) });
  }

  async function apply({ document, prune: isPruned }: Compared): Promise<void> {
    const changes = await applyConfiguration(document, { prune: isPruned, dry: false });
    setCompared(undefined);
    setApplied(changes.length);
    await client.invalidateQueries();
  }

  return (
    <section className="configuration" aria-label={t("Configuration")}>
      <div className="head">
        <h1>{t("Configuration")}</h1>
        <span className="tools">
          <button type="button" onClick={() => void run(takeOut)}>
            {t("Export")}
          </button>
        </span>
      </div>
      <p className="quiet">
        {t(
          "Accounts, clients, rules, methods, maps, queries, dashboards and the settings of tables, without passwords and secrets. Compare a document of another database, or an older one of this, before it is applied: all of it, or nothing.",
        )}
      </p>
      <div className="fields">
        <Field label={t("A file")}>
          <input
            type="file"
            accept=".json"
            onChange={({ target }) => void target.files?.[0]?.text().then((read) => change({ text: read }))}
          />
        </Field>
        <Field label={t("The document, as JSON")}>
          <textarea
            rows={10}
            spellCheck={false}
            value={text}
            onChange={({ target }) => change({ text: target.value })}
          />
        </Field>
        <label>
          <input type="checkbox" checked={prune} onChange={({ target }) => change({ prune: target.checked })} />{" "}
          {t("Also remove what the document leaves out, in the sections that it has")}
        </label>
      </div>
      <div className="tools">
        <button
          type="button"
          className="primary"
          aria-disabled={isBusy || text.trim() === ""}
          onClick={() => text.trim() !== "" && void run(compare)}
        >
          {t("Compare")}
        </button>
        <span role="status">{applied !== undefined && t("{changes} made.", { changes: counted(applied) })}</span>
      </div>
      <ErrorNote error={error} onClose={clear} />
      {compared && <Changes {...compared} isBusy={isBusy} onApply={() => void run(() => apply(compared))} />}
    </section>
  );
}

interface ChangesProps extends Compared {
  readonly isBusy: boolean;
  readonly onApply: () => void;
}

function Changes({ changes, isBusy, onApply }: ChangesProps) {
  if (changes.length === 0) return <p role="status">{t("The database matches the document.")}</p>;
  return (
    <>
      <h2>{t("{changes} to make", { changes: counted(changes.length) })}</h2>
      <ol className="differences" aria-label={t("What would be changed")}>
        {changes.map(({ kind, name, member, action, before, after }) => (
          <li key={JSON.stringify([kind, name, member])}>
            <div className="tools">
              <span className="mark">{action}</span>
              <strong>{[kind, name, member].filter(Boolean).join(" · ")}</strong>
            </div>
            <Changed before={membersOf(before, member)} after={membersOf(after, member)} />
          </li>
        ))}
      </ol>
      <div className="tools">
        <button type="button" className="danger" aria-disabled={isBusy} onClick={onApply}>
          {t("Apply {changes}", { changes: counted(changes.length) })}
        </button>
      </div>
    </>
  );
}

/** The members of a setting. A setting that is not an object is shown by its name. */
function membersOf(value: unknown, member: string): Values | null {
  if (value === null || value === undefined) return null;
  return typeof value === "object" && !Array.isArray(value)
    ? (value as Values)
    : ({ [member || "value"]: value } as Values);
}

function parse(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (cause) {
    throw new Error(t("This is not JSON: {message}", { message: (cause as Error).message }), { cause });
  }
}

function counted(changes: number): string {
  return plural(changes, "{count} change", "{count} changes");
}
