import { OperatorError } from "../ground/errors.ts";
import { withOwner, type DatabaseOption, type ServedDatabase } from "./databases.ts";

/** A token, and the database whose service it is for. */
export interface AccountToken {
  readonly token: string;
  readonly served: ServedDatabase;
}

/** The purpose of a token. */
export interface TokenUse {
  readonly lifetimeSeconds: number;
  /** For the agents' door of the database, and not for the service. Default false. */
  readonly agent?: boolean;
  /** Words between spaces. Default none. */
  readonly scope?: string | undefined;
}

/**
 * An access token for the account, or for a super user if none is named; that is in the audit. Throws `OperatorError`
 * without such an account.
 */
export async function tokenFor(
  options: DatabaseOption,
  name: string | undefined,
  { lifetimeSeconds, agent = false, scope }: TokenUse,
): Promise<AccountToken> {
  const { CLI_CLIENT, findAccount, signAccessToken } = await import("../kernel/identity/tokens.ts");
  const { agentsResource } = await import("../kernel/identity/resources.ts");
  return withOwner(options, async (database, served) => {
    const row =
      name === undefined
        ? await database.db.oneOrNone<{ name: string }>(
            "select name from portolan.users where superuser order by name limit 1",
          )
        : { name: name.toLowerCase() };
    if (!row)
      throw new OperatorError("there is no super user yet: create one with portolan user create NAME --superuser");
    const account = await findAccount(database, row.name);
    if (!account) throw new OperatorError(`there is no account "${row.name}"`);
    const token = await signAccessToken(database, account, {
      issuer: served.baseUrl,
      clientId: CLI_CLIENT,
      lifetimeSeconds,
      ...(scope !== undefined && { scope }),
      ...(agent && { resource: agentsResource(served.baseUrl, database.name) }),
    });
    await database.db.none(
      `insert into portolan.audit (event, account, client_id, details)
       values ('granted', $1, $2, jsonb_build_object('by', portolan.actor(), 'lifetime_seconds', $3::integer))`,
      [account.name, CLI_CLIENT, lifetimeSeconds],
    );
    return { token, served };
  });
}
