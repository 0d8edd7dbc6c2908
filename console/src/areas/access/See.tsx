/**
 * See as another account, through an interface, from an address: the deciding grants, policies and rules, and the visible
 * rows.
 */
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { explain, type Explanation, type Question } from "../../service/access.ts";
import { seeAs } from "../../service/http/session.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { Reasons } from "./Explained.tsx";
import { decisionText } from "./RulePreview.tsx";
import { WhoAndWhat } from "./WhoAndWhat.tsx";

export function See() {
  const [seen, setSeen] = useState<{ readonly question: Question; readonly answer: Explanation }>();
  const { account } = useSearch({ from: "/access/see" });
  const { error, isBusy, run } = useAttempt();

  async function ask(question: Question): Promise<void> {
    setSeen(undefined);
    await run(async () => setSeen({ question, answer: await explain(question) }));
  }

  return (
    <section aria-label="See as">
      <div className="head">
        <h1>See as</h1>
      </div>
      <p className="quiet">
        Asked as that account and taken back, or everywhere in this window, reading only. Each is in the audit.
      </p>
      <WhoAndWhat
        action="See"
        account={account}
        isAsking={isBusy}
        onAsk={(question) => void ask(question)}
        onEverywhere={seeAs}
      />
      <ErrorNote error={error} />
      {seen && <Seen {...seen} />}
    </section>
  );
}

function Seen({ question, answer }: { readonly question: Question; readonly answer: Explanation }) {
  const { keys, count, columns, decisions } = answer;
  return (
    <div className="seen">
      <p role="status">
        {question.account} sees {count === null ? "rows that take too long to count" : rowsText(count)}
        {columns.length > 0 && ` with ${columns.join(", ")}`}.
      </p>
      <p className="quiet">It {answer.account}.</p>
      <ul className="reasons">
        {decisions.map((decision) => (
          <li key={decision.request}>
            <strong>{decision.request}</strong> {decisionText(decision)}
          </li>
        ))}
      </ul>
      {keys && keys.length > 0 && (
        <section aria-label="Keys">
          <h2>{count !== null && count <= keys.length ? "Their keys" : `The keys of the first ${keys.length}`}</h2>
          <p className="keys">
            {keys.map((key) => {
              const text = Object.values(key).map(String).join(", ");
              return <code key={text}>{text}</code>;
            })}
          </p>
        </section>
      )}
      <Reasons title="Rules" reasons={answer.rules} none="No rule means this table." />
      <Reasons title="Policies" reasons={answer.policies} none="The table has no policy." />
      <Reasons title="Grants" reasons={answer.grants} none="There is no grant." />
      <Reasons title="Beside these" reasons={answer.others} none="Nothing else has a say." />
    </div>
  );
}
