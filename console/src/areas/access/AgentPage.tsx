/** What one agent asked in the last 24 hours. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { agents, nameOf, requestsPath } from "../../service/agents.ts";
import type { LoggedRequest } from "../../service/operation.ts";
import { when } from "../../service/rows/history.ts";
import { Log } from "../../ui/lists/Log.tsx";
import { TableHead } from "../../ui/lists/TableHead.tsx";

export function AgentPage() {
  const { agent: id } = useParams({ from: "/access/agents/$agent" });
  const agent = useQuery(agents).data?.find((one) => one.id === id);
  return (
    <Log<LoggedRequest>
      title={agent ? `${nameOf(agent)} of ${agent.account}` : "An agent"}
      hint="what it asked in the last 24 hours, latest first; under load not all of it"
      path={requestsPath(id)}
      search={{}}
      numberOf={({ number }) => number}
      filters={
        <p>
          <Link to="/access/agents">All agents</Link>
        </p>
      }
      empty="It has asked nothing in the last 24 hours."
      label="What it asked"
    >
      {(requests) => (
        <table>
          <TableHead titles={["When", "Asked", "Status", "ms", "What was wrong"]} />
          <tbody>
            {requests.map(({ number, at, operation, status, ms, code, relation, error }) => (
              <tr key={number}>
                <td>{when(at)}</td>
                <td className="wide">
                  <code>{operation}</code>
                </td>
                <td>{status}</td>
                <td>{ms !== null && Math.round(ms).toLocaleString()}</td>
                <td className="wide">
                  {code}
                  {relation !== null && ` on ${relation}`} {error}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Log>
  );
}
