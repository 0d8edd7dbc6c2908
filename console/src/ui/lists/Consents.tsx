/** The applications that an account has allowed to act for it. Each consent can be revoked. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, rest } from "../../service/http/rest.ts";
import { when } from "../../service/rows/history.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { t } from "../../words/words.ts";

/** Renders nothing where the account has allowed none. */
export function Consents({ account }: { readonly account: string }) {
  const client = useQueryClient();
  const consents = useQuery({
    queryKey: ["consents", account],
    queryFn: ({ signal }) => answer(rest.GET("/consents", { params: { query: { account } }, signal })),
    enabled: account !== "",
  });
  const { error, run, clear } = useAttempt();

  async function takeBack(id: string): Promise<void> {
    await run(() => rest.DELETE("/consents/{account}/{client}", { params: { path: { account, client: id } } }));
    await client.invalidateQueries({ queryKey: ["consents", account] });
    await client.invalidateQueries({ queryKey: ["sessions", account] });
  }

  if (consents.data?.length === 0 && !error) return null;
  return (
    <section aria-labelledby="consents">
      <h2 id="consents">{t("Allowed applications")}</h2>
      <ErrorNote error={error ?? consents.error} onClose={clear} />
      <ul className="sessions" aria-labelledby="consents">
        {consents.data?.map(({ client_id: id, client: name, scopes, given_at: givenAt }) => (
          <li key={id}>
            <span className="what">
              <strong>{name}</strong>
              <span className="quiet">
                {scopes.length > 0 && `${scopes.join(" ")}, `}
                {t("since {when}", { when: when(givenAt) })}
              </span>
            </span>
            <button type="button" aria-label={t("Take back {name}", { name })} onClick={() => void takeBack(id)}>
              {t("Take back")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
