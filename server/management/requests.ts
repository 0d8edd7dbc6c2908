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
    refused: z.int().meta({ description: "4xx, or the same told in an answer of 200" }),
    failed: z.int().meta({ description: "5xx" }),
    gone: z.int().meta({ description: "Whose client did not wait for the whole answer" }),
    p50_ms: z.number().nullable().meta({ description: "Half of them were answered within it" }),
    p95_ms: z.number().nullable(),
    event_lag_ms: z.int().meta({ description: "The greatest age of an event that was yet to be delivered" }),
    map_queue: z.int().meta({ description: "The most maps that waited" }),
  })
  .meta({ title: "RequestMinute" });

export const request = z
  .object({
    number: z.int(),
    at: z.string().meta({ format: "date-time", description: "When it began" }),
    id: z.string().nullable().meta({ description: "X-Request-Id" }),
    account: z.string().nullable(),
    address: z.string().nullable(),
    method: z.string().nullable().meta({ description: "null: what went wrong on a WebSocket" }),
    path: z.string().nullable(),
    operation: z.string().nullable().meta({
      description: "Of GraphQL, with its fields: query Name { field }; or the stored methods that were called",
    }),
    status: z.int().nullable().meta({ description: "499: the client did not wait for the answer" }),
    ms: z.number().nullable(),
    code: z
      .string()
      .nullable()
      .meta({ description: "Of what was wrong, also where GraphQL or JSON-RPC tells it in an answer of 200" }),
    relation: z.string().nullable().meta({ description: "That a refusal is about, where it is about one" }),
    error_id: z.string().nullable().meta({ description: "What the caller was told instead of error" }),
    error: z.string().nullable().meta({ description: "What has failed, or why a right was missing" }),
    session: z.string().nullable().meta({ description: "The agent that asked, as /agents lists it" }),
    host: z.string(),
    process: z.int(),
  })
  .meta({ title: "Request" });

const text = z.string().max(200);

/** `write`: what this process has yet to write of them. */
export const requestResources = (write: () => Promise<void>): readonly Resource[] => {
  async function list(caller: Caller, statement: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    await write();
    return rowsOf(caller, statement, values);
  }
  return [
    {
      path: "/statistics",
      tag: "operation",
      parameters: {},
      operations: {
        GET: {
          id: "list_statistics",
          summary: "How many requests each host has answered in each minute, and how fast",
          description: "Of the last 24 hours. Times are at most a quarter too long. For super users.",
          status: 200,
          query: { since: { description: "From the minute of this instant", schema: instant } },
          shown: z.array(minute),
          run: async (caller, { since }) => ({
            status: 200,
            body: await list(caller, "portolan.list_statistics($1)", [since ?? null]),
          }),
        },
      },
    },
    {
      path: "/requests",
      tag: "operation",
      parameters: {},
      operations: {
        GET: {
          id: "list_requests",
          summary: "Requests of the last 24 hours, latest first",
          description:
            "Of more than 200 in a second of one process the others are kept only if they failed or took a second. For super users.",
          status: 200,
          query: {
            id: { description: "X-Request-Id", schema: text },
            status: {
              description: "A status, or a class as 5xx",
              schema: z.string().regex(/^[1-5](\d\d|xx)$/, "must be a status such as 404, or a class such as 5xx"),
            },
            code: { description: "Of what was wrong, such as FORBIDDEN", schema: text },
            account: { description: "Only those of an account", schema: text },
            errorId: { description: "What the caller was told of a failure", schema: text },
            since: { description: "From this instant", schema: instant },
            ms: {
              description: "Only those that took so many milliseconds, or more",
              schema: z.string().regex(/^\d{1,9}(\.\d{1,3})?$/, "must be a number of milliseconds"),
            },
            before: { description: "Only those of lower number: the next page", schema: number },
            limit,
          },
          shown: z.array(request),
          run: async (caller, { id, status, code, account, errorId, since, ms, before, limit: most }) => ({
            status: 200,
            body: await list(caller, "portolan.list_requests($1, $2, $3, $4, $5, $6, $7, $8, $9)", [
              ...[id, status, account, errorId, since, ms, before].map((value) => value ?? null),
              most ?? 100,
              code ?? null,
            ]),
          }),
        },
      },
    },
  ];
};
