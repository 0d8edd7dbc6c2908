/** The people of other identity providers who are linked to an account, and may sign in as it. Each can be unlinked. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { when } from "../../service/rows/history.ts";
import type { Identity } from "../../service/http/openapi.ts";
import { read, send } from "../../service/http/rest.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { t } from "../../words/words.ts";

/** Renders nothing where the account has none. */
export function Identities({ account }: { readonly account: string }) {
  const client = useQueryClient();
  const identities = useQuery({
    queryKey: ["identities", account],
    queryFn: ({ signal }) => read<readonly Identity[]>(`/identities?${new URLSearchParams({ account })}`, signal),
    enabled: account !== "",
  });
  const { error, run, clear } = useAttempt();

  async function unlink(id: string): Promise<void> {
    await run(() => send("DELETE", `/identities/${id}`));
    await client.invalidateQueries({ queryKey: ["identities", account] });
  }

  if (identities.data?.length === 0 && !error) return null;
  return (
    <section aria-labelledby="identities">
      <h2 id="identities">{t("Other sign-ins")}</h2>
      <ErrorNote error={error ?? identities.error} onClose={clear} />
      <ul className="sessions" aria-labelledby="identities">
        {identities.data?.map((identity) => (
          <li key={identity.id}>
            <span className="what">
              <strong>{identity.provider}</strong>
              <span className="quiet">
                {t("{email}, since {when}", {
                  email: identity.email ?? identity.subject,
                  when: when(identity.made_at),
                })}
                {identity.used_at && t(", last {when}", { when: when(identity.used_at) })}
              </span>
            </span>
            <button
              type="button"
              aria-label={t("Unlink {provider}", { provider: identity.provider })}
              onClick={() => void unlink(identity.id)}
            >
              {t("Unlink")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
