/** Commands about the running statements of a database. */
import type { Command } from "commander";
import { calling, listing } from "./command.ts";

export function addStatementCommands(program: Command): void {
  const statement = program.command("statement").description("running statements");
  listing(
    statement.command("list").description("running statements and open transactions, the longest first"),
    "select * from portolan.list_statements()",
  );
  calling(
    statement.command("cancel <pid>").description("cancel the statement of a session"),
    "select portolan.cancel_statement($1)",
    (pid) => `what ${pid} ran is cancelled`,
  );
}
