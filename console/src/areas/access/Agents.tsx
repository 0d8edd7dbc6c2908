/** Agents: who asks at the agents' door, for which account, and what each was refused last. Each can be ended. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { agents, endAgent, mayWrite, nameOf, type Agent } from "../../service/agents.ts";
import { when } from "../../service/rows/history.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";

export function Agents() {
  const found = useQuery(agents);
  const client = useQueryClient();
  const [ending, setEnding] = useState<Agent>();
  return (
    <section aria-label="Agents">
      <div className="head">
        <h1>Agents</h1>
        <span className="quiet">programs that ask for an account by the Model Context Protocol</span>
        <span className="tools">
          <button type="button" aria-disabled={found.isFetching} onClick={() => void found.refetch()}>
            Reload
          </button>
        </span>
      </div>
      <ErrorNote error={found.error} />
      {found.data?.length === 0 && (
        <p className="empty">No agent is connected. The option mcp opens the door for agents.</p>
      )}
      {found.data && found.data.length > 0 && (
        <ScrolledTable label="All agents" titles={["Agent", "Asked last", "Calls", "Refused last", ""]}>
          {found.data.map((agent) => (
            <Row key={agent.id} agent={agent} onEnd={() => setEnding(agent)} />
          ))}
        </ScrolledTable>
      )}
      {ending && (
        <FormDialog
          title={`End ${nameOf(ending)} of ${ending.account}?`}
          action="End it"
          isDanger
          onClose={() => setEnding(undefined)}
          onSubmit={async () => {
            await endAgent(ending);
            await client.invalidateQueries({ queryKey: agents.queryKey });
          }}
        >
          <p>
            Its tokens become invalid, and its streams end, at once. To connect again it needs another sign-in of{" "}
            {ending.account}.
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
        <Link to="/access/agents/$agent" params={{ agent: id }} aria-label={`What ${name} of ${account} asked`}>
          {name}
        </Link>
        <div className="quiet">
          {mayWrite(agent) ? "reads and writes for " : "reads for "} {account}
        </div>
        {client !== null && software !== null && <div className="quiet">{software}</div>}
      </th>
      <td>
        {last === null ? "never" : when(last)}
        {listens && (
          <>
            {" "}
            <span className="mark">listens</span>
          </>
        )}
        <div className="quiet">
          {address !== null && `from ${address}`}
          {end !== null && ` until ${when(end)}`}
        </div>
      </td>
      <td>
        {calls.toLocaleString()}
        {refused > 0 && <span className="quiet">, {refused.toLocaleString()} refused</span>}
      </td>
      <td className="wide">
        {refusal && (
          <>
            {refusal.tool} {refusal.table} <span className="quiet">{refusal.message}</span>
          </>
        )}
      </td>
      <td className="tools">
        <button type="button" className="plain" aria-label={`End ${name} of ${account}`} onClick={onEnd}>
          End
        </button>
      </td>
    </tr>
  );
}
