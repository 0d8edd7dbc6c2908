/** Commands about second factors. */
import type { Command } from "commander";
import { calling, listing } from "./command.ts";

export function addFactorCommands(program: Command): void {
  const factor = program.command("factor").description("second factors of accounts");
  listing(
    factor.command("list [account]").description("authenticators and passkeys, and how many recovery codes are left"),
    `select id, account, kind, name, made_at as made, used_at as used, recovery_codes
     from portolan.visible_factors where account = coalesce(lower($1), account) order by account, made_at, id`,
  );
  calling(
    factor
      .command("reset <account>")
      .description("remove all factors and recovery codes of an account that has lost them"),
    "select portolan.reset_factors($1)",
    (account = "") => `${account.toLowerCase()} no longer has a second factor`,
  );
}
