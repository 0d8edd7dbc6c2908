/** Tables in whose workflow the account has a role, with the number of waiting rows, and the open one. */
import { Link, useParams } from "@tanstack/react-router";
import { useWaiting, type Waiting } from "../../service/workflow.ts";
import { SideLinks } from "../../ui/shell/SideLinks.tsx";
import { SideList } from "../../ui/shell/SideList.tsx";

export function Workflow() {
  const waiting = useWaiting();
  const { table } = useParams({ strict: false });
  return (
    <SideList
      title="Workflow"
      label="Tables with workflow"
      noun="a table"
      isChosen={table !== undefined}
      empty={
        waiting.data?.length === 0
          ? "A super user gives roles in a workflow: author, reviewer or publisher of a table."
          : "Choose a table to see what waits there."
      }
    >
      {(search) => (
        <SideLinks
          title="Waiting"
          found={waiting}
          nameOf={(each) => `${each.schema}.${each.table}`}
          search={search}
          none="You take part in no workflow."
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

/** The rows that wait for somebody with this role. */
function countText({ role, drafted, reviewed }: Waiting): string {
  if (role === "author") return `${drafted} of yours`;
  return role === "reviewer" ? `${drafted} to review` : `${drafted + reviewed} to publish`;
}
