/** Commands about people of other identity providers who have accounts here. */
import type { Command } from "commander";
import { calling, listing } from "./command.ts";

export function addIdentityCommands(program: Command): void {
  const identity = program.command("identity").description("people of other identity providers who have accounts here");
  listing(
    identity.command("list [account]").description("all links between accounts and other providers"),
    `select id, account, provider, subject, email, made_at as made, used_at as used
     from portolan.visible_identities where account = coalesce(lower($1), account) order by account, made_at, id`,
  );
  calling(
    identity
      .command("add <account> <issuer> <subject>")
      .description("link a subject of an outside issuer, such as a job of a CI, to an account"),
    "select portolan.add_identity($1, $2, $3)",
    (account = "", issuer = "", subject = "") => `${subject} of ${issuer} is ${account.toLowerCase()}`,
  );
  calling(
    identity.command("remove <id>").description("unlink one: that person can no longer sign in as the account"),
    "select portolan.remove_identity($1)",
    (id = "") => `${id} is no longer linked`,
  );
}
