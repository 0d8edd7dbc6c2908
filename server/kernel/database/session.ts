/** How a transaction begins with its first statement, under which identity, and how it ends. */
import { GatewayError, SQLSTATE, isConnectionLost, isLockTimeout, roleGone, sqlstateOf } from "../../ground/errors.ts";
import type { Service } from "../../ground/services.ts";
import { hurried, type Beginning } from "./begin.ts";
import { Lease, type LeaseOptions } from "./lease.ts";
import type { AllowedStatements } from "./allowed.ts";
import { asPinned, runPinned, type PinningOptions, type SendPinned, type Single } from "./pinning.ts";
import { unpin } from "./pins.ts";
import { BeginQuery, type Begun, type TextRow, type Wire } from "./wire/wire.ts";

export interface SessionOptions extends LeaseOptions {
  /** Its name, and the interface that asks, for traces. */
  readonly database: string;
  readonly service: Service;
  readonly begin: Beginning;
  /** Takes the basis that the statement at the beginning of the transaction returned. If this throws, statements reject. */
  readonly check: ((value: string | undefined) => void) | undefined;
  readonly readOnly: boolean;
  /** The caller whose pinned session may be used; undefined where a read always begins a transaction. */
  readonly pinning?: (PinningOptions & Pick<LeaseOptions, "connect" | "connectNow">) | undefined;
  /** Whether the connection keeps prepared statements for the next request. */
  readonly prepares: boolean;
  /** What PostgreSQL has let the role of the request run. */
  readonly allowed: AllowedStatements;
  /** SQL that someone wrote: one statement at a time goes out, by the extended protocol only. Default false. */
  readonly isUserSql?: boolean;
  /** Runs a statement under the gateway's own timer. Default: under PostgreSQL's alone. */
  readonly watch?: (<T>(wire: Wire, timeoutMs: number | undefined, run: () => Promise<T>) => Promise<T>) | undefined;
  /** Maps the error of a statement, or of the beginning, to the one that is thrown. Default: the same error. */
  readonly failure?: ((error: unknown) => unknown) | undefined;
  /** The error for a statement that has waited for a lock as long as it may. */
  readonly locked: (error: unknown) => Promise<Error>;
  /** Before the connection goes back, `ready` is awaited, and `text` is sent with the end of the transaction. */
  readonly cleanup?: Cleanup;
}

/** Makes a connection fit for the next request. */
export interface Cleanup {
  ready(): Promise<void>;
  /** Undefined where nothing is left behind. */
  readonly text: string | undefined;
  /** Whether it takes a message of its own. */
  readonly apart: boolean;
  /** Whether the connection must be closed, by the row of the last statement of `text`. Default: never. */
  isSpoilt?(row: TextRow, wire: Wire): boolean;
}

/** The properties of a statement that are needed to run it. */
export interface Sendable {
  readonly name?: string | undefined;
  readonly last?: boolean | undefined;
  /** COMMIT is a part of the sent message instead. */
  readonly commits?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  /** Whether the beginning may go out in its message. If its rows are handed out, it may. */
  readonly carries?: boolean | undefined;
  readonly onRows?: unknown;
}

/**
 * Sends a statement, together with the beginning of the transaction where it must carry it. It may throw instead of
 * sending.
 */
export type Send<T> = (wire: Wire, beginning?: BeginQuery) => Promise<T>;

type Word = "commit" | "rollback";

export class Session {
  readonly #options: SessionOptions;
  readonly #lease: Lease;
  #isNew = true;
  #begun: Promise<void> | undefined;
  #snapshot: string | undefined;
  /** The COMMIT that went out with the last statement. */
  #committed: Promise<unknown> | undefined;
  #failed = false;
  /** Whether a statement has waited for a lock in vain. */
  #hasWaited = false;
  #isRollback = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#lease = new Lease(options);
  }

  /** Undefined when it has not begun. Rejects where it could not, and with what `check` throws. */
  get begun(): Promise<void> | undefined {
    return this.#begun;
  }

  /** PostgreSQL's text of the snapshot that all statements see, once it has begun; undefined where each sees its own, on a standby, and on a pinned session of a cluster. */
  get snapshot(): string | undefined {
    return this.#snapshot;
  }

  /** Whether no transaction was needed, so that there is none to end. */
  get isUnused(): boolean {
    return this.#isNew;
  }

  /** Whether COMMIT has gone out, so that no portal is open. */
  get hasCommitted(): boolean {
    return this.#committed !== undefined;
  }

  /** Whether COMMIT may go out before a statement was answered. */
  get mayCommitEarly(): boolean {
    return this.#options.readOnly && !this.#isRollback;
  }

  /** Whether COMMIT may go out in the message of a statement, because nothing has to be cleaned up after it. */
  get mayCarryCommit(): boolean {
    return this.mayCommitEarly && this.#options.cleanup?.text === undefined;
  }

  get isRollbackOnly(): boolean {
    return this.#isRollback;
  }

  /** Makes the transaction end with ROLLBACK. */
  rollbackOnly(): void {
    this.#isRollback = true;
  }

  /**
   * Runs the only statement of a read on a session that is pinned to the caller, without a transaction. Undefined: it
   * must run in a transaction. `onFailed` is called where it failed after some of its rows may have come.
   */
  async runSingle<T>(
    single: Single & { readonly onFailed?: (() => void) | undefined },
    send: SendPinned<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const { pinning } = this.#options;
    const readOn = pinning && this.#isNew ? asPinned(pinning, single) : undefined;
    if (!pinning || !readOn) return undefined;
    const { connect, connectNow } = pinning;
    const lease = new Lease({ connect, connectNow, signal: this.#options.signal });
    const told = await runPinned(pinning, lease, readOn, send).catch((error: unknown) => this.#inWords(error));
    if (!told) single.onFailed?.();
    return told;
  }

  /** Notes the snapshot of a statement that ran without a transaction. */
  noteSnapshot(snapshot: string | undefined): void {
    this.#snapshot = snapshot;
  }

  /** Runs a statement; the first one travels with what begins the transaction. One at a time. */
  async run<T>(statement: Sendable, send: Send<T>): Promise<T> {
    try {
      return await this.#run(statement, send);
    } catch (error) {
      const failure = this.#options.failure?.(error) ?? error;
      return this.#inWords(failure);
    }
  }

  /** Throws the error of a statement. */
  async #inWords(error: unknown): Promise<never> {
    if (!isLockTimeout(error)) throw error;
    this.#hasWaited = true;
    throw await this.#options.locked(error);
  }

  async #run<T>(statement: Sendable, send: Send<T>): Promise<T> {
    const lease = this.#lease;
    this.#isNew = false;
    const wire = await lease.take();
    await this.#startAnew(wire);
    lease.refuseGone();
    let carried: BeginQuery | undefined;
    try {
      // where BEGIN's settings fail, PostgreSQL refuses the statement that was sent with it
      const [result] = await wire.inOnePacket(() => {
        if (!this.#begun) carried = this.#begin(wire, statement);
        const sent = this.#watch(wire, statement, () => send(wire, carried));
        return Promise.all([sent, this.#begun]);
      });
      if (statement.commits) this.#committed = Promise.resolve();
      return result;
    } catch (error) {
      if (carried?.isSent === false) this.#begun = undefined; // it will never be answered
      this.#failed = true;
      lease.note(error, statement.name);
      lease.refuseGone(error);
      const { readOnly, isUserSql = false } = this.#options;
      if (!readOnly) lease.refuseStandby(error, !isUserSql);
      // the error that made BEGIN fail makes every later statement fail with 25P02: the first one tells the reason. A
      // changed basis of the request may be that reason
      await this.#begun;
      throw error;
    }
  }

  /** A read that has failed or ended begins again, so that its next statement is answered. */
  async #startAnew(wire: Wire): Promise<void> {
    const isOver = this.#failed || this.#committed !== undefined;
    if (!this.#options.readOnly || this.#lease.isLost || !isOver) return;
    await (this.#committed ?? wire.command("rollback"));
    this.#failed = false;
    this.#begun = this.#committed = undefined;
  }

  #watch<T>(wire: Wire, { timeoutMs, last, commits }: Sendable, run: () => Promise<T>): Promise<T> {
    const { watch } = this.#options;
    if (watch) return watch(wire, timeoutMs, run);
    const sent = run();
    if (last && !commits && this.#options.readOnly) this.commitEarly(wire);
    return sent;
  }

  /**
   * Begins the transaction. Not awaited: the beginning and the first statement travel together. Returns the part that
   * the statement must carry, or undefined where the beginning was sent alone because something had to be prepared.
   */
  #begin(wire: Wire, statement: Sendable): BeginQuery | undefined {
    const { begin, check, prepares } = this.#options;
    const { name } = begin.settings;
    const isReady = statement.name === undefined || wire.isPrepared(statement.name);
    const isCarried = (statement.carries ?? "onRows" in statement) && wire.isPrepared(name) && isReady;
    if (prepares) wire.remember(name);
    const unpinned = this.#mayStay(wire) ? undefined : unpin(wire);
    const undone = [unpinned, this.#forgetPlans(wire)].filter((sent) => sent !== undefined);
    for (const sent of undone) sent.catch(() => this.#lease.markLost());
    const query = new BeginQuery(this.#hasWaited ? hurried(begin) : begin, prepares);
    const take = ({ basis, snapshot }: Begun): void => {
      this.#snapshot = snapshot;
      check?.(basis);
    };
    const begun = query.ended.then(take, (error: unknown) => {
      this.#lease.note(error);
      const gone: readonly unknown[] = [SQLSTATE.invalidParameterValue, SQLSTATE.insufficientPrivilege];
      throw gone.includes(sqlstateOf(error)) ? roleGone(error) : error;
    });
    this.#begun = undone.length > 0 ? Promise.all([...undone, begun]).then(() => undefined) : begun;
    this.#begun.catch(() => undefined); // awaited with the statement that follows
    if (isCarried) return query;
    wire.begin(query);
    return undefined;
  }

  /**
   * Functions keep plans of their statements, also for a later caller on the connection. They end where code runs for a role
   * with other rights, or for the same role after rights have changed: see `allowed.ts`.
   */
  #forgetPlans(wire: Wire): Promise<unknown> | undefined {
    const { cleanup, prepares, allowed } = this.#options;
    if (cleanup?.text === undefined || !prepares) return undefined; // no code runs, or nothing of it stays
    const before = wire.plansOf;
    wire.plansOf = allowed.rights;
    return before === undefined || before === allowed.rights ? undefined : wire.command("discard plans");
  }

  /** Whether the session is the caller's, and may be that also after a transaction of this kind. */
  #mayStay(wire: Wire): boolean {
    const { pinning, cleanup } = this.#options;
    return pinning !== undefined && cleanup?.text === undefined && pinning.pins.isOf(wire, pinning.pin);
  }

  /** Sends COMMIT behind the statement that was just sent; where that fails, it is a ROLLBACK. */
  commitEarly(wire: Wire): void {
    this.#committed = this.#sendEnd(wire, "commit").catch(() => this.#lease.markLost());
  }

  /** Ends the transaction and returns the connection to its pool, or closes it where it must not serve another request. */
  async end(how: Word): Promise<void> {
    const lease = this.#lease;
    const wire = lease.taken;
    if (!wire) return; // there is nothing to end
    const word = how === "commit" && !this.#isRollback && !this.#failed ? "commit" : "rollback";
    let command: string;
    try {
      await lease.settle();
      command = await this.#finish(wire, word);
      await lease.forgetOutdated();
    } catch (error) {
      const { cleanup } = this.#options;
      // a COMMIT that fails, by a deferred constraint, has ended the transaction: the connection is sound
      if (sqlstateOf(error) === undefined || isConnectionLost(error)) lease.markLost();
      else if (cleanup) await this.#cleanUp(wire, cleanup).catch(() => lease.markLost());
      throw error;
    } finally {
      lease.giveBack();
    }
    if (word === "commit" && command !== "COMMIT")
      throw new GatewayError("INTERNAL", undefined, { detail: "COMMIT rolled back" });
  }

  /** Ends the open transaction, and cleans up. Returns PostgreSQL's command tag. */
  async #finish(wire: Wire, word: Word): Promise<string> {
    const { cleanup } = this.#options;
    if (this.#lease.isLost && word === "rollback") return "ROLLBACK"; // it ends with its connection
    if (this.#lease.isLost) throw new GatewayError("UNAVAILABLE");
    await this.#begun?.catch(() => undefined); // a failed BEGIN has been reported; ROLLBACK ends it
    await cleanup?.ready();
    if (this.#committed) {
      await this.#committed;
      if (this.#lease.isLost) throw new GatewayError("UNAVAILABLE");
      return "COMMIT";
    }
    const command = await this.#sendEnd(wire, word);
    if (cleanup?.apart) await this.#cleanUp(wire, cleanup);
    return command;
  }

  /** Resets the connection. One that cannot be reset is closed. */
  async #cleanUp(wire: Wire, cleanup: Cleanup): Promise<void> {
    if (cleanup.text === undefined) return;
    const { row } = await wire.command(cleanup.text);
    if (cleanup.isSpoilt?.(row, wire)) this.#lease.markLost();
  }

  /** Returns PostgreSQL's command tag for the end. */
  async #sendEnd(wire: Wire, word: Word): Promise<string> {
    const { cleanup } = this.#options;
    const isWithIt = cleanup?.text !== undefined && !cleanup.apart;
    const { words, row } = await wire.command(isWithIt ? `${word}; ${cleanup.text}` : word);
    if (isWithIt && cleanup.isSpoilt?.(row, wire)) this.#lease.markLost();
    return words[0] ?? "";
  }
}
