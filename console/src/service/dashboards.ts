/** Dashboards: charts, numbers and tables of SQL, which accounts share. */
import { queryOptions } from "@tanstack/react-query";
import type { Dashboard } from "./http/openapi.ts";
import { read, send } from "./http/rest.ts";

export type { Dashboard };
export type DashboardPanel = Dashboard["panels"][number];
export type Show = DashboardPanel["show"];

export const dashboards = queryOptions({
  queryKey: ["dashboards"],
  queryFn: ({ signal }) => read<readonly Dashboard[]>("/dashboards", signal),
});

export function addDashboard(name: string, title: string | null, panels: readonly DashboardPanel[]): Promise<void> {
  return send("POST", "/dashboards", { name, title, panels });
}

export type DashboardChange = Partial<Pick<Dashboard, "title" | "panels" | "shared">>;

/** Throws `ServiceError`, CONFLICT where somebody has changed it since it was read. */
export function changeDashboard({ name, version }: Dashboard, change: DashboardChange): Promise<void> {
  return send("PATCH", `/dashboards/${name}`, { ...change, version });
}

export function removeDashboard({ name }: Dashboard): Promise<void> {
  return send("DELETE", `/dashboards/${name}`);
}
