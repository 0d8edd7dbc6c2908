/** Actions of a super user on an account: change it, send or show a link that sets its password, remove it. */
import { useState } from "react";
import { userPath, useUsers, type User } from "../../service/access.ts";
import type { Invitation } from "../../service/http/openapi.ts";
import { answer, rest } from "../../service/http/rest.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { AccountDialog } from "./AccountDialog.tsx";
import { RemoveDialog } from "./RemoveDialog.tsx";
import { ShownOnce } from "./ShownOnce.tsx";
import { TakenOver } from "./TakenOver.tsx";
import { t } from "../../words/words.ts";

export interface AccountToolsProps {
  readonly user: User;
  /** Called after a change; with true when the account is gone. */
  readonly onDone: (isGone: boolean) => Promise<void>;
}

export function AccountTools({ user, onDone }: AccountToolsProps) {
  const { name } = user;
  const { data: users = [] } = useUsers();
  const [open, setOpen] = useState<"change" | "remove" | Invitation>();
  const { error, run, clear } = useAttempt();
  const close = (): void => setOpen(undefined);

  async function invite(): Promise<void> {
    const [link] = await answer(
      rest.POST("/users/{names}/invitation", { params: { path: { names: name } }, body: {} }),
    );
    setOpen(link);
  }

  if (name === "anonymous") return <span className="quiet">{t("everybody who has not signed in")}</span>;
  return (
    <>
      <button
        type="button"
        className="plain"
        aria-label={t("Change {name}", { name })}
        onClick={() => setOpen("change")}
      >
        {t("Change")}
      </button>
      <button
        type="button"
        className="plain"
        aria-label={t("Make a link for {name}", { name })}
        onClick={() => void run(invite)}
      >
        {t("Link")}
      </button>
      <button
        type="button"
        className="plain"
        aria-label={t("Remove {name}", { name })}
        onClick={() => setOpen("remove")}
      >
        {t("Remove")}
      </button>
      <ErrorNote error={error} onClose={clear} />
      {open === "change" && <AccountDialog user={user} users={users} onClose={close} onDone={() => onDone(false)} />}
      {open === "remove" && (
        <RemoveDialog
          noun={t("account")}
          name={name}
          path={userPath(name)}
          more={<TakenOver account={name} />}
          onClose={close}
          onDone={() => onDone(true)}
        >
          {t("Its tokens become invalid at once, and its role is removed with its grants. Rows that it wrote stay.")}
        </RemoveDialog>
      )}
      {typeof open === "object" && (
        <ShownOnce title={t("A link for {name}", { name })} label={t("Link")} value={open.url} onClose={close}>
          <p>
            {t("The link opens a page that sets the password, once, within {expires_in} days.", {
              expires_in: Math.round(open.expires_in / 86_400),
            })}{" "}
            {open.mailed_to === undefined
              ? t("No mail was sent: give the link to the person.")
              : t("It was sent to {mailed_to}.", { mailed_to: open.mailed_to })}
          </p>
        </ShownOnce>
      )}
    </>
  );
}
