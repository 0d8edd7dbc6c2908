/** The statements on which the database has spent most time, and the indexes that they lack. */
import { useQuery } from "@tanstack/react-query";
import { ServiceError } from "../../service/http/ask.ts";
import { topStatements, type TopStatement } from "../../service/operation.ts";
import { CopyButton } from "../../ui/code/CopyButton.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { ForSuperUsers } from "../../ui/ForSuperUsers.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { number, t } from "../../words/words.ts";

/** More of a statement is shown on demand. */
const LONGEST = 300;
const SETTING = "shared_preload_libraries = 'pg_stat_statements'";
const EXTENSION = "create extension pg_stat_statements;";

export function TopStatements() {
  return (
    <ForSuperUsers>
      <Top />
    </ForSuperUsers>
  );
}

function Top() {
  const { data, error, isFetching, refetch } = useQuery(topStatements);
  const isMissing = error instanceof ServiceError && error.code === "NOT_FOUND";
  return (
    <section className="top-statements" aria-labelledby="top-statements">
      <div className="head">
        <h1 id="top-statements">{t("Top statements")}</h1>
        <span className="quiet">{t("by the time that PostgreSQL has spent on them, of all accounts together")}</span>
        <span className="tools">
          <button type="button" aria-disabled={isFetching} onClick={() => void refetch()}>
            {t("Reload")}
          </button>
        </span>
      </div>
      {isMissing ? <HowToCount /> : <ErrorNote error={error} />}
      {data?.length === 0 && <p className="quiet">{t("Nothing has been counted yet.")}</p>}
      {data && data.length > 0 && (
        <ScrolledTable
          className="stacked"
          label={t("Statements and their times")}
          titles={[t("Statement"), t("Share of the time"), t("Total"), t("Calls"), t("Mean"), t("Longest"), t("Rows")]}
        >
          {data.map((each) => (
            <Row key={each.statement} top={each} />
          ))}
        </ScrolledTable>
      )}
    </section>
  );
}

/** The operator's steps if PostgreSQL does not count statements. */
function HowToCount() {
  return (
    <div className="empty">
      <p>{t("PostgreSQL does not count the statements of this database yet.")}</p>
      <ol>
        <li>
          {t("Add this to postgresql.conf, and restart PostgreSQL:")} <code>{SETTING}</code>
        </li>
        <li>
          {t("Run this in the database:")} <code>{EXTENSION}</code>{" "}
          <CopyButton text={EXTENSION} title={t("Copy the SQL")} />
        </li>
      </ol>
    </div>
  );
}

function Row({ top }: { readonly top: TopStatement }) {
  const { statement, share, total_ms: total, calls, mean_ms: mean, max_ms: longest, rows } = top;
  const indexes = top.missing_indexes.join("\n");
  return (
    <tr>
      <td className="wide">
        {statement.length <= LONGEST ? (
          <code>{statement}</code>
        ) : (
          <details>
            <summary>
              <code>{`${statement.slice(0, LONGEST)} …`}</code>
            </summary>
            <code>{statement}</code>
          </details>
        )}
        {indexes !== "" && (
          <div className="preview">
            <p>{t("It searches rows by a column without an index. This creates one:")}</p>
            <pre>{indexes}</pre>
            <CopyButton text={indexes} title={t("Copy the SQL")} />
            {top.index_trials.length === 0 && (
              <p className="quiet">{t("Not tried: that needs the extension hypopg in the database.")}</p>
            )}
            <ul className="trials">
              {top.index_trials.map((trial) => (
                <li key={trial.index}>
                  {top.index_trials.length > 1 && <code>{trial.index} </code>}
                  {outcome(trial)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </td>
      <td className="share">
        <meter value={share} aria-label={t("Share of the time")} /> {number(share, { style: "percent" })}
      </td>
      <td data-title={t("Total")}>{duration(total)}</td>
      <td data-title={t("Calls")}>{number(calls)}</td>
      <td data-title={t("Mean")}>{duration(mean)}</td>
      <td data-title={t("Longest")}>{duration(longest)}</td>
      <td data-title={t("Rows")}>{number(rows)}</td>
    </tr>
  );
}

function outcome({
  used,
  cost_before: before,
  cost_after: after,
  problem,
}: TopStatement["index_trials"][number]): string {
  if (problem !== null) return t("Not tried: {problem}", { problem });
  if (!used) return t("PostgreSQL would not use it.");
  return t("PostgreSQL would use it: the estimated cost falls from {before} to {after}.", {
    before: cost(before),
    after: cost(after),
  });
}

function cost(value: number | null): string {
  return number(value ?? 0, { maximumSignificantDigits: 3 });
}

/** Such as 3.2 s or 0.15 ms. */
function duration(ms: number): string {
  return ms >= 1000
    ? `${number(ms / 1000, { maximumFractionDigits: 1 })} s`
    : `${number(ms, { maximumSignificantDigits: 2 })} ms`;
}
