/** Accounts over REST. The SQL functions beneath decide who may do what, under the caller's own role. */
import { z } from "zod";
import { hashPassword } from "../kernel/identity/passwords.ts";
import { ignored } from "../kernel/http/ignoredMembers.ts";
import { collectionResources } from "../kernel/rest/collection.ts";
import { verifyOwnPassword } from "./ownPassword.ts";
import type { Caller } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const MAX_PASSWORD_BYTES = 1024;

/** What the name of an account is. */
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
const userGroup = accountName.meta({ description: "Another account, whose rights this one inherits" });
const properties = z
  .record(z.string(), z.unknown())
  .meta({ description: "What policies and rules may ask for; a claim of the account's tokens" });
const superuser = z.boolean().meta({ description: "Every right on all exposed schemas" });
const instant = z.string().nullable().meta({ format: "date-time" });

const shown = z
  .object({
    name: accountName,
    email: email.nullable(),
    user_group: userGroup.nullable(),
    properties,
    superuser,
    last_sign_in: instant.meta({ description: "When it last gave its password to sign in; null: never" }),
    locked_until: instant.meta({
      description: "Until when failures to sign in have it wait, at one address at least; null: it need not",
    }),
  })
  .meta({ title: "User" });
const IGNORED = ["default_user"] as const;
const create = z
  .strictObject({
    name: accountName,
    password: password.nullish().meta({ description: "Without it the account cannot sign in with a password" }),
    email: email.nullish(),
    user_group: userGroup.nullish(),
    properties: properties.optional(),
    superuser: superuser.optional(),
    ...ignored(IGNORED),
  })
  .meta({ title: "NewUser" });
const change = z
  .strictObject({
    password: password.nullish().meta({ description: "null keeps it, as leaving it out does" }),
    current_password: z.string().optional().meta({
      description: "The caller's own password; needed by an account that changes it and is no super user",
      format: "password",
      writeOnly: true,
    }),
    email: email.nullish(),
    user_group: userGroup.nullish(),
    properties: properties.optional(),
    superuser: superuser.optional(),
    ...ignored(IGNORED),
  })
  .meta({ title: "UserChange" });

const CREATE = `
select portolan.create_user(u.name, u.password, u.email, u.user_group, u.properties, u.superuser)
from jsonb_to_recordset($1::jsonb)
  as u (name text, password text, email text, user_group text, properties jsonb, superuser boolean)`;

export const userResources = collectionResources({
  path: "/users",
  noun: "account",
  name: accountName,
  description:
    "For super users. Every account may read itself, and change its own email and, with current_password, its password.",
  shown,
  create,
  change,
  ignored: IGNORED,

  list: (caller, names) => rowsOf(caller, "portolan.list_users($1::text[])", [names]),

  async add(caller, users) {
    await createUsers(caller, []); // who may not make accounts does not make the gateway hash passwords
    const rows: object[] = [];
    // one after the other, so that a long list keeps nobody else's sign-in waiting
    for (const user of users) rows.push({ ...user, password: await hashed(user.password) });
    await createUsers(caller, rows);
    return users;
  },

  async update(caller, names, { current_password: current, password: next, ...rest }) {
    const verified = current === undefined ? undefined : await verifyOwnPassword(caller, current);
    const changes = next === undefined || next === null ? rest : { ...rest, password: await hashed(next) };
    await caller.transact((transaction) =>
      transaction.query({
        text: "select portolan.change_account(name, $2::jsonb, $3) from unnest($1::text[]) name",
        values: [names, JSON.stringify(changes), verified],
      }),
    );
  },

  async remove(caller, names) {
    await caller.transact((transaction) =>
      transaction.query({ text: "select portolan.drop_user(name) from unnest($1::text[]) name", values: [names] }),
    );
  },
});

async function createUsers(caller: Caller, users: readonly object[]): Promise<void> {
  await caller.transact((transaction) => transaction.query({ text: CREATE, values: [JSON.stringify(users)] }));
}

function hashed(text: string | null | undefined): Promise<string | null> {
  return text === null || text === undefined ? Promise.resolve(null) : hashPassword(text);
}
