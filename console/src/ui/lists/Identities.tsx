/**
 * The people of other identity providers, and the jobs of other platforms, that are linked to an account and may sign in as it.
 * Each can be unlinked. A super user can link more.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { when } from "../../service/rows/history.ts";
import type { NewIdentity } from "../../service/http/openapi.ts";
import { answer, rest } from "../../service/http/rest.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { Field } from "../forms/Field.tsx";
import { FormDialog } from "../forms/FormDialog.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { t } from "../../words/words.ts";

const GITHUB = "https://token.actions.githubusercontent.com";

export interface IdentitiesProps {
  readonly account: string;
  /** Whether it is the account's own page. Otherwise subjects can be linked. */
  readonly isOwn: boolean;
}

/** Renders nothing on the own page of an account that has none. */
export function Identities({ account, isOwn }: IdentitiesProps) {
  const client = useQueryClient();
  const identities = useQuery({
    queryKey: ["identities", account],
    queryFn: ({ signal }) => answer(rest.GET("/identities", { params: { query: { account } }, signal })),
    enabled: account !== "",
  });
  const [isLinking, setIsLinking] = useState(false);
  const { error, run, clear } = useAttempt();
  const reload = (): Promise<void> => client.invalidateQueries({ queryKey: ["identities", account] });

  async function unlink(id: string): Promise<void> {
    await run(() => rest.DELETE("/identities/{id}", { params: { path: { id } } }));
    await reload();
  }

  if (isOwn && identities.data?.length === 0 && !error) return null;
  return (
    <section aria-labelledby="identities">
      <h2 id="identities">{t("Other sign-ins")}</h2>
      <ErrorNote error={error ?? identities.error} onClose={clear} />
      {identities.data?.length === 0 && <p className="quiet">{t("None.")}</p>}
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
      {!isOwn && (
        <button type="button" onClick={() => setIsLinking(true)}>
          {t("Link a person or job")}
        </button>
      )}
      {isLinking && <LinkDialog account={account} onClose={() => setIsLinking(false)} onDone={reload} />}
    </section>
  );
}

interface LinkDialogProps {
  readonly account: string;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function LinkDialog({ account, onClose, onDone }: LinkDialogProps) {
  const [issuer, setIssuer] = useState("");
  const [subject, setSubject] = useState("");

  async function link(): Promise<void> {
    const wanted: NewIdentity = { account, issuer, subject };
    await rest.POST("/identities", { body: wanted });
    await onDone();
  }

  return (
    <FormDialog
      title={t("Link a person or job to {account}", { account })}
      action={t("Link it")}
      onClose={onClose}
      onSubmit={link}
    >
      <Field label={t("Issuer")} hint={t("The iss of its tokens, such as {example}", { example: GITHUB })}>
        <input
          required
          maxLength={1000}
          spellCheck={false}
          value={issuer}
          onChange={({ target }) => setIssuer(target.value)}
        />
      </Field>
      <Field
        label={t("Subject")}
        hint={t("The sub of its tokens, such as {example}", { example: "repo:acme/maps:ref:refs/heads/main" })}
      >
        <input
          required
          maxLength={256}
          spellCheck={false}
          value={subject}
          onChange={({ target }) => setSubject(target.value)}
        />
      </Field>
      <p className="quiet">
        {t("It then gets every right of the account: a person by signing in, a job by the grant jwt_bearer.")}
      </p>
    </FormDialog>
  );
}
