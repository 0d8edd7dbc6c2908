import type { User } from "../service/access.ts";
import { when } from "../service/rows/history.ts";
import { useAccount } from "./hooks/useAccount.ts";

export function AboutAccount({ user }: { readonly user: User }) {
  const { data: account } = useAccount();
  return (
    <p className="quiet">
      on {account?.database}
      {user.user_group && `, with the rights of ${[user.user_group].flat().join(" and ")}`}
      {user.superuser && ", a super user"}
      {user.email && `, ${user.email}`}
      {user.last_sign_in ? `, signed in last ${when(user.last_sign_in)}` : ", has never signed in with its password"}
    </p>
  );
}
