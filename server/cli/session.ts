/** Commands about sessions: where accounts are signed in. */
import type { Command } from "commander";
import { calling, listing } from "./command.ts";

export function addSessionCommands(program: Command): void {
  const session = program.command("session").description("where accounts are signed in");
  listing(
    session.command("list [account]").description("browsers and applications, latest first"),
    `select id, kind, account, client_id as client, agent, address, since, expires_at as expires, resource
     from portolan.visible_sessions where account = coalesce(lower($1), account) order by since desc, id`,
  );
  calling(
    session
      .command("remove <id>")
      .description("end a session: its tokens become invalid, and its browser is signed out"),
    "select portolan.end_session($1)",
    (id = "") => `session ${id} has ended`,
  );
}
