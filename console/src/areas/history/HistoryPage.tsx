/** One table over time: its rows at an instant, the changes between two instants, the life of one row. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import type { HistorySearch } from "../../service/rows/gridSearch.ts";
import { when } from "../../service/rows/history.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { OpenRelation } from "../../ui/relations.tsx";
import { AsOf, type SearchChange } from "./AsOf.tsx";
import { Differences } from "./Differences.tsx";
import { Instant } from "../../ui/Instant.tsx";
import { LifeDialog } from "./LifeDialog.tsx";
import { NotFound } from "../../ui/NotFound.tsx";
import { t } from "../../words/words.ts";

export function HistoryPage() {
  return (
    <OpenRelation>
      {(relation) =>
        relation.versionedSince === undefined ? (
          <NotFound what={t("The history of {table} is not kept.", { table: relation.table })} />
        ) : (
          <Through
            key={`${relation.schema} ${relation.table}`}
            relation={relation}
            since={Date.parse(relation.versionedSince) + 1} // the digits after the milliseconds are cut off
          />
        )
      }
    </OpenRelation>
  );
}

/** `since`: the beginning of the history, in milliseconds. */
function Through({ relation, since }: { readonly relation: Relation; readonly since: number }) {
  const search = useSearch({ from: "/history/$schema/$table" });
  const navigate = useNavigate({ from: "/history/$schema/$table" });
  const client = useQueryClient();
  const [until, setUntil] = useState(() => Date.now());
  const [said, setSaid] = useState("");
  const { at, from, key } = search;

  const go = useCallback(
    (change: SearchChange) =>
      void navigate({
        search: (now) =>
          Object.fromEntries(
            Object.entries({ ...now, ...change }).filter(([, value]) => value !== undefined),
          ) as HistorySearch,
      }),
    [navigate],
  );
  const setAt = useCallback(
    (instant: number) => go({ at: instant < until ? toText(instant) : undefined }),
    [go, until],
  );
  const setFrom = useCallback((instant: number) => go({ from: toText(instant) }), [go]);

  async function reload(sentence = ""): Promise<void> {
    setSaid(sentence);
    setUntil(Date.now());
    await Promise.all(
      ["rows", "count", "versions", "differences"].map((what) =>
        client.invalidateQueries({ queryKey: [what, relation.schema, relation.type] }),
      ),
    );
  }

  return (
    <section className="relation" aria-label={t("History of {table}", { table: relation.table })}>
      <div className="head">
        <h1>{relation.table}</h1>
        <span className="quiet">{t("history since {when}", { when: when(relation.versionedSince ?? "") })}</span>
        <span className="tools" role="group" aria-label={t("What to see")}>
          <button type="button" aria-pressed={from === undefined} onClick={() => go({ from: undefined })}>
            {t("Table at that time")}
          </button>
          <button
            type="button"
            aria-pressed={from !== undefined}
            onClick={() => from === undefined && go({ from: toText(since) })}
          >
            {t("What changed")}
          </button>
          <button type="button" onClick={() => void reload()}>
            {t("Reload")}
          </button>
        </span>
      </div>
      {from !== undefined && (
        <Instant label={t("From")} from={since} until={until} value={Date.parse(from)} onChange={setFrom} />
      )}
      <Instant
        label={from === undefined ? t("As it was") : t("Until")}
        from={since}
        until={until}
        value={at === undefined ? undefined : Date.parse(at)}
        onChange={setAt}
        onNow={() => go({ at: undefined })}
      />
      {said !== "" && <p role="status">{said}</p>}
      {from === undefined ? (
        <AsOf relation={relation} search={search} onSearch={go} onRestored={reload} />
      ) : (
        <Differences relation={relation} from={from} to={at} onLife={(of) => go({ key: of })} onRestored={reload} />
      )}
      {key !== undefined && (
        <LifeDialog relation={relation} rowKey={key} onClose={() => go({ key: undefined })} onRestored={reload} />
      )}
    </section>
  );
}

function toText(instant: number): string {
  return new Date(instant).toISOString();
}
