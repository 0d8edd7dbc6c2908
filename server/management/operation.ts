/** Reports for an operator over REST, for super users: `/audit`, `/fleet`, `/sizes` and `/doctor`. */
import { z } from "zod";
import { diagnose } from "../operate/doctor/doctor.ts";
import type { Finding } from "../ground/finding.ts";
import type { Database } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import type { Caller, Resource } from "../kernel/rest/resource.ts";

const entry = z
  .object({
    id: z.int(),
    at: z.string().meta({ format: "date-time" }),
    event: z.string().meta({ description: "subject.what, such as rule.created" }),
    account: z.string().nullable().meta({ description: "The account that it is about" }),
    client_id: z.string().nullable(),
    address: z.string().nullable(),
    details: z
      .record(z.string(), z.unknown())
      .meta({ description: "by: the account that did it; before and after: the changed members, without secrets" }),
  })
  .meta({ title: "AuditEntry" });

const finding = z
  .object({
    ok: z.boolean(),
    severity: z.enum(["error", "warning"]).nullable(),
    finding: z.string(),
    remedy: z.array(z.string()).meta({ description: "SQL or commands, one a line" }),
    page: z.string().meta({ description: "Of the documents in the package" }),
  })
  .meta({ title: "Finding" });

const gateway = z
  .object({
    host: z.string(),
    process: z.int(),
    version: z.string(),
    reader: z.boolean().meta({ description: "Whether it assigns the order of events" }),
    judges: z.array(z.string()).nullable().meta({
      description: "Groups that it judges for other gateways too, as schema.table and role; null without NATS",
    }),
    lag_ms: z.int().meta({ description: "Age of the oldest event that it has not delivered yet" }),
    subscriptions: z.int(),
    sockets: z.int(),
    noted: z.string().meta({ format: "date-time", description: "The time of its last report with a change" }),
  })
  .meta({ title: "Gateway" });

const size = z
  .object({
    schema: z.string(),
    name: z.string(),
    rows: z.int().meta({ description: "An estimate" }),
    table_bytes: z.int(),
    index_bytes: z.int(),
    whole_reads: z.int().meta({ description: "How often all of it was read" }),
    index_reads: z.int().meta({ description: "How often it was read by an index" }),
    missing_indexes: z.array(z.string()).meta({
      description: "SQL that creates missing indexes, of foreign keys and geometries",
    }),
  })
  .meta({ title: "TableSize" });

/** A parameter that is an instant. */
export const instant = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), "must be an instant, such as 2026-01-31T12:00:00Z");
export const number = z.string().regex(/^[1-9]\d{0,17}$/, "must be a number from 1");
/** The parameter `limit` of a list. */
export const limit = {
  description: "How many; default 100",
  schema: z.string().regex(/^([1-9]\d{0,2}|1000)$/, "must be a number from 1 to 1000"),
};

export interface OperationOptions {
  /** The findings of the other doors about a database. */
  findings(database: Database): Promise<readonly Finding[]>;
  /** The configured schemas; undefined: all that are exposed. */
  readonly schemas: readonly string[] | undefined;
}

export const operationResources = (options: OperationOptions): readonly Resource[] => [
  {
    path: "/audit",
    tag: "operation",
    parameters: {},
    operations: {
      GET: {
        id: "list_audit",
        summary: "Changes of accounts, tokens, rights, methods, settings and tables, latest first",
        description: "For super users.",
        status: 200,
        query: {
          event: { description: "Only events that begin with this text, such as user.", schema: z.string().max(100) },
          account: { description: "Only events by an account or about it", schema: z.string().max(100) },
          since: { description: "From this instant", schema: instant },
          before: { description: "Only entries with a lower id: the next page", schema: number },
          limit,
        },
        shown: z.array(entry),
        run: async (caller, { event, account, since, before, limit: most }) => {
          const values = [event ?? null, account ?? null, since ?? null, before ?? null, most ?? 100];
          return { status: 200, body: await rowsOf(caller, "portolan.list_audit($1, $2, $3, $4, $5)", values) };
        },
      },
    },
  },
  {
    path: "/fleet",
    tag: "operation",
    parameters: {},
    operations: {
      GET: {
        id: "list_gateways",
        summary: "The gateways that serve the database now",
        description: "The same as portolan fleet. For super users.",
        status: 200,
        shown: z.array(gateway),
        run: async (caller) => ({ status: 200, body: await rowsOf(caller, "portolan.fleet()") }),
      },
    },
  },
  {
    path: "/sizes",
    tag: "operation",
    parameters: {},
    operations: {
      GET: {
        id: "list_sizes",
        summary: "The size of tables, how they are read, and the indexes that they lack, the largest first",
        description: "The same as portolan table sizes; partitions count with their table. For super users.",
        status: 200,
        shown: z.array(size),
        run: async (caller) => ({ status: 200, body: await rowsOf(caller, "portolan.list_sizes()") }),
      },
    },
  },
  {
    path: "/doctor",
    tag: "operation",
    parameters: {},
    operations: {
      GET: {
        id: "diagnose",
        summary: "Findings of all checks, good and bad, with remedies",
        description: "The same as portolan doctor, of the database of the token. For super users.",
        status: 200,
        shown: z.array(finding),
        run: async (caller) => ({ status: 200, body: await doctor(caller, options) }),
      },
    },
  },
];

async function doctor(caller: Caller, { findings, schemas }: OperationOptions): Promise<readonly object[]> {
  await refuseOthers(caller);
  const { database } = caller;
  const all = [
    ...(await diagnose({ name: database.name, url: database.url, ownerUrl: database.url }, schemas)),
    ...(await findings(database)),
  ];
  return all.map(({ ok, severity = "error", text, remedy, page = "operating.md" }) => ({
    ok,
    severity: ok ? null : severity,
    finding: text,
    remedy: ok ? [] : remedy,
    page: `docs/guides/${page}`,
  }));
}

async function refuseOthers(caller: Caller): Promise<void> {
  const { rows } = await caller.transact((transaction) =>
    transaction.query<{ is: string }>({ text: "select portolan.is_super_user()::text as is" }),
  );
  if (rows[0]?.is !== "true") throw new GatewayError("FORBIDDEN", "For super users");
}
