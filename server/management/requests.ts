/** Requests of the last 24 hours over REST, for super users: one by one, and counted by minute. */
import { z } from "zod";
import type { Caller, Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { instant, limit, number } from "./operation.ts";

const minute = z
  .object({
    minute: z.string().meta({ format: "date-time" }),
    host: z.string(),
    requests: z.int(),
    refused: z.int().meta({ description: "4xx, or such an error in an answer of 200" }),
    failed: z.int().meta({ description: "5xx" }),
    gone: z.int().meta({ description: "Requests whose client did not wait for the whole answer" }),
    p50_ms: z.number().nullable().meta({ description: "Half of the requests were answered within this time" }),
    p95_ms: z.number().nullable(),
    event_lag_ms: z.int().meta({ description: "The greatest age of an undelivered event" }),
    map_queue: z.int().meta({ description: "The most maps that waited at once" }),
  })
  .meta({ title: "RequestMinute" });

/** The doors: values of the column `door` of `portolan.requests`. */
const DOORS = ["graphql", "rest", "sql", "methods", "ogc", "ows", "mcp", "oauth", "socket", "pages"] as const;

export const request = z
  .object({
    number: z.int(),
    at: z.string().meta({ format: "date-time", description: "When it began" }),
    id: z.string().nullable().meta({ description: "X-Request-Id" }),
    account: z.string().nullable(),
    address: z.string().nullable(),
    method: z.string().nullable().meta({ description: "null: an error on a WebSocket" }),
    path: z.string().nullable(),
    operation: z.string().nullable().meta({
      description: "Of GraphQL, with its fields: query Name { field }; or the stored methods that were called",
    }),
    status: z.int().nullable().meta({ description: "499: the client did not wait for the answer" }),
    ms: z.number().nullable(),
    code: z
      .string()
      .nullable()
      .meta({ description: "The code of the error, also of one that GraphQL or JSON-RPC reports in an answer of 200" }),
    relation: z.string().nullable().meta({ description: "The relation that a refusal is about, if it is about one" }),
    commands: z.array(z.string()).nullable().meta({
      description: "What the refused statement asked for there: select, insert, update, delete; null: unknown",
    }),
    error_id: z.string().nullable().meta({ description: "The id that the caller got instead of the error" }),
    error: z.string().nullable().meta({ description: "The failure, or why a right was missing" }),
    session: z.string().nullable().meta({ description: "The agent that asked, as /agents lists it" }),
    client: z.string().nullable().meta({ description: "The client to which the token was given" }),
    door: z.enum(DOORS),
    host: z.string(),
    process: z.int(),
  })
  .meta({ title: "Request" });

const reason = z.object({
  subject: z.string().meta({ description: "grant, rule, row security, policy, workflow, …" }),
  name: z.string(),
  applies: z.string().meta({ description: "yes, no, some columns, or when" }),
  meaning: z.string(),
  decides: z.boolean().meta({ description: "Whether it refused the request" }),
});

const explained = z
  .object({
    ...request.pick({ id: true, at: true, account: true, address: true, method: true, path: true }).shape,
    ...request.pick({ operation: true, status: true, ms: true, client: true, host: true, door: true }).shape,
    failures: z.array(
      z.object({
        ...request.pick({ relation: true, error: true, error_id: true }).shape,
        code: z.string(),
        schema: z
          .string()
          .nullable()
          .meta({ description: "The schema of the relation, if only one schema has a relation of that name" }),
        table: z.string().nullable(),
        decided_by: z
          .enum(["grant", "rule", "policy", "workflow"])
          .nullable()
          .meta({ description: "What refused the request; null: no right was missing, or it is unknown" }),
        reasons: z.array(reason).meta({ description: "What decides about the relation, as explain_access shows it" }),
        may_change: z.string().nullable().meta({ description: "Who may change that" }),
        super_users: z.array(z.string()).nullable().meta({ description: "Up to 20, for super users" }),
      }),
    ),
  })
  .meta({ title: "ExplainedRequest" });

const text = z.string().max(200);

async function listAfter(
  write: () => Promise<void>,
  caller: Caller,
  statement: string,
  values: readonly unknown[],
): Promise<readonly unknown[]> {
  await write();
  return rowsOf(caller, statement, values);
}

/** `write`: stores the entries that this process has not stored yet. */
export const requestResources = (write: () => Promise<void>): readonly Resource[] => {
  return [
    statisticsResource(write),
    {
      path: "/requests",
      tag: "operation",
      parameters: {},
      operations: {
        GET: {
          id: "list_requests",
          summary: "Requests of the last 24 hours, latest first",
          description:
            "Each process keeps the first 200 of a second. It keeps further ones only if they failed or took a second. Refusals are always kept, up to 1,000 a minute for an account. For super users.",
          status: 200,
          query: {
            id: { description: "X-Request-Id", schema: text },
            status: {
              description: "A status, or a class as 5xx",
              schema: z.string().regex(/^[1-5](\d\d|xx)$/, "must be a status such as 404, or a class such as 5xx"),
            },
            code: { description: "The code of the error, such as FORBIDDEN", schema: text },
            account: { description: "Only those of an account", schema: text },
            door: {
              description: "Only those through this door; -rest: those through another one",
              schema: z.enum([...DOORS, ...DOORS.map((door) => `-${door}` as const)]),
            },
            client: {
              description:
                "Only those with a token of this client; -portolan-console: all but those of the console itself",
              schema: text,
            },
            relation: { description: "Only refusals about this table or view, schema.table or table", schema: text },
            errorId: { description: "The id that the caller got for a failure", schema: text },
            since: { description: "The same as from", schema: instant },
            from: { description: "From this instant", schema: instant },
            to: { description: "Before this instant", schema: instant },
            ms: {
              description: "Only those that took this many milliseconds or more",
              schema: z.string().regex(/^\d{1,9}(\.\d{1,3})?$/, "must be a number of milliseconds"),
            },
            before: { description: "Only those with a lower number: the next page", schema: number },
            limit,
          },
          shown: z.array(request),
          run: async (
            caller,
            { id, status, code, account, errorId, since, from, to, ms, door, relation, client, ...page },
          ) => ({
            status: 200,
            body: await listAfter(
              write,
              caller,
              "portolan.list_requests($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
              [
                id,
                status,
                account,
                errorId,
                from ?? since,
                ms,
                page.before,
                page.limit ?? 100,
                code,
                door,
                relation,
                to,
                client,
              ].map((value) => value ?? null),
            ),
          }),
        },
      },
    },
    explainedResource(write),
  ];
};

function explainedResource(write: () => Promise<void>): Resource {
  return {
    path: "/requests/{id}",
    tag: "operation",
    parameters: { id: "X-Request-Id, or the requestId of an error over a WebSocket" },
    operations: {
      GET: {
        id: "explain_request",
        summary: "A request of the last 24 hours, and why it was refused",
        description:
          "An account sees its own requests; a super user sees all, with the names of those who may change the right. 404 for a request that the caller may not see.",
        status: 200,
        shown: explained,
        run: async (caller, { id }) => {
          await write();
          const { rows } = await caller.transact((transaction) =>
            transaction.query<{ json: string }>({
              text: "select portolan.explain_request($1)::text as json",
              values: [id],
            }),
          );
          return { status: 200, body: JSON.parse(rows[0]!.json) as z.infer<typeof explained> };
        },
      },
    },
  };
}

function statisticsResource(write: () => Promise<void>): Resource {
  return {
    path: "/statistics",
    tag: "operation",
    parameters: {},
    operations: {
      GET: {
        id: "list_statistics",
        summary: "How many requests each host has answered in each minute, and how fast",
        description: "For the last 24 hours. Times may be up to a quarter too long. For super users.",
        status: 200,
        query: { since: { description: "From the minute of this instant", schema: instant } },
        shown: z.array(minute),
        run: async (caller, { since }) => ({
          status: 200,
          body: await listAfter(write, caller, "portolan.list_statistics($1)", [since ?? null]),
        }),
      },
    },
  };
}
