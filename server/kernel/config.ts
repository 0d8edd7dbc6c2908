/**
 * All options in one place: `graphile.config.ts` (scope `portolan`) and the environment, resolved once at start. The file
 * is long because its list is: OPTIONS has an entry for each, from which defaults, checks and the reference are made.
 */
import { existsSync, readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { databaseNameOf, readConnectionString } from "./connectionString.ts";
import { OperatorError } from "../ground/errors.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const KILOBYTE = 1000;
const MEGABYTE = 1000 * KILOBYTE;

const port = z.coerce.number().int().min(0).max(65535);
const count = z.coerce.number().int().min(1);
const milliseconds = z.coerce.number().int().min(1).max(2_147_483_647);
const flag = z.union([z.boolean(), z.stringbool()]);
const list = z.union([z.array(z.string()), z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean))]);
/** Commas and spaces stand between the types of arguments too. */
const functions = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(/(?<=\))[\s,]+/).filter(Boolean))])
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^(?:(?:"(?:[^"]|"")+"|[^\s"(),.]+)(?:\.|(?=\())){2}\(.*\)$/,
          "must be functions with schema and types: app.area(integer, text)",
        ),
    ),
  );
const postgresUrl = z.string().superRefine((text, context) => {
  const problem = connectionStringProblem(text);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});
/** In a list, a comma may also separate the servers of one connection string. */
const postgresUrls = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.trim().split(/[\s,]+(?=postgres(?:ql)?:\/\/)/)),
]);
const baseUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
  .refine((text) => !/[?#]/.test(text), "must have no query and no fragment")
  .transform((text) => text.replace(/\/+$/, ""));
const natsUrls = list.pipe(
  z.array(
    z
      .url({ protocol: /^(nats|tls)$/, error: "must be a nats:// or tls:// address" })
      .refine((text) => /^\w+:\/\/[^/]+\/?$/.test(text), "must have a host, and nothing after host and port"),
  ),
);
/** A value that is no text, or a text of JSON. */
function orJson<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, context) => {
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue("must be JSON");
      return z.NEVER;
    }
  }, schema);
}
const readableFile = z.string().refine((path) => isReadable(path), "must name a file that can be read");
const cidr = z.string().refine((text) => parseCidr(text) !== undefined, {
  error: (issue) => `${JSON.stringify(issue.input)} is no address or CIDR range`,
});

const issuer = z.strictObject({
  issuer: z.string().min(1),
  jwksUri: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" }),
  audience: z.union([
    z
      .string()
      .min(1)
      .transform((one) => [one]),
    z.array(z.string().min(1)).min(1),
  ]),
  account: z.string().min(1).default("sub"),
  database: z.string().min(1).optional(),
});
/** An issuer whose tokens are accepted beside our own. */
export type ExternalIssuer = z.infer<typeof issuer>;

const srids = z.array(z.int().min(1).max(999_999));

const tileMatrixSet = z
  .strictObject({
    title: z.string().min(1).optional(),
    crs: z.int().min(1).max(998_999),
    bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    levels: z.int().min(1).max(30).default(20),
    tileSize: z.int().min(64).max(2048).default(256),
  })
  .refine(
    ({ bounds: [minx, miny, maxx, maxy] }) => minx < maxx && miny < maxy,
    "has bounds that are not minx, miny, maxx, maxy",
  );

const tileMatrixSets = z.record(
  z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,62}$/, "is no name for a tile matrix set"),
  tileMatrixSet,
);

const databases = z.record(
  z.string().regex(/^(\*|[A-Za-z0-9_][A-Za-z0-9_.-]{0,62})$/, "is no name for a database"),
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

const webAddress = z.url({ protocol: /^https?$/, message: "must be an http or https address" });
/** OpenAPI 3.0.3, "Contact Object" and "License Object". */
const contact = z
  .strictObject({ name: z.string().min(1), url: webAddress, email: z.email("must be a mail address") })
  .partial();
const license = z.strictObject({ name: z.string().min(1), url: webAddress.optional() });
/** Addresses of tiles with `{z}`, `{x}` and `{y}`, in Web Mercator. */
const baseMap = z.strictObject({
  url: webAddress.refine((url) => ["z", "x", "y"].every((name) => url.includes(`{${name}}`)), "needs {z}, {x} and {y}"),
  attribution: z.string().min(1),
});

const ogc = z.strictObject({
  antimeridian: z.enum(["reject", "split"]).default("reject"),
  axisOrder: z.enum(["xy", "authority"]).default("xy"),
  datetimeIntervals: z.enum(["reject", "accept"]).default("reject"),
  mapCrs: z.enum(["CRS84", "storage"]).default("CRS84"),
  countBudgetMs: milliseconds.optional(),
  crs: z.union([srids, list.transform((codes) => codes.map(Number)).pipe(srids)]).default([]),
  crsForms: z.enum(["uri", "all"]).default("uri"),
  defaultSchema: z.string().min(1).optional(),
  fgbIndexed: z.coerce.number().int().min(0).max(1_000_000).default(20_000),
  mapCollections: count.max(1000).default(50),
  qgisQueryables: flag.default(false),
  tileCacheBytes: z.coerce
    .number()
    .int()
    .min(0)
    .default(64 * MEGABYTE),
  tileFeatureLimit: count.max(1_000_000).default(50_000),
  tileMatrixSets: orJson(tileMatrixSets).default({}),
  tileMaxAge: z.coerce.number().int().min(0).max(31_536_000).default(0),
  transactions: flag.default(false),
  requireIfMatch: flag.default(false),
  maxBodyBytes: count.default(64 * MEGABYTE),
  title: z.string().min(1).optional(),
  contact: orJson(contact).optional(),
  license: orJson(license).optional(),
  logo: z
    .string()
    .regex(/^\/.*\.(png|jpe?g|svg|webp)$/i, "must be the absolute path of a png, jpg, svg or webp")
    .optional(),
  baseMap: orJson(baseMap).optional(),
});
/** Options of the OGC API. */
export type OgcConfig = Readonly<z.infer<typeof ogc>>;

/** Schemas that are never exposed, whatever is configured. */
export function isSystemSchema(name: string): boolean {
  return /^(pg_.*|information_schema|portolan)$/.test(name);
}

interface Option {
  readonly schema: z.ZodType;
  readonly default?: unknown;
  /** The environment's name for it, where that is not the option's in capitals; empty where it has none. */
  readonly env?: string;
  /** For the table of docs/reference/options.md: meaning, unit, and the reason for the default where it is not plain. */
  readonly doc: string;
}

/** To add an option: one line here. The table of docs/reference/options.md is generated from it. */
const OPTIONS = {
  host: { schema: z.string().min(1), default: "127.0.0.1", doc: "Address to listen on." },
  port: { schema: port, default: 7575, doc: "Port to listen on; 0 takes a free one." },
  workers: {
    schema: z.coerce.number().int().min(0).max(256),
    default: 1,
    doc: "Processes that serve, on one port; 0: as many as there are cores. Each has pools of its own (`poolSize`); limits of requests and sockets, MapServer processes and their connections are those of all together.",
  },
  workerHangMs: {
    schema: milliseconds.min(5 * SECOND),
    default: 30 * SECOND,
    doc: "One of several `workers` that has not said for so long that it is well is ended and replaced. Building a large schema takes its time: not much less than the default where there are thousands of tables.",
  },
  baseUrl: {
    schema: baseUrl.optional(),
    doc: "Address of the service as clients see it, in every link, `iss` and redirect. Default `http://HOST:PORT`. With https, cookies are `Secure`.",
  },
  trustedProxies: {
    schema: list.pipe(z.array(cidr)),
    default: [],
    doc: "CIDR ranges from which `Forwarded` and `X-Forwarded-For` are believed, read from the right.",
  },
  tlsCert: {
    schema: readableFile.optional(),
    doc: "PEM file of the certificate chain; with `tlsKey` the service speaks https itself.",
  },
  tlsKey: { schema: readableFile.optional(), doc: "PEM file of the private key." },
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
    doc: "The same database without the pooler, for what needs sessions: SQL that someone wrote, maps, change events, the gateway's own queries and migrations.",
  },
  replicaUrls: {
    schema: postgresUrls.pipe(z.array(postgresUrl)),
    default: [],
    doc: "Streaming standbys of `databaseUrl`, each with its own connection string under the same login; with `POOLER=transaction` without the pooler. Queries, features and vector tiles are read from them in turn; whatever writes, SQL that someone wrote, maps and events stay on the primary.",
  },
  maxReplicaLagMs: {
    schema: milliseconds.min(20).max(MINUTE),
    default: 1 * SECOND,
    doc: "A standby that is further behind the primary serves no read.",
  },
  databases: {
    schema: orJson(databases),
    default: {},
    doc: "Several databases: name → connection string, or `{url, ownerUrl, directUrl, replicaUrls}`; in the environment as JSON. The name is the token's `database` claim. The name `*`, with connection strings that end with `/*`, is every database of the cluster that Portolan was migrated to, as `databaseUrl` that ends with `/*` is: each sleeps until somebody asks for it.",
  },
  idleDatabaseMs: {
    schema: milliseconds,
    default: 10 * MINUTE,
    doc: "After so long without a request, a subscription or an open WebSocket a database of `*` falls asleep: it has no connection then.",
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
    doc: "The part of the connections of a pool, of `ownConnections` and of MapServer's workers that one account, or one address of anonymous callers, may have at once; always one. It waits for more, and is answered with 503 `ACCOUNT_BUSY`. The last one of several is for callers that have none, also with 1.",
  },
  ownPoolSize: {
    schema: count.max(100),
    default: 6,
    doc: "Connections for each account that runs SQL which someone wrote (methods, `/sql`), logged in as its role and closed when idle.",
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
  sqlRequestTimeoutMs: {
    schema: milliseconds,
    default: 300 * SECOND,
    doc: "How long PostgreSQL may work on one request to stored methods or `/api/v4/sql`: all statements of a list, calls of a batch, runs of an array of `params` and portions of a stream together. A published method whose `timeout_ms` is longer has that.",
  },
  catalogueIntervalMs: {
    schema: milliseconds.max(MINUTE),
    default: 500,
    doc: "How often the catalogue, accounts and keys are looked at for changes; costs next to nothing while nothing was committed.",
  },
  events: {
    env: "PORTOLAN_EVENTS",
    schema: z.enum(["marked", "all"]),
    default: "marked",
    doc: "`all`: every table of the exposed schemas has change events; `marked`: those that were switched on.",
  },
  eventPoolSize: {
    schema: count.min(2).max(1000),
    default: 4,
    doc: "Connections per database that read change events and judge them, beside one that follows their order.",
  },
  eventRetentionMs: {
    schema: milliseconds,
    default: DAY,
    doc: "How long change events are kept for subscribers that resume.",
  },
  eventRetentionBytes: {
    schema: count,
    default: 1000 * MEGABYTE,
    doc: "How much of them is kept at most; the oldest go first.",
  },
  natsUrl: {
    schema: natsUrls,
    default: [],
    doc: "NATS with JetStream, 2.9.4 or later, over which the gateways of a fleet share the work of events, and their counts: `nats://user:password@host:4222`, `nats://token@host` or `tls://host`; several servers by commas. Without it each gateway goes by PostgreSQL alone.",
  },
  natsCredentials: {
    schema: readableFile.optional(),
    doc: "File of NATS credentials (`.creds`), in place of a password in `natsUrl`.",
  },
  natsTlsCa: {
    schema: readableFile.optional(),
    doc: "PEM file of the authority that signed the certificates of NATS. Default: those that Node knows.",
  },
  natsTlsCert: {
    schema: readableFile.optional(),
    doc: "PEM file of the certificate by which NATS knows this gateway; with `natsTlsKey`.",
  },
  natsTlsKey: {
    schema: readableFile.optional(),
    doc: "PEM file of its private key.",
  },
  listenAuthorization: {
    schema: z
      .string()
      .regex(/^[^.]+\.[^.]+$/, "must be the name of a function as schema.name")
      .optional(),
    doc: "Function of the database, `schema.name`, that is called with a topic as the subscriber's role: it lets the subscription field `listen(topic)` hear `pg_notify('postgraphile:<topic>', …)`, or refuses by raising or by returning false. Without it there is no such field.",
  },
  maxSocketsPerAccount: {
    schema: count,
    default: 1000,
    doc: "WebSockets that an account may have open, on each host; with `natsUrl`, in the fleet.",
  },
  maxSocketsPerAddress: {
    schema: count,
    default: 20_000,
    doc: "WebSockets that may be open from one address, on each host; with `natsUrl`, in the fleet; higher, because many accounts may share one.",
  },
  maxSubscriptionsPerSocket: {
    schema: count,
    default: 100,
    doc: "Subscriptions on one WebSocket; each root field of an operation is one.",
  },
  maxMessageBytes: {
    schema: count.max(100 * MEGABYTE),
    default: 1 * MEGABYTE,
    doc: "Largest message that a client may send over a WebSocket.",
  },
  maxSocketBufferBytes: {
    schema: count,
    default: 8 * MEGABYTE,
    doc: "What may wait to be read by the client of a WebSocket; one that falls further behind is closed with 4429, and may resume.",
  },
  socketPingIntervalMs: {
    schema: milliseconds.max(15 * SECOND),
    default: 12 * SECOND,
    doc: "How often a WebSocket is asked for a sign of life; without one until the next time it is cut.",
  },
  shutdownTimeoutMs: {
    schema: milliseconds,
    default: 8 * SECOND,
    doc: "How long requests in flight may take to end after SIGTERM.",
  },
  opsToken: {
    schema: z.string().min(16, "must have at least 16 characters").optional(),
    doc: "Bearer token with which `/metrics` and the details of `/readyz` may be read from anywhere.",
  },
  opsAddresses: {
    schema: list.pipe(z.array(cidr)).optional(),
    doc: "CIDR ranges from which they may be read without a token. Default: loopback and private networks, or none where `opsToken` is set. What comes through a proxy that is not among `trustedProxies` needs the token.",
  },
  logLevel: {
    schema: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    default: "info",
    doc: "Least level that is logged.",
  },
  requestLog: {
    schema: flag,
    default: true,
    doc: "Whether requests are kept in their database for 24 hours (`GET /api/v4/requests`): when, who, from where, the path, the status, how long, and why one failed. Their numbers (`/statistics`) are kept always.",
  },
  otlpEndpoint: {
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    schema: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" }).optional(),
    doc: "Where traces are sent to, by OTLP over HTTP (`/v1/traces` is added). Default: OpenTelemetry is not loaded. Its headers, certificates, service name and resource attributes are OpenTelemetry's own variables (`OTEL_…`).",
  },
  traceSampler: {
    env: "OTEL_TRACES_SAMPLER",
    schema: z.enum([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ]),
    default: "parentbased_traceidratio",
    doc: "Which requests are traced; with `parentbased_…` those that come with a `traceparent` as it says.",
  },
  traceSamplerArg: {
    env: "OTEL_TRACES_SAMPLER_ARG",
    schema: z.coerce.number().min(0).max(1),
    default: 1,
    doc: "Part of the requests that `traceidratio` traces.",
  },
  corsOrigins: {
    schema: list,
    default: ["*"],
    doc: "Origins that browsers may call from; `*` for all (without credentials), empty for none.",
  },
  rateLimit: {
    schema: z.coerce.number().int().min(0),
    default: 0,
    doc: "Requests per minute for each address, and for each account, counted on each host: two behind a load balancer let twice as many through. With `natsUrl` and one `baseUrl` they count together, within a tenth. 0 for no limit.",
  },
  issuers: {
    schema: orJson(z.array(issuer)),
    default: [],
    doc: "Outside issuers whose tokens are accepted: `{issuer, jwksUri, audience, account, database?}`, where `account` is the claim that names the account here (default `sub`); in the environment as JSON.",
  },
  sessionLifetimeSeconds: {
    schema: count.max(31_536_000),
    default: 12 * 3600,
    doc: "How long a browser stays signed in at `/auth` and `/device`.",
  },
  authors: {
    schema: z.enum(["login", "refuse", "trust"]),
    default: "login",
    doc: "What becomes of a statement that reaches something of a role that is not trusted (`trustedOwners`), so that code of that role may run: `login`: it runs on a connection that has logged in as the account; `refuse`: 403; `trust`: it runs as any other.",
  },
  trustedOwners: {
    schema: list,
    default: [],
    doc: "Roles of PostgreSQL whose functions, triggers, policies, views and types everybody may run, beside super users, the owner of the database and that of schema `portolan`. Whoever is or becomes one of them can become anybody, and read keys. In a fleet the list of the gateway that started last holds.",
  },
  trustedFunctions: {
    schema: functions,
    default: [],
    doc: "Functions of trusted owners whose procedural bodies run nothing of anybody else, with schema and types of arguments: `app.area(integer, text)`. Bodies in SQL are read, others are not, so that those not listed here count as code of authors where there are any. In a fleet the list of the gateway that started last holds.",
  },
  legacyClient: {
    schema: flag,
    default: false,
    doc: "Whether a new database has the client `gc2-cli`, for tools and an SDK of an existing installation: public, without consent, with the password grant, and its first refresh token stays good. A database that has it, or has it not, stays so.",
  },
  ownConnections: {
    schema: count.max(1000),
    default: 30,
    doc: "Connections of accounts' own logins that a host opens at most, all workers and MapServer's included; the one that is idle longest is closed first.",
  },
  auditRetentionDays: {
    schema: count.max(36_500),
    default: 365,
    doc: "How long `portolan.audit` keeps an entry.",
  },
  maxBodyBytes: {
    schema: count,
    default: 1 * MEGABYTE,
    doc: "Largest body of a GraphQL request.",
  },
  maxImportBytes: {
    schema: count,
    default: 4000 * MEGABYTE,
    doc: "Largest file, decompressed, that is imported into a table.",
  },
  importTimeoutMs: {
    schema: milliseconds,
    default: 60 * MINUTE,
    doc: "An import that takes longer, from its first byte to its last row, ends and keeps nothing.",
  },
  introspection: {
    env: "GRAPHQL_INTROSPECTION",
    schema: flag,
    default: true,
    doc: "Whether GraphQL introspection is answered.",
  },
  graphiql: { schema: flag, default: true, doc: "Whether `/graphiql/{schema}` is served." },
  maxDocumentBytes: {
    env: "GRAPHQL_MAX_DOCUMENT_BYTES",
    schema: count,
    default: 100 * KILOBYTE,
    doc: "Largest GraphQL document.",
  },
  maxAnswerBytes: {
    env: "GRAPHQL_MAX_ANSWER_BYTES",
    schema: count.max(400 * MEGABYTE),
    default: 50 * MEGABYTE,
    doc: "Largest value of a root field that is read as JSON from PostgreSQL.",
  },
  maxDepth: {
    env: "GRAPHQL_MAX_DEPTH",
    schema: count,
    default: 12,
    doc: "Deepest selection of a GraphQL operation; introspection fields have a cap of their own (20).",
  },
  maxAliases: {
    env: "GRAPHQL_MAX_ALIASES",
    schema: z.coerce.number().int().min(0),
    default: 30,
    doc: "Most aliases in a GraphQL document.",
  },
  maxTokens: { env: "GRAPHQL_MAX_TOKENS", schema: count, default: 1000, doc: "Most tokens in a GraphQL document." },
  defaultLimit: {
    env: "GRAPHQL_DEFAULT_LIMIT",
    schema: count,
    default: 100,
    doc: "Rows of a list without `limit`; per table by `@limit`.",
  },
  maxLimit: {
    env: "GRAPHQL_MAX_LIMIT",
    schema: count,
    default: 10_000,
    doc: "Largest `limit` of a list; per table by `@limit`.",
  },
  maxAffected: {
    env: "GRAPHQL_MAX_AFFECTED",
    schema: count.optional(),
    doc: "Most rows that a GraphQL update or delete may affect; per table by `@limit … maxAffected n`, less by the argument `maxAffected`. Default: any number.",
  },
  trustedDocuments: {
    schema: z
      .union([z.string().min(1), z.strictObject({ documents: z.string().min(1), only: flag.default(false) })])
      .transform((value) => (typeof value === "string" ? { documents: value, only: false } : value))
      .optional(),
    doc: "GraphQL documents that requests may name: a folder of `*.graphql` files, or a manifest (`{hash: text}`, or Apollo's). As an object: `{documents, only}`.",
  },
  trustedDocumentsOnly: {
    schema: flag,
    default: false,
    doc: "Whether GraphQL refuses every document that is not trusted; the same as `trustedDocuments.only`.",
  },
  persistedQueries: {
    schema: flag,
    default: false,
    doc: "Whether GraphQL keeps valid documents under the SHA-256 that comes with them, for requests that send that alone (Apollo's Automatic Persisted Queries); 1,000 a process.",
  },
  rasterDirectory: {
    schema: z.string().regex(/^\//, "must be an absolute path").optional(),
    doc: "Folder of the GeoTIFF files that `portolan.create_raster` may name. The workers of MapServer must be able to read it. Default: no rasters.",
  },
  mapWorkers: {
    schema: z.coerce.number().int().min(0).max(256),
    default: 0,
    doc: "MapServer processes, and with them maps that are drawn at the same time; 0: as many as there are cores.",
  },
  mapTimeoutMs: {
    schema: milliseconds,
    default: 30 * SECOND,
    doc: "A map that takes longer is given up, and its worker killed.",
  },
  mapQueueTimeoutMs: {
    schema: milliseconds,
    default: 15 * SECOND,
    doc: "How long a map may wait for a worker before it is answered with 503.",
  },
  mapPixelBudget: {
    schema: count,
    default: 16_384 * 16_384,
    doc: "Pixels of all maps that are drawn or sent at the same time; the default is one map of the largest size.",
  },
  mapConnections: {
    schema: count.max(1000),
    default: 16,
    doc: "Database connections of all MapServer workers together: each account needs one of its own in a worker.",
  },
  mapRequestsPerWorker: {
    schema: count,
    default: 5000,
    doc: "Maps that a MapServer worker draws before a new one takes its place.",
  },
  mapWorkerMemoryBytes: {
    schema: count.min(256 * MEGABYTE),
    default: 4000 * MEGABYTE,
    doc: "Address space of a MapServer worker; the largest JPEG takes 2 GB.",
  },
  mapDirectory: {
    schema: z.string().regex(/^\//, "must be an absolute path").optional(),
    doc: "Where the mapfiles are written, in a folder that ends with the process. Default: the system's folder for temporary files.",
  },
  ogc: {
    env: "", // its members have
    schema: ogc,
    default: {},
    doc: 'OGC API: `antimeridian` ("reject": a bbox over it is an error; "split": it is taken as the standard says), `axisOrder` (of projected systems whose registry has north before east, such as 3035, 2180 and 2193; "xy": x first, and only in what is read; "authority": the order of the registry, in all that is read and written), `datetimeIntervals` ("reject" or "accept"), `mapCrs` ("CRS84" or "storage": what maps are in without `crs`), `countBudgetMs` (where counting takes longer, `numberMatched` is left out; default: no such limit), `crs` (EPSG codes that every collection offers beside its own), `crsForms` ("uri": `crs` and `bbox-crs` are URIs of the list; "all": https and `[EPSG:4326]` will do too), `defaultSchema` (the collections of `/map` without `collections`; default: all schemas), `fgbIndexed` (FlatGeobuf of up to so many features has an index; 20,000), `mapCollections` (how many collections one map shows at most; 50), `qgisQueryables` (whether QGIS 3.40 lets the service filter by place: geometries in queryables then have the `$ref` by which it knows them, and which the standard forbids, and `/conformance` names a class of CQL2 as drafts did; default: not), `tileCacheBytes` (memory for tiles that are kept until their table is written; 64 MB, 0 keeps none), `tileFeatureLimit` (features of a layer of a vector tile at most; 50,000), `tileMatrixSets` (more of them, by id: `{crs, bounds, levels, tileSize, title}` with an EPSG code and `[minx, miny, maxx, maxy]`, x or longitude first), `tileMaxAge` (seconds for which public tiles need not be asked for again; 0), `transactions` (whether features can be written; `@ogc write` says so for one table; default: not), `requireIfMatch` (whether PUT, PATCH and DELETE need `If-Match`; default: not), `maxBodyBytes` (largest body of such a request; 64 MB), `title` (of every dataset; default: the name of its database), `contact` (`{name, url, email}`) and `license` (`{name, url}`), on the landing page, in `/api` and on all pages, `logo` (absolute path of a picture for the pages), `baseMap` (`{url, attribution}`: tiles in Web Mercator of another host beneath the maps of pages, with `{z}`, `{x}` and `{y}`; default: none, the browser asks no other host). Each is a variable too, as `OGC_MAP_CRS`; lists by commas, objects as JSON.',
  },
} as const satisfies Record<string, Option>;

/** Options that have no effect without NATS. */
const NATS_OPTIONS = {
  NATS_CREDENTIALS: "natsCredentials",
  NATS_TLS_CA: "natsTlsCa",
  NATS_TLS_CERT: "natsTlsCert",
} as const;

type OptionName = keyof typeof OPTIONS;
type Values = { readonly [Name in OptionName]: z.infer<(typeof OPTIONS)[Name]["schema"]> };

/** The form in `graphile.config.ts`; options that environment variables convert have their own type there. */
type Written<Schema extends z.ZodType> = unknown extends z.input<Schema> ? z.output<Schema> : z.input<Schema>;

/** The scope `portolan` of a preset. */
export type PortolanOptions = { readonly [Name in OptionName]?: Written<(typeof OPTIONS)[Name]["schema"]> | undefined };

declare global {
  namespace GraphileConfig {
    interface Preset {
      /** Options of the gateway, in `graphile.config.ts`. */
      portolan?: PortolanOptions | undefined;
    }
  }
}

export interface DatabaseConfig {
  readonly name: string;
  readonly url: string;
  readonly ownerUrl: string;
  /** The same through a pooler in transaction mode, for requests; `url` is then the one without it. */
  readonly pooledUrl?: string | undefined;
  /** Its standbys, from which requests may be read. */
  readonly replicaUrls?: readonly string[] | undefined;
  /** Whether it has the client `gc2-cli` when it is new. Default false. */
  readonly legacyClient?: boolean | undefined;
}

export interface Config extends Omit<
  Values,
  "databases" | "databaseUrl" | "ownerDatabaseUrl" | "directDatabaseUrl" | "replicaUrls" | "pooler" | "baseUrl"
> {
  /** Set, or undefined for `http(s)://host:port` of the socket that is listened on. */
  readonly baseUrl: string | undefined;
  /** Empty: the private cluster with the demo. */
  readonly databases: readonly DatabaseConfig[];
  /** All other databases of a cluster, with `/*` in place of the name in each connection string. */
  readonly pattern: DatabaseConfig | undefined;
  /** Variables of the environment that look like ours and are not; `start` and `doctor` name them. */
  readonly warnings: readonly string[];
  /** Presets of the user, whose plugins join every GraphQL schema. */
  readonly preset: GraphilePreset;
}

/** The part of a Graphile preset that matters here; the GraphQL door passes it on unchanged. */
export interface GraphilePreset {
  readonly extends?: readonly unknown[];
  readonly plugins?: readonly unknown[];
  readonly disablePlugins?: readonly string[];
  readonly [scope: string]: unknown;
}

/** All problems of a configuration at once, one line each. */
export class ConfigError extends OperatorError {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(`The configuration is not right:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`, options);
    this.problems = problems;
  }
}

export interface ConfigSources {
  /** Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of `graphile.config.*`; default the working directory. */
  readonly directory?: string;
}

/** Reads `graphile.config.ts` and the environment. Throws `ConfigError` with all problems. */
export async function loadConfig({
  env = process.env,
  directory = process.cwd(),
}: ConfigSources = {}): Promise<Config> {
  return resolveConfig(await loadPreset(directory), env);
}

/** The configuration of these options alone, as a test or an embedding program writes it. */
export function makeConfig(options: Partial<Record<OptionName, unknown>> = {}): Config {
  return resolveConfig({ portolan: options }, {});
}

/** The rows of docs/reference/options.md. */
export function describeOptions(): readonly { name: string; env: string; default: string; doc: string }[] {
  return Object.entries<Option>(OPTIONS).map(([name, option]) => ({
    name,
    env: variableOf(name, option),
    default: option.default === undefined ? "" : JSON.stringify(option.default),
    doc: option.doc,
  }));
}

const CONFIG_FILES = ["ts", "mts", "js", "mjs"].map((extension) => `graphile.config.${extension}`);

async function loadPreset(directory: string): Promise<GraphilePreset> {
  const file = CONFIG_FILES.map((name) => resolve(directory, name)).find(existsSync);
  if (!file) return {};
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
    if (typeof module.default !== "object" || module.default === null)
      throw new Error("it has no preset as default export");
    return module.default as GraphilePreset;
  } catch (error) {
    throw new ConfigError([`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`], {
      cause: error,
    });
  }
}

function resolveConfig(preset: GraphilePreset, env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const { portolan = {}, ...graphile } = preset;
  if (typeof portolan !== "object" || portolan === null) throw new ConfigError(["portolan: must be an object"]);
  const written = portolan as Record<string, unknown>;
  for (const name of Object.keys(written))
    if (!Object.hasOwn(OPTIONS, name)) problems.push(`portolan.${name}: there is no such option`);

  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries<Option>(OPTIONS)) {
    const variable = variableOf(name, option);
    const text = env[variable];
    const fromEnv = text !== undefined && text !== "";
    const value = fromEnv ? text : name === "ogc" ? withVariables(written[name], env) : written[name];
    const parsed = option.schema.safeParse(value ?? option.default);
    if (parsed.success) values[name] = parsed.data;
    else
      for (const issue of parsed.error.issues)
        problems.push(`${[fromEnv ? variable : `portolan.${name}`, ...issue.path].join(".")}: ${explain(issue)}`);
  }
  const {
    databaseUrl,
    ownerDatabaseUrl,
    directDatabaseUrl,
    replicaUrls,
    pooler,
    databases: several,
    ...rest
  } = values as Values;
  if (Boolean(values["tlsCert"]) !== Boolean(values["tlsKey"]))
    problems.push("TLS_CERT and TLS_KEY: one needs the other");
  if (Boolean(values["natsTlsCert"]) !== Boolean(values["natsTlsKey"]))
    problems.push("NATS_TLS_CERT and NATS_TLS_KEY: one needs the other");
  for (const [variable, name] of Object.entries(NATS_OPTIONS))
    if (values[name] && (values["natsUrl"] as string[] | undefined)?.length === 0)
      problems.push(`${variable}: needs NATS_URL`);
  if (values["defaultLimit"] && values["maxLimit"] && Number(values["defaultLimit"]) > Number(values["maxLimit"]))
    problems.push("portolan.defaultLimit: is over portolan.maxLimit");
  if (databaseUrl && Object.keys(several ?? {}).length > 0)
    problems.push("DATABASE_URL and portolan.databases: give one of them");
  if (values["trustedDocumentsOnly"] && !values["trustedDocuments"])
    problems.push("TRUSTED_DOCUMENTS_ONLY: needs TRUSTED_DOCUMENTS");
  if (ownerDatabaseUrl && !databaseUrl) problems.push("OWNER_DATABASE_URL: needs DATABASE_URL");
  if (replicaUrls?.length && !databaseUrl) problems.push("REPLICA_URLS: needs DATABASE_URL");
  const given: (Pick<DatabaseConfig, "name" | "url" | "replicaUrls"> & {
    ownerUrl?: string | undefined;
    directUrl?: string | undefined;
  })[] = databaseUrl
    ? [{ name: "", url: databaseUrl, ownerUrl: ownerDatabaseUrl, directUrl: directDatabaseUrl, replicaUrls }]
    : Object.entries(several ?? {}).map(([name, value]) => ({
        name,
        ...(typeof value === "string" ? { url: value } : value),
      }));
  for (const { name, directUrl } of given) {
    const option = name === "" ? "DIRECT_DATABASE_URL" : `portolan.databases.${name}.directUrl`;
    if (pooler === "transaction" && !directUrl)
      problems.push(`${option}: is needed beside POOLER=transaction, for what needs sessions of its own`);
    if (pooler === "none" && directUrl) problems.push(`${option}: needs POOLER=transaction`);
  }
  for (const { name, url, ownerUrl = url, directUrl = url, replicaUrls: replicas = [] } of given)
    for (const one of [url, ownerUrl, directUrl, ...replicas])
      if ((databaseNameOf(one) === "*") !== (name === "*" || (name === "" && databaseNameOf(url) === "*")))
        problems.push(`${name === "" ? "DATABASE_URL" : `portolan.databases.${name}`}: all or none may end with /*`);
  if (problems.length > 0) throw new ConfigError(problems);
  const resolved = given.map(({ name, url, ownerUrl, directUrl = url, replicaUrls: replicas = [] }) => ({
    name: name || databaseNameOf(directUrl),
    url: directUrl,
    ownerUrl: ownerUrl ?? directUrl,
    ...(pooler === "transaction" && { pooledUrl: url }),
    ...(replicas.length > 0 && { replicaUrls: replicas }),
    ...(rest.legacyClient && { legacyClient: true }),
  }));

  return deepFreeze({
    ...rest,
    baseUrl: (values as Values).baseUrl,
    databases: resolved.filter(({ name }) => name !== "*"),
    pattern: resolved.find(({ name }) => name === "*"),
    warnings: misspelt(env),
    preset: graphile as GraphilePreset,
  });
}

/** Variables that other parts read: `programs.mjs`, and `portolan.mjs`. */
const OTHER_VARIABLES = ["PORTOLAN_PG_BIN", "PORTOLAN_MAPSERV"];

/** The environment is everybody's, so that only what begins like ours or is a slip away from a name of ours is said. */
function misspelt(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = [
    ...Object.entries<Option>(OPTIONS).map(([name, option]) => variableOf(name, option)),
    ...Object.keys(ogc.shape).map(ogcVariable),
  ];
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !OTHER_VARIABLES.includes(name))
    .flatMap((name) => {
      const [nearest] = known
        .map((candidate) => ({ candidate, most: Math.min(3, Math.floor(candidate.length / 5)) }))
        // the distance takes its time, which each command would wait for: here what needs too many letters at any rate
        .filter(({ candidate, most }) => Math.abs(name.length - candidate.length) <= most)
        .filter(({ candidate, most }) => [...candidate].filter((letter) => !name.includes(letter)).length <= most)
        .map(({ candidate, most }) => ({ candidate, most, distance: editDistance(name, candidate) }))
        .filter(({ distance, most }) => distance <= most)
        .sort((a, b) => a.distance - b.distance);
      if (nearest) return [`${name}: there is no such variable, did you mean ${nearest.candidate}?`];
      return name.startsWith("PORTOLAN_") ? [`${name}: there is no such variable`] : [];
    });
}

/** How many letters must be put in, taken out, changed or swapped with their neighbour (restricted Damerau-Levenshtein). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = (rows[i] = [i]);
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped);
    }
  }
  return at(a.length, b.length);
}

/** `poolSize` → `POOL_SIZE`. */
function inCapitals(name: string): string {
  return name.replace(/[A-Z]/g, "_$&").toUpperCase();
}

function variableOf(name: string, { env }: Option): string {
  return env ?? inCapitals(name);
}

/** `mapCrs` → `OGC_MAP_CRS`. */
function ogcVariable(name: string): string {
  return `OGC_${inCapitals(name)}`;
}

/** The options of the OGC API, each of which is a variable too; the environment wins. */
function withVariables(given: unknown, env: Readonly<Record<string, string | undefined>>): unknown {
  const texts = Object.keys(ogc.shape).flatMap((name) => {
    const text = env[ogcVariable(name)];
    return text === undefined || text === "" ? [] : [[name, text]];
  });
  return texts.length === 0 ? given : { ...(given as object | undefined), ...Object.fromEntries(texts) };
}

/** Zod's own words name types; ours name what to write. */
function explain(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `must be ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
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

function isReadable(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}

function parseCidr(text: string): { address: string; prefix: number; family: "ipv4" | "ipv6" } | undefined {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  return prefix <= most ? { address, prefix, family: version === 4 ? "ipv4" : "ipv6" } : undefined;
}

/** The ranges of `trustedProxies` as something that can be asked. */
export function toBlockList(ranges: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const range of ranges) {
    const parsed = parseCidr(range);
    if (parsed) blocks.addSubnet(parsed.address, parsed.prefix, parsed.family);
  }
  return blocks;
}

/** Plugins are shared objects of other packages: they are left as they are. */
function deepFreeze(config: Config): Config {
  for (const [name, value] of Object.entries(config))
    if (name !== "preset" && typeof value === "object" && value !== null) Object.freeze(value);
  return Object.freeze(config);
}
