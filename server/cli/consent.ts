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
      .description("revoke one: its tokens become invalid, and the account is asked again"),
    "select portolan.end_consent($1, $2)",
    (account = "", client = "") => `the consent of ${account} to ${client} is revoked`,
  );
}
