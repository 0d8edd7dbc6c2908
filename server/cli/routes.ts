import type { Command } from "commander";
import { printRows } from "./command.ts";
import { readConfig } from "./databases.ts";

export function addRoutesCommand(program: Command): void {
  program
    .command("routes")
    .description("every HTTP route with its methods, door and body limit in bytes")
    .option("--json", "as JSON")
    .action(async ({ json }: { json?: boolean }) => {
      process.env["GRAPHILE_ENV"] ??= "production"; // oxlint-disable-line no-restricted-properties -- Grafast asks for it
      const { createApp, DOORS } = await import("../app.ts");
      const { methodsOf } = await import("../kernel/http/routes.ts");
      const { createLog } = await import("../ground/log.ts");
      const config = await readConfig();
      // the tables are the same whatever is served, and wherever: without a database there is nothing to connect to
      const app = await createApp({ config, databases: [], baseUrl: "http://localhost", log: createLog("silent") });
      const rows = DOORS.flatMap((door) =>
        app.doors[door].routes.map((route) => ({
          path: route.path,
          methods: methodsOf(route),
          door,
          body_limit: route.maxBodyBytes ?? null,
          summary: route.summary,
        })),
      );
      await app.close();
      printRows(rows, json);
    });
}
