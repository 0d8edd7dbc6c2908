/** Consents over REST: which clients may act for an account. Each account sees and takes back its own, a super user all. */
import { z } from "zod";
import type { Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const shown = z
  .object({
    account: z.string(),
    client_id: z.string(),
    client: z.string().meta({ description: "The name of the client" }),
    scopes: z.array(z.string()),
    resources: z.array(z.string()).meta({ description: "The agents' doors; the empty text is the service" }),
    given_at: z.string().meta({ format: "date-time" }),
  })
  .meta({ title: "Consent" });

const LIST = `(
select account_name as account, client_id, client, scopes, resources, given_at from portolan.list_consents($1))`;

export const consentResources: readonly Resource[] = [
  {
    path: "/consents",
    tag: "consents",
    parameters: {},
    operations: {
      GET: {
        id: "list_consents",
        summary: "Which clients may act for accounts, latest first",
        description: "One's own; of all accounts for super users.",
        status: 200,
        query: { account: { description: "Only those of an account", schema: z.string().max(100) } },
        shown: z.array(shown),
        run: async (caller, { account }) => ({ status: 200, body: await rowsOf(caller, LIST, [account ?? null]) }),
      },
    },
  },
  {
    path: "/consents/{account}/{client}",
    tag: "consents",
    parameters: { account: "Name of an account", client: "Id of a client" },
    operations: {
      DELETE: {
        id: "delete_consent",
        summary: "Revoke a consent: the client's tokens become invalid, and the account is asked again",
        description: "One's own; any for super users.",
        status: 204,
        run: async (caller, { account, client }) => {
          await caller.transact((transaction) =>
            transaction.query({ text: "select portolan.end_consent($1, $2)", values: [account, client] }),
          );
          return { status: 204 };
        },
      },
    },
  },
];
