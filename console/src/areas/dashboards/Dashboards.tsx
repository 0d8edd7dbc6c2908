/** Dashboards: a list of those that the account may see, and the open one next to it. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { dashboards } from "../../service/dashboards.ts";
import { SideLinks } from "../../ui/shell/SideLinks.tsx";
import { SideList } from "../../ui/shell/SideList.tsx";
import { DashboardPage } from "./DashboardPage.tsx";
import { NewDashboardDialog } from "./NewDashboardDialog.tsx";
import { t } from "../../words/words.ts";

export function Dashboards() {
  const { name } = useParams({ strict: false });
  const found = useQuery(dashboards);
  const [isMaking, setMaking] = useState(false);
  const begin = (
    <button type="button" onClick={() => setMaking(true)}>
      {t("New dashboard")}
    </button>
  );
  return (
    <>
      <SideList
        title={t("Dashboards")}
        label={t("Dashboards")}
        noun={t("a dashboard")}
        isChosen={name !== undefined}
        content={name !== undefined && <DashboardPage key={name} name={name} />}
        empty={
          <>
            <p>
              {t(
                "A dashboard shows numbers, charts and tables of SQL. Everybody with whom it is shared sees them with their own rights.",
              )}
            </p>
            {begin}
          </>
        }
      >
        {(search) => (
          <>
            <SideLinks found={found} nameOf={(each) => each.name} search={search} none={t("None yet.")}>
              {(each) => (
                <Link to="/dashboards/$name" params={{ name: each.name }} activeProps={{ className: "active" }}>
                  {each.title ?? each.name}
                </Link>
              )}
            </SideLinks>
            {name !== undefined && begin}
          </>
        )}
      </SideList>
      {isMaking && <NewDashboardDialog onClose={() => setMaking(false)} />}
    </>
  );
}
