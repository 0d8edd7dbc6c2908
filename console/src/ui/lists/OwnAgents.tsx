/** The agents that ask for an account. Each can be ended. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { agentsOf, endAgent, mayWrite, nameOf, type Agent } from "../../service/agents.ts";
import { when } from "../../service/rows/history.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { t } from "../../words/words.ts";

/** Renders nothing where there is none. */
export function OwnAgents({ account }: { readonly account: string }) {
  const client = useQueryClient();
  const found = useQuery(agentsOf(account));
  const { error, isBusy, run, clear } = useAttempt();

  async function end(agent: Agent): Promise<void> {
    await run(() => endAgent(agent));
    await client.invalidateQueries({ queryKey: ["agents"] });
    await client.invalidateQueries({ queryKey: ["sessions", account] });
  }

  if (found.data?.length === 0 && !error) return null;
  return (
    <section aria-labelledby="own-agents">
      <h2 id="own-agents">{t("Agents")}</h2>
      <p className="quiet">{t("programs that act for an account by the Model Context Protocol")}</p>
      <ErrorNote error={error ?? found.error} onClose={clear} />
      <ul className="sessions" aria-labelledby="own-agents">
        {found.data?.map((agent) => (
          <li key={agent.id}>
            <span className="what">
              <strong>{nameOf(agent)}</strong>
              <span className="quiet">
                {mayWrite(agent)
                  ? t("reads and writes for {account}", { account })
                  : t("reads for {account}", { account })}
                {", "}
                {agent.last_at === null
                  ? t("has not asked yet")
                  : t("asked last {when}", { when: when(agent.last_at) })}
                {agent.refusal && ` · ${agent.refusal.code}: ${agent.refusal.message}`}
              </span>
            </span>
            <button
              type="button"
              aria-disabled={isBusy}
              aria-label={t("End {name} of {account}", { name: nameOf(agent), account })}
              onClick={() => void end(agent)}
            >
              {t("End it")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
