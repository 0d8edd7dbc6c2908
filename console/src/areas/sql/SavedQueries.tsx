/** The saved queries that the account may see, and what it has run in this browser. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { EVERYBODY, removeQuery, savedQueries, saveQuery, type Query } from "../../service/queries.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";

interface SavedQueriesProps {
  /** What stands in the editor. */
  readonly text: string;
  readonly ran: readonly string[];
  readonly onChoose: (text: string) => void;
  /** Told of the query that is open: opened or saved. */
  readonly onName: (name: string) => void;
}

export function SavedQueries({ text, ran, onChoose, onName }: SavedQueriesProps) {
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
        aria-label="Saved queries"
        value={open?.name ?? ""}
        onChange={({ target }) => {
          const chosen = data.find(({ name }) => name === target.value);
          setOpen(chosen);
          if (chosen) onChoose(chosen.q);
        }}
      >
        <option value="">{data.length === 0 ? "No saved queries yet" : "Open a saved query"}</option>
        {data.map(({ name, title, owner }) => (
          <option key={name} value={name}>
            {title ?? name} ({owner ?? "operator"})
          </option>
        ))}
      </select>
      <select
        aria-label="What you have run"
        value=""
        onChange={({ target }) => target.value !== "" && onChoose(ran[Number(target.value)]!)}
      >
        <option value="">{ran.length === 0 ? "Nothing has run here yet" : "Run before"}</option>
        {ran.map((statement, index) => (
          <option key={statement} value={index}>
            {statement.replaceAll(/\s+/g, " ").slice(0, 80)}
          </option>
        ))}
      </select>
      <button type="button" aria-disabled={text.trim() === ""} onClick={() => setIsSaving(true)}>
        Save
      </button>
      {open?.may_change && <Remove query={open} onRemoved={() => setOpen(undefined)} />}
      <ErrorNote error={error} />
      {isSaving && (
        <SaveDialog
          text={text}
          before={open?.may_change ? open : undefined}
          onSaved={setOpen}
          onClose={() => setIsSaving(false)}
        />
      )}
    </div>
  );
}

function Remove({ query, onRemoved }: { readonly query: Query; readonly onRemoved: () => void }) {
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  async function remove(): Promise<void> {
    await removeQuery(query.name);
    await client.invalidateQueries({ queryKey: savedQueries.queryKey });
    onRemoved();
  }
  return (
    <>
      <button type="button" className="danger" aria-disabled={isBusy} onClick={() => void run(remove)}>
        Remove {query.name}
      </button>
      <ErrorNote error={error} />
    </>
  );
}

interface SaveDialogProps {
  readonly text: string;
  /** The query that is open, which a save under its name changes. */
  readonly before: Query | undefined;
  readonly onSaved: (query: Query) => void;
  readonly onClose: () => void;
}

function SaveDialog({ text, before, onSaved, onClose }: SaveDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState(before?.name ?? "");
  const [title, setTitle] = useState(before?.title ?? "");
  const [shared, setShared] = useState(before?.shared.join(", ") ?? "");

  async function save(): Promise<void> {
    const names = shared.split(/[\s,]+/).filter(Boolean);
    const query = { name, title: title === "" ? null : title, q: text, shared: names };
    await saveQuery(query, name === before?.name ? before.version : undefined);
    await client.invalidateQueries({ queryKey: savedQueries.queryKey });
    const saved = client.getQueryData(savedQueries.queryKey)?.find((each) => each.name === name);
    if (saved) onSaved(saved);
  }

  return (
    <FormDialog title="Save the query" action="Save" onSubmit={save} onClose={onClose}>
      <Field label="Name" hint="a-z, 0-9 and -">
        <input required pattern="[a-z0-9\-]{1,60}" value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label="Title">
        <input maxLength={200} value={title} onChange={({ target }) => setTitle(target.value)} />
      </Field>
      <Field label="Shared with" hint={`accounts and groups; ${EVERYBODY}: everybody; empty: you alone`}>
        <input spellCheck={false} value={shared} onChange={({ target }) => setShared(target.value)} />
      </Field>
      <p className="quiet">Who runs it needs the rights for it: sharing a query shares no data.</p>
    </FormDialog>
  );
}
