/** The databases that are served, and the limits of each. */
import { z } from "zod";
import { databaseNameOf, readConnectionString } from "../connectionString.ts";
import { SECOND, MINUTE, count, milliseconds, list, orJson, type Option } from "./kinds.ts";

const postgresUrl = z.string().superRefine((text, context) => {
  const problem = connectionStringProblem(text);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});
/** In a list, a comma may also separate the servers of one connection string. */
const postgresUrls = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.trim().split(/(?<![\s,])[\s,]+(?=postgres(?:ql)?:\/\/)/)),
]);
const databases = z.record(
  z.string().regex(/^(\*|[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}(\/\*)?)$/, "is no name for a database"),
  z.union([
    postgresUrl,
    z.strictObject({
      url: postgresUrl,
      ownerUrl: postgresUrl.optional(),
      directUrl: postgresUrl.optional(),
      replicaUrls: z.array(postgresUrl).optional(),
    }),
  ]),
);

/** Whether an entry of `databases` stands for all databases of a cluster. */
export function isPatternName(name: string): boolean {
  return name === "*" || name.endsWith("/*");
}

/** Schemas that are never exposed, whatever is configured. */
export function isSystemSchema(name: string): boolean {
  return /^(pg_.*|information_schema|portolan)$/.test(name);
}

/** The problem of a connection string; undefined without one. */
function connectionStringProblem(url: string): string | undefined {
  try {
    const { servers, urlOf } = readConnectionString(url);
    // a host may be left out, which an URL of the web needs
    for (const server of servers) new URL(urlOf(server).replace(/^(\w+:\/\/(?:[^/@]*@)?)\//, "$1localhost/"));
    return databaseNameOf(url) === "" ? "must be a postgres:// connection string" : undefined;
  } catch (error) {
    const isOurs = error instanceof Error && !(error instanceof TypeError) && !(error instanceof URIError);
    return isOurs ? error.message : "must be a postgres:// connection string";
  }
}

export const DATABASES = {
  databaseUrl: {
    schema: postgresUrl.optional(),
    doc: "The database to serve, under a login role that may change to the roles of accounts. It may name several servers, with libpq's `target_session_attrs`. Without it and without `databases` a private cluster with the demo is started.",
  },
  ownerDatabaseUrl: {
    schema: postgresUrl.optional(),
    doc: "The same database under the role that migrates; the login of `databaseUrl` then owns nothing. Default: `databaseUrl`.",
  },
  pooler: {
    schema: z.enum(["none", "transaction"]),
    default: "none",
    doc: "`transaction`: `databaseUrl` leads to a pooler in transaction mode (PgBouncer 1.18 or later), which requests then go through; `directDatabaseUrl` is needed beside it.",
  },
  directDatabaseUrl: {
    schema: postgresUrl.optional(),
    doc: "The same database without the pooler, for work that needs sessions: SQL that people wrote, maps, change events, the gateway's own queries and migrations.",
  },
  replicaUrls: {
    schema: postgresUrls.pipe(z.array(postgresUrl)),
    default: [],
    doc: "Streaming standbys of `databaseUrl`, each with its own connection string under the same login; with `POOLER=transaction` without the pooler. Queries, features and vector tiles are read from them in turn; writes, SQL that people wrote, maps and events stay on the primary.",
  },
  maxReplicaLagMs: {
    schema: milliseconds.min(20).max(MINUTE),
    default: 1 * SECOND,
    doc: "Largest lag behind the primary with which a standby serves reads.",
  },
  databases: {
    schema: orJson(databases),
    default: {},
    doc: 'Several databases: name → connection string, or `{url, ownerUrl, directUrl, replicaUrls}`; in the environment as JSON. The name is the token\'s `database` claim. The name `*`, with connection strings that end with `/*`, is every database of the cluster that Portolan was migrated to, as `databaseUrl` that ends with `/*` is: each sleeps until somebody asks for it. Several clusters are patterns of several names: `{"north/*": "postgres://…/*", "south/*": …}`. A database is called by its own name in all of them.',
  },
  idleDatabaseMs: {
    schema: milliseconds,
    default: 10 * MINUTE,
    doc: "How long a database of a pattern stays awake without a request, a subscription or an open WebSocket. Asleep, it has no connection.",
  },
  schemas: {
    env: "PORTOLAN_SCHEMAS",
    schema: list
      .pipe(
        z.array(
          z
            .string()
            .min(1)
            .refine((name) => !isSystemSchema(name), "is a schema of the system"),
        ),
      )
      .optional(),
    doc: "Schemas to expose. Default: all but the system's, `portolan`, and what belongs to an extension.",
  },
  dataDirectory: {
    env: "PORTOLAN_DATA",
    schema: z.string().min(1).optional(),
    doc: "Folder of the private cluster. Default `.portolan` in the checkout, or under `/var/lib/portolan` where PostgreSQL could not reach that.",
  },
  poolSize: {
    schema: count.max(1000),
    default: 10,
    doc: "Connections per database in the shared pool.",
  },
  accountShare: {
    schema: z.coerce.number().gt(0).max(1),
    default: 0.8,
    doc: "Share of the connections of a pool, of `ownConnections` and of MapServer's workers that one account, or one address of anonymous callers, may use at once; at least one. Its further requests wait, and are then answered with 503 `ACCOUNT_BUSY`. Even with 1, the last of several connections is kept for callers that have none.",
  },
  ownPoolSize: {
    schema: count.max(100),
    default: 6,
    doc: "Connections for each account that runs SQL that people wrote (methods, `/sql`). They are logged in as its role, and closed when idle.",
  },
  connectTimeoutMs: {
    schema: milliseconds,
    default: 5 * SECOND,
    doc: "How long a request waits for a connection before it is answered with 503.",
  },
  statementTimeoutMs: {
    schema: milliseconds,
    default: 30 * SECOND,
    doc: "A statement that runs longer is cancelled.",
  },
  lockTimeoutMs: {
    schema: milliseconds,
    default: 4 * SECOND,
    doc: "How long a statement of a request waits for a lock of another session, such as that of an open `alter table`, before it is answered with 503. A shorter `lock_timeout` of the server, the database or the role stays. The default is less than `connectTimeoutMs`, so that requests for other tables get a connection meanwhile. Imports, files that are made in the background and pyramids wait as long as their statements may take.",
  },
  sqlRequestTimeoutMs: {
    schema: milliseconds,
    default: 300 * SECOND,
    doc: "How long PostgreSQL may work on one request to stored methods or `/api/v4/sql`: all statements of a list, calls of a batch, runs of an array of `params` and portions of a stream together. A published method whose `timeout_ms` is longer has that.",
  },
  panelTimeoutMs: {
    schema: milliseconds,
    default: 5 * SECOND,
    doc: "Longest time of a panel of a public dashboard (`/dashboards/{database}/{name}`). One that takes longer is cancelled.",
  },
  panelSeconds: {
    schema: count.max(3600),
    default: 10,
    doc: "How long the result of a panel of a public dashboard is kept: it runs once in this time, however many visitors look.",
  },
  catalogueIntervalMs: {
    schema: milliseconds.max(MINUTE),
    default: 500,
    doc: "How often Portolan looks for changes of the catalogue, accounts and keys. This costs almost nothing while nothing is committed.",
  },
} as const satisfies Record<string, Option>;
