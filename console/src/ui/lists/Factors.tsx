/** The second factors of an account. A super user can remove them from an account that has lost them. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { service } from "../../service/http/address.ts";
import { answer, rest } from "../../service/http/rest.ts";
import { when } from "../../service/rows/history.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { FormDialog } from "../forms/FormDialog.tsx";
import { useAccount } from "../hooks/useAccount.ts";
import { t } from "../../words/words.ts";

export interface FactorsProps {
  readonly account: string;
  /** Whether it is the account's own page, which links to their settings. Otherwise they can be reset. */
  readonly isOwn: boolean;
}

export function Factors({ account, isOwn }: FactorsProps) {
  const client = useQueryClient();
  const factors = useQuery({
    queryKey: ["factors", account],
    queryFn: ({ signal }) => answer(rest.GET("/factors", { params: { query: { account } }, signal })),
    enabled: account !== "",
  });
  const [isAsking, setIsAsking] = useState(false);
  const { data: signedIn } = useAccount();

  async function reset(): Promise<void> {
    await rest.DELETE("/users/{names}/factors", { params: { path: { names: account } } });
    await client.invalidateQueries({ queryKey: ["factors", account] });
    await client.invalidateQueries({ queryKey: ["sessions", account] });
  }

  const left = factors.data?.[0]?.recovery_codes;
  return (
    <section aria-labelledby="factors">
      <h2 id="factors">{t("Second factors")}</h2>
      <ErrorNote error={factors.error} />
      {factors.data?.length === 0 && <p className="quiet">{t("None.")}</p>}
      <ul className="sessions" aria-labelledby="factors">
        {factors.data?.map((factor) => (
          <li key={factor.id}>
            <span className="what">
              <strong>{factor.name}</strong>
              <span className="quiet">
                {factor.kind === "totp" ? t("Authenticator app") : t("Passkey")}
                {t(", since {when}", { when: when(factor.made_at) })}
                {factor.used_at && t(", last {when}", { when: when(factor.used_at) })}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {left !== undefined && <p className="quiet">{t("Recovery codes left: {left}.", { left })}</p>}
      {isOwn ? (
        <p>
          <a href={`${service}/account?${new URLSearchParams({ database: signedIn?.database ?? "" })}`}>
            {t("Passkeys, authenticator apps and recovery codes")}
          </a>
        </p>
      ) : (
        left !== undefined && (
          <button type="button" onClick={() => setIsAsking(true)}>
            {t("Reset the factors")}
          </button>
        )
      )}
      {isAsking && (
        <FormDialog
          title={t("Take all factors from {account}?", { account })}
          action={t("Reset")}
          isDanger
          onClose={() => setIsAsking(false)}
          onSubmit={reset}
        >
          <p>
            {t(
              "Its recovery codes are removed too, and its browsers are signed out. Then its password is enough to sign in; if it must have a second factor, it adds a new one.",
            )}
          </p>
        </FormDialog>
      )}
    </section>
  );
}
