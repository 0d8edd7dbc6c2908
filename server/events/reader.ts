/** Follows the order of events in one database, and assigns it while this process holds the lease. */
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../ground/log.ts";
import { Cutter } from "./cutter.ts";
import { toHeader, toLogState, type EventLog, type Header, type LogRow } from "./log.ts";
import type { PositionStream } from "./positionStream.ts";
import { ReaderSession } from "./readerSession.ts";
import { ShardReader } from "./shardReader.ts";
import { Upkeep, type UpkeepOptions } from "./upkeep.ts";
import { Wake } from "./wake.ts";

const SECOND = 1000;
/** How often a follower looks whether the lease is held: a holder that dies is replaced well within 2 s. */
const LEASE_POLL_MS = 500;
/**
 * The most batches that are followed one by one; beyond that the log starts again, and groups read the events that they have missed.
 */
const FOLLOW_AT_ONCE = 1000;

export interface EventReaderOptions extends UpkeepOptions {
  readonly database: Database;
  readonly log: Log;
  readonly eventLog: EventLog;
}

interface Settings {
  readonly two_phase: boolean;
  /** Whether the database is the coordinator of a Citus cluster. */
  readonly citus: boolean;
}

interface LeaseRow {
  readonly term: string;
  readonly mine: boolean;
  readonly alive: boolean;
  /** The database's clock, in milliseconds since the epoch. */
  readonly now: number;
}

// A backend that is idle and has had no query for three times the safety poll belongs to a frozen process or a lost
// machine. The columns other than pid are null for the backends of another login.
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
  readonly #wake = new Wake();
  readonly #upkeep: Upkeep;
  readonly #cutter: Cutter;
  #term: number | undefined;
  #seen = { atMs: -Infinity, somebodyReads: false };
  #reachable = true;
  #running: Promise<void> | undefined;
  /** While this process is the reader, in a cluster of Citus. */
  #shards: ShardReader | undefined;
  /** Publishes batches beside PostgreSQL. */
  #stream: PositionStream | undefined;
  /** Whether each batch of another process wakes this one. */
  #isTold = true;

  constructor(options: EventReaderOptions) {
    this.#options = options;
    this.#upkeep = new Upkeep(options);
    this.#cutter = new Cutter({
      eventLog: options.eventLog,
      wake: this.#wake,
      upkeep: this.#upkeep,
      onLook: () => (this.#seen = { atMs: performance.now(), somebodyReads: true }),
    });
  }

  /** Whether this process is the reader, which assigns the order. */
  get isReader(): boolean {
    return this.#term !== undefined;
  }

  /** Whether the log is followed, and some process assigns the order. */
  get isAlive(): boolean {
    return this.#seen.somebodyReads && performance.now() - this.#seen.atMs < 5 * SECOND;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Batches are published there, and those of other gateways arrive from there. */
  follow(stream: PositionStream): void {
    this.#stream = stream;
    if (this.#term !== undefined) stream.publisher.begin(this.#term, this.#options.eventLog.head?.epoch ?? "");
  }

  /** The stream has become live, or is no longer: everything in between is read. */
  streamChanged(): void {
    if (!this.isReader) this.#wake.wake();
  }

  /** Called after DDL: the database may have become a cluster of Citus since this process reads the events. */
  async lookForShards(): Promise<void> {
    const term = this.#term;
    if (term === undefined || this.#shards) return;
    const { citus } = await this.#options.database.db.one<Pick<Settings, "citus">>(
      "select portolan.has_citus() as citus",
    );
    if (citus && this.#term === term) this.#shards ??= new ShardReader(this.#options, term);
  }

  /** Adds batches that another process has published. Batches after a gap are read from the database. */
  take(epoch: string, headers: readonly Header[]): void {
    const { eventLog } = this.#options;
    for (const header of this.isReader ? [] : headers) {
      const { head } = eventLog;
      if (head?.epoch !== epoch || header.n > head.batch + 1) return this.#wake.wake();
      if (header.n === head.batch + 1) eventLog.append(header);
    }
  }

  /** `rests`: nobody is to read for long, unless another process does. */
  async stop({ rests = false } = {}): Promise<void> {
    if (rests) await this.#shards?.rest();
    this.#wake.stop();
    await this.#running;
  }

  /** One connection after the other, until stopped. */
  async #run(): Promise<void> {
    const { log, database } = this.#options;
    for (let failures = 0; !this.#wake.isStopped; failures++) {
      const startedAtMs = performance.now();
      try {
        await this.#session();
      } catch (error) {
        if (this.#reachable)
          log.warn({ err: error, database: database.name }, "the reader of events lost its connection");
        this.#reachable = false;
      }
      this.#term = undefined;
      if (this.#wake.isStopped) break;
      if (performance.now() - startedAtMs > 5 * SECOND) failures = 0;
      await this.#wake.sleep(Math.min(2 * SECOND, 50 * 2 ** failures));
    }
  }

  async #session(): Promise<void> {
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined); // every statement of the session races with it
    const connection = await this.#options.database.db.connect({
      onLost: (error: unknown) => lost.reject(error instanceof Error ? error : new Error("the connection was lost")),
    });
    const session = new ReaderSession(connection, lost.promise);
    try {
      session.client.on("notification", ({ channel }) => {
        if (channel === "portolan" || !this.isReader) this.#wake.wake(); // the reader knows its own batches
      });
      // a batch must be durable before it is delivered, and PostgreSQL must notice a dead network too
      await session.query(
        "set synchronous_commit = on; set statement_timeout = 0; set idle_session_timeout = 0;" +
          " set tcp_keepalives_idle = 1; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 2;" +
          " set tcp_user_timeout = 5000; listen portolan; listen portolan_batch",
      );
      const [settings] = await session.rows<Settings>(
        "select current_setting('max_prepared_transactions')::int > 0 as two_phase, portolan.has_citus() as citus",
      );
      this.#isTold = true;
      this.#upkeep.forgetNote();
      while (!this.#wake.isStopped) {
        const woken = this.#wake.untilWoken();
        await this.#listen(session);
        const lease = await this.#follow(session);
        this.#reachable = true;
        await this.#upkeep.note(session);
        if (lease.mine) await this.#read(session, Number(lease.term), settings);
        else if (lease.alive || !(await this.#takeLease(session, lease))) await this.#wake.sleep(LEASE_POLL_MS, woken);
      }
    } finally {
      await connection.done(true)?.catch(() => undefined); // it may be gone already
    }
  }

  /** Where batches come by the stream, PostgreSQL need not announce each, which would make every gateway ask for it. */
  async #listen(session: ReaderSession): Promise<void> {
    const isTold = !this.#stream?.isLive;
    if (isTold === this.#isTold) return;
    await session.query(`${isTold ? "listen" : "unlisten"} portolan_batch`);
    this.#isTold = isTold;
  }

  /** Adds the batches that other processes have appended to the log. */
  async #follow(session: ReaderSession): Promise<LeaseRow> {
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
    const { head } = eventLog; // the stream may have moved it ahead meanwhile
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
    this.#seen = { atMs: performance.now(), somebodyReads: state.epoch !== "" && (lease?.alive ?? false) };
    return lease ?? { term: "0", mine: false, alive: false, now: 0 };
  }

  async #takeLease(session: ReaderSession, { term }: LeaseRow): Promise<boolean> {
    const [taken] = await session.rows<{ term: string | null }>(
      "select portolan.take_lease($1, a.backend_start) as term from pg_stat_get_activity(pg_backend_pid()) a",
      [term],
    );
    if (taken?.term) this.#options.log.info({ database: this.#options.database.name }, "this process reads the events");
    return Boolean(taken?.term);
  }

  /** Assigns the order until another process has the lease. */
  async #read(session: ReaderSession, term: number, settings: Settings | undefined): Promise<void> {
    this.#term = term;
    this.#shards = settings?.citus ? new ShardReader(this.#options, term) : undefined;
    this.#stream?.publisher.begin(term, this.#options.eventLog.head?.epoch ?? "");
    try {
      await this.#cutter.run(session, { term, twoPhase: settings?.two_phase ?? false, stream: () => this.#stream });
    } finally {
      this.#term = undefined;
      this.#stream?.publisher.end();
      const shards = this.#shards;
      this.#shards = undefined;
      await shards?.stop();
    }
  }
}
