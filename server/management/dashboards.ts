/** Dashboards over REST. Row security of `portolan.dashboards` decides who sees and changes which; panels run with the rights of who looks. */
import { z } from "zod";
import { collectionResources } from "../kernel/rest/collection.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { ownDashboardMembers, dashboardMembers, dashboardName } from "./dashboardShape.ts";

const version = z.int().meta({ description: "Counts the changes of the dashboard" });
const { shared, panels, ...own } = ownDashboardMembers;

export const newDashboard = z
  .strictObject({ name: dashboardName, ...own, panels: panels.optional(), shared: shared.optional() })
  .meta({ title: "NewDashboard" });

export const dashboardChange = z
  .strictObject({
    ...z.object(dashboardMembers).partial().shape,
    version: version.optional().meta({ description: "The version that was read: 409 where it is another by now" }),
  })
  .meta({ title: "DashboardChange" });

export const dashboardResources = collectionResources({
  path: "/dashboards",
  noun: "dashboard",
  name: dashboardName,
  description:
    "Charts, numbers and tables of SQL. The account that saves one owns it; it and super users change it, and those that it is shared with see it. Each panel runs by POST /sql, with the rights of who looks.",
  shown: z
    .object({
      name: dashboardName,
      ...dashboardMembers,
      version,
      may_change: z.boolean().meta({ description: "Whether the caller may change it" }),
    })
    .meta({ title: "Dashboard" }),
  create: newDashboard,
  change: dashboardChange,
  oneForOne: true,

  list: (caller, names) => rowsOf(caller, "portolan.list_dashboards($1::text[])", [names]),

  async add(caller, dashboards) {
    await caller.transact((transaction) =>
      transaction.query({
        text: `
select portolan.create_dashboard(m.name, m.title, m.panels, m.shared)
from jsonb_to_recordset($1::jsonb) as m (name text, title text, panels jsonb, shared text[])`,
        values: [JSON.stringify(dashboards)],
      }),
    );
    return dashboards.map(({ name }) => ({ name }));
  },

  async update(caller, names, change) {
    await caller.transact((transaction) =>
      transaction.query({
        text: "select portolan.update_dashboard(name, $2::jsonb) from unnest($1::text[]) name",
        values: [names, JSON.stringify(change)],
      }),
    );
  },

  async remove(caller, names) {
    await caller.transact((transaction) =>
      transaction.query({ text: "select portolan.drop_dashboard(name) from unnest($1::text[]) name", values: [names] }),
    );
  },
});
