/** The requests of one agent in the last 24 hours. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { agents, nameOf, requestsPath } from "../../service/agents.ts";
import type { LoggedRequest } from "../../service/operation.ts";
import { when } from "../../service/rows/history.ts";
import { Log } from "../../ui/lists/Log.tsx";
import { TableHead } from "../../ui/lists/TableHead.tsx";
import { number, t } from "../../words/words.ts";

export function AgentPage() {
  const { agent: id } = useParams({ from: "/access/agents/$agent" });
  const agent = useQuery(agents).data?.find((one) => one.id === id);
  return (
    <Log<LoggedRequest>
      title={agent ? t("{name} of {account}", { name: nameOf(agent), account: agent.account }) : t("An agent")}
      hint={t("its requests of the last 24 hours, latest first; under heavy load some are left out")}
      path={requestsPath(id)}
      search={{}}
      numberOf={({ number }) => number}
      filters={
        <p>
          <Link to="/access/agents">{t("All agents")}</Link>
        </p>
      }
      empty={t("It has made no request in the last 24 hours.")}
      label={t("What it asked")}
    >
      {(requests) => (
        <table>
          <TableHead titles={[t("When"), t("Asked"), t("Status"), "ms", t("What was wrong")]} />
          <tbody>
            {requests.map(({ number: id, at, operation, status, ms, code, relation, error }) => (
              <tr key={id}>
                <td>{when(at)}</td>
                <td className="wide">
                  <code>{operation}</code>
                </td>
                <td>{status}</td>
                <td>{ms !== null && number(Math.round(ms))}</td>
                <td className="wide">
                  {code}
                  {relation !== null && ` ${t("on {relation}", { relation })}`} {error}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Log>
  );
}
