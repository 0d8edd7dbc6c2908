/** Sessions over REST: where accounts are signed in. Each account sees and ends its own, a super user all. */
import { z } from "zod";
import type { Caller, Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const shown = z
  .object({
    id: z.string(),
    kind: z.enum(["application", "browser"]).meta({
      description: "application: the tokens of a client from one sign-in; browser: a sign-in on our pages",
    }),
    account: z.string(),
    client_id: z.string().nullable(),
    client: z.string().nullable().meta({ description: "The name of the client" }),
    agent: z.string().nullable().meta({ description: "What the browser says of itself" }),
    address: z.string().nullable().meta({ description: "From where it signed in" }),
    since: z.string().meta({ format: "date-time" }),
    expires_at: z.string().meta({ format: "date-time" }),
    resource: z
      .string()
      .nullable()
      .meta({ description: "The agents' door that its tokens are for: an agent; null: the service" }),
    scope: z.string().nullable().meta({ description: "Words between spaces; mcp:write: the agent may write" }),
    current: z.boolean().meta({ description: "Whether it is the session of the token of this request" }),
  })
  .meta({ title: "Session" });

const LIST = `(
select id, kind, account, client_id, client, agent, address, since, expires_at, resource, scope, id = $2 as current
from portolan.visible_sessions
where account = coalesce(lower($1), account)
order by since desc, id
limit 1000)`;

export const sessionResources: readonly Resource[] = [
  {
    path: "/sessions",
    tag: "sessions",
    parameters: {},
    operations: {
      GET: {
        id: "list_sessions",
        summary: "Where accounts are signed in, latest first, 1000 at most",
        description: "One's own; of all accounts for super users.",
        status: 200,
        query: { account: { description: "Only those of an account", schema: z.string().max(100) } },
        shown: z.array(shown),
        run: async (caller, { account }) => ({ status: 200, body: await list(caller, account) }),
      },
    },
  },
  {
    path: "/sessions/{id}",
    tag: "sessions",
    parameters: { id: "Id of a session" },
    operations: {
      DELETE: {
        id: "delete_session",
        summary: "End a session: its tokens become invalid, and its browser is signed out",
        description: "One's own; any for super users.",
        status: 204,
        run: async (caller, { id }) => {
          await caller.transact((transaction) =>
            transaction.query({ text: "select portolan.end_session($1)", values: [id] }),
          );
          return { status: 204 };
        },
      },
    },
  },
];

function list(caller: Caller, account: string | undefined): Promise<readonly unknown[]> {
  const { fam: family } = caller.identity.claims;
  return rowsOf(caller, LIST, [account ?? null, typeof family === "string" ? family : ""]);
}
