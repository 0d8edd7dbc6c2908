/**
 * Agents: who asks through the agents' interface, for which account, and the last refusal of each. Each can be ended.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { agents, endAgent, mayWrite, nameOf, type Agent } from "../../service/agents.ts";
import { when } from "../../service/rows/history.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { number, t } from "../../words/words.ts";

export function Agents() {
  const found = useQuery(agents);
  const client = useQueryClient();
  const [ending, setEnding] = useState<Agent>();
  return (
    <section aria-label={t("Agents")}>
      <div className="head">
        <h1>{t("Agents")}</h1>
        <span className="quiet">{t("programs that act for an account by the Model Context Protocol")}</span>
        <span className="tools">
          <button type="button" aria-disabled={found.isFetching} onClick={() => void found.refetch()}>
            {t("Reload")}
          </button>
        </span>
      </div>
      <ErrorNote error={found.error} />
      {found.data?.length === 0 && (
        <p className="empty">{t("No agent is connected. The option mcp opens the door for agents.")}</p>
      )}
      {found.data && found.data.length > 0 && (
        <ScrolledTable
          className="stacked agents"
          label={t("All agents")}
          titles={[t("Agent"), t("Asked last"), t("Calls"), t("Refused last"), ""]}
        >
          {found.data.map((agent) => (
            <Row key={agent.id} agent={agent} onEnd={() => setEnding(agent)} />
          ))}
        </ScrolledTable>
      )}
      {ending && (
        <FormDialog
          title={t("End {name} of {account}?", { name: nameOf(ending), account: ending.account })}
          action={t("End it")}
          isDanger
          onClose={() => setEnding(undefined)}
          onSubmit={async () => {
            await endAgent(ending);
            await client.invalidateQueries({ queryKey: agents.queryKey });
          }}
        >
          <p>
            {t(
              "Its tokens become invalid, and its streams end, at once. To connect again it needs another sign-in of {account}.",
              { account: ending.account },
            )}
          </p>
        </FormDialog>
      )}
    </section>
  );
}

function Row({ agent, onEnd }: { readonly agent: Agent; readonly onEnd: () => void }) {
  const { id, account, client, software, address, last_at: last, expires_at: end, calls, refused, listens } = agent;
  const { refusal } = agent;
  const name = nameOf(agent);
  return (
    <tr>
      <th scope="row">
        <Link
          to="/access/agents/$agent"
          params={{ agent: id }}
          aria-label={t("What {name} of {account} asked", { name, account })}
        >
          {name}
        </Link>
        <div className="quiet">
          {mayWrite(agent) ? t("reads and writes for {account}", { account }) : t("reads for {account}", { account })}
        </div>
        {client !== null && software !== null && <div className="quiet">{software}</div>}
      </th>
      <td data-title={t("Asked last")}>
        {last === null ? t("never") : when(last)}
        {listens && (
          <>
            {" "}
            <span className="mark">{t("listens")}</span>
          </>
        )}
        <div className="quiet">
          {address !== null && t("from {address}", { address })}
          {end !== null && ` ${t("until {when}", { when: when(end) })}`}
        </div>
      </td>
      <td data-title={t("Calls")}>
        {number(calls)}
        {refused > 0 && <span className="quiet">{t(", {refused} refused", { refused })}</span>}
      </td>
      <td className="wide">
        {refusal && (
          <>
            {refusal.tool} {refusal.table} <span className="quiet">{refusal.message}</span>
          </>
        )}
      </td>
      <td className="tools">
        <button
          type="button"
          className="plain"
          aria-label={t("End {name} of {account}", { name, account })}
          onClick={onEnd}
        >
          {t("End")}
        </button>
      </td>
    </tr>
  );
}
