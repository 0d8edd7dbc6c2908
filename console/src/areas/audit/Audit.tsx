/**
 * The audit: what was done to accounts, rights, methods, settings and published rows, by whom, from where, and what it
 * changed.
 */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { AuditSearch } from "../../service/audit.ts";
import { when, type Values } from "../../service/rows/history.ts";
import type { AuditEntry } from "../../service/http/openapi.ts";
import { Changed } from "../../ui/lists/Changed.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { ForSuperUsers } from "../../ui/ForSuperUsers.tsx";
import { Log, LogFilters } from "../../ui/lists/Log.tsx";
import { t } from "../../words/words.ts";

interface Entry extends Omit<AuditEntry, "details"> {
  readonly details: {
    readonly by?: string;
    readonly before?: Values | null;
    readonly after?: Values | null;
    readonly [name: string]: unknown;
  };
}

/** Prefixes of events by subject. Events without a prefix are listed by name. */
const SUBJECTS = [
  "access", "authentication", "client", "dashboard", "database", "events", "job", "map", "method", "privilege", "query", "raster", "rule", "session", "style",
  "table", "token", "type", "user", "versioning", "workflow",
]; // oxfmt-ignore

export function Audit() {
  return (
    <ForSuperUsers>
      <Entries />
    </ForSuperUsers>
  );
}

function Entries() {
  const search = useSearch({ from: "/audit" });
  const navigate = useNavigate({ from: "/audit" });
  return (
    <Log<Entry>
      title={t("Audit")}
      hint={t("latest first; nobody can change it here")}
      path="/audit"
      search={{ ...search }}
      numberOf={({ id }) => id}
      filters={<Filters search={search} onChange={(next) => void navigate({ search: next })} />}
      empty={t("Nothing of that kind was done.")}
      label={t("Entries")}
    >
      {(entries) => (
        <ol className="differences" aria-label={t("What was done")}>
          {entries.map((entry) => (
            <AuditEntry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </Log>
  );
}

interface FiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const [event, setEvent] = useState("");
  const [account, setAccount] = useState("");
  const [since, setSince] = useState("");
  useEffect(() => {
    setEvent(search.event ?? ""); // someone may open an address; the field keeps the focus
    setAccount(search.account ?? "");
    setSince(search.since?.slice(0, 10) ?? "");
  }, [search]);
  return (
    <LogFilters
      isFiltered={Object.keys(search).length > 0}
      onSubmit={() =>
        onChange({
          ...(event !== "" && { event }),
          ...(account !== "" && { account }),
          ...(since !== "" && { since: new Date(`${since}T00:00`).toISOString() }),
        })
      }
      onClear={() => onChange({})}
    >
      <Field label={t("Event")}>
        <input
          list="subjects"
          placeholder={t("event, or its start")}
          value={event}
          spellCheck={false}
          onChange={({ target }) => setEvent(target.value)}
        />
      </Field>
      <datalist id="subjects">
        {SUBJECTS.map((subject) => (
          <option key={subject} value={`${subject}.`} />
        ))}
      </datalist>
      <Field label={t("Account")}>
        <input
          placeholder={t("by or about an account")}
          value={account}
          spellCheck={false}
          onChange={({ target }) => setAccount(target.value)}
        />
      </Field>
      <Field label={t("Since")}>
        <input type="date" value={since} onChange={({ target }) => setSince(target.value)} />
      </Field>
    </LogFilters>
  );
}

function AuditEntry({ entry: { event, at, account, client_id: client, address, details } }: { readonly entry: Entry }) {
  const { by, before, after, ...rest } = details;
  const about = account === null || account === by ? "" : t("about {account}", { account });
  const parts = [
    by !== undefined
      ? t("by {account}", { account: by as string })
      : account !== null && about === ""
        ? t("by {account}", { account })
        : "",
    about,
    client !== null ? t("with {client}", { client }) : "",
    address !== null ? t("from {address}", { address }) : "",
  ].filter((part) => part !== "");
  const named = Object.entries(rest).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return (
    <li>
      <div className="tools">
        <span className="mark">{event}</span>
        <strong>{named.join(", ")}</strong>
        <span className="quiet">
          {when(at)} {parts.join(" ")}
        </span>
      </div>
      {(before || after) && <Changed before={before ?? null} after={after ?? null} />}
    </li>
  );
}
