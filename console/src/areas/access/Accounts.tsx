/** Accounts and groups: a group is an account whose rights others inherit. */
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useUsers } from "../../service/access.ts";
import { when } from "../../service/rows/history.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { AccountDialog } from "./AccountDialog.tsx";
import { AccountTools } from "./AccountTools.tsx";
import { t } from "../../words/words.ts";

export function Accounts() {
  const users = useUsers();
  const client = useQueryClient();
  const [isAdding, setIsAdding] = useState(false);
  const reload = (): Promise<void> => client.invalidateQueries({ queryKey: ["users"] });
  return (
    <section aria-label={t("Accounts")}>
      <div className="head">
        <h1>{t("Accounts")}</h1>
        <span className="tools">
          <button type="button" onClick={() => setIsAdding(true)}>
            {t("Add an account")}
          </button>
        </span>
      </div>
      <ErrorNote error={users.error} />
      <ScrolledTable
        label={t("All accounts")}
        titles={[t("Name"), t("Groups"), t("E-mail"), t("Properties"), t("Super user"), t("Last sign-in"), ""]}
      >
        {users.data?.map((user) => (
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
            <td>{user.superuser ? t("yes") : ""}</td>
            <td>
              {user.last_sign_in && when(user.last_sign_in)}
              {user.locked_until && <span className="mark deny"> {t("must wait")}</span>}
            </td>
            <td className="tools">
              <AccountTools user={user} onDone={reload} />
            </td>
          </tr>
        ))}
      </ScrolledTable>
      {isAdding && (
        <AccountDialog user={undefined} users={users.data ?? []} onClose={() => setIsAdding(false)} onDone={reload} />
      )}
    </section>
  );
}
