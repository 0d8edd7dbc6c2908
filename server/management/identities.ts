/** People of other identity providers who have accounts here: each account sees and removes its own, a super user all. */
import { z } from "zod";
import type { Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const shown = z
  .object({
    id: z.string(),
    account: z.string(),
    provider: z.string().meta({ description: "Its id in the option identityProviders when the account was linked" }),
    issuer: z.string(),
    subject: z.string().meta({ description: "The `sub` of the person there" }),
    email: z.string().nullable().meta({ description: "The address that the provider had verified" }),
    made_at: z.string().meta({ format: "date-time" }),
    used_at: z.string().nullable().meta({ format: "date-time" }),
  })
  .meta({ title: "Identity" });

const LIST = `(
select id, account, provider, issuer, subject, email, made_at, used_at
from portolan.visible_identities
where account = coalesce(lower($1), account)
order by account, made_at, id
limit 1000)`;

export const identityResources: readonly Resource[] = [
  {
    path: "/identities",
    tag: "users",
    parameters: {},
    operations: {
      GET: {
        id: "list_identities",
        summary: "People of other identity providers who have accounts here, 1000 at most",
        description: "One's own; of all accounts for super users.",
        status: 200,
        query: { account: { description: "Only those of an account", schema: z.string().max(100) } },
        shown: z.array(shown),
        run: async (caller, { account }) => ({ status: 200, body: await rowsOf(caller, LIST, [account ?? null]) }),
      },
    },
  },
  {
    path: "/identities/{id}",
    tag: "users",
    parameters: { id: "Id of an identity" },
    operations: {
      DELETE: {
        id: "delete_identity",
        summary: "Unlink a person of another identity provider, who then can no longer sign in as the account",
        description: "One's own; any for super users.",
        status: 204,
        run: async (caller, { id }) => {
          await caller.transact((transaction) =>
            transaction.query({ text: "select portolan.remove_identity($1)", values: [id] }),
          );
          return { status: 204 };
        },
      },
    },
  },
];
