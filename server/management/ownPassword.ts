/** The proof that a caller knows its own password, for the SQL function that takes a new one. */
import type { Database, Identity } from "../database.ts";
import { GatewayError } from "../errors.ts";
import { verifyPassword } from "../passwords.ts";
import { noteGuess, refuseIfLocked, type Guess } from "../signIn.ts";
import { passwordHashOf } from "../tokens.ts";

export interface OwnPassword {
  readonly database: Database;
  readonly identity: Identity;
  readonly address: string | undefined;
}

/**
 * The stored hash of the caller's account, which nobody but the gateway can read. Throws `FORBIDDEN` when `password` is
 * not right, `RATE_LIMITED` after too many that were not: who has somebody's token must not guess with it.
 */
export async function verifyOwnPassword(
  { database, identity, address }: OwnPassword,
  password: string,
): Promise<string> {
  const guess: Guess = { kind: "account", subject: identity.name, address };
  await refuseIfLocked(database, guess);
  const stored = await passwordHashOf(database, identity.name);
  const right = await verifyPassword(password, stored);
  await noteGuess(database, guess, right);
  if (!right || stored === null) throw new GatewayError("FORBIDDEN", "current_password is not right");
  return stored;
}
