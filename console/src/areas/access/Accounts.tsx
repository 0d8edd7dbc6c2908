/** Accounts and groups: a group is an account whose rights others inherit. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useUsers, type User } from "../../service/access.ts";
import { send } from "../../service/rest.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { FormDialog } from "../../ui/FormDialog.tsx";
import { TableHead } from "../../ui/TableHead.tsx";
import { AccountDialog } from "./AccountDialog.tsx";

interface Link {
  readonly url: string;
  readonly expires_in: number;
}

type Open =
  | { readonly what: "new" }
  | { readonly what: "change" | "remove"; readonly user: User }
  | { readonly what: "link"; readonly user: User; readonly link: Link };

export function Accounts() {
  const users = useUsers();
  const client = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const [failure, setFailure] = useState<Error | null>(null);
  const close = (): void => setOpen(undefined);
  const reload = (): Promise<void> => client.invalidateQueries({ queryKey: ["users"] });

  async function invite(user: User): Promise<void> {
    try {
      const [link] = await send<readonly Link[]>("POST", `/users/${encodeURIComponent(user.name)}/link`, {});
      setOpen({ what: "link", user, link: link! });
    } catch (error) {
      setFailure(error as Error);
    }
  }

  return (
    <section aria-label="Accounts">
      <div className="head">
        <h1>Accounts</h1>
        <span className="tools">
          <button type="button" onClick={() => setOpen({ what: "new" })}>
            Add an account
          </button>
        </span>
      </div>
      <ErrorNote error={failure ?? users.error} onClose={() => setFailure(null)} />
      <div className="scroll" role="region" aria-label="All accounts" tabIndex={0}>
        <table>
          <TableHead titles={["Name", "Group", "E-mail", "Properties", "Super user", ""]} />
          <tbody>
            {users.data?.map((user) => (
              <tr key={user.name}>
                <th scope="row">{user.name}</th>
                <td>{user.user_group ?? ""}</td>
                <td>{user.email ?? ""}</td>
                <td>
                  <code>{Object.keys(user.properties).length > 0 && JSON.stringify(user.properties)}</code>
                </td>
                <td>{user.superuser ? "yes" : ""}</td>
                <td className="tools">
                  <AccountTools user={user} onOpen={setOpen} onInvite={() => void invite(user)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(open?.what === "new" || open?.what === "change") && (
        <AccountDialog
          user={open.what === "change" ? open.user : undefined}
          users={users.data ?? []}
          onClose={close}
          onDone={reload}
        />
      )}
      {open?.what === "link" && <LinkDialog {...open} onClose={close} />}
      {open?.what === "remove" && <RemoveDialog user={open.user} onClose={close} onDone={reload} />}
    </section>
  );
}

interface AccountToolsProps {
  readonly user: User;
  readonly onOpen: (open: Open) => void;
  readonly onInvite: () => void;
}

function AccountTools({ user, onOpen, onInvite }: AccountToolsProps) {
  if (user.name === "anonymous") return <span className="quiet">whoever is not signed in</span>;
  return (
    <>
      <button
        type="button"
        className="plain"
        aria-label={`Change ${user.name}`}
        onClick={() => onOpen({ what: "change", user })}
      >
        Change
      </button>
      <button type="button" className="plain" aria-label={`Make a link for ${user.name}`} onClick={onInvite}>
        Link
      </button>
      <button
        type="button"
        className="plain"
        aria-label={`Remove ${user.name}`}
        onClick={() => onOpen({ what: "remove", user })}
      >
        Remove
      </button>
    </>
  );
}

function LinkDialog({
  user,
  link,
  onClose,
}: {
  readonly user: User;
  readonly link: Link;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`A link for ${user.name}`} onClose={onClose}>
      <p>
        It opens a page that sets the password, once, within {Math.round(link.expires_in / 86_400)} days. No mail is
        sent: pass it on.
      </p>
      <input aria-label="Link" readOnly value={link.url} onFocus={({ target }) => target.select()} />
      <div className="tools">
        <button type="button" onClick={() => void navigator.clipboard.writeText(link.url)}>
          Copy
        </button>
        <button type="button" className="plain" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

interface RemoveDialogProps {
  readonly user: User;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function RemoveDialog({ user, onClose, onDone }: RemoveDialogProps) {
  return (
    <FormDialog
      title={`Remove the account ${user.name}?`}
      action={`Remove ${user.name}`}
      isDanger
      onClose={onClose}
      onSubmit={async () => {
        await send("DELETE", `/users/${encodeURIComponent(user.name)}`);
        await onDone();
      }}
    >
      <p>
        Its tokens end at once, and the role that was made for it goes with its grants. What it wrote stays. This cannot
        be taken back.
      </p>
    </FormDialog>
  );
}
