/** Second factors over REST: each account sees its own, a super user all, and resets those of an account that has lost them. */
import { z } from "zod";
import { readNames } from "../kernel/rest/collection.ts";
import type { Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { accountName } from "./users.ts";

const shown = z
  .object({
    id: z.string(),
    account: z.string(),
    kind: z.enum(["totp", "passkey"]).meta({ description: "totp: codes of an authenticator app" }),
    name: z.string(),
    made_at: z.string().meta({ format: "date-time" }),
    used_at: z.string().nullable().meta({ format: "date-time" }),
    recovery_codes: z.int().meta({ description: "How many recovery codes the account has left" }),
  })
  .meta({ title: "Factor" });

const LIST = `(
select id, account, kind, name, made_at, used_at, recovery_codes
from portolan.visible_factors
where account = coalesce(lower($1), account)
order by account, made_at, id
limit 1000)`;

export const factorResources: readonly Resource[] = [
  {
    path: "/factors",
    tag: "users",
    parameters: {},
    operations: {
      GET: {
        id: "list_factors",
        summary: "Second factors of accounts, 1000 at most",
        description:
          "One's own; of all accounts for super users. An account adds and removes its own on the page /account.",
        status: 200,
        query: { account: { description: "Only those of an account", schema: z.string().max(100) } },
        shown: z.array(shown),
        run: async (caller, { account }) => ({ status: 200, body: await rowsOf(caller, LIST, [account ?? null]) }),
      },
    },
  },
  {
    path: "/users/{names}/factors",
    tag: "users",
    parameters: { names: "Name of one account, or names of several, joined by commas" },
    operations: {
      DELETE: {
        id: "reset_factors",
        summary:
          "Remove all second factors and recovery codes of the named accounts, which have lost them: all or none",
        description:
          "Their browsers are signed out. An account that must have a second factor adds one at its next sign-in. For super users.",
        status: 204,
        async run(caller, { names: segment }) {
          const names = readNames(segment, { name: accountName, noun: "account" });
          await caller.transact((transaction) =>
            transaction.query({
              text: "select portolan.reset_factors(name) from unnest($1::text[]) name",
              values: [names],
            }),
          );
          return { status: 204 };
        },
      },
    },
  },
];
