/** The accounts that are linked to subjects of other providers and issuers. */
import type { Database } from "../kernel/database/database.ts";
import { findAccount, type Account } from "../kernel/identity/tokens.ts";

/** The account that a subject of an outside issuer is, if it is known. */
export async function linkedAccount(
  database: Database,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<Account | undefined> {
  const row = await database.db.oneOrNone<{ name: string }>(
    "select user_name as name from portolan.identities where issuer = $1 and subject = $2",
    [issuer, subject],
  );
  return row ? findAccount(database, row.name) : undefined;
}
