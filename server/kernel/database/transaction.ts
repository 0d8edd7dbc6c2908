/** One transaction on one connection, which is taken when the first statement comes. */
import type pg from "pg";
import type { Beginning } from "./begin.ts";
import { ByteQuery, type OnRow } from "./wire/byteRows.ts";
import { cancelStatement, closeSocket } from "./wire/cancelStatement.ts";
import { CommandQuery, type ExtendedQuery, type ExtendedStatement } from "./wire/extendedQuery.ts";
import {
  BeginQuery,
  DescribeQuery,
  PortionQuery,
  type Description,
  type ForeignOutcome,
  type ForeignRun,
  type JsonPortion,
  type NamedStatement,
  type Portion,
  type PortionOptions,
} from "./wire/foreignQuery.ts";
import { GatewayError, SQLSTATE, isConnectionLost, sqlstateOf } from "../errors.ts";
import { forgetPrepared, isPrepared, rememberPrepared } from "./wire/preparedStatements.ts";

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
  /** Prepared under this name; the same name always means the same text. */
  readonly name?: string | undefined;
  readonly rowMode?: "array" | undefined;
  /** No other statement is expected: in a read-only transaction COMMIT goes out with it, which saves a round trip. */
  readonly last?: boolean | undefined;
}

export interface RowStatement {
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
  readonly name?: undefined;
}

/**
 * Reads the next rows of a statement, at most so many. It may be called again before it has resolved: then PostgreSQL
 * goes on without waiting for this process.
 */
export type ReadPortion = (rows: number, onRow: OnRow) => Promise<void>;

export interface Result<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

export interface Transaction {
  /** Runs one statement after those that were asked for before it. Rejects with PostgreSQL's error. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Result<Row>>;
  /** Runs one statement and hands out its rows as bytes. Rejects with PostgreSQL's error, or with what `onRow` throws. */
  read(statement: RowStatement, onRow: OnRow): Promise<void>;
  /** The same, a portion at a time; the statement begins with the first one. Whoever stops asking need not close it. */
  readPortions(statement: RowStatement): ReadPortion;
  /** What the statement that began the transaction gave for `probe`; undefined when it has not begun. */
  readonly probed: Promise<string | undefined>;
  /** The transaction will end with ROLLBACK; what the callback returns is returned all the same. */
  rollbackOnly(): void;
}

/** For SQL that someone wrote: one statement at a time, by the extended protocol, which takes exactly one. */
export interface ForeignTransaction extends Transaction {
  /** Whether a statement was sent by now. */
  readonly begun: boolean;
  /** Parses a statement and tells its types; runs nothing. */
  describe(statement: ExtendedStatement): Promise<Description>;
  /** Runs a statement and hands its rows out. Rejects with PostgreSQL's error, or with what takes the rows throws. */
  run(statement: ForeignRun): Promise<ForeignOutcome>;
}

type AnyStatement = Statement | RowStatement | ExtendedStatement;

export interface TransactionOptions {
  /** Takes a connection, which the transaction gives back, whatever happens. */
  readonly connect: () => Promise<pg.PoolClient>;
  /** What a connection needs before it serves this caller; one that cannot have it is closed. */
  readonly prepare?: (client: pg.PoolClient) => Promise<void>;
  readonly begin: Beginning;
  readonly readOnly: boolean;
  readonly signal: AbortSignal | undefined;
  /** SQL that someone wrote: one statement at a time goes out, by the extended protocol only. */
  readonly foreignSql?: {
    /** Runs a statement under the gateway's own timer. */
    watch<T>(client: pg.PoolClient, timeoutMs: number | undefined, run: () => Promise<T>): Promise<T>;
    /** Whether the connection keeps prepared statements for the next request. */
    readonly prepares: boolean;
  };
  /** Before the connection goes back: `ready` is awaited, and `text` goes out with the end of the transaction. */
  readonly cleanup?: { ready(): Promise<void>; readonly text: string; readonly apart: boolean };
}

/**
 * Runs `callback`, then COMMIT, or ROLLBACK when it throws. The end of a read is not waited for: the answer is complete.
 */
export async function transact<T>(
  options: TransactionOptions,
  callback: (transaction: ForeignTransaction) => Promise<T>,
): Promise<T> {
  const transaction = new RequestTransaction(options);
  let result: T;
  try {
    result = await callback(transaction);
  } catch (error) {
    await transaction.end("rollback").catch(() => undefined); // the first error is the one to report
    throw error;
  }
  const ended = transaction.end("commit");
  if (options.readOnly)
    ended.catch(() => undefined); // the answer is complete; a lost connection leaves its pool
  else await ended;
  return result;
}

/** Sends a statement, with the beginning of the transaction where it is to carry it. It may throw instead of sending. */
type Send<T> = (client: pg.PoolClient, beginning?: BeginQuery) => Promise<T>;

class RequestTransaction implements ForeignTransaction {
  readonly #options: TransactionOptions;
  #client: Promise<pg.PoolClient> | undefined;
  /** The connection from when it is taken until it is given back. */
  #taken: pg.PoolClient | undefined;
  #begun: Promise<string | undefined> | undefined;
  /** The COMMIT that went out with the last statement. */
  #committed: Promise<unknown> | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #failed = false;
  #lost = false;
  #rollback = false;
  #cancelled: Promise<void> | undefined;
  #portals = 0;
  /** Names of statements whose plans DDL has made useless. */
  readonly #outdated: string[] = [];
  #removeAbortListener: () => void = () => undefined;

  constructor(options: TransactionOptions) {
    this.#options = options;
  }

  rollbackOnly(): void {
    this.#rollback = true;
  }

  query<Row>(statement: Statement): Promise<Result<Row>> {
    return this.#enqueue(
      statement,
      (client) => submit(client, this.#toQuery(client, statement)) as Promise<Result<Row>>,
    );
  }

  read({ text, values = [] }: RowStatement, onRow: OnRow): Promise<void> {
    const statement = { text, values };
    return this.#enqueue(statement, (client) => send(client, new ByteQuery(statement, onRow)));
  }

  readPortions({ text, values = [] }: RowStatement): ReadPortion {
    const portal = `portal ${++this.#portals}`;
    let latest: Promise<unknown> | undefined;
    let latestSent: Promise<unknown> | undefined;
    return (rows, onRow) => {
      const statement = { text, values, portal, rows, goesOn: latest !== undefined };
      const sent = Promise.withResolvers<void>();
      const sendAndTell = (client: pg.PoolClient): Promise<void> => {
        const sending = send(client, new ByteQuery(statement, onRow));
        sent.resolve();
        return sending;
      };
      // where nothing else was asked for since the portion before, it is sent behind that one at once
      const after = this.#tail === latest ? latestSent : undefined;
      const result = this.#enqueue(statement, sendAndTell, after);
      latest = this.#tail;
      latestSent = Promise.race([sent.promise, result.catch(() => undefined)]);
      return result;
    };
  }

  describe(given: ExtendedStatement): Promise<Description> {
    const statement = this.#named(given);
    return this.#enqueue(statement, (client) => {
      if (statement.name !== undefined) rememberPrepared(client, statement.name);
      return send(client, new DescribeQuery(statement));
    });
  }

  async run(given: ForeignRun): Promise<ForeignOutcome> {
    const statement = withinBudget(this.#named(given));
    const portal = statement.portion === undefined ? "" : `portal ${++this.#portals}`;
    let first = await this.#runFirst(statement, portal);
    if (first.portion.suspended && this.#committed) first = await this.#runFirst(statement, portal); // its portal is gone
    const { json } = first;
    let { portion } = first;
    const { fields } = portion;
    for (;;) {
      const after = portion;
      // PostgreSQL goes on while the rows are taken
      const next = portion.suspended
        ? this.#enqueue(statement, (client) =>
            statement.spend(send(client, new PortionQuery(statement, portal, { after, json }))),
          )
        : undefined;
      next?.catch(() => undefined); // awaited below, unless the rows are not taken
      if (json && portion.count > 0) await statement.json?.onRows(portion.json, portion.count, fields);
      else await statement.onRows(portion.rows, fields);
      if (!next) return { fields, command: portion.command, rowCount: portion.rowCount };
      portion = await next;
    }
  }

  /** Takes the first portion; rows as JSON where the statement has been prepared, so that its columns are known. */
  async #runFirst(statement: Budgeted, portal: string): Promise<{ portion: Portion; json?: JsonPortion }> {
    let json: JsonPortion | undefined;
    const portion = await this.#enqueue(statement, (client, beginning) => {
      const { name } = statement;
      const memory = name === undefined ? undefined : rememberPrepared(client, name);
      const fields = memory?.fields;
      const inJson = fields && statement.json?.statementFor(fields);
      if (!inJson || name === undefined)
        return statement.spend(send(client, new PortionQuery(statement, portal, { memory, beginning })));
      json = { separator: statement.json!.separator, inPlaceOf: { name, fields } };
      return statement.spend(this.#sendInJson(client, { ...statement, ...inJson }, portal, { beginning, json }));
    });
    return { portion, ...(json && { json }) };
  }

  #sendInJson(
    client: pg.PoolClient,
    statement: ForeignRun & NamedStatement,
    portal: string,
    { beginning, json }: PortionOptions,
  ): Promise<Portion> {
    const isNew = !isPrepared(client, statement.name);
    const memory = rememberPrepared(client, statement.name);
    if (isNew && beginning) void send(client, beginning).catch(() => undefined); // whoever began waits for it
    const options = { beginning: isNew ? undefined : beginning, memory, json };
    const sent = send(client, new PortionQuery(statement, portal, options));
    const isAll = beginning !== undefined && statement.last === true && this.#options.readOnly && !this.#rollback;
    if (isAll && memory.isShort) this.#endWith(client); // where it turns out to be longer it is run again
    return sent;
  }

  #named<S extends ExtendedStatement>(statement: S): S {
    return this.#options.foreignSql?.prepares ? statement : { ...statement, name: undefined };
  }

  get begun(): boolean {
    return this.#begun !== undefined;
  }

  get probed(): Promise<string | undefined> {
    return Promise.resolve(this.#begun);
  }

  /** `after`: what is waited for before it is sent. */
  #enqueue<T>(statement: AnyStatement, send: Send<T>, after = this.#tail): Promise<T> {
    const before = this.#tail;
    const result = after.then(() => this.#run(statement, send));
    const ended = result.catch(() => undefined); // reported to whoever asked for this statement
    this.#tail = after === before ? ended : before.then(() => ended);
    return result;
  }

  async #run<T>(statement: AnyStatement, send: Send<T>): Promise<T> {
    const client = await (this.#client ??= this.#connect());
    if (this.#options.readOnly && !this.#lost && (this.#failed || this.#committed)) {
      await (this.#committed ?? submit(client, { text: "rollback" }));
      this.#failed = false;
      this.#begun = this.#committed = undefined;
    }
    if (this.#options.signal?.aborted) throw new GatewayError("CLIENT_GONE");
    let carried: BeginQuery | undefined;
    try {
      // where BEGIN's settings fail, PostgreSQL refuses the statement that was sent with it
      const [result] = await inOnePacket(client, () => {
        if (!this.#begun) carried = this.#begin(client, statement);
        const sent = this.#watch(client, statement, () => send(client, carried));
        return Promise.all([sent, this.#begun]);
      });
      return result;
    } catch (error) {
      if (carried?.isSent === false) this.#begun = undefined; // nothing will ever answer it
      this.#failed = true;
      if (isConnectionLost(error)) this.#lost = true;
      const { name } = statement;
      const outdated = sqlstateOf(error) === SQLSTATE.featureNotSupported && name !== undefined;
      if (outdated) this.#outdated.push(name); // "cached plan must not change result type"
      if (this.#options.signal?.aborted) throw new GatewayError("CLIENT_GONE", undefined, { cause: error });
      // what made BEGIN fail makes every later statement fail with 25P02: the first one tells the reason
      await this.#begun;
      throw error;
    }
  }

  #watch<T>(client: pg.PoolClient, statement: AnyStatement, run: () => Promise<T>): Promise<T> {
    const { foreignSql, readOnly } = this.#options;
    if (foreignSql) return foreignSql.watch(client, timeoutOf(statement), run);
    const sent = run();
    if ("last" in statement && statement.last && readOnly) this.#endWith(client);
    return sent;
  }

  #toQuery(client: pg.PoolClient, statement: Statement): pg.QueryConfig {
    const { text, values, name, rowMode } = statement;
    if (this.#options.foreignSql)
      return {
        text,
        values: [...(values ?? [])],
        ...(rowMode && { rowMode }),
        queryMode: "extended",
      } as pg.QueryConfig;
    if (name !== undefined) rememberPrepared(client, name);
    return {
      text,
      values: values as unknown[],
      ...(name !== undefined && { name }),
      ...(rowMode !== undefined && { rowMode }),
    } as pg.QueryConfig;
  }

  async #connect(): Promise<pg.PoolClient> {
    const { connect: take, prepare, signal } = this.#options;
    if (signal?.aborted) throw new GatewayError("CLIENT_GONE");
    let client: pg.PoolClient;
    try {
      client = this.#taken = await take();
      await prepare?.(client);
    } catch (error) {
      if (this.#taken) this.#lost = true;
      else this.#client = undefined;
      throw error instanceof GatewayError ? error : new GatewayError("UNAVAILABLE", undefined, { cause: error });
    }
    if (signal) {
      const cancel = (): void => void (this.#cancelled = cancelStatement(client));
      signal.addEventListener("abort", cancel, { once: true });
      this.#removeAbortListener = () => signal.removeEventListener("abort", cancel);
    }
    return client;
  }

  /**
   * Not awaited before the first statement goes out: both travel together. Gives what that statement is to carry; where
   * something is yet to be prepared, the beginning goes out by itself.
   */
  #begin(client: pg.PoolClient, statement: AnyStatement): BeginQuery | undefined {
    const { begin, foreignSql } = this.#options;
    const { name } = begin.settings;
    const prepares = foreignSql?.prepares ?? true;
    const carried = "onRows" in statement && isPrepared(client, name) && isPrepared(client, statement.name);
    if (prepares) rememberPrepared(client, name);
    const query = new BeginQuery(begin, prepares);
    this.#begun = query.ended.catch((error: unknown) => {
      if (isConnectionLost(error)) {
        this.#lost = true;
        throw error;
      }
      const gone: readonly unknown[] = [SQLSTATE.invalidParameterValue, SQLSTATE.insufficientPrivilege];
      throw gone.includes(sqlstateOf(error))
        ? new GatewayError("UNAUTHENTICATED", "The role of this account cannot be used", { cause: error })
        : error;
    });
    this.#begun.catch(() => undefined); // awaited with the statement that follows
    if (carried) return query;
    void send(client, query).catch(() => undefined); // told by `#begun`
    return undefined;
  }

  /** Ends what PostgreSQL has open, and cleans up. Gives PostgreSQL's word for it. */
  async #finish(client: pg.PoolClient, word: "commit" | "rollback"): Promise<string> {
    const { cleanup } = this.#options;
    if (this.#lost) throw new GatewayError("UNAVAILABLE");
    await this.#begun?.catch(() => undefined); // a failed BEGIN has been reported; ROLLBACK ends it
    await cleanup?.ready();
    if (this.#committed) {
      await this.#committed;
      if (this.#lost) throw new GatewayError("UNAVAILABLE");
      return "COMMIT";
    }
    const command = await this.#end(client, word);
    if (cleanup?.apart) await send(client, new CommandQuery({ text: cleanup.text }));
    return command;
  }

  /** Sends COMMIT behind the statement that was just sent; where that fails, it is a ROLLBACK. */
  #endWith(client: pg.PoolClient): void {
    this.#committed = this.#end(client, "commit").catch(() => (this.#lost = true));
  }

  #end(client: pg.PoolClient, word: "commit" | "rollback"): Promise<string> {
    const { cleanup } = this.#options;
    const text = cleanup && !cleanup.apart ? `${word}; ${cleanup.text}` : word;
    return send(client, new CommandQuery({ text }));
  }

  /** Ends the transaction and gives the connection back: to its pool, or closed where it may serve nobody else. */
  async end(how: "commit" | "rollback"): Promise<void> {
    await this.#tail;
    this.#removeAbortListener();
    const client = this.#taken; // without one there is nothing to end
    if (!client) return;
    const commit = how === "commit" && !this.#rollback && !this.#failed;
    let command: string;
    try {
      await this.#cancelled;
      command = await this.#finish(client, commit ? "commit" : "rollback");
      for (const name of this.#outdated) await forgetPrepared(client, name);
    } catch (error) {
      const { cleanup } = this.#options;
      // a COMMIT that fails, by a deferred constraint, has ended the transaction: the connection is sound
      if (sqlstateOf(error) === undefined || isConnectionLost(error)) this.#lost = true;
      else if (cleanup) await send(client, new CommandQuery({ text: cleanup.text })).catch(() => (this.#lost = true));
      throw error;
    } finally {
      client.release(this.#lost);
    }
    if (commit && command !== "COMMIT") throw new GatewayError("INTERNAL", undefined, { detail: "COMMIT rolled back" });
  }
}

/** A statement whose `timeoutMs` is what is left of it, below 0 when it has taken longer. */
interface Budgeted extends ForeignRun {
  /** Counts the time that a portion takes. */
  spend<T>(portion: Promise<T>): Promise<T>;
}

function withinBudget(statement: ForeignRun): Budgeted {
  const { timeoutMs } = statement;
  if (timeoutMs === undefined) return { ...statement, spend: (portion) => portion };
  let spentMs = 0;
  return {
    ...statement,
    get timeoutMs() {
      return timeoutMs - spentMs;
    },
    async spend(portion) {
      const started = performance.now();
      try {
        return await portion;
      } finally {
        spentMs += performance.now() - started;
      }
    },
  };
}

function timeoutOf(statement: object): number | undefined {
  return "timeoutMs" in statement ? (statement.timeoutMs as number | undefined) : undefined;
}

function send<T>(client: pg.PoolClient, query: ExtendedQuery<T>): Promise<T> {
  submit(client, query as unknown as pg.Submittable).catch((error: unknown) => query.handleError(error));
  return query.ended;
}

/**
 * Gives it to node-postgres. What fails there without a word of PostgreSQL's may have left half a message behind, or a
 * statement that is wrongly taken for prepared: the connection is closed.
 */
async function submit(client: pg.PoolClient, query: pg.QueryConfig | pg.Submittable): Promise<unknown> {
  try {
    return await (client.query(query as pg.QueryConfig) as unknown);
  } catch (error) {
    if (sqlstateOf(error) === undefined) closeSocket(client);
    throw error;
  }
}

/** Keeps what is written to a connection until `write` has returned, so that it goes out in one packet. */
function inOnePacket<T>(client: pg.PoolClient, write: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection;
  stream.cork();
  try {
    return write();
  } finally {
    stream.uncork();
  }
}
