/**
 * People of other identity providers, and jobs of other platforms, that are accounts here: each account sees and removes its own,
 * a super user all. A super user links them.
 */
import { z } from "zod";
import { taking, type Resource } from "../kernel/rest/resource.ts";
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

const wanted = z
  .strictObject({
    account: z.string().min(1).max(100),
    issuer: z.string().min(1).max(1000).meta({ description: "The `iss` of its tokens" }),
    subject: z.string().min(1).max(256).meta({ description: "The `sub` of the person or job there" }),
  })
  .meta({ title: "NewIdentity" });

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
      POST: taking(wanted, {
        id: "create_identity",
        summary: "Link a subject of an outside issuer, such as a job of a CI, to an account",
        description:
          "For super users. The grant `jwt_bearer` then gives its tokens of the account; a person signs in as it where the issuer is one of the option identityProviders. A subject that is linked already is 409.",
        status: 201,
        makesOne: true,
        shown: z.object({ id: z.string() }),
        async run(caller, _parameters, { account, issuer, subject }) {
          const { rows } = await caller.transact((transaction) =>
            transaction.query<{ id: string }>({
              text: "select portolan.add_identity($1, $2, $3) as id",
              values: [account, issuer, subject],
            }),
          );
          const id = rows[0]!.id;
          return { status: 201, location: `/identities/${id}`, body: { id } };
        },
      }),
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
