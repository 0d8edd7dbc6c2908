/** Commands about consents: which clients may act for an account. */
import type { Command } from "commander";
import { calling, listing } from "./command.ts";

export function addConsentCommands(program: Command): void {
  const consent = program.command("consent").description("which clients may act for accounts");
  listing(
    consent.command("list [account]").description("all consents, latest first"),
    "select account_name as account, client_id as client, scopes, resources, given_at from portolan.list_consents($1)",
  );
  calling(
    consent
      .command("remove <account> <client>")
      .description("take one back: its tokens end, the account is asked again"),
    "select portolan.end_consent($1, $2)",
    (account = "", client = "") => `${account} allows ${client} nothing any more`,
  );
}
