/** Access for super users: the rights of accounts, and the reasons for them. */
import { Link, Outlet } from "@tanstack/react-router";
import { ForSuperUsers } from "../../ui/ForSuperUsers.tsx";
import { t } from "../../words/words.ts";

export function Access() {
  return (
    <ForSuperUsers>
      <div className="access">
        <nav aria-label={t("Access")} className="tabs">
          <Link to="/access" activeOptions={{ exact: true }}>
            {t("Accounts")}
          </Link>
          <Link to="/access/privileges">{t("Privileges")}</Link>
          <Link to="/access/rules">{t("Rules")}</Link>
          <Link to="/access/see">{t("See as")}</Link>
          <Link to="/access/clients">{t("Clients")}</Link>
          <Link to="/access/agents">{t("Agents")}</Link>
        </nav>
        <Outlet />
      </div>
    </ForSuperUsers>
  );
}
