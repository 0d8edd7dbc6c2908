/** Accounts that sign in with a password: verified in turn, under the lock on guessing. */
import { setTimeout as sleep } from "node:timers/promises";
import { audit } from "./audit.ts";
import type { Database } from "../database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import { networkOf } from "../http/clientAddress.ts";
import { tellOfNewPlace, type NewPlace } from "../mail/newPlace.ts";
import { compareInTurn, hashPassword, inTurn, isCurrentHash } from "./passwords.ts";
import { refuseWithoutFactor, type MfaMode } from "./secondFactor.ts";
import { findAccount, passwordHashOf, type Account } from "./tokens.ts";

/** A subject of guessing: a password, a client's secret, the code that a device shows. */
export interface Guess {
  readonly kind: "account" | "client" | "user_code" | "mail" | "second_factor";
  /** The guessed thing, e.g. the account's name; empty where everybody guesses at the same. */
  readonly subject: string;
  /** The caller's address. */
  readonly address: string | undefined;
}

/** Throws `RATE_LIMITED` with `Retry-After` while the caller must wait. */
export async function refuseIfLocked(database: Database, guess: Guess): Promise<void> {
  await attempt(database, guess, null);
}

/** Counts a guess. Throws `RATE_LIMITED`, right or wrong, when the lock went on while it was verified. */
export async function noteGuess(database: Database, guess: Guess, right: boolean): Promise<void> {
  await attempt(database, guess, right);
}

async function attempt(database: Database, { kind, subject, address }: Guess, right: boolean | null): Promise<void> {
  const { wait } = await database.db.one<{ wait: number }>({
    name: "attempt",
    text: "select portolan.attempt($1, $2, $3, $4) as wait",
    values: [kind, subject, networkOf(address ?? ""), right],
  });
  if (wait > 0) throw tooManyFailures(wait);
}

/** `seconds`: until the next attempt. */
export function tooManyFailures(seconds: number): GatewayError {
  return new GatewayError("RATE_LIMITED", "Too many attempts; try again later", {
    headers: { "Retry-After": String(seconds) },
  });
}

export interface Credentials {
  readonly name: string;
  readonly password: string;
  /** The caller's address. */
  readonly address: string | undefined;
  /** For the audit: the purpose of the sign-in. */
  readonly via: string;
  /** The accounts that need a second factor, and the caller's way to sign in with one. */
  readonly mfa: { readonly mode: MfaMode; readonly instead: string };
  /** What the mail about a sign-in from a new place needs. */
  readonly place: NewPlace;
}

/** The name that a person typed, as accounts have it. */
function accountNameOf(typed: string): string {
  return typed.trim().toLowerCase().replaceAll("\0", ""); // PostgreSQL has no such text
}

/** A wrong password is answered after this time at the earliest, whatever kind of hash it was compared with, or none. */
const REFUSAL_MS = 250;

/**
 * The account with this name and password. Throws `UNAUTHENTICATED` when they do not match, in the same words and after the
 * same time as for an unknown account; `RATE_LIMITED` with `Retry-After` after too many failures; `UNAVAILABLE`; `SecondFactorNeeded`.
 */
export async function signIn(database: Database, credentials: Credentials): Promise<Account> {
  const account = await verifyAccount(database, credentials);
  const { mfa, address, via, place } = credentials;
  await refuseWithoutFactor(database, account, { ...mfa, address, via });
  if (await noteSignIn(database, account, credentials)) tellOfNewPlace(place, account);
  return account;
}

/** The account with this name and password, which has not signed in yet. Throws as `signIn`, except `SecondFactorNeeded`. */
export async function verifyAccount(
  database: Database,
  { password, address, via, ...given }: Omit<Credentials, "mfa" | "place">,
): Promise<Account> {
  const started = performance.now();
  const name = accountNameOf(given.name);
  const hash = await verifyOwnPassword(database, { name, password, address });
  const account = await findAccount(database, name);
  if (hash === undefined || !account) {
    // a name that is no account may be a password in the wrong field
    await audit(database, { event: "sign_in.refused", account: account?.name, address, details: { via } });
    await sleep(Math.max(0, REFUSAL_MS - (performance.now() - started)));
    throw new GatewayError("UNAUTHENTICATED", "The user name or the password is not right");
  }
  if (!isCurrentHash(hash))
    await database.db.func("portolan.rehash_password", [name, hash, await hashPassword(password)]);
  return account;
}

/**
 * Writes down that an account has signed in, with its second factor where it has to. Returns whether it has signed in within
 * 30 days, and never from this network. `amr`: what it gave on our pages (RFC 8176).
 */
export async function noteSignIn(
  { db }: Database,
  { name }: Account,
  { address, via, amr }: Pick<Credentials, "address" | "via"> & { readonly amr?: readonly string[] },
): Promise<boolean> {
  const { isNew } = await db.one<{ isNew: boolean }>('select portolan.note_sign_in($1, $2, $3, $4, $5) as "isNew"', [
    name,
    address ?? null,
    via,
    networkOf(address ?? ""),
    amr ?? null,
  ]);
  return isNew;
}

/**
 * The stored hash of an account, when the password is the right one. Throws `RATE_LIMITED` with `Retry-After` after too
 * many that were not; `UNAVAILABLE`.
 */
export async function verifyOwnPassword(
  database: Database,
  { name, password, address }: Pick<Credentials, "name" | "password" | "address">,
): Promise<string | undefined> {
  const guess: Guess = { kind: "account", subject: name, address };
  await refuseIfLocked(database, guess);
  const { hash, later } = await inTurn(async () => {
    await refuseIfLocked(database, guess); // others may have failed while this one waited
    const hash = await passwordHashOf(database, name);
    return { hash, ...(await compareInTurn(password, hash)) };
  });
  const right = await later;
  await noteGuess(database, guess, right);
  return right && hash !== null ? hash : undefined;
}
