/** What waits for the second step of a person: a row of `portolan.sign_ins`, whose id is in the form. */
import { hashOf } from "../../kernel/identity/hash.ts";
import type { OAuthContext } from "../context.ts";
import { randomText } from "../secrets.ts";

export interface Waiting {
  /** Null: a passkey will say who it is. */
  readonly account: string | null;
  /** Of the authenticator that is being added. */
  readonly secret: string | null;
  /** That a passkey signs. */
  readonly challenge: string | null;
}

/** Begins one, and returns its id. */
export async function beginWaiting(
  { database }: Pick<OAuthContext, "database">,
  { account = null, secret = null, challenge = null }: Partial<Waiting>,
): Promise<string> {
  const id = randomText();
  await database.db.func("portolan.begin_sign_in", [hashOf(id), account, secret, challenge]);
  return id;
}

/** That of an id, while it lasts. `ends`: this is its last use. */
export async function findWaiting(
  { database }: Pick<OAuthContext, "database">,
  id: string | undefined,
  ends = false,
): Promise<Waiting | undefined> {
  if (id === undefined) return undefined;
  const row = await database.db.oneOrNone<Waiting>("select * from portolan.waiting_sign_in($1, $2)", [
    hashOf(id),
    ends,
  ]);
  return row ?? undefined;
}
