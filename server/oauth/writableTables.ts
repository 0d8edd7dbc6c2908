/** The tables in which an agent may change data for an account, for the consent page. */
import { CATALOGUE } from "../kernel/database/database.ts";
import { accountIdentity } from "../kernel/identity/identity.ts";
import type { Account } from "../kernel/identity/tokens.ts";
import type { OAuthContext } from "./context.ts";

export interface WritableTable {
  readonly table: string;
  /** Some of insert, update and delete. */
  readonly rights: readonly string[];
}

/** The tables that the account may write to, by its rights and rules as they are now. */
export async function writableTables(
  { kernel, database, address }: OAuthContext,
  account: Account,
): Promise<readonly WritableTable[]> {
  const { rows } = await database.withIdentity(
    accountIdentity(database, account),
    { service: "mcp", address, readOnly: true, reach: CATALOGUE },
    (transaction) =>
      transaction.query<{ table: string; rights: readonly string[] }>({
        text: `
select t.schema || '.' || t.name as table, array_remove(t.rights, 'select') as rights
from portolan.agent_tables($1) t
where t.rights <> '{}' and t.rights <> '{select}'`,
        values: [kernel.schemasOf(database.name)],
        last: true,
      }),
  );
  return rows;
}
