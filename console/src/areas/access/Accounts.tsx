/** Accounts and groups: a group is an account whose rights others inherit. */
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useUserPages, useUsers } from "../../service/access.ts";
import { when } from "../../service/rows/history.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { AccountDialog } from "./AccountDialog.tsx";
import { AccountTools } from "./AccountTools.tsx";
import { t } from "../../words/words.ts";

export function Accounts() {
  const [part, setPart] = useState("");
  const users = useUserPages(part.trim());
  const shown = users.data?.pages.flat();
  const client = useQueryClient();
  const [isAdding, setIsAdding] = useState(false);
  const reload = (): Promise<void> => client.invalidateQueries({ queryKey: ["users"] });
  return (
    <section className="accounts" aria-label={t("Accounts")}>
      <div className="head">
        <h1>{t("Accounts")}</h1>
        <span className="tools">
          <button type="button" className="primary" onClick={() => setIsAdding(true)}>
            {t("Add an account")}
          </button>
        </span>
      </div>
      <ErrorNote error={users.error} />
      <input
        type="search"
        placeholder={t("Find an account")}
        aria-label={t("Find an account")}
        value={part}
        onChange={({ target }) => setPart(target.value)}
      />
      {shown?.length === 0 && <p className="empty">{t("No account has this in its name or e-mail.")}</p>}
      <ScrolledTable
        className="stacked"
        label={t("All accounts")}
        titles={[t("Name"), t("Groups"), t("E-mail"), t("Properties"), t("Super user"), t("Last sign-in"), ""]}
      >
        {shown?.map((user) => (
          <tr key={user.name}>
            <th scope="row">
              <Link to="/access/accounts/$account" params={{ account: user.name }}>
                {user.name}
              </Link>
            </th>
            <td>{[user.user_group ?? []].flat().join(", ")}</td>
            <td>
              {user.email ?? ""}
              {user.email_verified && <span className="quiet"> {t("verified")}</span>}
            </td>
            <td>
              <code>{Object.keys(user.properties).length > 0 && JSON.stringify(user.properties)}</code>
            </td>
            <td data-title={t("Super user")}>{user.superuser ? t("yes") : ""}</td>
            <td data-title={t("Last sign-in")}>
              {user.last_sign_in && when(user.last_sign_in)}
              {user.locked_until && <span className="mark deny"> {t("must wait")}</span>}
            </td>
            <td className="tools">
              <AccountTools user={user} onDone={reload} />
            </td>
          </tr>
        ))}
      </ScrolledTable>
      {users.hasNextPage && (
        <button type="button" aria-disabled={users.isFetchingNextPage} onClick={() => void users.fetchNextPage()}>
          {t("More accounts")}
        </button>
      )}
      {isAdding && <NewAccount onClose={() => setIsAdding(false)} onDone={reload} />}
    </section>
  );
}

/** All accounts are read for the choice of groups. */
function NewAccount({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => Promise<void> }) {
  const { data = [] } = useUsers();
  return <AccountDialog user={undefined} users={data} onClose={onClose} onDone={onDone} />;
}
