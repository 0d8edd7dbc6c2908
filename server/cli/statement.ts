/** Commands about the running statements of a database. */
import type { Command } from "commander";
import { calling, listing } from "./command.ts";

export function addStatementCommands(program: Command): void {
  const statement = program.command("statement").description("what runs in the database now");
  listing(
    statement.command("list").description("statements that run, and transactions that are open, the longest first"),
    "select * from portolan.list_statements()",
  );
  calling(
    statement.command("cancel <pid>").description("cancel what a session runs"),
    "select portolan.cancel_statement($1)",
    (pid) => `what ${pid} ran is cancelled`,
  );
}
