/** One database: its pools, and the only two ways from a request to it. */
import type pg from "pg";
import pgPromise, { type IDatabase } from "pg-promise";
import { GatewayError, isServerGoing, SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import { AllowedByRole } from "./allowed.ts";
import { beginAs, type Identity, type RequestContext } from "./begin.ts";
import { Code, type Author, type Reached, type Runs } from "./code.ts";
import { LockLimit, whatIsLocked, type LockFailure } from "./locked.ts";
import { LoginPasswords } from "./loginPasswords.ts";
import { Memory } from "./memory.ts";
import { OwnConnections } from "./ownConnections.ts";
import { OwnLogins } from "./ownLogins.ts";
import type { OwnPlaces } from "./ownPlaces.ts";
import { Pins } from "./pins.ts";
import { PoolLogin } from "./poolLogin.ts";
import { RESET, RESET_POOLED } from "./reset.ts";
import type { SessionOptions } from "./session.ts";
import type { Setting } from "./settings.ts";
import { callerOf, Places } from "./shares.ts";
import { startOptions, startSettings } from "./startOptions.ts";
import { notOnStandby, Standbys } from "./standbys.ts";
import { Tickets } from "./tickets.ts";
import { transact, type UserSqlTransaction, type Transaction } from "./transaction.ts";
import {
  abandon,
  cut,
  isRefusal,
  latestCertificate,
  makeClient,
  openPool,
  RENEWED_SECONDS,
  SERVERS,
  takeWire,
  takeWireNow,
  tolerateLoss,
  type Choose,
  type ServerCertificate,
  type Wire,
} from "./wire/wire.ts";

export { sessionSettings } from "./begin.ts";
export { JIT_OFF, optionsOf, SET_JIT_OFF, SET_SEARCH_PATH, SHARDS_IN_TURN, startOptions } from "./startOptions.ts";
export {
  checkServers,
  checkSession,
  checkStandbys,
  connectDirectly,
  connectionProblem,
  poolerFindings,
  STANDBY,
  type ServerFinding,
} from "./directConnection.ts";
export { LSN_HEADER, parsePosition, ReadPoint } from "./readPoint.ts";
export type { StandbyFigures } from "./standbys.ts";
export { CATALOGUE, type Author, type Reached } from "./code.ts";
export type { LockFailure } from "./locked.ts";
export type { Basis, Identity, RequestContext } from "./begin.ts";
export type { Service } from "../../ground/services.ts";
export type { Setting } from "./settings.ts";
export {
  HostConnections,
  type ConnectionPlaces,
  type HostConnectionsOptions,
  type Opener,
  type Taken,
} from "./hostConnections.ts";
export { OwnConnections, type IdleSource } from "./ownConnections.ts";
export { callerOf, Places, Shares, type Claimant, type Leave, type PlacesOptions } from "./shares.ts";
export { quoteIdentifier, quoteLiteral } from "./quote.ts";
export type { RowStatement, SingleRead, UserSqlTransaction, Statement, Transaction } from "./transaction.ts";
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

/** A single connection, made when first needed and again when it was lost. */
export interface Connection {
  rows<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** For occasional questions to a database that is not served. `listens`: for notifications while it is connected. */
export function connectTo(url: string, listens?: { readonly channel: string; run(): void }): Connection {
  const pool = openPool({ connectionString: url, max: 1, connectionTimeoutMillis: 10 * SECOND, idleTimeoutMillis: 0 });
  if (listens)
    pool.on("connect", (client) => {
      client.on("notification", () => listens.run());
      client.query(`listen ${listens.channel}`).catch(() => undefined); // the next question notices
    });
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
  /** A caller that has sent requests for this time gets a session of its own. Default 50 ms. */
  readonly pinAfterMs?: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** How long a statement of a request waits for a lock. Default: as long as it may take. */
  readonly lockTimeoutMs?: number | undefined;
  /** Time limit of each query of the gateway itself. Default 10 s. */
  readonly ownQueryTimeoutMs?: number;
  /** The part of the connections that one account, or address of anonymous callers, may have. Default 0.8. */
  readonly accountShare?: number | undefined;
  /** Connections for each account that runs SQL which someone wrote. Default 6. */
  readonly ownPoolSize?: number;
  /** Connections of all such accounts together, where `own` is not given. Default 30. */
  readonly ownConnections?: number;
  /** The own logins' connections of this process, of all its databases. Default: counted for this database alone. */
  readonly own?: OwnConnections;
  /** Connection strings of its standbys, from which requests may be read. Default none. */
  readonly replicaUrls?: readonly string[] | undefined;
  /** A standby that is further behind serves no read. Default 1 s. */
  readonly maxReplicaLagMs?: number;
  /** The memory of another pool of the same database, to share. Default: a new one. */
  readonly memory?: Memory | undefined;
  /** How long an idle connection of an own login stays open. Default 10 s. */
  readonly ownIdleMs?: number;
  /** After this time the login of requests is tried again where PostgreSQL has never let it in. Default a minute. */
  readonly tryPoolLoginMs?: number;
  /** How statements run that run code of a role which is not trusted. Default `login`. */
  readonly authors?: AuthorsPolicy;
  /** Default: where PostgreSQL has no more connections, a request fails. */
  readonly withRoom?: WithRoom | undefined;
}

/**
 * login: they run on a connection that has logged in as the account. refuse: `UNTRUSTED_CODE`. trust: they run on the pool,
 * so that such code can become any account.
 */
export type AuthorsPolicy = "login" | "refuse" | "trust";

/** Waits until other requests have given connections back, then connects. */
export type WithRoom = <T>(connect: () => Promise<T>) => Promise<T>;

export interface OwnConnection {
  readonly url: string;
  /**
   * The name of the account's login on this host, if that can log in; else a login that changes to the account's role.
   */
  readonly login: string | undefined;
  /** Settings that the connection must start with: its role, the longest wait for a lock, and the key of its registration. */
  readonly settings: readonly Setting[];
  /** Whether the next request of the same caller may use it: no code ran that may have left settings and locks. */
  readonly isKept: boolean;
  /** Called when PostgreSQL has not let it in: the next time it may. */
  readmit(): Promise<void>;
  /** Called when the rows are read, before they are shown. Throws `UNAVAILABLE` where the session may have begun with settings of somebody's. */
  confirm(): Promise<void>;
  /** Ends MapServer's statements that have run this long. The account's code may ignore a cancel request. */
  endLate(lateMs: number): void;
}

export interface Database {
  readonly name: string;
  /** Connection string of the gateway's login role. */
  readonly url: string;
  /**
   * The login with which MapServer, which makes its own connection, reads the relations of `reach`. Throws
   * `UNTRUSTED_CODE` where that would run code of an untrusted role and `authors` is "refuse".
   */
  ownConnection(identity: Identity, context: RequestContext, reach: readonly Reached[]): Promise<OwnConnection>;
  /** The gateway's own queries, under its login role: accounts, keys, catalogue. Never for what a caller asked. */
  readonly db: IDatabase<object>;
  /** The connections of requests. */
  readonly pool: pg.Pool;
  /** The places in the pool: which are taken and by whom, and the queue. */
  readonly places: Places;
  /** The same of connections that are logged in as an account. */
  readonly ownPlaces: OwnPlaces;
  /** Whether requests go through a pooler in transaction mode. No state of a session then outlives a transaction. */
  readonly isPooled: boolean;
  /** A statement of the gateway's own about the catalogue. It may take as long as those of requests. */
  ask<Row>(text: string): Promise<readonly Row[]>;
  /** Undefined where none is named. */
  readonly standbys: Standbys | undefined;
  /** The certificates that its servers, standbys and pooler have shown within the last hour; none of those without TLS. */
  certificates(): readonly ServerCertificate[];
  /** Values that are remembered of it until it changes. */
  readonly memory: Memory;
  /** The pinned sessions of callers. */
  readonly pins: Pick<Pins, "answered" | "failed">;
  /** Whether it is the coordinator of a Citus cluster, which plans some statements otherwise. False until the catalogue is read. */
  isCluster: boolean;
  /**
   * Runs `callback` in one transaction as the identity's role, with its claims set: the way for every statement that
   * the gateway itself wrote. Where `context.reach` says that code of a role which is not trusted can run, the
   * connection has logged in as the account (see `authors`). The connection is taken at the first statement. A read
   * does not wait for its COMMIT. After a failed statement a read-only transaction starts again, so that the next
   * statement is answered. If `context.basis` has changed, each statement rejects with the error of its `check`. If
   * `context.point` lets a standby serve a read, a statement that fails there rejects with `NotOnStandby`; run again,
   * it goes to the primary. Throws `UNAVAILABLE` without a connection, `UNAUTHENTICATED` when the role is gone,
   * PostgreSQL's errors, and whatever `callback` throws, after ROLLBACK.
   */
  withIdentity<T>(
    identity: Identity,
    context: RequestContext,
    callback: (transaction: Transaction) => Promise<T>,
  ): Promise<T>;
  /** The error of a statement of MapServer that has waited for a lock as long as it may. */
  lockedBy(identity: Identity, reach: readonly Reached[], failure: LockFailure): Promise<GatewayError>;
  /** An author whose code statements of this reach can run; undefined where there is none, and where authors are trusted. */
  authorOf(reach: readonly Reached[] | undefined): Promise<Author | undefined>;
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
   * A query of the gateway's own on a connection that is kept for it. If that connection is dead, so are others. A live
   * server answers within two times `connectTimeoutMs`, if only that the query took too long.
   */
  look<Row>(text: string): Promise<readonly Row[]>;
  /** Ends all connections at once when the server is gone. Waiting work rejects; new work gets new connections. */
  cut(): void;
  close(): Promise<void>;
}

const pgp = pgPromise({
  noWarnings: true,
  error: (error: unknown, { dc }: { dc?: unknown }) => {
    if (isServerGoing(error)) (dc as Own | undefined)?.abandon();
  },
});

/** The argument that pg-promise passes with an error of one of its connections. */
interface Own {
  abandon(): void;
}

/**
 * The gateway's own queries use their own connections, so that no load of requests delays noticing a removed account.
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

/** The pool of requests, through the pooler where there is one. */
function openRequests(
  { url, pooledUrl, poolSize }: DatabaseOptions,
  shared: pg.PoolConfig,
  login: PoolLogin | undefined,
): pg.Pool {
  return openPool({
    ...shared,
    connectionString: pooledUrl ?? url,
    application_name: "portolan requests",
    max: poolSize,
    login,
    ...(pooledUrl === undefined && { options: startOptions("requests") }),
  });
}

/** The login of the pool; undefined where requests use that of the gateway. */
function openLogin(
  { url, pooledUrl, authors = "login", tryPoolLoginMs: tryAgainMs }: DatabaseOptions,
  db: IDatabase<object>,
  passwords: LoginPasswords,
  onTryAgain: () => void,
): PoolLogin | undefined {
  if (pooledUrl !== undefined || authors === "trust") return undefined;
  return new PoolLogin(url, db, passwords, { tryAgainMs, onTryAgain });
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
  const oneByOne = inTurn();
  const isPooled = options.pooledUrl !== undefined;
  const { authors = "login", ownConnections = 30, pinAfterMs = 50 } = options;
  const passwords = new LoginPasswords(db);
  const login = openLogin(options, db, passwords, () => abandonRequests({ pool, standbys }));
  const pool = openRequests(options, shared, login);
  const places = new Places({ ...options, places: options.poolSize, waitMs: options.connectTimeoutMs });
  const certificates = [looks, ...(isPooled ? [pool] : [])].map(latestCertificate);
  const memory = options.memory ?? new Memory();
  const code = new Code(db, memory, () => renewOutdated(login, { pool, standbys }));
  const { own = OwnConnections.alone({ ...options, ownConnections }) } = options;
  const ownPins = new Pins(memory, ownConnections, pinAfterMs);
  const allowed = new AllowedByRole(db, memory);
  const ownOptions = { ownPoolSize: 6, ownIdleMs: 10_000, ...options, own, pins: ownPins, allowed };
  const ownLogins = new OwnLogins(ownOptions, db, passwords);
  const tickets = new Tickets(db);
  const standbys = options.replicaUrls?.length ? openStandbys(options, options.replicaUrls, db, login) : undefined;

  const pools = { db, pool, places, standbys, pins: new Pins(memory, options.poolSize, pinAfterMs), allowed };
  const judge = judgeBy(code, authors);
  const noting = notingOn(standbys);

  return {
    name: options.name,
    url: options.url,
    db,
    pool,
    places,
    ownPlaces: ownLogins.places,
    isPooled,
    standbys,
    certificates: () => [...certificates, ...(standbys?.certificates ?? [])].flatMap((latest) => latest() ?? []),
    memory,
    pins: allPins([pools.pins, ownPins]),
    get isCluster() {
      return pools.pins.isCluster;
    },
    set isCluster(is) {
      pools.pins.isCluster = ownPins.isCluster = is;
    },
    ask: (text) => oneByOne(() => askAtLeisure(db, options, text)),
    lockedBy: (identity, reach, failure) => whatIsLocked(db, identity, reach, failure),
    authorOf: async (reach) => (authors === "trust" ? undefined : (await code.judge(reach)).author),
    ownConnection: ownConnectionBy(options.url, {
      ...{ judge, login, ownLogins, tickets },
      locks: new LockLimit(options.lockTimeoutMs, async () => (await login?.url()) ?? options.url),
    }),
    withIdentity(identity, given, callback) {
      const context = asAllowed(identity, given);
      const run = ({ author, isCode }: Runs): ReturnType<typeof callback> =>
        author
          ? ownLogins.serve(identity, context, callback)
          : transact(onPool(options, pools, { identity, context }, isCode || (context.runsMore ?? false)), callback);
      const known = code.known(context.reach);
      // an author's code: `judge` decides whether it may run
      const running = known && !known.author ? run(known) : judge(context.reach).then(run);
      return noting(running, identity, context);
    },
    withOwnLogin: (identity, given, callback) =>
      noting(ownLogins.run(identity, withTrace(code, asAllowed(identity, given)), callback), identity, given),
    look: async <Row>(text: string): Promise<readonly Row[]> => (await looks.query(text)).rows as Row[],
    cut() {
      for (const one of [db.$pool as unknown as pg.Pool, looks, pool]) cut(one);
      ownLogins.cut();
    },
    async close() {
      memory.forget();
      places.close();
      await standbys?.close();
      await Promise.all([db.$pool.end(), looks.end(), pool.end(), ownLogins.close()]);
    },
  };
}

/** How MapServer connects to read these relations. */
function ownConnectionBy(
  url: string,
  {
    judge,
    login,
    ownLogins,
    tickets,
    locks,
  }: {
    readonly judge: ReturnType<typeof judgeBy>;
    readonly login: PoolLogin | undefined;
    readonly ownLogins: OwnLogins;
    readonly tickets: Tickets;
    readonly locks: LockLimit;
  },
): Database["ownConnection"] {
  return async (identity, context, reach) => {
    const [{ author, isCode }, limits] = await Promise.all([judge(reach), locks.settings()]);
    if (!author)
      return {
        url: (await login?.url()) ?? url,
        login: undefined,
        settings: [["role", identity.role], ...limits],
        isKept: !isCode,
        readmit: async () => login?.allow(),
        confirm: () => Promise.resolve(),
        endLate: () => undefined,
      };
    const own = await ownLogins.forMaps(identity);
    const ticket = await tickets.setting({ login: own.role, identity, context });
    const settings = [...limits, ticket, ...(own.isOwn ? [] : [["role", identity.role] as const])];
    const { url: ownUrl, name: ownName, readmit, confirm, endLate } = own;
    return { url: ownUrl, login: ownName, settings, isKept: false, readmit, confirm, endLate };
  };
}

/** Combines the pins of several kinds of connections. */
function allPins(all: readonly Pins[]): Database["pins"] {
  const sum = (of: (pins: Pins) => number): number => all.reduce((total, pins) => total + of(pins), 0);
  return {
    get answered() {
      return sum(({ answered }) => answered);
    },
    get failed() {
      return sum(({ failed }) => failed);
    },
  };
}

/** An identity that may only read does so in every transaction. */
function asAllowed({ readOnly = false }: Identity, context: RequestContext): RequestContext {
  return readOnly ? { ...context, readOnly } : context;
}

/** Judges whose code runs, by the option `authors`. Throws `UNTRUSTED_CODE` for "refuse". */
function judgeBy(code: Code, authors: "login" | "refuse" | "trust") {
  return async (reach: readonly Reached[] | undefined): Promise<Runs> => {
    const runs = await code.judge(reach);
    if (!runs.author || authors === "login") return runs;
    if (authors === "refuse") throw untrusted(runs.author);
    return { ...runs, author: undefined };
  };
}

/** The same, and whether the SQL is known to set, lock and make nothing. */
function withTrace(code: Code, context: RequestContext): RequestContext & { readonly leavesNothing: boolean } {
  const { readOnly = false, reach } = context;
  const known = readOnly && reach ? code.known(reach) : undefined;
  if (readOnly && reach && !known) code.judge(reach).catch(() => undefined); // for the next request: nobody waits for it
  return { ...context, leavesNothing: known?.isCode === false };
}

/** Records a write before it is answered, so that the account that wrote sees it from then on. */
function notingOn(standbys: Standbys | undefined) {
  return <T>(running: Promise<T>, { name }: Identity, { readOnly, point }: RequestContext): Promise<T> =>
    !standbys || readOnly ? running : running.finally(() => standbys.wrote(name, point));
}

/** Without the time limits of the gateway's other queries, because the catalogue may be large. */
function askAtLeisure<Row>(
  db: IDatabase<object>,
  { statementTimeoutMs }: DatabaseOptions,
  text: string,
): Promise<readonly Row[]> {
  return db.tx(async (transaction) => {
    await transaction.none(`set local statement_timeout = ${statementTimeoutMs}; set local lock_timeout = 0`);
    return transaction.any<Row>(text);
  });
}

/** Runs it after all earlier ones have ended, so that one of the gateway's own connections stays free. */
function inTurn(): <T>(run: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (run) => {
    const running = before.then(run);
    before = running.catch(() => undefined); // told to the one who asked
    return running;
  };
}

/** Why PostgreSQL refuses the login of requests; undefined where it accepts it. Throws where it does not answer. */
export async function poolLoginProblem(url: string): Promise<string | undefined> {
  const db = openOwnQueries({ connectionString: url, connectionTimeoutMillis: 10 * SECOND });
  const login = new PoolLogin(url, db, new LoginPasswords(db));
  const client = makeClient({ connectionString: url, connectionTimeoutMillis: 10 * SECOND, login });
  try {
    await client.connect();
    return login.refusal === undefined ? undefined : (login.refusal as Error).message;
  } finally {
    await Promise.allSettled([client.end(), db.$pool.end()]);
  }
}

/** Replaces connections whose search_path may by now name a schema of an author. */
async function renewOutdated(
  login: PoolLogin | undefined,
  { pool, standbys }: Pick<Pools, "pool" | "standbys">,
): Promise<void> {
  if (await login?.hasOutdatedPath()) abandonRequests({ pool, standbys });
}

function abandonRequests({ pool, standbys }: Pick<Pools, "pool" | "standbys">): void {
  abandon(pool);
  standbys?.abandon();
}

interface Pools {
  readonly db: IDatabase<object>;
  readonly pool: pg.Pool;
  readonly places: Places;
  readonly standbys: Standbys | undefined;
  readonly pins: Pins;
  readonly allowed: AllowedByRole;
}

/** How a transaction runs on a connection of the pool, or of a standby's pool, which becomes the account meanwhile. */
function onPool(
  { name, pooledUrl, statementTimeoutMs, lockTimeoutMs, withRoom }: DatabaseOptions,
  { db, pool, places, standbys, pins, allowed }: Pools,
  { identity, context }: { readonly identity: Identity; readonly context: RequestContext },
  isCode: boolean,
): SessionOptions {
  const { readOnly = false, point, signal } = context;
  const isPooled = pooledUrl !== undefined;
  const caller = callerOf(identity, context);
  const standby = readOnly && point ? standbys?.choose(identity.name, point) : undefined;
  const begin = beginAs(identity, context, {
    statementTimeoutMs,
    lockTimeoutMs,
    changeRole: true,
    mayStay: !isPooled,
    isCluster: pins.isCluster,
    session: isPooled ? startSettings() : [],
    replayed: standby?.position,
  });
  const { pin } = begin;
  const chooser =
    (mayGrow: boolean): Choose =>
    (idle, hasRoom) =>
      pins.choose(idle, { pin: isCode ? undefined : pin, role: identity.role }, mayGrow && hasRoom);
  const take = (mayGrow: boolean): Promise<Wire> => takeWithRoom(pool, withRoom, chooser(mayGrow));
  const connect = (): Promise<Wire> => places.connect(caller, signal, () => take(false)).catch(refusedInWords);
  // where PostgreSQL makes no more connections, uses an existing one
  const connectOwn = (): Promise<Wire> =>
    places
      .connect(caller, signal, () =>
        take(true).catch((error: unknown) => (error instanceof GatewayError ? Promise.reject(error) : take(false))),
      )
      .catch(refusedInWords);
  const stays = pin !== undefined && !isCode && pins.stays(pin);
  const { basis, snapshot: tellsSnapshot = false } = context;
  return {
    database: name,
    service: context.service,
    connect: standby ? () => standby.take(caller, signal, connect) : connect,
    begin,
    check: context.basis?.check,
    ...(isCode && { cleanup: isPooled ? RESET_POOLED : RESET }),
    ...(pin &&
      !isCode && {
        pinning: {
          pins,
          pin,
          basis,
          tellsSnapshot,
          connect: stays ? connectOwn : connect,
          connectNow: () => places.connectNow(caller, () => takeWireNow(pool, chooser(stays))),
        },
      }),
    prepares: !isPooled,
    allowed: allowed.of(identity.role),
    readOnly,
    signal,
    locked: (cause) => whatIsLocked(db, identity, context.reach, { cause }),
    failure: standby && ((error) => notOnStandby(error, point!)),
  };
}

/** Refuses a request that would run code of an author. */
export function untrusted({ owner, via }: Author): GatewayError {
  const reason =
    owner === undefined
      ? `The gateway does not know ${via} yet; a role that is not trusted may have made it`
      : `${via} runs code of the role ${owner}, which is not trusted`;
  return new GatewayError("UNTRUSTED_CODE", reason);
}

/** PostgreSQL's own words are for the log: they name addresses and roles. */
function refusedInWords(error: unknown): never {
  if (!isRefusal(error)) throw error;
  throw new GatewayError("UNAVAILABLE", "PostgreSQL does not let in the login that requests use", { cause: error });
}

/** Where PostgreSQL has no more connections, tries once more after others have given some back. */
function takeWithRoom(pool: pg.Pool, withRoom: WithRoom | undefined, choose: Choose): Promise<Wire> {
  return takeWire(pool, choose).catch((error: unknown) => {
    if (!withRoom || sqlstateOf(error) !== SQLSTATE.tooManyConnections) throw error;
    return withRoom(() => takeWire(pool, choose));
  });
}

function openStandbys(
  { poolSize, accountShare, connectTimeoutMs, maxReplicaLagMs: maxLagMs = SECOND }: DatabaseOptions,
  urls: readonly string[],
  db: IDatabase<object>,
  login: PoolLogin | undefined,
): Standbys {
  return new Standbys({
    urls,
    login: login?.forStandby,
    poolSize,
    accountShare,
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
