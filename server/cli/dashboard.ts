/** Dashboards. */
import type { Command } from "commander";
import { readFileSync } from "node:fs";
import { calling, listing, print, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";
import { parseObject } from "./json.ts";

export function addDashboardCommands(program: Command): void {
  const dashboard = program.command("dashboard").description("charts, numbers and tables of SQL");
  withDatabase(
    dashboard
      .command("add <name> <json>")
      .description("save a dashboard: panels, title, shared, as in REST; - reads it from standard input"),
  ).action(add);
  listing(
    dashboard.command("list").description("all dashboards"),
    "select name, title, owner, shared from portolan.list_dashboards()",
  );
  listing(
    dashboard.command("show <name>").description("a dashboard"),
    "select title, owner, shared, panels, version from portolan.list_dashboards(array[$1])",
  );
  withDatabase(
    dashboard.command("change <name> <json>").description("change members, with their names in REST: a JSON object"),
  ).action(change);
  calling(
    dashboard.command("remove <name>").description("remove a dashboard"),
    "select portolan.drop_dashboard($1)",
    (name) => `${name} is removed`,
  );
}

async function add(name: string, json: string, options: DatabaseOption): Promise<void> {
  const { check } = await import("../kernel/rest/body.ts");
  const { newDashboard } = await import("../management/dashboards.ts");
  const text = json === "-" ? readFileSync(0, "utf8") : json;
  const { panels, title, shared } = check(newDashboard, {
    ...(JSON.parse(parseObject("the dashboard", text)) as object),
    name,
  });
  await withOwner(options, ({ db }) =>
    db.func("portolan.create_dashboard", [name, title ?? null, JSON.stringify(panels ?? []), shared ?? []]),
  );
  print(`${name} is saved`);
}

async function change(name: string, json: string, options: DatabaseOption): Promise<void> {
  const { check } = await import("../kernel/rest/body.ts");
  const { dashboardChange } = await import("../management/dashboards.ts");
  const changes = check(dashboardChange, JSON.parse(parseObject("the changes", json)));
  await withOwner(options, ({ db }) => db.func("portolan.update_dashboard", [name, changes]));
  print(`${name} is changed`);
}
