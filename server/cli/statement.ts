/** Commands about the statements of a database. */
import type { Command } from "commander";
import { calling, listing, printRows, rowsOf, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

export function addStatementCommands(program: Command): void {
  const statement = program.command("statement").description("running statements, and those that took the most time");
  listing(
    statement.command("list").description("running statements and open transactions, the longest first"),
    "select * from portolan.list_statements()",
  );
  calling(
    statement.command("cancel <pid>").description("cancel the statement of a session"),
    "select portolan.cancel_statement($1)",
    (pid) => `the statement of ${pid} is cancelled`,
  );
  withDatabase(
    statement
      .command("top")
      .description("statements with the most time (pg_stat_statements), and the indexes that they lack"),
  )
    .option("--limit <number>", "how many", "20")
    .option("--json", "as JSON")
    .action(async (options: DatabaseOption & { readonly limit: string; readonly json?: boolean }) => {
      const { withIndexAdvice } = await import("../operate/indexAdvice.ts");
      const rows = await withOwner(options, async (database) => {
        const found = await rowsOf(database, "select * from portolan.list_top_statements($1)", [options.limit]);
        return withIndexAdvice(found, (question, argument) =>
          rowsOf(database, `select * from ${question} r`, [argument]),
        );
      });
      printRows(rows, options.json);
    });
}
