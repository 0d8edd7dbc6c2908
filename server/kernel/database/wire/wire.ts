/** A connection to PostgreSQL as the rest of the gateway sees it. Only this folder knows what node-postgres is inside. */
import pg from "pg";
import { ByteQuery, readByteRows, type ByteStatement, type OnRow } from "./byteRows.ts";
import { byteSocket } from "./byteSocket.ts";
import { cancelStatement } from "./cancelStatement.ts";
import { CarryingQuery } from "./carryingQuery.ts";
import { BeginQuery, Envelope, type PreparedAhead, type EnvelopeOptions } from "./envelope.ts";
import {
  CommandQuery,
  type Commands,
  type Connection,
  type ExtendedQuery,
  type ExtendedStatement,
} from "./extendedQuery.ts";
import {
  DescribeQuery,
  PortionQuery,
  type Description,
  type UserSqlRun,
  type Portion,
  type PortionOptions,
  type PreparedOn,
} from "./userSqlQuery.ts";
import { PreparedNames } from "./preparedNames.ts";
import { isRefusal, ServersClient, type ServerCertificate, type ServersConfig } from "./serversClient.ts";
import { boundMessage, SingleQuery } from "./singleQuery.ts";
import { survive } from "./survive.ts";
import type { KnownSnapshot, Pinned } from "../pin.ts";
import { GatewayError, isServerGoing, sqlstateOf } from "../../../ground/errors.ts";

export { BeginQuery, isRefusal };
export { Envelope, PreparedAhead, type Begun } from "./envelope.ts";
export type { ByteRow, ByteStatement, OnRow } from "./byteRows.ts";
export { Bytes } from "./bytes.ts";
export type { Login, LoginSource, ServerCertificate } from "./serversClient.ts";
export type { WriteRow } from "./receivedRows.ts";
export type { ExtendedStatement, Field, TextRow } from "./extendedQuery.ts";
export type {
  Description,
  UserSqlOutcome,
  UserSqlRun,
  JsonPortion,
  JsonRows,
  NamedStatement,
  Portion,
  WrittenRows,
} from "./userSqlQuery.ts";
export { isShort, noteLength } from "./userSqlQuery.ts";

export interface DriverStatement {
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
  /** Prepared under this name; the same name always means the same text. */
  readonly name?: string | undefined;
  readonly rowMode?: "array" | undefined;
}

/** A read that is sent alone, or behind statements that make the session its caller's or compare whose it is. */
export type SingleStatement = ByteStatement & { readonly ahead?: PreparedAhead | undefined };

export interface Result<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

/**
 * A connection that was taken from a pool. Statements are sent at once, and answered in that order. Everything that
 * sends rejects with PostgreSQL's error. Where sending itself fails the connection is closed: half a message may be out.
 */
export interface Wire {
  /** PostgreSQL's number of the process that serves it. */
  readonly processId: number;
  /** The account whose session it is between requests, once everything that was sent is answered; undefined for none. */
  pinned: Pinned | undefined;
  /** The latest snapshot that a pinned read has told. */
  snapshot: KnownSnapshot | undefined;
  /** `AllowedStatements.rights` of the roles for which functions have planned their statements; undefined where none has run. */
  plansOf: object | undefined;
  /** Runs a statement. `isUserSql`: a caller's own SQL uses the extended protocol, which takes exactly one statement. */
  query<Row>(statement: DriverStatement, isUserSql: boolean): Promise<Result<Row>>;
  /** Runs a statement of the gateway's own, which has a name, in one message with what begins or ends its transaction. */
  queryWith<Row>(statement: DriverStatement, around: EnvelopeOptions): Promise<Result<Row>>;
  /** Runs statements by the simple protocol. */
  command(text: string): Promise<Commands>;
  /** Begins a transaction: `BeginQuery.ended` is settled. A portion may carry it instead. */
  begin(beginning: BeginQuery): void;
  /** Parses a statement and tells its types; runs nothing. */
  describe(statement: ExtendedStatement): Promise<Description>;
  /** Passes the rows of a statement, or of a portion of it, to `onRow` as bytes. Also rejects with errors of `onRow`. */
  readRows(statement: ByteStatement, onRow: OnRow): Promise<void>;
  /** The same for a statement without a transaction, all of whose rows are wanted; cheaper where it is prepared. */
  readSingle(statement: SingleStatement, onRow: OnRow): Promise<void>;
  /** Takes the first rows of a statement, or the next ones of an open portal. */
  readPortion(run: UserSqlRun, portal: string, options: PortionOptions): Promise<Portion>;
  /** How many statements the gateway has prepared on it. */
  readonly preparedCount: number;
  /** Whether PostgreSQL has a statement of that name prepared on this connection. */
  isPrepared(name: string | undefined): boolean;
  /** Called before a statement of that name is sent. At most 200 are kept. Returns the known properties of the statement. */
  remember(name: string): PreparedOn;
  /** Deallocates a prepared statement. Never rejects. */
  forget(name: string): Promise<void>;
  /** Keeps messages until this process has nothing else to do at the moment, so that they go out in one packet. */
  inOnePacket<T>(write: () => T): T;
  /** Cancels the running statement, which fails with 57014. Resolves when the cancel can hit no later statement. */
  cancel(): Promise<void>;
  /** Ends the connection at once; the running statement rejects. */
  destroy(): void;
  /** Whether its server has reported that it accepts no writes. */
  readonly isReadOnly: boolean;
  /** The server's role has changed: every connection of its pool is closed as soon as it is free. */
  abandonPool(): void;
  /** Called once, when the connection is given back; the callback that was added last is called first. */
  onRelease(run: () => void): void;
  /** Returns it to its pool, or closes it where it is lost. */
  release(isLost: boolean): void;
}

/** `login`: who logs in, where the connection string does not say it. */
export type PoolConfig = pg.PoolConfig & Pick<ServersConfig, "login">;

/** A pool whose connections `takeWire` takes. Statements are sent without waiting for those before them. */
export function openPool(config: PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, ...SERVERS, stream: byteSocket, pipeline: true } as object);
  pool.on("connect", readByteRows);
  pool.on("release", (_error, client) => idleSince.set(client, performance.now()));
  tolerateLoss(pool);
  return pool;
}

/** For the configuration of a pool: its connection string may name several servers. */
export const SERVERS = { Client: ServersClient };

/** A single client, not connected yet. Its connection string may name several servers. */
export function makeClient(config: ServersConfig): pg.Client {
  return new ServersClient(config);
}

/** The certificate that the server of a connection has shown; undefined without TLS. */
export function certificateOf(client: pg.ClientBase): ServerCertificate | undefined {
  return (client as ServersClient).certificate;
}

/** The lifetime of the connections that check servers, so that renewed certificates are noticed. */
export const RENEWED_SECONDS = 3600;

/** The certificate that the server of the latest connection of a pool has shown. To be called before there is any. */
export function latestCertificate(pool: pg.Pool): () => ServerCertificate | undefined {
  let latest: ServerCertificate | undefined;
  pool.on("connect", (client) => (latest = certificateOf(client)));
  return () => latest;
}

/** The inner parts of a pool that close its connections. */
interface PoolInside {
  readonly _clients: readonly pg.PoolClient[];
  readonly _idle: Idle[];
  readonly ending: boolean;
  readonly _expired: WeakSet<pg.PoolClient>;
  readonly _pendingQueue: readonly unknown[];
  _remove(client: pg.PoolClient, callback?: () => void): void;
  _isFull(): boolean;
  /** Makes a connection for the next waiting request. */
  newClient(waiting: Waiting): void;
  _acquireClient(client: pg.PoolClient, waiting: Waiting, onIdleError: unknown, isNew: boolean): void;
}

/** A request that waits for a connection of a pool. */
interface Waiting {
  callback(error: Error | undefined, client: pg.PoolClient): void;
}

interface Idle {
  readonly client: pg.PoolClient;
  readonly idleListener: unknown;
  readonly timeoutId: NodeJS.Timeout | undefined;
}

/** When each connection was given back. */
const idleSince = new WeakMap<pg.PoolClient, number>();

/** How long the longest idle connection has been idle; undefined if none is. Pools take the one that was given back last. */
export function longestIdleMs(pool: pg.Pool): number | undefined {
  const [longest] = (pool as unknown as PoolInside)._idle;
  return longest && performance.now() - (idleSince.get(longest.client) ?? 0);
}

/** Closes the longest idle connection. */
export function closeLongestIdle(pool: pg.Pool): Promise<void> {
  const inside = pool as unknown as PoolInside;
  const [longest] = inside._idle;
  return new Promise((resolve) => {
    if (longest) inside._remove(longest.client, resolve);
    else resolve();
  });
}

/** Closes idle connections now, and others when they are given back, so that new connections choose their server again. */
export function abandon(pool: pg.Pool): void {
  const { _clients, _idle, _expired } = pool as unknown as PoolInside;
  for (const client of _clients) _expired.add(client);
  for (const { client } of [..._idle]) (pool as unknown as PoolInside)._remove(client);
}

/** Ends all connections at once, because the server is gone. Running statements reject. */
export function cut(pool: pg.Pool): void {
  const { _clients } = pool as unknown as PoolInside;
  const clients = [..._clients];
  abandon(pool);
  for (const client of clients) (client as unknown as { connection: Connection }).connection.stream.destroy();
}

/** Keeps the process running when a connection of the pool is lost. */
export function tolerateLoss(pool: pg.Pool): void {
  pool.on("connect", survive);
  pool.on("error", (error) => {
    if (isServerGoing(error)) abandon(pool); // an idle connection broke: the pool has removed it
  });
}

/** The message of a pool whose connections were all in use for too long. It differs if a connection cannot be made. */
const ALL_TAKEN = "timeout exceeded when trying to connect";

/**
 * Takes a connection, which the caller gives back. Throws `UNAVAILABLE` without a cause if none is free in time, since only
 * load is the reason. Other errors are thrown unchanged.
 */
export async function takeWire(pool: pg.Pool, choose?: Choose): Promise<Wire> {
  const { _idle: idle, _pendingQueue: queue, ending } = pool as unknown as PoolInside;
  const isChosen = choose && idle.length > 0 && queue.length === 0 && !ending;
  const taking = isChosen ? takeChosen(pool, choose) : pool.connect();
  const client = await taking.catch((error: unknown) => {
    if ((error as Error).message !== ALL_TAKEN) throw error;
    throw new GatewayError("UNAVAILABLE", "Too many requests wait for the database at the moment");
  });
  return wireOf(client, pool);
}

/** Chooses among idle connections. Undefined: a new one is made, which is allowed only where `hasRoom`. */
export type Choose = (idle: readonly Wire[], hasRoom: boolean) => Wire | undefined;

/** Takes a connection as the pool would: the one that was used last. */
async function takeChosen(pool: pg.Pool, choose: Choose): Promise<pg.PoolClient> {
  return (
    takeIdle(pool, choose) ??
    new Promise((resolve, reject) => {
      const callback: Waiting["callback"] = (error, client) => (error ? reject(error) : resolve(client));
      (pool as unknown as PoolInside).newClient({ callback });
    })
  );
}

/** Takes the chosen connection at once; undefined where a new one is to be made. */
function takeIdle(pool: pg.Pool, choose: Choose): pg.PoolClient | undefined {
  const inside = pool as unknown as PoolInside;
  const wires = inside._idle.map(({ client }) => wireOf(client, pool));
  const chosen = choose(wires, !inside._isFull());
  if (!chosen) return undefined;
  const [{ client, timeoutId, idleListener }] = inside._idle.splice(wires.indexOf(chosen), 1) as [Idle];
  clearTimeout(timeoutId);
  (client as unknown as { ref?(): void }).ref?.();
  inside._acquireClient(client, TAKEN, idleListener, false); // which calls back at once
  return client;
}

const TAKEN: Waiting = { callback: () => undefined };

/** Takes an idle connection at once. Undefined where `choose` wants none of them, and where others wait: see `takeWire`. */
export function takeWireNow(pool: pg.Pool, choose: Choose): Wire | undefined {
  const { _idle: idle, _pendingQueue: queue, ending } = pool as unknown as PoolInside;
  if (idle.length === 0 || queue.length > 0 || ending) return undefined;
  const client = takeIdle(pool, choose);
  return client && wireOf(client, pool);
}

/** One for as long as the connection is open. */
function wireOf(client: pg.PoolClient & { [WIRE]?: Wire }, pool: pg.Pool): Wire {
  return (client[WIRE] ??= new DriverWire(client, pool));
}

const WIRE = Symbol("wire");

/** The internal state of a pool's connection: its queue of queries. */
interface ClientInside {
  readonly readyForQuery: boolean;
  readonly _activeQuery: unknown;
  readonly _sentQueryQueue: readonly unknown[];
  readonly _queryQueue: readonly unknown[];
}

class DriverWire implements Wire {
  pinned: Pinned | undefined;
  snapshot: KnownSnapshot | undefined;
  plansOf: object | undefined;
  readonly #client: pg.PoolClient;
  readonly #pool: pg.Pool;
  readonly #prepared: PreparedNames;
  #onRelease: (() => void)[] = [];

  constructor(client: pg.PoolClient, pool: pg.Pool) {
    this.#client = client;
    this.#pool = pool;
    this.#prepared = new PreparedNames(client);
  }

  get #connection(): Connection {
    return (this.#client as unknown as { connection: Connection }).connection;
  }

  get processId(): number {
    return (this.#client as unknown as { processID: number }).processID;
  }

  query<Row>({ text, values, name, rowMode }: DriverStatement, isUserSql: boolean): Promise<Result<Row>> {
    if (!isUserSql && name !== undefined) this.remember(name);
    const query = {
      text,
      values: isUserSql ? [...(values ?? [])] : values,
      ...(isUserSql ? { queryMode: "extended" } : name !== undefined && { name }),
      ...(rowMode !== undefined && { rowMode }),
    };
    return this.#submit(query as pg.QueryConfig) as Promise<Result<Row>>;
  }

  queryWith<Row>(statement: DriverStatement, around: EnvelopeOptions): Promise<Result<Row>> {
    if (statement.name !== undefined) this.remember(statement.name);
    const query = new CarryingQuery(statement, new Envelope(around));
    try {
      this.#client.query(query as unknown as pg.Submittable);
    } catch (error) {
      query.handleError(error);
    }
    return this.#orClosed(query.ended) as Promise<Result<Row>>;
  }

  command(text: string): Promise<Commands> {
    return this.#send(new CommandQuery({ text }));
  }

  begin(beginning: BeginQuery): void {
    this.#send(beginning).catch(() => undefined); // told by `ended`
  }

  describe(statement: ExtendedStatement): Promise<Description> {
    if (statement.name !== undefined) this.remember(statement.name);
    return this.#send(new DescribeQuery(statement));
  }

  readRows(statement: ByteStatement, onRow: OnRow): Promise<void> {
    if (statement.name !== undefined) this.remember(statement.name);
    return this.#send(new ByteQuery(statement, onRow));
  }

  readSingle(statement: SingleStatement, onRow: OnRow): Promise<void> {
    const { name, values, ahead } = statement;
    const isReady = name !== undefined && this.#isIdle && this.isPrepared(name);
    const message = isReady ? boundMessage([...(ahead?.statements ?? []), { name, values }]) : undefined;
    if (!message) return this.readRows(statement, onRow);
    this.remember(name!);
    return this.#send(new SingleQuery(statement, message, onRow));
  }

  /** Whether all that was sent has been answered. */
  get #isIdle(): boolean {
    const { readyForQuery, _activeQuery, _sentQueryQueue, _queryQueue } = this.#client as unknown as ClientInside;
    return readyForQuery && !_activeQuery && _sentQueryQueue.length === 0 && _queryQueue.length === 0;
  }

  readPortion(run: UserSqlRun, portal: string, options: PortionOptions): Promise<Portion> {
    return this.#send(new PortionQuery(run, portal, options));
  }

  get preparedCount(): number {
    return this.#prepared.count;
  }

  isPrepared(name: string | undefined): boolean {
    return name !== undefined && this.#prepared.has(name);
  }

  remember(name: string): PreparedOn {
    return this.#prepared.remember(name);
  }

  forget(name: string): Promise<void> {
    return this.#prepared.forget(name);
  }

  inOnePacket<T>(write: () => T): T {
    const { stream } = this.#connection;
    stream.cork();
    try {
      return write();
    } finally {
      process.nextTick(() => stream.uncork());
    }
  }

  cancel(): Promise<void> {
    return cancelStatement(this.#client);
  }

  destroy(): void {
    this.#connection.stream.destroy();
  }

  get isReadOnly(): boolean {
    return (this.#client as unknown as ServersClient).isReadOnly;
  }

  abandonPool(): void {
    abandon(this.#pool);
  }

  onRelease(run: () => void): void {
    this.#onRelease.unshift(run);
  }

  release(isLost: boolean): void {
    const runs = this.#onRelease;
    this.#onRelease = [];
    try {
      this.#client.release(isLost);
    } finally {
      for (const run of runs) run();
    }
  }

  #send<T>(query: ExtendedQuery<T>): Promise<T> {
    try {
      this.#client.query(query as unknown as pg.Submittable); // `ended` tells what becomes of it
    } catch (error) {
      this.destroy();
      query.handleError(error);
    }
    return query.ended;
  }

  /**
   * Runs a query by node-postgres. A failure that PostgreSQL did not report may leave half a message behind, or a
   * statement wrongly marked as prepared.
   */
  #submit(query: pg.QueryConfig): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // without a callback node-postgres makes one that keeps the request in memory until a full garbage collection
    const done = (error: Error | null, result: unknown): void => (error ? reject(error) : resolve(result));
    try {
      this.#client.query(query, done);
    } catch (error) {
      reject(error);
    }
    return this.#orClosed(promise);
  }

  async #orClosed<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (sqlstateOf(error) === undefined) this.destroy();
      throw error;
    }
  }
}
