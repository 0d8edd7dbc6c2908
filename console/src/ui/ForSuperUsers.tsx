import type { ReactNode } from "react";
import { useAccount } from "./hooks/useAccount.ts";
import { t } from "../words/words.ts";

/** Content for super users. The service refuses it to others; this tells them so without a request. */
export function ForSuperUsers({ children }: { readonly children: ReactNode }) {
  const { data: account } = useAccount();
  if (!account?.superUser)
    return (
      <div className="empty">
        <h1>{t("This is for super users, and {sub} is not one.", { sub: account?.sub })}</h1>
      </div>
    );
  return children;
}
