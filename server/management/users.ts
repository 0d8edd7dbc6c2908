/** Accounts over REST. The SQL functions beneath decide who may do what, under the caller's own role. */
import { z } from "zod";
import { hashPassword } from "../kernel/identity/passwords.ts";
import { passwordHashOf } from "../kernel/identity/tokens.ts";
import { inMail, languageFor } from "../kernel/mail/mailer.ts";
import { collectionResources } from "../kernel/rest/collection.ts";
import { limit } from "./operation.ts";
import { verifyOwnPassword } from "./ownPassword.ts";
import type { Caller } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const MAX_PASSWORD_BYTES = 1024;
const MAX_GROUPS = 100;

/** The form of the name of an account. */
export const accountName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z_][a-z0-9_-]{0,39}$/, "must be 1 to 40 of a-z, 0-9, _ and -, and start with a letter or _")
  .meta({ description: "Lower-cased when it is stored" });
const password = z
  .string()
  .min(1, "must not be empty")
  .refine((text) => Buffer.byteLength(text) <= MAX_PASSWORD_BYTES, `must be ${MAX_PASSWORD_BYTES} bytes or less`)
  .meta({ format: "password", writeOnly: true });
const email = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an address");
const userGroup = z
  .union([accountName, z.array(accountName).max(MAX_GROUPS)], {
    error: "must be the name of an account, or a list of names",
  })
  .meta({ description: "Other accounts whose rights this one inherits: a name, or a list of names" });
const defaultUser = z.boolean().meta({
  description: "Guest tokens are for this account. Only one account of a database, and not a super user",
});
const emailVerified = z.boolean().meta({
  description: "Whether the address is known to be the account's: by a link, or by the word of a super user",
});
const twoFactor = z.boolean().meta({
  description: "Whether the account must sign in with a second factor",
});
const allowSignup = z.boolean().nullable().meta({
  description: "For a super user: whether people may sign up in this database; null: the option signUp decides",
});
const socialSignup = z.boolean().nullable().meta({
  description:
    "For a super user: whether other identity providers may bring new people to this database; null: only where sign-up is open. False offers no provider there",
});
const properties = z
  .record(z.string(), z.unknown())
  .meta({ description: "Values for policies and rules; a claim of the account's tokens" });
const superuser = z.boolean().meta({ description: "Every right on all exposed schemas" });
const instant = z.string().nullable().meta({ format: "date-time" });

const shown = z
  .object({
    name: accountName,
    email: email.nullable(),
    user_group: userGroup.nullable(),
    properties,
    superuser,
    default_user: defaultUser,
    email_verified: emailVerified,
    two_factor: twoFactor,
    allow_signup: allowSignup,
    social_signup: socialSignup,
    last_sign_in: instant.meta({ description: "The last sign-in with its password; null: never" }),
    locked_until: instant.meta({
      description: "The time until which failed sign-ins lock it, at one address at least; null: it is not locked",
    }),
  })
  .meta({ title: "User" });
/** What can be given of a new account and of an existing one. */
const given = {
  email: email.nullish(),
  user_group: userGroup.nullish(),
  properties: properties.optional(),
  superuser: superuser.optional(),
  default_user: defaultUser.optional(),
  email_verified: emailVerified.optional(),
  two_factor: twoFactor.optional(),
  allow_signup: allowSignup.optional(),
  social_signup: socialSignup.optional(),
};
const create = z
  .strictObject({
    name: accountName,
    password: password.nullish().meta({ description: "Without it the account cannot sign in with a password" }),
    ...given,
  })
  .meta({ title: "NewUser" });
const change = z
  .strictObject({
    password: password.nullish().meta({ description: "null keeps it, as if it were missing" }),
    current_password: z.string().optional().meta({
      description:
        "The caller's own password; required when an account that is not a super user changes its password or e-mail",
      format: "password",
      writeOnly: true,
    }),
    ...given,
  })
  .meta({ title: "UserChange" });

const LIST = `(
  select u.name, u.email, portolan.group_member(to_jsonb(u.user_groups)) as user_group, u.properties, u.superuser,
    u.default_user, u.email_verified, u.two_factor, u.allow_signup, u.social_signup,
    u.last_sign_in, u.locked_until
  from portolan.list_users($1::text[]) u
  where ($2::text is null or strpos(u.name, lower($2)) > 0 or strpos(lower(u.email), lower($2)) > 0)
    and ($3::text is null or u.name > lower($3))
  order by u.name
  limit $4)`;
const CREATE = `
select portolan.create_user(u.name, u.password, u.email, u.user_group, u.properties, u.superuser)
from jsonb_to_recordset($1::jsonb)
  as u (name text, password text, email text, user_group text, properties jsonb, superuser boolean)`;
/** Members that `portolan.create_user` does not take. */
const FLAGS = ["default_user", "email_verified", "two_factor", "allow_signup", "social_signup"] as const;
const SET_FLAGS = "select portolan.update_user($1, $2)";

export const userResources = collectionResources({
  path: "/users",
  noun: "account",
  name: accountName,
  description:
    "For super users. Every account may read itself, and change its own email and password with current_password; the email also within ten minutes after its sign-in. The caller becomes the owner of the maps, queries, dashboards and views of a removed account, and they stay shared.",
  shown,
  create,
  change,

  query: {
    q: { description: "Only those whose name or e-mail contains this text", schema: z.string().max(100) },
    after: { description: "Only those whose names come after this one: the next page", schema: z.string().max(100) },
    limit: { ...limit, description: "How many; default all" },
  },

  list: (caller, names, { q, after, limit: most }) =>
    rowsOf(caller, LIST, [names, q ?? null, after ?? null, most ?? null]),

  async add(caller, users) {
    await createUsers(caller, []); // an account that may not make accounts must not make the gateway hash passwords
    const rows: NewRow[] = [];
    // one after the other, so that a long list does not delay other sign-ins
    for (const user of users)
      rows.push({ ...user, user_group: groupNames(user.user_group), password: await hashed(user.password) });
    await createUsers(caller, rows);
    return users;
  },

  async update(caller, names, { current_password: current, password: next, ...rest }) {
    const verified = await proofOf(caller, current, next ?? undefined);
    const changes = next === undefined || next === null ? rest : { ...rest, password: await hashed(next) };
    const left = await leftAddress(caller, names, rest.email);
    await caller.transact((transaction) =>
      transaction.query({
        text: "select portolan.change_account(name, $2::jsonb, $3) from unnest($1::text[]) name",
        values: [names, JSON.stringify(changes), verified],
      }),
    );
    if (left !== undefined) tellOfNewAddress(caller, left);
  },

  async remove(caller, names) {
    await caller.transact((transaction) =>
      transaction.query({ text: "select portolan.drop_user(name) from unnest($1::text[]) name", values: [names] }),
    );
  },
});

/**
 * The stored hash of the caller's account, for a change that needs it: after the current password, or, for all but a new
 * password, a recent sign-in. The empty text for an account without a password.
 */
async function proofOf(
  caller: Caller,
  current: string | undefined,
  next: string | undefined,
): Promise<string | undefined> {
  if (current !== undefined) return verifyOwnPassword(caller, current);
  if (next !== undefined || !(await hasJustSignedIn(caller))) return undefined;
  return (await passwordHashOf(caller.database, caller.identity.name)) ?? "";
}

/** Seconds in which a sign-in counts as recent. */
const RECENT_SECONDS = 600;

/** Whether the person of the token has signed in a moment ago: a stolen token is rarely that young. */
async function hasJustSignedIn({ database, identity }: Caller): Promise<boolean> {
  const { has } = await database.db.one<{ has: boolean }>(
    `select exists (
       select from portolan.token_families f
       where f.id = $1::uuid and (f.asked ->> 'auth_time')::float8 > extract(epoch from now()) - $2) as has`,
    [identity.claims["fam"] ?? null, RECENT_SECONDS],
  );
  return has;
}

/**
 * The address that a change takes from the caller's own account. Undefined where no mail is sent, and for an unverified
 * address, which may belong to a stranger.
 */
async function leftAddress(
  { mail, identity, database }: Caller,
  names: readonly string[],
  next: string | null | undefined,
): Promise<string | undefined> {
  if (!mail || next === undefined || !names.includes(identity.name)) return undefined;
  const row = await database.db.oneOrNone<{ email: string }>(
    "select email from portolan.users where name = $1 and email <> coalesce($2, '') and not email_claimed",
    [identity.name, next],
  );
  return row?.email;
}

/** Notifies the owner of the address, since anybody with a token of the account can change it. */
function tellOfNewAddress({ mail, identity, baseUrl, language, address }: Caller, to: string): void {
  const values = { name: identity.name, service: baseUrl, when: inMail(new Date()), address: address ?? "?" };
  const { locale } = (identity.claims["properties"] ?? {}) as { readonly locale?: unknown };
  mail?.send({ kind: "newAddress", to, language: languageFor(locale, language), values });
}

interface NewRow {
  readonly name: string;
  readonly user_group: string | null;
  readonly password: string | null;
  readonly default_user?: boolean | undefined;
  readonly email_verified?: boolean | undefined;
  readonly two_factor?: boolean | undefined;
  readonly allow_signup?: boolean | null | undefined;
  readonly social_signup?: boolean | null | undefined;
}

async function createUsers(caller: Caller, users: readonly NewRow[]): Promise<void> {
  await caller.transact(async (transaction) => {
    await transaction.query({ text: CREATE, values: [JSON.stringify(users)] });
    for (const { name, ...row } of users) {
      const set = FLAGS.filter((flag) => typeof row[flag] === "boolean");
      if (set.length > 0)
        await transaction.query({
          text: SET_FLAGS,
          values: [name, JSON.stringify(Object.fromEntries(set.map((flag) => [flag, row[flag]])))],
        });
    }
  });
}

/** The names of groups as `portolan.create_user` takes them. */
function groupNames(groups: string | readonly string[] | null | undefined): string | null {
  return [groups ?? []].flat().join() || null;
}

function hashed(text: string | null | undefined): Promise<string | null> {
  return text === null || text === undefined ? Promise.resolve(null) : hashPassword(text);
}
