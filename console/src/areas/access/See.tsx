/**
 * See as another account, through an interface and from an address: the deciding grants, policies and rules, and the
 * visible rows.
 */
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { explain, type Explanation, type Question } from "../../service/access.ts";
import { service } from "../../service/http/address.ts";
import { seeAs } from "../../service/http/session.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { Reasons } from "./Explained.tsx";
import { decisionText } from "./RulePreview.tsx";
import { WhoAndWhat } from "./WhoAndWhat.tsx";
import { ofService, t } from "../../words/words.ts";

interface Answered {
  readonly question: Question;
  readonly on: { readonly schema: string; readonly table: string };
  readonly answer: Explanation;
}

export function See() {
  const [seen, setSeen] = useState<Answered>();
  const { account, schema, table } = useSearch({ from: "/access/see" });
  const { error, isBusy, run } = useAttempt();

  async function ask(question: Question, on: Answered["on"]): Promise<void> {
    setSeen(undefined);
    await run(async () => setSeen({ question, on, answer: await explain(question) }));
  }

  return (
    <section aria-label={t("See as")}>
      <div className="head">
        <h1>{t("See as")}</h1>
      </div>
      <p className="quiet">
        {t(
          "See which rows an account gets and why, or open the whole console as that account. Nothing can be changed, and the audit has an entry.",
        )}
      </p>
      <WhoAndWhat
        action={t("See")}
        account={account}
        on={{ schema, table }}
        isAsking={isBusy}
        onAsk={(question, table) => void ask(question, table)}
        onEverywhere={seeAs}
      />
      <ErrorNote error={error} />
      {!seen && !isBusy && !error && (
        <p className="empty">
          {t("Choose an account and a table to see which rows it gets, and which grants, policies and rules decide.")}
        </p>
      )}
      {seen && <Seen {...seen} />}
    </section>
  );
}

function Seen({ question, on, answer }: Answered) {
  const { keys, count, columns, decisions } = answer;
  const rows = count === null ? t("rows that take too long to count") : rowsText(count);
  return (
    <div className="seen">
      <p role="status">
        {columns.length > 0
          ? t("{account} sees {rows} with {columns}.", { account: question.account, rows, columns: columns.join(", ") })
          : t("{account} sees {rows}.", { account: question.account, rows })}
      </p>
      <p className="quiet">{t("It {account}.", { account: ofService(answer.account) })}</p>
      {columns.length > 0 && (
        <p>
          <button type="button" onClick={() => void seeAs(question.account, gridOf(on))}>
            {t("Show these rows as {account}", { account: question.account })}
          </button>
        </p>
      )}
      <ul className="reasons">
        {decisions.map((decision) => (
          <li key={decision.request}>
            <span className={markOf(decision)}>{decision.request}</span> {decisionText(decision)}
          </li>
        ))}
      </ul>
      {keys && keys.length > 0 && (
        <details>
          <summary>
            {count !== null && count <= keys.length
              ? t("Their keys")
              : t("The keys of the first {count}", { count: keys.length })}
          </summary>
          <p className="keys">
            {keys.map((key) => {
              const text = Object.values(key).map(String).join(", ");
              return <code key={text}>{text}</code>;
            })}
          </p>
        </details>
      )}
      <div className="why">
        <Reasons title={t("Grants")} reasons={answer.grants} none={t("There is no grant.")} />
        <Reasons title={t("Rules")} reasons={answer.rules} none={t("No rule means this table.")} />
        <Reasons title={t("Policies")} reasons={answer.policies} none={t("The table has no policy.")} />
        <Reasons title={t("Beside these")} reasons={answer.others} none={t("Nothing else has a say.")} />
      </div>
    </div>
  );
}

function gridOf({ schema, table }: Answered["on"]): string {
  return `${service}/console/data/${encodeURIComponent(schema)}/${encodeURIComponent(table)}`;
}

function markOf({ granted, access }: Explanation["decisions"][number]): string {
  if (!granted || access === "deny") return "mark deny";
  return access === "limit" ? "mark warn" : "mark good";
}
