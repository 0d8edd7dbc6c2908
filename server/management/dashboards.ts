/** Dashboards over REST: panels run with the rights of the viewer. */
import { dashboardMembers } from "./dashboardShape.ts";
import { savedKind } from "./saved.ts";

export const dashboards = savedKind({
  noun: "dashboard",
  plural: "dashboards",
  title: "Dashboard",
  description:
    "Charts, numbers and tables of SQL. The account that saves one owns it. The owner and super users change it, and the accounts that it is shared with see it. Each panel runs by POST /sql, with the rights of the viewer.",
  members: dashboardMembers,
  required: [],
});
