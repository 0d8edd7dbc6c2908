/** The user's own account: e-mail, password, second factors, allowed applications and sessions. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useUser, type User } from "../../service/access.ts";
import { sendsMail } from "../../service/http/address.ts";
import { rest } from "../../service/http/rest.ts";
import { signIn } from "../../service/http/session.ts";
import { AboutAccount } from "../../ui/AboutAccount.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { Consents } from "../../ui/lists/Consents.tsx";
import { Factors } from "../../ui/lists/Factors.tsx";
import { Identities } from "../../ui/lists/Identities.tsx";
import { OwnAgents } from "../../ui/lists/OwnAgents.tsx";
import { Sessions } from "../../ui/lists/Sessions.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { t } from "../../words/words.ts";

export function Account() {
  const { data: account } = useAccount();
  const name = account?.sub ?? "";
  const user = useUser(name);
  return (
    <div className="text account-page">
      <h1>{name}</h1>
      {user.data && <AboutAccount user={user.data} />}
      <ErrorNote error={user.error} />
      {user.data && <Email user={user.data} />}
      <Password name={name} />
      <Factors account={name} isOwn />
      <Identities account={name} isOwn />
      <Consents account={name} />
      <OwnAgents account={name} />
      <Sessions account={name} title={t("Where you are signed in")} />
    </div>
  );
}

function Email({ user }: { readonly user: User }) {
  const client = useQueryClient();
  const [email, setEmail] = useState(user.email ?? "");
  const [current, setCurrent] = useState("");
  const [needsCurrent, setNeedsCurrent] = useState(false);
  const { error, isBusy, run } = useAttempt();
  const [said, setSaid] = useState("");

  async function save(): Promise<void> {
    const change = { email: email === "" ? null : email, ...(current !== "" && { current_password: current }) };
    try {
      await rest.PATCH("/users/{names}", { params: { path: { names: user.name } }, body: change });
    } catch (refused) {
      // only the service knows how long ago the sign-in was
      if (current !== "" || !(refused as Error).message.includes("current_password")) throw refused;
      setNeedsCurrent(true);
      throw new Error(t("You signed in some time ago. Enter your password, or sign out and in again."));
    }
    setCurrent("");
    setNeedsCurrent(false);
    setSaid(t("The e-mail is saved."));
    await client.invalidateQueries({ queryKey: ["users"] });
  }

  async function verify(): Promise<void> {
    await rest.POST("/users/{name}/verification", { params: { path: { name: user.name } } });
    setSaid(t("A link was sent to {email}.", { email: user.email }));
  }

  return (
    <section aria-labelledby="email">
      <h2 id="email">{t("E-mail")}</h2>
      {user.email !== null && (
        <p className="quiet">
          {user.email_verified ? t("The address is verified.") : t("The address is not verified.")}
        </p>
      )}
      <form
        className="tools"
        onSubmit={(event) => {
          event.preventDefault();
          setSaid("");
          void run(save);
        }}
      >
        <input
          type="email"
          aria-labelledby="email"
          autoComplete="email"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        {needsCurrent && (
          <input
            type="password"
            aria-label={t("Your password")}
            placeholder={t("Your password")}
            autoComplete="current-password"
            value={current}
            onChange={({ target }) => setCurrent(target.value)}
          />
        )}
        <button type="submit" aria-disabled={isBusy}>
          {t("Save")}
        </button>
        {sendsMail && user.email !== null && !user.email_verified && (
          <button type="button" aria-disabled={isBusy} onClick={() => void run(verify)}>
            {t("Verify the address")}
          </button>
        )}
        <span aria-live="polite">{said}</span>
      </form>
      <ErrorNote error={error} />
    </section>
  );
}

function Password({ name }: { readonly name: string }) {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const { error, isBusy, run } = useAttempt();
  const [isDone, setIsDone] = useState(false);

  async function save(): Promise<void> {
    if (next !== again) throw new Error(t("The two new passwords are not the same."));
    await rest.PATCH("/users/{names}", {
      params: { path: { names: name } },
      body: { current_password: current, password: next },
    });
    setIsDone(true);
  }

  if (isDone)
    return (
      <section aria-label={t("Password")}>
        <p role="status">{t("The password is changed. Every sign-in of this account has ended, this one too.")}</p>
        <button type="button" onClick={() => void signIn()}>
          {t("Sign in again")}
        </button>
      </section>
    );
  return (
    <section aria-labelledby="password">
      <h2 id="password">{t("Password")}</h2>
      <p className="quiet">{t("With a new password every sign-in of this account ends, on all devices.")}</p>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(save);
        }}
      >
        <PasswordField
          label={t("Current password")}
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
        <PasswordField label={t("New password")} autoComplete="new-password" value={next} onChange={setNext} />
        <PasswordField label={t("New password again")} autoComplete="new-password" value={again} onChange={setAgain} />
        <ErrorNote error={error} />
        <div className="tools">
          <button type="submit" aria-disabled={isBusy}>
            {t("Change the password")}
          </button>
        </div>
      </form>
    </section>
  );
}

interface PasswordFieldProps {
  readonly label: string;
  readonly autoComplete: "current-password" | "new-password";
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function PasswordField({ label, autoComplete, value, onChange }: PasswordFieldProps) {
  return (
    <Field label={label}>
      <input
        type="password"
        required
        autoComplete={autoComplete}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}
