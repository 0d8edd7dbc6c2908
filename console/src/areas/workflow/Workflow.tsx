/** Tables in whose workflow one takes part, with how much waits there, and the one that is open. */
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { useWaiting, type Waiting } from "../../service/workflow.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";

export function Workflow() {
  const waiting = useWaiting();
  const { table } = useParams({ strict: false });
  return (
    <div className="sided">
      <nav aria-label="Tables with workflow" className={table === undefined ? "side" : "side chosen"}>
        <h2>Waiting</h2>
        <ErrorNote error={waiting.error} />
        {waiting.data?.length === 0 && <p className="quiet">You take part in no workflow.</p>}
        <ul>
          {waiting.data?.map((each) => (
            <li key={`${each.schema} ${each.table}`}>
              <Link to="/workflow/$schema/$table" params={{ schema: each.schema, table: each.table }}>
                {each.table} <span className="quiet">{countText(each)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="content">
        <Outlet />
        {table === undefined && (
          <p className="empty">
            {waiting.data?.length === 0
              ? "A super user gives roles in a workflow: author, reviewer or publisher of a table."
              : "Choose a table to see what waits there."}
          </p>
        )}
      </div>
    </div>
  );
}

/** What waits for whoever is this in the workflow. */
function countText({ role, drafted, reviewed }: Waiting): string {
  if (role === "author") return `${drafted} of yours`;
  return role === "reviewer" ? `${drafted} to review` : `${drafted + reviewed} to publish`;
}
