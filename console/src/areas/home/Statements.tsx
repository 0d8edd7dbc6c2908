/** The running statements of the database, the longest first, and which session waits for which. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { cancelStatement, statements, type Statement } from "../../service/operation.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { Part } from "./Part.tsx";
import { number, t } from "../../words/words.ts";

/** The most characters of a statement that are drawn. */
const LONGEST = 300;

export function Statements() {
  const query = useQuery(statements);
  const { data, dataUpdatedAt } = query;
  const [cancelled, setCancelled] = useState<Statement>();
  return (
    <Part
      id="statements"
      title={t("Running statements")}
      hint={t("and transactions that are open, the longest first")}
      query={query}
      tools={
        <Link className="button" to="/statements">
          {t("Top statements")}
        </Link>
      }
    >
      {data?.length === 0 && <p className="quiet">{t("No running statements.")}</p>}
      {data && data.length > 0 && (
        <ScrolledTable
          label={t("What runs")}
          titles={["PID", t("Account"), t("Duration"), t("State"), t("Statement"), ""]}
        >
          {data.map((each) => (
            <Row
              key={`${each.pid} ${each.started}`}
              statement={each}
              now={dataUpdatedAt}
              onCancel={() => setCancelled(each)}
            />
          ))}
        </ScrolledTable>
      )}
      {cancelled && <CancelDialog statement={cancelled} onClose={() => setCancelled(undefined)} />}
    </Part>
  );
}

interface RowProps {
  readonly statement: Statement;
  readonly now: number;
  readonly onCancel: () => void;
}

function Row({ statement, now, onCancel }: RowProps) {
  const { pid, started, state, waits_for: waitsFor, blocked_by: blockedBy, statement: text } = statement;
  return (
    <tr>
      <th scope="row">{pid}</th>
      <td>{whoOf(statement)}</td>
      <td>{number(Math.max(0, Math.round((now - Date.parse(started)) / 1000)))} s</td>
      <td>
        {state}
        {blockedBy.length > 0
          ? t(", waits for {blockedBy}", { blockedBy: blockedBy.join(", ") })
          : waitsFor !== null && <span className="quiet"> {waitsFor}</span>}
      </td>
      <td className="wide">
        <code>{text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text}</code>
      </td>
      <td className="tools">
        {state === "active" && (
          <button
            type="button"
            className="plain"
            aria-label={t("Cancel {pid}", { pid: String(pid) })}
            onClick={onCancel}
          >
            {t("Cancel")}
          </button>
        )}
      </td>
    </tr>
  );
}

/** The account, or else the login with its program. */
function whoOf({ account, login, application }: Statement): string {
  return account ?? (application === null ? login : `${login} (${application})`);
}

function CancelDialog({ statement, onClose }: { readonly statement: Statement; readonly onClose: () => void }) {
  const client = useQueryClient();
  return (
    <FormDialog
      title={t("Cancel what {pid} runs?", { pid: String(statement.pid) })}
      action={t("Cancel the statement")}
      isDanger
      cancel={t("Keep running")}
      onClose={onClose}
      onSubmit={async () => {
        const running = await cancelStatement(statement);
        client.setQueryData(statements.queryKey, running);
      }}
    >
      <p>
        {t(
          "{who} is told that it was cancelled, and its transaction is rolled back. If it has already ended, or another one runs, nothing is cancelled.",
          { who: whoOf(statement) },
        )}
      </p>
      <div className="preview">
        <pre tabIndex={0} role="region" aria-label={t("Statement")}>
          {statement.statement.slice(0, 5000)}
        </pre>
      </div>
    </FormDialog>
  );
}
