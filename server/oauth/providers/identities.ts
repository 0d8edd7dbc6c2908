/** The accounts of people who sign in at other providers. */
import type { IdentityProvider } from "../../kernel/config/identityProviders.ts";
import type { Database } from "../../kernel/database/database.ts";
import { findAccount, type Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { lacksSignUpGroup, signUpIsOpen } from "../signUp.ts";
import type { Upstream } from "./provider.ts";

/** An identity that is linked once the owner of the account agrees. */
export type Pending = Pick<Upstream, "provider" | "issuer" | "subject" | "email">;

/** A person of another provider who is an account here. */
export interface Identity {
  readonly id: string;
  readonly provider: string;
  readonly email: string | null;
  readonly usedAt: Date | null;
}

/** The providers that are offered in a database: none where `social_signup` says so. */
export async function offeredProviders(context: OAuthContext): Promise<readonly IdentityProvider[]> {
  const { identityProviders } = context.kernel.config;
  if (identityProviders.length === 0 || (await socialSignUp(context)) === false) return [];
  return identityProviders;
}

/** Whether an account of the database has an address, and has verified it. Undefined: none has it, or some only claim it. */
export async function addressState({ db }: Database, email: string): Promise<"verified" | "unverified" | undefined> {
  const { verified } = await db.one<{ verified: boolean | null }>(
    "select bool_or(email_verified) as verified from portolan.users where lower(email) = lower($1) and not email_claimed",
    [email],
  );
  if (verified === null) return undefined;
  return verified ? "verified" : "unverified";
}

/** The people of other providers who are an account, latest last. */
export function identitiesOf(
  { database }: Pick<OAuthContext, "database">,
  { name }: Account,
): Promise<readonly Identity[]> {
  return database.db.any<Identity>(
    `
select id, provider, email, used_at as "usedAt"
from portolan.identities where user_name = $1 order by made_at, id`,
    [name],
  );
}

/**
 * Makes an account for a new person. Undefined where new accounts are not allowed, or the address was taken meanwhile;
 * `no_group` where the group of new accounts is missing.
 */
export async function makeAccount(context: OAuthContext, person: Upstream): Promise<Account | "no_group" | undefined> {
  const { database, kernel, address } = context;
  if (!((await socialSignUp(context)) ?? (await signUpIsOpen(context)))) return undefined;
  if (await lacksSignUpGroup(context)) return "no_group";
  const { userName, provider, issuer, subject, email, name } = person;
  const { made } = await database.db.one<{ made: string | null }>(
    "select portolan.sign_up_identity($1, $2::jsonb, $3, $4) as made",
    [userName, { provider, issuer, subject, email, name }, kernel.config.signUpGroup ?? null, address ?? null],
  );
  return made === null ? undefined : findAccount(database, made);
}

/** Links a person to the account that has just signed in. False where both do not hold the same verified address. */
export async function link(context: OAuthContext, account: Account, pending: Pending): Promise<boolean> {
  const { provider, issuer, subject, email } = pending;
  const { linked } = await context.database.db.one<{ linked: boolean }>(
    "select portolan.link_identity($1, $2::jsonb, $3) as linked",
    [account.name, { provider, issuer, subject, email }, context.address ?? null],
  );
  return linked;
}

/** Records that a person has signed in, and updates the account's groups to those that the provider states now. */
export async function noteUse(
  { database, kernel }: OAuthContext,
  account: Account,
  { provider, person }: { readonly provider: IdentityProvider; readonly person: Upstream },
): Promise<void> {
  await database.db.func("portolan.note_identity_use", [person.issuer, person.subject, null, true]);
  const mapped = [...new Set(Object.values(provider.mapGroups))];
  if (mapped.length === 0) return;
  const given = [...new Set(person.groups.flatMap((group) => own(provider.mapGroups, group)))];
  const { impossible } = await database.db.one<{ impossible: string[] }>(
    "select portolan.follow_groups($1, $2, $3) as impossible",
    [account.name, mapped, given],
  );
  if (impossible.length > 0)
    kernel.log.warn(
      { account: account.name, groups: impossible, provider: provider.id },
      "mapGroups names groups that the account cannot be in",
    );
}

function own(map: Readonly<Record<string, string>>, name: string): readonly string[] {
  const value = Object.hasOwn(map, name) ? map[name] : undefined;
  return value === undefined ? [] : [value];
}

async function socialSignUp({ database }: OAuthContext): Promise<boolean | null> {
  const { offered } = await database.db.one<{ offered: boolean | null }>("select portolan.providers_of() as offered");
  return offered;
}
