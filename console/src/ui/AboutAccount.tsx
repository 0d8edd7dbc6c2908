import type { User } from "../service/access.ts";
import { when } from "../service/rows/history.ts";
import { useAccount } from "./hooks/useAccount.ts";
import { t } from "../words/words.ts";

export function AboutAccount({ user }: { readonly user: User }) {
  const { data: account } = useAccount();
  return (
    <p className="quiet">
      {t("on {database}", { database: account?.database })}
      {user.user_group &&
        t(", with the rights of {groups}", { groups: [user.user_group].flat().join(` ${t("and")} `) })}
      {user.superuser && t(", a super user")}
      {user.email && `, ${user.email}`}
      {user.last_sign_in
        ? t(", signed in last {when}", { when: when(user.last_sign_in) })
        : t(", has never signed in with its password")}
    </p>
  );
}
