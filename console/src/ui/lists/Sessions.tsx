/** The browsers and applications in which an account is signed in. Each session can be ended. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { when } from "../../service/rows/history.ts";
import type { Session } from "../../service/http/openapi.ts";
import { answer, rest } from "../../service/http/rest.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { t } from "../../words/words.ts";

export interface SessionsProps {
  readonly account: string;
  readonly title: string;
}

export function Sessions({ account, title }: SessionsProps) {
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: ["sessions", account],
    queryFn: ({ signal }) => answer(rest.GET("/sessions", { params: { query: { account } }, signal })),
    enabled: account !== "",
  });
  const { error, run, clear } = useAttempt();

  async function end(ids: readonly string[]): Promise<void> {
    await run(async () => {
      for (const id of ids) await rest.DELETE("/sessions/{id}", { params: { path: { id } } });
    });
    await client.invalidateQueries({ queryKey: ["sessions", account] });
  }

  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{title}</h2>
      <ErrorNote error={error ?? sessions.error} onClose={clear} />
      {sessions.data?.length === 0 && <p className="quiet">{t("Not signed in anywhere.")}</p>}
      <ul className="sessions" aria-labelledby="sessions">
        {sessions.data?.map((session) => (
          <li key={session.id}>
            <span className="what">
              <strong>{titleOf(session)}</strong>
              {session.current && ` ${t("(this window)")}`}
              <span className="quiet">
                {t("{kind}, since {when}", { kind: kindOf(session), when: when(session.since) })}
                {session.address && ` ${t("from {address}", { address: session.address })}`}
                {t(", until {when} at most", { when: when(session.expires_at) })}
              </span>
            </span>
            {!session.current && (
              <button
                type="button"
                aria-label={t("End {title}", { title: titleOf(session) })}
                onClick={() => void end([session.id])}
              >
                {t("End")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <button type="button" onClick={() => void end(others.map(({ id }) => id))}>
          {others.length < (sessions.data?.length ?? 0)
            ? t("End all {count} others", { count: others.length })
            : t("End all {count}", { count: others.length })}
        </button>
      )}
    </section>
  );
}

/** The kind of a session. The tokens of an agent are only valid for the agents' interface. */
function kindOf({ kind, resource, scope }: Session): string {
  if (kind === "browser") return t("Browser");
  if (resource === null) return t("Application");
  return scope?.split(" ").includes("mcp:write") ? t("Agent that may write") : t("Agent");
}

function titleOf({ client, agent }: Session): string {
  return client ?? (agent === null ? t("A browser") : browserName(agent));
}

/** The common name of the browser and system in a User-Agent; otherwise the header's own text. */
function browserName(agent: string): string {
  const browser = (
    [
      [/Edg\//, "Edge"],
      [/Firefox\//, "Firefox"],
      [/Chrome\//, "Chrome"],
      [/Safari\//, "Safari"],
    ] as const
  ).find(([pattern]) => pattern.test(agent))?.[1];
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0];
  if (!browser) return agent.slice(0, 80);
  return system ? t("{browser} on {system}", { browser, system }) : browser;
}
