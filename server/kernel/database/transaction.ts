/** One transaction on one connection, which is taken when the first statement comes. */
import { SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import { noteStatement } from "../../ground/failedStatement.ts";
import { currentSpan, during, type Span } from "../tracing/trace.ts";
import { readInPortions, runInPortions, type ReadPortion } from "./portions.ts";
import { StatementQueue } from "./queue.ts";
import { Session, type SessionOptions } from "./session.ts";
import type {
  Description,
  DriverStatement,
  ExtendedStatement,
  UserSqlOutcome,
  UserSqlRun,
  OnRow,
  Result,
} from "./wire/wire.ts";

export interface Statement extends DriverStatement {
  /** No other statement is expected: in a read-only transaction COMMIT goes out with it, which saves a round trip. */
  readonly last?: boolean | undefined;
}

export interface RowStatement {
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
  /** Prepared under this name; the same name always means the same text. */
  readonly name?: string | undefined;
  /** For each column, whether it comes in PostgreSQL's binary format. Default: all are text. */
  readonly isBinary?: readonly boolean[] | undefined;
}

export interface SingleRead extends RowStatement, Pick<Statement, "last"> {
  /** Called where the rows that have come do not count, and all come once more. Without it that never happens. */
  readonly onAgain?: (() => void) | undefined;
  /** Whether `Transaction.snapshot` is of no use to the caller, so that PostgreSQL need not tell it. Default false. */
  readonly ignoresSnapshot?: boolean | undefined;
}

export interface Transaction {
  /** Runs one statement after those that were asked for before it. Rejects with PostgreSQL's error. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Result<Row>>;
  /**
   * Runs one statement and hands out its rows as bytes. Rejects with PostgreSQL's error, or with what `onRow` throws.
   * `last`: as of `Statement`.
   */
  read(statement: SingleRead, onRow: OnRow): Promise<void>;
  /** The same, a portion at a time; the statement begins with the first one. A caller that stops asking need not close it. */
  readPortions(statement: RowStatement): ReadPortion;
  /**
   * PostgreSQL's text of the snapshot that all statements of the transaction see, from when one was answered: the same
   * text as long as nothing is committed. Undefined where each sees its own, on a standby, and on a pinned session of a cluster.
   */
  readonly snapshot: string | undefined;
  /** The transaction will end with ROLLBACK. The result of the callback is returned nevertheless. */
  rollbackOnly(): void;
  /** Whether it will. */
  readonly isRollbackOnly: boolean;
}

/** For SQL that someone wrote: one statement at a time, by the extended protocol, which takes exactly one. */
export interface UserSqlTransaction extends Transaction {
  /** Rejects if the basis of the request has changed, for a failure that no statement reported. */
  confirm(): Promise<void>;
  /** Parses a statement and tells its types; runs nothing. */
  describe(statement: ExtendedStatement): Promise<Description>;
  /** Runs a statement and hands its rows out. Rejects with PostgreSQL's error, or with what takes the rows throws. */
  run(statement: UserSqlRun): Promise<UserSqlOutcome>;
}

/**
 * Runs `callback`, then COMMIT, or ROLLBACK when it throws. The end of a read is not waited for: the answer is complete.
 */
export async function transact<T>(
  options: SessionOptions,
  callback: (transaction: UserSqlTransaction) => Promise<T>,
): Promise<T> {
  const { database, service } = options;
  const span = currentSpan()?.child("transaction", { "db.namespace": database, "portolan.service": service });
  const transaction = new RequestTransaction(options, span);
  let result: T;
  try {
    result = await callback(transaction);
  } catch (error) {
    await transaction.end("rollback").catch(() => undefined); // the first error is the one to report
    span?.end(error);
    throw error;
  }
  if (!span && transaction.isUnused) return result;
  const ended = during(span, () => transaction.end("commit"));
  if (options.readOnly) ended.catch(() => undefined); // the answer is complete; a lost connection leaves its pool
  else await ended;
  return result;
}

/** A statement as it was given: `name` also where it is sent without one. */
interface TracedStatement {
  readonly text: string;
  readonly name?: string | undefined;
}

class RequestTransaction implements UserSqlTransaction {
  readonly #queue = new StatementQueue();
  readonly #session: Session;
  readonly #isUserSql: boolean;
  readonly #prepares: boolean;
  readonly #allowed: SessionOptions["allowed"];
  readonly #tellsSnapshot: boolean;
  readonly #span: Span | undefined;
  #portals = 0;

  constructor(options: SessionOptions, span: Span | undefined) {
    this.#span = span;
    this.#session = new Session(options);
    this.#isUserSql = options.isUserSql ?? false;
    this.#prepares = options.prepares;
    this.#allowed = options.allowed;
    this.#tellsSnapshot = options.pinning?.tellsSnapshot ?? false;
  }

  get snapshot(): string | undefined {
    return this.#session.snapshot;
  }

  /** Whether nothing is to be ended: its statements, if any, ran by themselves. */
  get isUnused(): boolean {
    return this.#queue.isIdle && this.#session.isUnused;
  }

  rollbackOnly(): void {
    this.#session.rollbackOnly();
  }

  get isRollbackOnly(): boolean {
    return this.#session.isRollbackOnly;
  }

  async confirm(): Promise<void> {
    await (this.#session.begun ?? this.query({ text: "select" }));
  }

  query<Row>(given: Statement): Promise<Result<Row>> {
    const statement = this.#named(given);
    return this.#queue.add(() => this.#traced(given, () => this.#send<Row>(statement)));
  }

  async #send<Row>(statement: Statement): Promise<Result<Row>> {
    const single =
      statement.last === true && !this.#tellsSnapshot
        ? await this.#session.runSingle(statement, (wire, read, ahead) =>
            wire.queryWith<Row>({ rowMode: statement.rowMode, ...read }, { ahead }),
          )
        : undefined;
    if (single) return single.result;
    if (this.#isUserSql || statement.name === undefined)
      return this.#session.run(statement, (wire) => wire.query<Row>(statement, this.#isUserSql));
    const commits = statement.last === true && this.#session.mayCarryCommit;
    return this.#session.run({ ...statement, commits, carries: true }, (wire, beginning) =>
      wire.queryWith<Row>(statement, { ahead: beginning, commits }),
    );
  }

  read(given: SingleRead, onRow: OnRow): Promise<void> {
    const statement = this.#named(given);
    return this.#queue.add(() => this.#traced(given, () => this.#read(statement, onRow)));
  }

  async #read(
    { text, name, values = [], isBinary, last, onAgain, ignoresSnapshot }: SingleRead,
    onRow: OnRow,
  ): Promise<void> {
    const mayBeSingle = last === true && onAgain !== undefined && isBinary === undefined;
    if (mayBeSingle && (await this.#readSingle({ text, name, values, onFailed: onAgain, ignoresSnapshot }, onRow)))
      return;
    const commits = last === true && this.#session.mayCarryCommit;
    await this.#session.run({ name, commits, onRows: onRow }, (wire, beginning) =>
      wire.readRows({ text, values, name, isBinary, ahead: beginning, commits }, onRow),
    );
  }

  #readSingle(single: Parameters<Session["runSingle"]>[0], onRow: OnRow): Promise<object | undefined> {
    const session = this.#session;
    return session.runSingle(single, (wire, { snapshotOf, ...one }, ahead) => {
      const read = { ...one, ahead };
      if (!snapshotOf) return wire.readSingle(read, onRow);
      let isFirst = true;
      return wire.readSingle(read, (row) => {
        const told = row.dropLast(isFirst); // each row has the same
        if (isFirst) session.noteSnapshot(snapshotOf(told));
        isFirst = false;
        onRow(row);
      });
    });
  }

  readPortions(given: RowStatement): ReadPortion {
    const { text, name, values = [], isBinary } = this.#named(given);
    const read = readInPortions(this.#queue, this.#session, { text, name, values, isBinary }, this.#newPortal());
    return (rows, onRow) => this.#traced(given, () => read(rows, onRow));
  }

  describe(given: ExtendedStatement): Promise<Description> {
    const statement = this.#named(given);
    return this.#queue.add(() => this.#session.run(statement, (wire) => wire.describe(statement))); // which plans nothing
  }

  run(given: UserSqlRun): Promise<UserSqlOutcome> {
    const portal = given.portion === undefined ? "" : this.#newPortal();
    const statement = this.#named(given);
    return this.#traced(given, () => runInPortions(this.#queue, this.#session, statement, portal));
  }

  /** Runs a statement in a span of its own. If it succeeds, PostgreSQL lets the role run it. */
  async #traced<T>({ text, name }: TracedStatement, run: () => Promise<T>): Promise<T> {
    try {
      const result = await during(this.#span?.statement(text), run);
      if (name !== undefined && this.#prepares) this.#allowed.add(name);
      return result;
    } catch (error) {
      if (sqlstateOf(error) === SQLSTATE.insufficientPrivilege) noteStatement(error, text);
      throw error;
    }
  }

  #newPortal(): string {
    return `portal ${++this.#portals}`;
  }

  /** Without a name where the connection keeps nothing prepared, and where the role must not use what is prepared yet. */
  #named<S extends { readonly name?: string | undefined }>(statement: S): S {
    const { name } = statement;
    return name === undefined || (this.#prepares && this.#allowed.has(name))
      ? statement
      : { ...statement, name: undefined };
  }

  /** Ends it when all statements have ended. */
  async end(how: "commit" | "rollback"): Promise<void> {
    await this.#queue.ended;
    await this.#session.end(how);
  }
}
