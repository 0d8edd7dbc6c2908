/** Follows the order of events in one database, and gives it out while this process holds the lease. */
import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../ground/log.ts";
import { toHeader, toLogState, type EventLog, type Header, type HeaderRow, type LogRow } from "./log.ts";
import type { PositionStream } from "./positionStream.ts";

const SECOND = 1000;
/**
 * While writers are busy, the writes within this time are one batch: each batch takes about 1 ms, half of it PostgreSQL's.
 */
const BATCH_INTERVAL_MS = 20;
/** Else each writer wakes the reader, which gives a batch out at once, but no two within this time. */
const WOKEN_INTERVAL_MS = 3;
/** Writers count as busy from this many statements at once, and in a second; at most twice as many are counted. */
const BUSY = { burst: 30, perSecond: 120 };
/** How often the log is read although nobody was woken. */
const SAFETY_POLL_MS = 1 * SECOND;
/** How often a follower looks whether the lease is held: a holder that dies is replaced well within 2 s. */
const LEASE_POLL_MS = 500;
/** Transactions that began before the reader fell asleep do not wake it: they are looked for, ever less often. */
const IN_FLIGHT_POLL_MS = { first: 10, most: 100 };
/** A writer that prepares its transaction must not have notified: where that is allowed nobody is woken. */
const TWO_PHASE_POLL_MS = 50;
const CLEAR_INTERVAL_MS = 10 * SECOND;
/** How often a gateway writes its own entry, where that has changed. */
const NOTE_INTERVAL_MS = 5 * SECOND;
/**
 * The most batches that are followed one by one; beyond that the log starts again, and groups read what they have missed.
 */
const FOLLOW_AT_ONCE = 1000;

export interface EventReaderOptions {
  readonly database: Database;
  readonly log: Log;
  readonly eventLog: EventLog;
  readonly retentionMs: number;
  readonly retentionBytes: number;
  /** The entry of this gateway (`portolan.fleet`). */
  readonly describe: () => object;
}

interface LeaseRow {
  readonly term: string;
  readonly mine: boolean;
  readonly alive: boolean;
  /** The database's clock, in milliseconds since the epoch. */
  readonly now: number;
}

interface CutRow extends Partial<HeaderRow> {
  readonly held: boolean;
  readonly in_flight: readonly string[];
}

// A backend that is idle and has not been asked anything for three times the safety poll belongs to a process that is
// frozen, or to a machine that is gone. The columns but pid are null for the backends of another login.
const LEASE = `
select r.term, coalesce(r.pid = pg_backend_pid(), false) as mine,
  extract(epoch from clock_timestamp())::float8 * 1000 as now,
  exists (
    select from pg_stat_get_activity(r.pid) a
    where r.pid is not null and a.pid = r.pid and (a.backend_start is null or a.backend_start = r.started)
      and (a.state is distinct from 'idle' or a.state_change > clock_timestamp() - interval '3 s')) as alive
from portolan.event_reader r`;

export class EventReader {
  readonly #options: EventReaderOptions;
  #stopped = false;
  #wake: () => void = () => undefined;
  #term: number | undefined;
  /** Whether writers should wake the reader. */
  #asleep = false;
  /** A bucket that each statement fills and time empties: how busy writers are. */
  #bucket = { level: 0, atMs: 0 };
  #clearedAtMs = -Infinity;
  #noted = { atMs: -Infinity, text: "" };
  #lookedAtMs = -Infinity;
  #somebodyReads = false;
  #reachable = true;
  #running: Promise<void> | undefined;
  /** Publishes batches beside PostgreSQL. */
  #stream: PositionStream | undefined;
  /** Whether each batch of another process wakes this one. */
  #isTold = true;

  constructor(options: EventReaderOptions) {
    this.#options = options;
  }

  /** Whether this process is the reader, which gives out the order. */
  get isReader(): boolean {
    return this.#term !== undefined;
  }

  /** Whether the log is followed, and some process gives it out. */
  get isAlive(): boolean {
    return this.#somebodyReads && performance.now() - this.#lookedAtMs < 5 * SECOND;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Batches are published there, and those of others come from there. */
  follow(stream: PositionStream): void {
    this.#stream = stream;
    if (this.#term !== undefined) stream.begin(this.#term, this.#options.eventLog.head?.epoch ?? "");
  }

  /** The stream is live, or no longer: whatever came in between is read. */
  streamChanged(): void {
    if (!this.isReader) this.#wake();
  }

  /** Takes over batches that another process has published; what does not follow is read from the database. */
  take(epoch: string, headers: readonly Header[]): void {
    const { eventLog } = this.#options;
    for (const header of this.isReader ? [] : headers) {
      const { head } = eventLog;
      if (head?.epoch !== epoch || header.n > head.batch + 1) return this.#wake();
      if (header.n === head.batch + 1) eventLog.append(header);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#running;
  }

  /** One connection after the other, until stopped. */
  async #run(): Promise<void> {
    const { log, database } = this.#options;
    for (let failures = 0; !this.#stopped; failures++) {
      const startedAtMs = performance.now();
      try {
        await this.#session();
      } catch (error) {
        if (this.#reachable)
          log.warn({ err: error, database: database.name }, "the reader of events lost its connection");
        this.#reachable = false;
      }
      this.#term = undefined;
      if (this.#stopped) break;
      if (performance.now() - startedAtMs > 5 * SECOND) failures = 0;
      await this.#sleep(Math.min(2 * SECOND, 50 * 2 ** failures));
    }
  }

  async #session(): Promise<void> {
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined); // every statement of the session races with it
    const connection = await this.#options.database.db.connect({
      onLost: (error: unknown) => lost.reject(error instanceof Error ? error : new Error("the connection was lost")),
    });
    const session = new Session(connection, lost.promise);
    try {
      session.client.on("notification", ({ channel }) => {
        if (channel === "portolan" || !this.isReader) this.#wake(); // the reader knows of its own batches
      });
      // a batch must be durable before it is delivered, and a dead network must be found out by PostgreSQL too
      await session.query(
        "set synchronous_commit = on; set statement_timeout = 0; set idle_session_timeout = 0;" +
          " set tcp_keepalives_idle = 1; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 2;" +
          " set tcp_user_timeout = 5000; listen portolan; listen portolan_batch",
      );
      const [settings] = await session.rows<{ two_phase: boolean }>(
        "select current_setting('max_prepared_transactions')::int > 0 as two_phase",
      );
      this.#isTold = true;
      this.#noted = { atMs: -Infinity, text: "" };
      while (!this.#stopped) {
        const woken = this.#untilWoken();
        await this.#listen(session);
        const lease = await this.#follow(session);
        this.#reachable = true;
        await this.#note(session);
        if (lease.mine) await this.#read(session, Number(lease.term), settings?.two_phase ?? false);
        else if (lease.alive || !(await this.#takeLease(session, lease))) await this.#sleep(LEASE_POLL_MS, woken);
      }
    } finally {
      await connection.done(true)?.catch(() => undefined); // it may be gone already
    }
  }

  /** Where batches come by the stream, PostgreSQL need not announce each, which would make every gateway ask for it. */
  async #listen(session: Session): Promise<void> {
    const isTold = !this.#stream?.isLive;
    if (isTold === this.#isTold) return;
    await session.query(`${isTold ? "listen" : "unlisten"} portolan_batch`);
    this.#isTold = isTold;
  }

  /** Takes over what other processes have appended to the log. */
  async #follow(session: Session): Promise<LeaseRow> {
    const { eventLog } = this.#options;
    const asked = eventLog.head;
    const askedAtMs = performance.now();
    const [lease] = await session.rows<LeaseRow>(LEASE);
    if (lease) eventLog.setClock(lease.now, askedAtMs);
    const rows = await session.rows<LogRow>("select * from portolan.event_log($1, $2)", [
      asked?.batch ?? Number.MAX_SAFE_INTEGER,
      FOLLOW_AT_ONCE,
    ]);
    const state = toLogState(rows);
    const { head } = eventLog; // by the stream it may have gone ahead meanwhile
    const headers = rows
      .flatMap((row) => toHeader(row) ?? [])
      .filter(({ n }) => head === asked || n > (head?.batch ?? 0));
    if (state.epoch !== "") {
      const isNext =
        headers.length > 0
          ? headers[0]?.n === (head?.batch ?? 0) + 1
          : head !== undefined && state.head.batch >= (asked?.batch ?? NaN) && state.head.batch <= head.batch;
      if (state.epoch !== head?.epoch || !isNext || headers.length === FOLLOW_AT_ONCE) eventLog.restart(state.head);
      else for (const header of headers) eventLog.append(header);
    }
    this.#lookedAtMs = performance.now();
    this.#somebodyReads = state.epoch !== "" && (lease?.alive ?? false);
    return lease ?? { term: "0", mine: false, alive: false, now: 0 };
  }

  async #takeLease(session: Session, { term }: LeaseRow): Promise<boolean> {
    const [taken] = await session.rows<{ term: string | null }>(
      "select portolan.take_lease($1, a.backend_start) as term from pg_stat_get_activity(pg_backend_pid()) a",
      [term],
    );
    if (taken?.term) this.#options.log.info({ database: this.#options.database.name }, "this process reads the events");
    return Boolean(taken?.term);
  }

  /** Gives out the order until the lease is another's. */
  async #read(session: Session, term: number, twoPhase: boolean): Promise<void> {
    const { eventLog } = this.#options;
    this.#term = term;
    this.#stream?.begin(term, eventLog.head?.epoch ?? "");
    this.#asleep = false;
    let inFlight: readonly string[] | undefined;
    let pollMs = IN_FLIGHT_POLL_MS.first;
    try {
      while (!this.#stopped) {
        const woken = this.#untilWoken();
        const askedAtMs = performance.now();
        const [cut] = await session.rows<CutRow>({
          name: "portolan cut_batch",
          text: "select * from portolan.cut_batch($1)",
          values: [term],
        });
        if (!cut?.held) return;
        this.#lookedAtMs = performance.now();
        this.#somebodyReads = true;
        const header = toHeader(cut);
        if (header) {
          const { head } = eventLog;
          if (!head || header.n !== head.batch + 1) return; // somebody has appended: follow first
          eventLog.setClock(header.atMs, askedAtMs);
          eventLog.append(header);
          this.#stream?.publish(header);
          if (this.#asleep && this.#isBusy(header.last - head.last)) await this.#setAsleep(session, false);
        }
        if (this.#asleep) {
          // a transaction that was in flight when the flag was set may not have seen it; a later one has
          inFlight = cut.in_flight.filter((xid) => inFlight?.includes(xid) ?? true);
          if (header) await this.#pause(WOKEN_INTERVAL_MS);
          if (inFlight.length === 0) await this.#sleep(SAFETY_POLL_MS, woken);
          else await this.#sleep((pollMs = Math.min(IN_FLIGHT_POLL_MS.most, pollMs * 1.2)), woken);
        } else if (header) await this.#pause(BATCH_INTERVAL_MS);
        else if (twoPhase) await this.#pause(TWO_PHASE_POLL_MS);
        else {
          await this.#setAsleep(session, true); // and look once more
          inFlight = undefined;
          pollMs = IN_FLIGHT_POLL_MS.first;
        }
        await this.#clear(session);
        await this.#note(session);
      }
      await session.rows("select portolan.release_lease($1)", [term]);
    } finally {
      this.#term = undefined;
      this.#stream?.end();
    }
  }

  /**
   * Counts the statements of a batch, and decides whether writers should stop waking the reader: each wake-up costs a
   * NOTIFY, for which writers wait for one another. Many writers make few batches, so the number of batches would tell
   * nothing.
   */
  #isBusy(statements: number): boolean {
    const now = performance.now();
    const left = this.#bucket.level - ((now - this.#bucket.atMs) * BUSY.perSecond) / SECOND;
    this.#bucket = { level: Math.min(Math.max(0, left) + statements, 2 * BUSY.burst), atMs: now };
    return this.#bucket.level > BUSY.burst;
  }

  async #setAsleep(session: Session, asleep: boolean): Promise<void> {
    await session.rows("select portolan.set_asleep($1)", [asleep]);
    this.#asleep = asleep;
  }

  async #clear(session: Session): Promise<void> {
    if (performance.now() - this.#clearedAtMs < CLEAR_INTERVAL_MS) return;
    const { retentionMs, retentionBytes } = this.#options;
    const [row] = await session.rows<{ more: boolean }>("select portolan.clear_events($1, $2) as more", [
      retentionMs,
      retentionBytes,
    ]);
    if (!row?.more) this.#clearedAtMs = performance.now(); // else goes on after the next batch
  }

  /** Only where something has changed: each commit has all gateways look whether it concerns them. */
  async #note(session: Session): Promise<void> {
    if (performance.now() - this.#noted.atMs < NOTE_INTERVAL_MS) return;
    const text = JSON.stringify(this.#options.describe());
    if (text !== this.#noted.text)
      await session.rows(
        "select portolan.note_gateway(a.backend_start, $1) from pg_stat_get_activity(pg_backend_pid()) a",
        [text],
      );
    this.#noted = { atMs: performance.now(), text };
  }

  /** Resolves at the next notification, also at one that comes before anybody waits. */
  #untilWoken(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  async #pause(ms: number): Promise<void> {
    if (!this.#stopped) await setTimeout(ms);
  }

  async #sleep(ms: number, woken = this.#untilWoken()): Promise<void> {
    if (this.#stopped) return;
    const timer = new AbortController();
    await Promise.race([woken, setTimeout(ms, undefined, timer).catch(() => undefined)]); // aborted below
    timer.abort();
  }
}

/** A connection of its own; its loss ends every pending query. */
class Session {
  readonly client: pg.Client;
  readonly #lost: Promise<never>;

  constructor(connection: { readonly client: unknown }, lost: Promise<never>) {
    this.client = connection.client as pg.Client;
    this.#lost = lost;
  }

  async query(text: string): Promise<void> {
    await Promise.race([this.client.query(text), this.#lost]);
  }

  async rows<Row>(statement: string | pg.QueryConfig, values?: unknown[]): Promise<Row[]> {
    const config = typeof statement === "string" ? { text: statement, values: values ?? [] } : statement;
    const { rows } = (await Promise.race([this.client.query(config), this.#lost])) as { rows: Row[] };
    return rows;
  }
}
