/** The proof that a caller knows its own password, for the SQL function that takes a new one. */
import type { Database, Identity } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { audit } from "../kernel/identity/audit.ts";
import { verifyOwnPassword as verify } from "../kernel/identity/signIn.ts";

export interface OwnPassword {
  readonly database: Database;
  readonly identity: Identity;
  readonly address: string | undefined;
}

/**
 * The stored hash of the caller's account, which only the gateway can read. Throws `FORBIDDEN` when `password` is
 * wrong, and `RATE_LIMITED` after too many wrong ones, so that the holder of a stolen token cannot guess with it.
 */
export async function verifyOwnPassword(
  { database, identity, address }: OwnPassword,
  password: string,
): Promise<string> {
  const stored = await verify(database, { name: identity.name, password, address });
  if (stored !== undefined) return stored;
  await audit(database, { event: "sign_in.refused", account: identity.name, address, details: { via: "management" } });
  throw new GatewayError("FORBIDDEN", "current_password is wrong");
}
