/** Dashboards: charts, numbers and tables of SQL, which accounts share. */
import type { Dashboard } from "./http/openapi.ts";
import { savedThings } from "./saved.ts";

export type { Dashboard };
export type DashboardPanel = Dashboard["panels"][number];
export type Show = DashboardPanel["show"];
export type DashboardChange = Partial<Pick<Dashboard, "title" | "panels" | "shared">>;

export const savedDashboards = savedThings<Dashboard>("dashboards");
export const dashboards = savedDashboards.all;
