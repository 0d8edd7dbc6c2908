/** The browsers and applications that an account is signed in with, each of which can be ended. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { when } from "../../service/history.ts";
import { read, send } from "../../service/rest.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";

interface Session {
  readonly id: string;
  readonly kind: "application" | "browser";
  readonly client: string | null;
  readonly agent: string | null;
  readonly address: string | null;
  readonly since: string;
  readonly expires_at: string;
  readonly current: boolean;
}

export function Sessions({ account }: { readonly account: string }) {
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: ["sessions", account],
    queryFn: ({ signal }) => read<readonly Session[]>(`/sessions?${new URLSearchParams({ account })}`, signal),
    enabled: account !== "",
  });
  const [failure, setFailure] = useState<Error | null>(null);

  async function end(ids: readonly string[]): Promise<void> {
    try {
      for (const id of ids) await send("DELETE", `/sessions/${id}`);
      setFailure(null);
    } catch (error) {
      setFailure(error as Error);
    }
    await client.invalidateQueries({ queryKey: ["sessions", account] });
  }

  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ErrorNote error={failure ?? sessions.error} onClose={() => setFailure(null)} />
      <ul className="sessions" aria-labelledby="sessions">
        {sessions.data?.map((session) => (
          <li key={session.id}>
            <span className="what">
              <strong>{titleOf(session)}</strong>
              {session.current && " (this window)"}
              <span className="quiet">
                {session.kind === "browser" ? "Browser" : "Application"}, since {when(session.since)}
                {session.address && ` from ${session.address}`}, until {when(session.expires_at)} at most
              </span>
            </span>
            {!session.current && (
              <button type="button" aria-label={`End ${titleOf(session)}`} onClick={() => void end([session.id])}>
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <button type="button" onClick={() => void end(others.map(({ id }) => id))}>
          End all {others.length} others
        </button>
      )}
    </section>
  );
}

function titleOf({ client, agent }: Session): string {
  return client ?? (agent === null ? "A browser" : browserName(agent));
}

/** What people call the browser and system that a User-Agent names; else its own words. */
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
  return system ? `${browser} on ${system}` : browser;
}
