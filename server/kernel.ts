/** The parameters of every door: the configuration, the databases, the caller's identity, and notice of changes. */
import type { IncomingMessage } from "node:http";
import type { Relation } from "./kernel/catalogue/access.ts";
import { Watchers } from "./kernel/catalogue/watchers.ts";
import type { Config, DatabaseConfig } from "./kernel/config.ts";
import { openDatabase, OwnConnections, type Database, type Identity } from "./kernel/database/database.ts";
import { Databases } from "./fleet/databases.ts";
import type { Door } from "./kernel/door.ts";
import { GatewayError } from "./ground/errors.ts";
import { LocalHost, type Host } from "./fleet/host.ts";
import { createRateLimiter, type RateLimiter } from "./kernel/http/rateLimit.ts";
import { Mailer } from "./kernel/mail/mailer.ts";
import { Identifier, type Verified } from "./kernel/identity/identity.ts";
import { closeProofs } from "./kernel/identity/once.ts";
import type { Log } from "./ground/log.ts";
import { createMetrics, type Metrics } from "./operate/metrics.ts";
import type { Tracing } from "./kernel/tracing/trace.ts";
import { openNats, type Nats } from "./fleet/nats.ts";
import { RequestLog } from "./operate/requestLog.ts";

export interface KernelOptions {
  readonly config: Config;
  readonly databases: readonly DatabaseConfig[];
  /** Patterns that stand for the other databases of a cluster, which sleep until the first request. Default none. */
  readonly patterns?: readonly DatabaseConfig[];
  /** Makes sure that one of them can be served, when it wakes. */
  readonly prepare?: ((database: Database, config: DatabaseConfig) => Promise<void>) | undefined;
  /** Address of the service as clients see it, without a slash at the end. */
  readonly baseUrl: string;
  readonly log: Log;
  /** The counts that it shares with other processes of its host. Default: it is alone. */
  readonly host?: Host | undefined;
  /** Undefined where nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

export interface Kernel extends Omit<KernelOptions, "databases" | "patterns" | "prepare"> {
  readonly host: Host;
  /** The connections of this process that are logged in as accounts. */
  readonly own: OwnConnections;
  /** The databases that are open now. */
  readonly databases: ReadonlyMap<string, Database>;
  /** All databases, including those that sleep, and the way to wake one. */
  readonly directory: Pick<Databases, "names" | "hasPattern" | "find" | "isSleeper">;
  readonly metrics: Metrics;
  readonly requestLog: RequestLog;
  /** Undefined where no mail is sent. */
  readonly mail: Mailer | undefined;
  /** Where a fleet has one. */
  readonly nats: Nats | undefined;
  readonly limiter: RateLimiter;
  readonly identifier: Identifier;
  /** Identifies the caller and counts the request for the account. Throws `UNAUTHENTICATED`, `RATE_LIMITED`. */
  identify(request: IncomingMessage): Promise<Identity>;
  /** The caller and the scopes of its token at one resource (kernel/identity/resources.ts). Throws the same. */
  identifyAt(request: IncomingMessage, resource: string): Promise<Verified>;
  /** The caller of this database: `anonymous` without a token, and then counted by address alone. Throws the same. */
  identifyIn(request: IncomingMessage, database: Database): Promise<Identity>;
  /** `anonymous` of this database, also where the browser is signed in. Throws `UNAUTHENTICATED`. */
  identifyNobody(request: IncomingMessage, database: Database): Promise<Identity>;
  /** Counts `operations` more than the request itself. Throws `RATE_LIMITED`. */
  countMore(request: IncomingMessage, identity: Identity, operations: number): Promise<void>;
  /** Throws `UNAUTHENTICATED` when the identity's database is served no more, `UNAVAILABLE` when it falls asleep. */
  databaseOf(identity: Identity): Database;
  /** The schemas that a database exposes now. */
  schemasOf(database: string): readonly string[];
  /** For each of them a text that changes with DDL in it, as of the last look at the catalogue; undefined: unknown. */
  fingerprintsOf(database: string): ReadonlyMap<string, string> | undefined;
  /**
   * Looks at the catalogue now. `isOther` (default): PostgreSQL has said that it is another one; else it is left alone where
   * it was checked just before. Never rejects.
   */
  lookNow(database: Database, isOther?: boolean): Promise<void>;
  /** Rereads the catalogue for a relation that was not found: see `Watcher.lookFor`. */
  lookFor(database: Database, relation: Relation): Promise<void>;
  /** Looks at every database, which must succeed, and then tells the doors what changes. */
  watch(doors: readonly Door[]): Promise<void>;
  stopWatching(): Promise<void>;
  /** Closes the pools. */
  close(): Promise<void>;
}

/** Opens the databases; nothing is connected until it is needed. */
export function createKernel({
  config,
  databases: named,
  patterns = [],
  prepare,
  baseUrl,
  ...given
}: KernelOptions): Kernel {
  const log: Log = given.log.child({});
  const nats = openNats(config, log);
  const { host = new LocalHost(nats, config.baseUrl, config), tracing } = given;
  const own = new OwnConnections((opener) => host.join(opener));
  const directory = new Databases({
    named,
    patterns,
    idleMs: config.idleDatabaseMs,
    log,
    open: (one, withRoom) => openDatabase({ ...config, ...one, own, withRoom }),
  });
  const databases = directory.awake;
  const mail = config.smtpUrl === undefined ? undefined : new Mailer(config, log);
  const metrics = createMetrics(config, databases, { nats, mail });
  const [only, ...others] = [...named, ...patterns].map(({ name }) => name);
  const requestLog = new RequestLog({
    databases,
    only: others.length === 0 ? only : undefined,
    keepsEntries: config.requestLog,
    log,
  });
  const noteFailure: typeof log.onFailure = (error, requestId) => requestLog.failed(error, requestId);
  log.onFailure = noteFailure;
  const limiter = createRateLimiter(config.rateLimit, host);
  const identifier = new Identifier(databases, baseUrl, { ...config, mail }, directory);
  const watchers = new Watchers({ config, baseUrl, log, identifier, directory, prepare });

  return {
    config,
    baseUrl,
    log,
    databases,
    directory,
    host,
    own,
    metrics,
    requestLog,
    tracing,
    mail,
    nats,
    limiter,
    identifier,
    ...whoAsks({ identifier, limiter, directory }),
    databaseOf(identity) {
      const database = databases.get(identity.database);
      if (!database)
        throw new GatewayError(directory.isSleeper({ name: identity.database }) ? "UNAVAILABLE" : "UNAUTHENTICATED");
      return database;
    },
    schemasOf: (database) => watchers.schemasOf(database),
    fingerprintsOf: (database) => watchers.fingerprintsOf(database),
    lookNow: (database, isOther) => watchers.lookNow(database, isOther),
    lookFor: (database, relation) => watchers.lookFor(database, relation),
    async watch(doors) {
      await Promise.all([...databases.values()].map((database) => watchers.watch(database, doors)));
      await directory.start(watchers.sleepOf(doors));
    },
    async stopWatching() {
      await directory.stop();
      await watchers.stop();
    },
    async close() {
      await mail?.close();
      await closeProofs(databases.values());
      await directory.close();
      host.close();
      await nats?.close();
    },
  };
}

/** How a request gets its identity, and what it counts for. */
function whoAsks({
  identifier,
  limiter,
  directory,
}: {
  readonly identifier: Identifier;
  readonly limiter: RateLimiter;
  readonly directory: Databases;
}): Pick<Kernel, "identify" | "identifyAt" | "identifyIn" | "identifyNobody" | "countMore"> {
  const countAccount = ({ name, database }: Identity): Promise<void> => limiter.count(`account ${name}@${database}`);
  const note = async (request: IncomingMessage, identity: Identity): Promise<Identity> => {
    request.asker = identity;
    directory.hold(identity.database, request);
    await countAccount(identity);
    return identity;
  };
  return {
    identify: async (request) => note(request, await identifier.identify(request)),
    async identifyAt(request, resource) {
      const verified = await identifier.identifyAt(request, resource);
      await note(request, verified.identity);
      return verified;
    },
    async identifyIn(request, database) {
      directory.hold(database.name, request);
      request.asker = { database: database.name, name: "anonymous" };
      const identity = identifier.knownIn(request, database) ?? (await identifier.identifyIn(request, database));
      request.asker = identity;
      if (limiter.limits && identity.name !== "anonymous") await countAccount(identity);
      return identity;
    },
    async identifyNobody(request, database) {
      directory.hold(database.name, request);
      request.asker = { database: database.name, name: "anonymous" };
      return identifier.anonymousIn(database);
    },
    async countMore(request, identity, operations) {
      for (let more = 0; more < operations; more++) {
        await limiter.countAddress(request.address);
        await countAccount(identity);
      }
    },
  };
}
