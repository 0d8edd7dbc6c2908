/** A sign-in that waits for the person's next step: a row of `portolan.sign_ins`, whose id the browser has. */
import type { Database } from "../../kernel/database/database.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { randomText } from "../secrets.ts";

/** The state of a sign-in at another provider. */
export interface UpstreamState {
  /** The id of the provider. */
  readonly provider?: string;
  /** The hash of the browser that began; the next step must come from the same browser. */
  readonly browser?: string;
  /** The address of this service in that browser, whose cookies are for its host. */
  readonly at?: string;
  /** The path of the page to which the person goes back. */
  readonly returnTo: string;
  /** The nonce that the provider's ID token must have. */
  readonly nonce?: string;
  readonly verifier?: string;
  /** The person at the provider, who may be linked to an account if its owner agrees. */
  readonly identity?: {
    readonly provider: string;
    readonly issuer: string;
    readonly subject: string;
    readonly email: string | null;
  };
  /** How the account has signed in so far (RFC 8176). Undefined where this is not a step of its sign-in. */
  readonly amr?: readonly string[];
}

export interface Waiting {
  /** Null: the next step will say who it is. */
  readonly account: string | null;
  /** The secret of the authenticator that is being added. */
  readonly secret: string | null;
  /** The challenge that a passkey must sign. */
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

/** The waiting sign-in with this id, until it expires. `ends`: it cannot be used again. */
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
