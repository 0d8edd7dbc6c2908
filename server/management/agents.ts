/**
 * Agents over REST: which agents use the agents' door, and their requests. Each account sees and ends its own, a super
 * user all.
 */
import { z } from "zod";
import type { Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { limit, number } from "./operation.ts";
import { request } from "./requests.ts";

const instant = z.string().meta({ format: "date-time" });

const shown = z
  .object({
    id: z.string(),
    account: z.string().meta({ description: "The account that it acts for" }),
    client_id: z.string().nullable(),
    client: z.string().nullable().meta({ description: "The name of the client" }),
    software: z.string().nullable().meta({ description: "What the client says of itself" }),
    scope: z.string().nullable().meta({ description: "Words between spaces; mcp:write: the agent may write" }),
    address: z.string().nullable().meta({ description: "From where it asked last" }),
    since: instant,
    last_at: instant.nullable().meta({ description: "Its last request; null: none yet, or none for a month" }),
    expires_at: instant.nullable(),
    calls: z.int().meta({ description: "Of tools" }),
    refused: z.int().meta({ description: "Calls that were refused" }),
    listens: z.boolean().meta({ description: "Whether it had a stream of changes open in the last minute" }),
    refusal: z
      .object({ at: instant, tool: z.string(), table: z.string().optional(), code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: "The last call that was refused because a right was missing" }),
  })
  .meta({ title: "Agent" });

const LIST = `(
select id, account_name as account, client_id, client, software, scope, address, since, last_at, expires_at, calls, refused,
  listens, refusal
from portolan.list_agents($1))`;

/** `write`: stores the entries that this process has not stored yet. */
export const agentResources = (write: () => Promise<void>): readonly Resource[] => [
  {
    path: "/agents",
    tag: "agents",
    parameters: {},
    operations: {
      GET: {
        id: "list_agents",
        summary: "Agents that may act for accounts, the latest request first, 1000 at most",
        description: "One's own; of all accounts for super users.",
        status: 200,
        query: { account: { description: "Only those of an account", schema: z.string().max(100) } },
        shown: z.array(shown),
        async run(caller, { account }) {
          await write();
          return { status: 200, body: await rowsOf(caller, LIST, [account ?? null]) };
        },
      },
    },
  },
  {
    path: "/agents/{id}",
    tag: "agents",
    parameters: { id: "Id of an agent" },
    operations: {
      DELETE: {
        id: "end_agent",
        summary: "End an agent: its tokens become invalid, and its streams end",
        description: "One's own; any for super users.",
        status: 204,
        async run(caller, { id }) {
          await caller.transact((transaction) =>
            transaction.query({ text: "select portolan.end_agent($1)", values: [id] }),
          );
          return { status: 204 };
        },
      },
    },
  },
  {
    path: "/agents/{id}/requests",
    tag: "agents",
    parameters: { id: "Id of an agent" },
    operations: {
      GET: {
        id: "list_agent_requests",
        summary: "The requests of an agent in the last 24 hours, latest first",
        description: "Of one's own agents; of any for super users.",
        status: 200,
        query: { before: { description: "Only those with a lower number: the next page", schema: number }, limit },
        shown: z.array(request),
        async run(caller, { id, before, limit: most }) {
          await write();
          const values = [id, before ?? null, most ?? 100];
          return { status: 200, body: await rowsOf(caller, "portolan.agent_requests($1, $2, $3)", values) };
        },
      },
    },
  },
];
