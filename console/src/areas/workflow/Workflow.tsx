/** Tables in whose workflow the account has a role, with the number of waiting rows, and the open one. */
import { Link, useParams } from "@tanstack/react-router";
import { useWaiting, type Waiting } from "../../service/workflow.ts";
import { SideLinks } from "../../ui/shell/SideLinks.tsx";
import { SideList } from "../../ui/shell/SideList.tsx";
import { t } from "../../words/words.ts";

export function Workflow() {
  const waiting = useWaiting();
  const { table } = useParams({ strict: false });
  return (
    <SideList
      title={t("Workflow")}
      label={t("Tables with workflow")}
      noun={t("a table")}
      isChosen={table !== undefined}
      empty={
        waiting.data?.length === 0
          ? t("A super user gives roles in a workflow: author, reviewer or publisher of a table.")
          : t("Choose a table to see what waits there.")
      }
    >
      {(search) => (
        <SideLinks
          title={t("Waiting")}
          found={waiting}
          nameOf={(each) => `${each.schema}.${each.table}`}
          search={search}
          none={t("You take part in no workflow.")}
        >
          {(each) => (
            <Link to="/workflow/$schema/$table" params={{ schema: each.schema, table: each.table }}>
              {each.table} <span className="quiet">{countText(each)}</span>
            </Link>
          )}
        </SideLinks>
      )}
    </SideList>
  );
}

/** The number of rows that wait for this role. */
function countText({ role, drafted, reviewed }: Waiting): string {
  if (role === "author") return t("{drafted} of yours", { drafted });
  return role === "reviewer"
    ? t("{drafted} to review", { drafted })
    : t("{drafted} to publish", { drafted: drafted + reviewed });
}
