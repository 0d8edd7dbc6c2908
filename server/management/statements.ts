/** The running statements of the database over REST, for super users. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import type { Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { instant } from "./operation.ts";

const shown = z
  .object({
    pid: z.int().meta({ description: "Of its session" }),
    login: z.string().meta({ description: "The role that the session is logged in as" }),
    account: z.string().nullable().meta({
      description: "Of SQL that an account wrote; other requests run under the login of the gateway",
    }),
    application: z.string().nullable(),
    address: z.string().nullable(),
    state: z.string().meta({ description: "active, or idle in transaction: as pg_stat_activity has it" }),
    started: z.string().meta({ format: "date-time" }),
    transaction_started: z.string().nullable().meta({ format: "date-time" }),
    waits_for: z.string().nullable().meta({ description: "PostgreSQL's type of the wait and its name" }),
    blocked_by: z.array(z.int()).meta({ description: "Sessions that hold the lock that it waits for" }),
    statement: z.string(),
  })
  .meta({ title: "Statement" });

export const statementResources: readonly Resource[] = [
  {
    path: "/statements",
    tag: "operation",
    parameters: {},
    operations: {
      GET: {
        id: "list_statements",
        summary: "Statements that run in the database now, and transactions that are open, the longest first",
        description: "For super users, where the owner of Portolan has the role pg_read_all_stats.",
        status: 200,
        shown: z.array(shown),
        run: async (caller) => {
          return { status: 200, body: await rowsOf(caller, "portolan.list_statements()") };
        },
      },
    },
  },
  {
    path: "/statements/{pid}",
    tag: "operation",
    parameters: { pid: "Of the session that runs it" },
    operations: {
      DELETE: {
        id: "cancel_statement",
        summary: "Cancel what a session runs: its request fails",
        description: "For super users, where the owner of Portolan has the role pg_signal_backend.",
        status: 204,
        query: { started: { description: "Only what began then, as the list shows it", schema: instant } },
        run: async (caller, { pid = "", started }) => {
          if (!/^[1-9]\d{0,8}$/.test(pid))
            throw new GatewayError("NOT_FOUND", `There is no session ${JSON.stringify(pid)}`);
          await caller.transact((transaction) =>
            transaction.query({ text: "select portolan.cancel_statement($1, $2)", values: [pid, started ?? null] }),
          );
          return { status: 204 };
        },
      },
    },
  },
];
