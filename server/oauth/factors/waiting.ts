/** What waits for the next step of a person: a row of `portolan.sign_ins`, whose id the browser has. */
import type { Database } from "../../kernel/database/database.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { randomText } from "../secrets.ts";

/** Of a sign-in at another provider. */
export interface UpstreamState {
  /** The id of the provider. */
  readonly provider?: string;
  /** The hash of the browser that began; the next step counts in the same one. */
  readonly browser?: string;
  /** The path of the page to which the person goes back. */
  readonly returnTo: string;
  /** What the answer of the provider must fit. */
  readonly nonce?: string;
  readonly verifier?: string;
  /** Who has signed in there, and may be linked to an account whose owner agrees. */
  readonly identity?: {
    readonly provider: string;
    readonly issuer: string;
    readonly subject: string;
    readonly email: string | null;
  };
  /** How the account has signed in so far (RFC 8176). Default: with its password. */
  readonly amr?: readonly string[];
}

export interface Waiting {
  /** Null: the next step will say who it is. */
  readonly account: string | null;
  /** Of the authenticator that is being added. */
  readonly secret: string | null;
  /** That a passkey signs. */
  readonly challenge: string | null;
  readonly upstream: UpstreamState | null;
}

/** Begins one, and returns its id: a new one, unless it is given. */
export async function beginWaiting(
  { database }: { readonly database: Database },
  given: Partial<Waiting> & { readonly id?: string },
): Promise<string> {
  const { id = randomText(), account = null, secret = null, challenge = null, upstream = null } = given;
  await database.db.func("portolan.begin_sign_in", [hashOf(id), account, secret, challenge, upstream]);
  return id;
}

/** That of an id, while it lasts. `ends`: this is its last use. */
export async function findWaiting(
  { database }: { readonly database: Database },
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
