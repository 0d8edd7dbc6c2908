/** Where an account is signed in, for its own page: read and ended under its own rights, as over REST. */
import { accountIdentity } from "../kernel/identity/identity.ts";
import type { Account } from "../kernel/identity/tokens.ts";
import { CATALOGUE, type Transaction } from "../kernel/database/database.ts";
import type { OAuthContext } from "./context.ts";
import { sendLogouts } from "./openid/logouts.ts";
import { sessionId } from "./sessions.ts";

export interface OwnSession {
  readonly id: string;
  /** The name of the application; null for a browser. */
  readonly client: string | null;
  /** The browser's `User-Agent` at sign-in, and the address it came from. */
  readonly agent: string | null;
  readonly address: string | null;
  readonly since: string;
  /** Whether it is that of this browser. */
  readonly isCurrent: boolean;
}

/** The latest 100, latest first. */
export async function ownSessions(context: OAuthContext, account: Account): Promise<readonly OwnSession[]> {
  const rows = await asAccount(context, account, (transaction) =>
    transaction.query<Omit<OwnSession, "isCurrent">>({
      text: `
select id, client, agent, address,
  to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as since
from portolan.visible_sessions v
where account = $1
order by v.since desc, id
limit 100`,
      values: [account.name],
    }),
  );
  const current = await sessionId(context);
  return rows.rows.map((row) => ({ ...row, isCurrent: row.id === current }));
}

/** Ends one of the account's own sessions, and notifies clients that asked for it. Throws `NOT_FOUND`. */
export async function endOwnSession(context: OAuthContext, account: Account, id: string): Promise<void> {
  await asAccount(context, account, (transaction) =>
    transaction.query({
      text: "select portolan.end_session(v.id) from portolan.visible_sessions v where v.id = $1 and v.account = $2",
      values: [id, account.name],
    }),
  );
  sendLogouts(context.kernel, context.database);
}

function asAccount<T>(
  { database, address }: OAuthContext,
  account: Account,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return database.withIdentity(
    accountIdentity(database, account),
    { service: "graphql", address, reach: CATALOGUE },
    run,
  );
}
