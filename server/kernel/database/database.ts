/** One database: its pools, and the only two ways from a request to it. */
import type pg from "pg";
import pgPromise, { type IDatabase } from "pg-promise";
import { isServerGoing, SQLSTATE, sqlstateOf } from "../errors.ts";
import { beginAs, type Identity, type RequestContext } from "./begin.ts";
import { Memory } from "./memory.ts";
import { OwnLogins } from "./ownLogins.ts";
import { startOptions, startSettings } from "./startOptions.ts";
import { notOnStandby, Standbys } from "./standbys.ts";
import { transact, type UserSqlTransaction, type Transaction } from "./transaction.ts";
import {
  abandon,
  cut,
  latestCertificate,
  openPool,
  RENEWED_SECONDS,
  SERVERS,
  takeWire,
  tolerateLoss,
  type ServerCertificate,
  type Wire,
} from "./wire/wire.ts";

export { sessionSettings } from "./begin.ts";
export { JIT_OFF, SET_JIT_OFF } from "./startOptions.ts";
export {
  checkServers,
  checkSession,
  checkStandbys,
  connectionProblem,
  poolerFindings,
  STANDBY,
  type ServerFinding,
} from "./directConnection.ts";
export { LSN_HEADER, parsePosition, ReadPoint } from "./readPoint.ts";
export type { StandbyFigures } from "./standbys.ts";
export type { Basis, Identity, RequestContext, Service, Setting } from "./begin.ts";
export { quoteIdentifier, quoteLiteral } from "./quote.ts";
export type { RowStatement, UserSqlTransaction, Statement, Transaction } from "./transaction.ts";
export { Bytes, certificateOf, makeClient } from "./wire/wire.ts";
export type {
  ByteRow,
  Description,
  Field,
  UserSqlOutcome,
  JsonRows,
  NamedStatement,
  Result,
  ServerCertificate,
  TextRow,
  WriteRow,
  WrittenRows,
} from "./wire/wire.ts";

/** A connection by itself that is made when it is first needed, and again when it was lost. */
export interface Connection {
  rows<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** For what is asked now and then of a database that is not served. */
export function connectTo(url: string): Connection {
  const pool = openPool({ connectionString: url, max: 1, connectionTimeoutMillis: 10 * SECOND, idleTimeoutMillis: 0 });
  return {
    rows: async <Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
      (await pool.query(text, [...values])).rows as Row[],
    close: () => pool.end(),
  };
}

const SECOND = 1000;
/** Beside the connection of `look`. */
const OWN_QUERIES_POOL_SIZE = 2;

export interface DatabaseOptions {
  readonly name: string;
  /** Connection string of the gateway's login role. */
  readonly url: string;
  /** The same database through a pooler in transaction mode, for requests alone. Default `url`. */
  readonly pooledUrl?: string | undefined;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** Of each query of the gateway's own. Default 10 s. */
  readonly ownQueryTimeoutMs?: number;
  /** Connections for each account that runs SQL which someone wrote. Default 6. */
  readonly ownPoolSize?: number;
  /** Connection strings of its standbys, from which requests may be read. Default none. */
  readonly replicaUrls?: readonly string[] | undefined;
  /** A standby that is further behind serves no read. Default 1 s. */
  readonly maxReplicaLagMs?: number;
  /** Of another pool of the same database. Default one of its own. */
  readonly memory?: Memory | undefined;
  /** After so long such a connection is closed when it is idle. Default 10 s. */
  readonly ownIdleMs?: number;
  /** Default: where PostgreSQL has no more connections, a request fails. */
  readonly withRoom?: WithRoom | undefined;
}

/** Waits until others have given connections back, and connects then. */
export type WithRoom = <T>(connect: () => Promise<T>) => Promise<T>;

export interface Database {
  readonly name: string;
  /** Connection string of the gateway's login role, for MapServer, which connects by itself. */
  readonly url: string;
  /** The gateway's own queries, under its login role: accounts, keys, catalogue. Never for what a caller asked. */
  readonly db: IDatabase<object>;
  /** The connections of requests. */
  readonly pool: pg.Pool;
  /** Whether requests go through a pooler in transaction mode: nothing of a session outlives their transactions. */
  readonly isPooled: boolean;
  /** A statement of the gateway's own about the catalogue, which may take as long as those of requests. */
  ask<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Undefined where none is named. */
  readonly standbys: Standbys | undefined;
  /** What its servers, standbys and pooler have shown within the last hour; none of those without TLS. */
  certificates(): readonly ServerCertificate[];
  /** What is remembered of it until it changes. */
  readonly memory: Memory;
  /**
   * Runs `callback` in one transaction as the identity's role, with its claims set: the way for every statement that
   * the gateway itself wrote. The connection is taken at the first statement. A read does not wait for its COMMIT;
   * after a failed statement a read-only transaction starts anew, so that the next statement is answered. Where
   * `context.basis` is not so any more, each statement rejects with what its `check` throws. Where `context.point` lets a
   * standby serve a read, any statement that fails there rejects with `NotOnStandby`: run again, it goes to the primary.
   * Throws `UNAVAILABLE` without a connection, `UNAUTHENTICATED` when the role is gone, PostgreSQL's errors, and
   * whatever `callback` throws, after ROLLBACK.
   */
  withIdentity<T>(
    identity: Identity,
    context: RequestContext,
    callback: (transaction: Transaction) => Promise<T>,
  ): Promise<T>;
  /**
   * The same for SQL that someone wrote: on a connection that is logged in as the account's role, since SQL can undo a
   * role change. Every statement goes through the extended protocol, which takes exactly one. Where the statement lifts
   * its own timeout, the gateway's timer cancels it and then closes the connection: `TIMEOUT`, SQLSTATE 57014.
   * For an account whose role Portolan did not make it throws `FORBIDDEN`, unless `context.published`: that runs under a
   * second login, which may only become roles of such accounts.
   */
  withOwnLogin<T>(
    identity: Identity,
    context: RequestContext,
    callback: (transaction: UserSqlTransaction) => Promise<T>,
  ): Promise<T>;
  /**
   * A question of the gateway's own, on a connection that is kept for it: where that one is dead, so are others. A server that
   * lives answers within two times `connectTimeoutMs`, if only that it took too long.
   */
  look<Row>(text: string): Promise<readonly Row[]>;
  /** Ends all connections at once, since nobody answers there: what waits rejects, and what comes next has others. */
  cut(): void;
  close(): Promise<void>;
}

const pgp = pgPromise({
  noWarnings: true,
  error: (error: unknown, { dc }: { dc?: unknown }) => {
    if (isServerGoing(error)) (dc as Own | undefined)?.abandon();
  },
});

/** What pg-promise hands back with an error of one of its connections. */
interface Own {
  abandon(): void;
}

/**
 * The gateway's own queries have connections of their own, so that no load of requests keeps it from noticing a removed
 * account.
 */
function openOwnQueries(shared: object, timeoutMs?: number): IDatabase<object> {
  const own: Own = { abandon: () => abandon(db.$pool as unknown as pg.Pool) };
  const db: IDatabase<object> = pgp(
    {
      ...shared,
      ...SERVERS,
      application_name: "portolan",
      max: OWN_QUERIES_POOL_SIZE,
      options: startOptions("own", timeoutMs === undefined ? [] : [["statement_timeout", `${timeoutMs}ms`]]),
    } as object,
    own,
  );
  tolerateLoss(db.$pool as unknown as pg.Pool);
  return db;
}

/** The one connection of `look`. */
function openLooks(shared: pg.PoolConfig & { readonly connectionTimeoutMillis: number }): pg.Pool {
  const withinMs = 2 * shared.connectionTimeoutMillis;
  return openPool({
    ...shared,
    application_name: "portolan",
    max: 1,
    maxLifetimeSeconds: RENEWED_SECONDS,
    options: startOptions("own", [["statement_timeout", `${withinMs}ms`]]),
  });
}

/** Opens the pools; nothing is connected until it is needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const shared = {
    connectionString: options.url,
    connectionTimeoutMillis: options.connectTimeoutMs,
    idleTimeoutMillis: 60 * SECOND,
    keepAlive: true,
  };
  const db = openOwnQueries(shared, options.ownQueryTimeoutMs);
  const looks = openLooks(shared);
  const isPooled = options.pooledUrl !== undefined;
  const pool = openPool({
    ...shared,
    connectionString: options.pooledUrl ?? options.url,
    application_name: "portolan requests",
    max: options.poolSize,
    ...(!isPooled && { options: startOptions("requests") }),
  });
  const connect = (): Promise<Wire> => takeWithRoom(pool, options.withRoom);
  const certificates = [looks, ...(isPooled ? [pool] : [])].map(latestCertificate);
  const session = isPooled ? startSettings() : [];
  const memory = options.memory ?? new Memory();
  const ownLogins = new OwnLogins({ ownPoolSize: 6, ownIdleMs: 10_000, ...options }, db);
  const standbys = options.replicaUrls?.length ? openStandbys(options, options.replicaUrls, db) : undefined;

  /** What was written is noted before it is answered, so that whoever wrote it sees it from then on. */
  async function noting<T>(running: Promise<T>, { name }: Identity, { readOnly, point }: RequestContext): Promise<T> {
    if (!standbys || readOnly) return running;
    try {
      return await running;
    } finally {
      await standbys.wrote(name, point);
    }
  }

  return {
    name: options.name,
    url: options.url,
    db,
    pool,
    isPooled,
    standbys,
    certificates: () => [...certificates, ...(standbys?.certificates ?? [])].flatMap((latest) => latest() ?? []),
    memory,
    ask: async <Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
      isPooled ? db.any<Row>(text, values) : ((await pool.query(text, [...values])).rows as Row[]),
    withIdentity(identity, context, callback) {
      const { readOnly = false, point } = context;
      const standby = readOnly && point ? standbys?.choose(identity.name, point) : undefined;
      const running = transact(
        {
          database: options.name,
          service: context.service,
          connect: standby ? () => standby.take(connect) : connect,
          begin: beginAs(identity, context, {
            statementTimeoutMs: options.statementTimeoutMs,
            changeRole: true,
            session,
            replayed: standby?.position,
          }),
          check: context.basis?.check,
          prepares: !isPooled,
          readOnly,
          signal: context.signal,
          failure: standby && ((error) => notOnStandby(error, point!)),
        },
        callback,
      );
      return noting(running, identity, context);
    },
    withOwnLogin: (identity, context, callback) =>
      noting(ownLogins.run(identity, context, callback), identity, context),
    look: async <Row>(text: string): Promise<readonly Row[]> => (await looks.query(text)).rows as Row[],
    cut() {
      for (const one of [db.$pool as unknown as pg.Pool, looks, pool]) cut(one);
      ownLogins.cut();
    },
    async close() {
      memory.forget();
      await standbys?.close();
      await Promise.all([db.$pool.end(), looks.end(), pool.end(), ownLogins.close()]);
    },
  };
}

/** Where PostgreSQL has no more connections, once more when others have given some back. */
function takeWithRoom(pool: pg.Pool, withRoom: WithRoom | undefined): Promise<Wire> {
  return takeWire(pool).catch((error: unknown) => {
    if (!withRoom || sqlstateOf(error) !== SQLSTATE.tooManyConnections) throw error;
    return withRoom(() => takeWire(pool));
  });
}

function openStandbys(
  { poolSize, connectTimeoutMs, maxReplicaLagMs: maxLagMs = SECOND }: DatabaseOptions,
  urls: readonly string[],
  db: IDatabase<object>,
): Standbys {
  return new Standbys({
    urls,
    poolSize,
    connectTimeoutMs,
    maxLagMs,
    askPrimary: () =>
      db.one<{ timeline: number; lsn: string; inserted: string }>(
        "select timeline, lsn::text, pg_current_wal_insert_lsn()::text as inserted from portolan.wal_position()",
      ),
    askSystem: async () =>
      (await db.one<{ system: string }>("select system_identifier::text as system from pg_control_system()")).system,
  });
}
