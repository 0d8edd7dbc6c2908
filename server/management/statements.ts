/**
 * The running statements of the database over REST, and the statements on which it has spent the most time, for super
 * users.
 */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import type { Caller, Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { TRY, withIndexAdvice } from "../operate/indexAdvice.ts";
import { instant, limit } from "./operation.ts";

const shown = z
  .object({
    pid: z.int().meta({ description: "Of its session" }),
    login: z.string().meta({ description: "The login role of the session" }),
    account: z.string().nullable().meta({
      description: "The account, if it wrote the SQL; other requests run under the login of the gateway",
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

const top = z
  .object({
    statement: z.string().meta({ description: "With parameters in place of values" }),
    calls: z.int(),
    total_ms: z.number(),
    mean_ms: z.number(),
    max_ms: z.number(),
    rows: z.int().meta({ description: "Rows that all calls returned or wrote" }),
    blocks_read: z.int().meta({ description: "Blocks of 8 kB that were not in PostgreSQL's memory" }),
    share: z.number().meta({ description: "Its part of the time of all statements, from 0 to 1" }),
    missing_indexes: z.array(z.string()).meta({
      description:
        "SQL that creates missing indexes of columns by which it searches large tables: advice, as far as index_trials does not have it",
    }),
    index_trials: z
      .array(
        z.object({
          index: z.string().meta({ description: "One of missing_indexes" }),
          used: z.boolean().nullable().meta({ description: "Whether PostgreSQL would use it" }),
          cost_before: z
            .number()
            .nullable()
            .meta({ description: "PostgreSQL's estimate for the statement without it" }),
          cost_after: z.number().nullable().meta({ description: "The estimate with it" }),
          problem: z.string().nullable().meta({ description: "The reason why it could not be tried" }),
        }),
      )
      .meta({
        description:
          "The missing indexes, tried as hypothetical ones without values of the parameters. Empty without the extension hypopg, and where the option authors refuses code of authors.",
      }),
  })
  .meta({ title: "TopStatement" });

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
    path: "/statements/top",
    tag: "operation",
    parameters: {},
    operations: {
      GET: {
        id: "list_top_statements",
        summary: "The statements on which the database has spent the most time, and the indexes that they lack",
        description:
          "As the extension pg_stat_statements counts them since it was reset; 404 says how to install it. For super users, where the owner of Portolan has the role pg_read_all_stats.",
        status: 200,
        query: { limit },
        shown: z.array(top),
        run: async (caller, { limit: most }) => ({ status: 200, body: await topStatements(caller, most ?? 100) }),
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
        query: {
          started: { description: "Only a statement that began at this time, as the list shows it", schema: instant },
        },
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

async function topStatements(caller: Caller, most: unknown): Promise<readonly object[]> {
  const found = (await rowsOf(caller, "portolan.list_top_statements($1)", [most])) as readonly object[];
  return withIndexAdvice(found, (question, argument) =>
    question === TRY
      ? rowsOf(caller, question, [argument], "anything").catch(untried)
      : rowsOf(caller, question, [argument]),
  );
}

/** Nothing is tried where the option `authors` refuses the code of authors. */
function untried(error: unknown): readonly unknown[] {
  if (error instanceof GatewayError && error.code === "UNTRUSTED_CODE") return [];
  throw error;
}
