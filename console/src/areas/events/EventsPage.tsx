/** The events of one table. The subscription is in the address. Stopping keeps the position, so that it can resume. */
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { OPERATIONS, type Operation, type RowEvent } from "../../service/events.ts";
import { show } from "../../service/rows/values.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { useEvents } from "./useEvents.ts";
import { instant, t } from "../../words/words.ts";

export function EventsPage() {
  const { schema, table } = useParams({ from: "/events/$schema/$table" });
  return <Followed key={`${schema} ${table}`} schema={schema} table={table} />;
}

const TITLES: Readonly<Record<Operation, string>> = {
  INSERT: t("inserts"),
  UPDATE: t("updates"),
  DELETE: t("deletes"),
};

function Followed({ schema, table }: { readonly schema: string; readonly table: string }) {
  const { where: asked = "", op } = useSearch({ from: "/events/$schema/$table" });
  const where = typeof asked === "string" ? asked : JSON.stringify(asked);
  const navigate = useNavigate({ from: "/events/$schema/$table" });
  const [text, setText] = useState(where);
  const { events, said, isFollowing, start, stop, clear, mayGoOn } = useEvents({ schema, table, where, op });
  return (
    <section className="events" aria-label={t("Events of {table}", { table })}>
      <div className="head">
        <h1>{table}</h1>
        <span className="tools">
          {isFollowing ? (
            <button type="button" onClick={stop}>
              {t("Stop")}
            </button>
          ) : (
            <button type="button" className="primary" onClick={start}>
              {mayGoOn ? t("Continue") : t("Follow")}
            </button>
          )}
          <button type="button" onClick={clear}>
            {t("Clear")}
          </button>
        </span>
      </div>
      <form
        className="fields columns"
        aria-label={t("What to follow")}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ search: { ...(text.trim() !== "" && { where: filterOf(text) }), ...(op && { op }) } });
        }}
      >
        <Field label={t("Only where")} hint={t("As in SQL, such as name like 'A%', or as JSON; Enter follows it")}>
          <input spellCheck={false} value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        <Field label={t("Which")}>
          <select
            value={op ?? ""}
            onChange={({ target }) =>
              void navigate({
                search: {
                  ...(where !== "" && { where: asked }),
                  ...(target.value !== "" && { op: target.value as Operation }),
                },
              })
            }
          >
            <option value="">{t("all")}</option>
            {OPERATIONS.map((operation) => (
              <option key={operation} value={operation}>
                {TITLES[operation]}
              </option>
            ))}
          </select>
        </Field>
      </form>
      <p className={said.isError ? "note error" : "quiet"} role={said.isError ? "alert" : "status"}>
        {said.text}
      </p>
      <ol className="reasons" aria-label={t("Events, the newest first")} reversed>
        {events.map(({ number, event }) => (
          <li key={number}>
            <EventRow event={event} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The filter for the address: JSON becomes an object, because the address would escape its text once more. */
function filterOf(text: string): string | object {
  try {
    const filter = JSON.parse(text) as unknown;
    return typeof filter === "object" && filter !== null ? filter : text;
  } catch {
    return text;
  }
}

/** The number of values in the line of an event. All values are below it. */
const SHOWN = 4;

function EventRow({ event: { operation, row, at } }: { readonly event: RowEvent }) {
  const values = Object.values(row).filter((value) => typeof value !== "object");
  return (
    <details>
      <summary>
        <span className={operation === "DELETE" ? "mark deny" : "mark"}>{operation.toLowerCase()}</span>{" "}
        {values.slice(0, SHOWN).map(show).join(" · ").slice(0, 200)}{" "}
        <time className="quiet" dateTime={at.toISOString()}>
          {instant(at, { timeStyle: "medium" })}
        </time>
      </summary>
      <pre tabIndex={0}>{JSON.stringify(row, null, 2).slice(0, 20_000)}</pre>
    </details>
  );
}
