/** The saved queries that the account may see, and what it has run in this browser. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { queries, savedQueries, type Query } from "../../service/queries.ts";
import type { QueryChart } from "../../service/sql/charts.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { Snippets } from "./Snippets.tsx";
import { t } from "../../words/words.ts";

const SaveQuery = lazy(async () => ({ default: (await import("./SaveQuery.tsx")).SaveQuery }));
const VersionsDialog = lazy(async () => ({
  default: (await import("../../ui/forms/VersionsDialog.tsx")).VersionsDialog,
}));

interface SavedQueriesProps {
  /** The text in the editor. */
  readonly text: string;
  /** The chart that the result is shown as. */
  readonly chart: QueryChart | null;
  readonly ran: readonly string[];
  readonly onChoose: (text: string) => void;
  /** Called with a query whose statement and chart are to be shown. */
  readonly onOpen: (query: Query) => void;
  /** Called with a text to insert at the cursor. */
  readonly onInsert: (text: string) => void;
  /** Called with the name of a query that was opened or saved. */
  readonly onName: (name: string) => void;
}

export function SavedQueries({ text, chart, ran, onChoose, onOpen, onInsert, onName }: SavedQueriesProps) {
  const { data = [], error } = useQuery(savedQueries);
  const [open, setOpenQuery] = useState<Query>();
  function setOpen(query: Query | undefined): void {
    setOpenQuery(query);
    if (query) onName(query.title ?? query.name);
  }
  const [isSaving, setIsSaving] = useState(false);
  return (
    <div className="saved">
      <select
        aria-label={t("Saved queries")}
        value={open?.name ?? ""}
        onChange={({ target }) => {
          const chosen = data.find(({ name }) => name === target.value);
          setOpen(chosen);
          if (chosen) onOpen(chosen);
        }}
      >
        <option value="">{data.length === 0 ? t("No saved queries yet") : t("Open a saved query")}</option>
        {data.map(({ name, title, owner }) => (
          <option key={name} value={name}>
            {title ?? name} ({owner ?? t("operator")})
          </option>
        ))}
      </select>
      <select
        aria-label={t("What you have run")}
        value=""
        onChange={({ target }) => target.value !== "" && onChoose(ran[Number(target.value)]!)}
      >
        <option value="">{ran.length === 0 ? t("No statements yet") : t("Recent statements")}</option>
        {ran.map((statement, index) => (
          <option key={statement} value={index}>
            {statement.replaceAll(/\s+/g, " ").slice(0, 80)}
          </option>
        ))}
      </select>
      <Snippets onChoose={onInsert} />
      <button type="button" aria-disabled={text.trim() === ""} onClick={() => setIsSaving(true)}>
        {t("Save")}
      </button>
      {open?.may_change && (
        <Versions
          query={open}
          onRestored={(query) => {
            setOpen(query);
            onOpen(query);
          }}
        />
      )}
      {open?.may_change && <Remove query={open} onRemoved={() => setOpen(undefined)} />}
      <ErrorNote error={error} />
      {isSaving && (
        <Suspense>
          <SaveQuery
            text={text}
            chart={chart}
            before={open?.may_change ? open : undefined}
            onSaved={setOpen}
            onTheirs={(query) => {
              setOpen(query);
              onOpen(query);
            }}
            onClose={() => setIsSaving(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

function Versions({ query, onRestored }: { readonly query: Query; readonly onRestored: (query: Query) => void }) {
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);

  async function readAgain(): Promise<void> {
    const all = await client.fetchQuery({ ...savedQueries, staleTime: 0 });
    const now = all.find(({ name }) => name === query.name);
    if (now) onRestored(now);
  }

  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {t("Versions")}
      </button>
      {isOpen && (
        <Suspense>
          <VersionsDialog
            kind="queries"
            thing={query}
            summaryOf={({ q }) => String(q).replaceAll(/\s+/g, " ").slice(0, 80)}
            onRestored={readAgain}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function Remove({ query, onRemoved }: { readonly query: Query; readonly onRemoved: () => void }) {
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  async function remove(): Promise<void> {
    await queries.remove(query);
    await client.invalidateQueries({ queryKey: savedQueries.queryKey });
    onRemoved();
  }
  return (
    <>
      <button type="button" className="plain" onClick={() => setIsOpen(true)}>
        {t("Remove")}
      </button>
      {isOpen && (
        <FormDialog
          title={t("Remove {title}", { title: query.title ?? query.name })}
          action={t("Remove")}
          isDanger
          onSubmit={remove}
          onClose={() => setIsOpen(false)}
        >
          <p>{t("It is removed for everybody it is shared with. The data stay.")}</p>
        </FormDialog>
      )}
    </>
  );
}
