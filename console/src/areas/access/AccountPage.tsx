/** One account: its data, its last sign-in, the lock after failed sign-ins, and its sessions. */
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useUser, type User } from "../../service/access.ts";
import { when } from "../../service/rows/history.ts";
import { seeAs } from "../../service/http/session.ts";
import { rest } from "../../service/http/rest.ts";
import { AboutAccount } from "../../ui/AboutAccount.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Consents } from "../../ui/lists/Consents.tsx";
import { Factors } from "../../ui/lists/Factors.tsx";
import { Identities } from "../../ui/lists/Identities.tsx";
import { Sessions } from "../../ui/lists/Sessions.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { AccountTools } from "./AccountTools.tsx";
import { t } from "../../words/words.ts";

export function AccountPage() {
  const { account: name } = useParams({ from: "/access/accounts/$account" });
  const user = useUser(name);
  const client = useQueryClient();
  const navigate = useNavigate();

  async function reload(isGone = false): Promise<void> {
    if (isGone) await navigate({ to: "/access" });
    await client.invalidateQueries({ queryKey: ["users"] });
  }

  return (
    <section aria-label={t("The account {name}", { name })} className="account-page">
      <div className="head">
        <h1>{name}</h1>
        {user.data && (
          <span className="tools">
            <button type="button" onClick={() => void seeAs(name)}>
              {t("See as {name}", { name })}
            </button>
            <Link to="/access/see" search={{ account: name }}>
              {t("What it sees of a table")}
            </Link>
            <Link to="/audit" search={{ account: name }}>
              {t("Audit")}
            </Link>
            <AccountTools user={user.data} onDone={reload} />
          </span>
        )}
      </div>
      <ErrorNote error={user.error} />
      {user.data && (
        <>
          <AboutAccount user={user.data} />
          {user.data.locked_until !== null && <Lock user={user.data} onLifted={reload} />}
          {name !== "anonymous" && <Factors account={name} isOwn={false} />}
          {name !== "anonymous" && <Identities account={name} isOwn={false} />}
          <Consents account={name} />
          <Sessions account={name} title={t("Where it is signed in")} />
        </>
      )}
    </section>
  );
}

function Lock({ user, onLifted }: { readonly user: User; readonly onLifted: () => Promise<void> }) {
  const { error, isBusy, run } = useAttempt();
  async function lift(): Promise<void> {
    await rest.DELETE("/users/{names}/lockout", { params: { path: { names: user.name } } });
    await onLifted();
  }
  return (
    <>
      <p className="note error">
        {t("Failed sign-ins lock it until {when}, at one address at least.", {
          when: when(user.locked_until!),
        })}{" "}
        <button type="button" aria-disabled={isBusy} onClick={() => void run(lift)}>
          {t("Let it sign in at once")}
        </button>
      </p>
      <ErrorNote error={error} />
    </>
  );
}
