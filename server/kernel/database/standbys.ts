/** The standbys of a database, from which it is read: how far each has come, and which one serves the next read. */
import type pg from "pg";
import { LRUCache } from "lru-cache";
import { GatewayError, isLockTimeout, SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import { nameOf, readConnectionString } from "../connectionString.ts";
import { NotOnStandby, parseLsn, type ReadPoint, type WalPosition } from "./readPoint.ts";
import { Places, type Caller } from "./shares.ts";
import { startOptions } from "./startOptions.ts";
import {
  abandon,
  cut,
  latestCertificate,
  openPool,
  RENEWED_SECONDS,
  takeWire,
  type LoginSource,
  type ServerCertificate,
  type Wire,
} from "./wire/wire.ts";

const SECOND = 1000;
/** How often the servers are asked how far they are, at most; a fourth of `maxReplicaLagMs` where that is less. */
const ASK_MS = 250;
/** One that has not answered by then is gone. */
const ANSWER_MS = SECOND;
/** After this many unanswered questions, reads that wait for the standby run on the primary. */
const MOST_SILENT = 3;
/** Within `maxLagMs`, at most: every write asks how far the primary is, and there may be thousands in a second. */
const SAMPLES = 20;
/** Accounts whose last write is remembered. */
const MAX_WRITERS = 10_000;

export interface StandbysOptions {
  /** A connection string for each standby, as the gateway's login. */
  readonly urls: readonly string[];
  readonly poolSize: number;
  /** The login of requests' connections. Default: that of the connection string. */
  readonly login?: LoginSource | undefined;
  readonly accountShare: number | undefined;
  readonly connectTimeoutMs: number;
  /** A standby that is further behind serves no read. */
  readonly maxLagMs: number;
  /**
   * The primary's WAL position by `portolan.wal_position()`, including what is not flushed yet: with `synchronous_commit
   * = off` a COMMIT counts once it was answered.
   */
  readonly askPrimary: () => Promise<{ readonly timeline: number; readonly lsn: string; readonly inserted: string }>;
  /** PostgreSQL's number of the cluster, which a standby shares with its primary. */
  readonly askSystem: () => Promise<string>;
}

/** ok: it may serve reads. Why it does not, otherwise. */
export type StandbyState = "ok" | "unknown" | "gone" | "promoted" | "foreign" | "other timeline";

/** For metrics. */
export interface StandbyFigures {
  readonly server: string;
  readonly state: StandbyState;
  /** How long ago the primary was where the standby is, at most; undefined where that is not known. */
  readonly lagMs: number | undefined;
  readonly reads: number;
  readonly pool: pg.Pool;
  readonly places: Places;
}

interface Standby {
  readonly name: string;
  readonly pool: pg.Pool;
  readonly places: Places;
  /** For asking how far it is, which must not wait for a connection of requests. */
  readonly probe: pg.Pool;
  readonly certificate: () => ServerCertificate | undefined;
  state: StandbyState;
  /** How many questions it has not answered, one after the other. */
  silent: number;
  replayed: bigint;
  askedAtMs: number;
  reads: number;
}

/** Where a read goes, and the position that the server must have. */
export interface StandbyRead {
  readonly position: WalPosition;
  /** A connection of the standby, or of `primary` where it has none to give. Throws `ACCOUNT_BUSY`. */
  take(caller: Caller, signal: AbortSignal | undefined, primary: () => Promise<Wire>): Promise<Wire>;
}

interface Sample extends WalPosition {
  /** The time on this process's clock before the primary was asked. */
  readonly atMs: number;
}

/** Reasons for a missing connection that do not concern the standby. */
const OF_CALLER: ReadonlySet<string> = new Set(["ACCOUNT_BUSY", "CLIENT_GONE"]);

const ASK = `
select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as lsn,
  (select system_identifier::text from pg_control_system()) as system,
  (select t.timeline from portolan.timeline t) as timeline`;

interface Answer {
  readonly standby: boolean;
  readonly lsn: string | null;
  readonly system: string;
  readonly timeline: number;
}

export class Standbys {
  readonly #options: StandbysOptions;
  readonly #standbys: readonly Standby[];
  /** Where the primary was, the latest last. */
  #samples: Sample[] = [];
  #system: string | undefined;
  /** How far each account has written; after `maxLagMs` every standby that serves has that. */
  readonly #writers: LRUCache<string, WalPosition>;
  #next = 0;
  #primaryReads = 0;
  /** When something was noticed that every standby must have from then on, by this process's clock. */
  #followsFromMs = 0;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: StandbysOptions) {
    this.#options = options;
    this.#writers = new LRUCache({ max: MAX_WRITERS, ttl: 2 * options.maxLagMs });
    this.#standbys = options.urls.map((url) => this.#open(url));
    this.#repeat(() => this.#askPrimary());
    for (const standby of this.#standbys) this.#repeat(() => this.#ask(standby));
  }

  /** Reads that could have been a standby's and were the primary's. */
  get primaryReads(): number {
    return this.#primaryReads;
  }

  get figures(): readonly StandbyFigures[] {
    return this.#standbys.map((standby) => {
      const { name: server, state, reads, pool, places } = standby;
      return { server, state, reads, pool, places, lagMs: this.#lagOf(standby) };
    });
  }

  /** The certificate that each has shown at its latest connection. */
  get certificates(): readonly (() => ServerCertificate | undefined)[] {
    return this.#standbys.map(({ certificate }) => certificate);
  }

  /** The standby that serves a read of `account`, each in its turn; undefined where it is the primary. */
  choose(account: string, point: ReadPoint): StandbyRead | undefined {
    const position = point.isOnPrimary ? undefined : this.#needed(account, point);
    const able = position ? this.#standbys.filter((standby) => this.#mayServe(standby, position)) : [];
    const standby = able[this.#next++ % Math.max(1, able.length)];
    if (!position || !standby) {
      this.#primaryReads++;
      return undefined;
    }
    standby.reads++;
    return {
      position,
      take: async (caller, signal, primary) => {
        try {
          return await standby.places.connect(caller, signal, () => takeWire(standby.pool));
        } catch (error) {
          if (error instanceof GatewayError && OF_CALLER.has(error.code)) throw error;
          standby.state = "gone"; // until it was asked again
          return primary();
        }
      },
    };
  }

  /** Rights or definitions are other ones on the primary: whatever lag is allowed, no standby serves that has not replayed them. */
  follow(): void {
    this.#followsFromMs = performance.now();
    this.#askPrimary().catch(() => undefined); // it is asked again and again in any case
  }

  /** After a write of `account`, which it is to see from now on. Never rejects. */
  async wrote(account: string, point: ReadPoint | undefined): Promise<void> {
    try {
      const position = await this.#askPrimary();
      this.#writers.set(account, position);
      point?.wrote(position);
    } catch {
      // nobody knows how far it is: no standby has it, until each that serves must have
      const timeline = this.#samples.at(-1)?.timeline ?? 0;
      this.#writers.set(account, { timeline, lsn: FARTHEST }, { ttl: this.#options.maxLagMs });
    }
  }

  /** Makes the connections of requests be opened again. */
  abandon(): void {
    for (const { pool } of this.#standbys) abandon(pool);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { places } of this.#standbys) places.close();
    await Promise.all(this.#standbys.flatMap(({ pool, probe }) => [pool.end(), probe.end()]));
  }

  #open(url: string): Standby {
    const { poolSize, login, accountShare, connectTimeoutMs } = this.#options;
    const shared = {
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 60 * SECOND,
      keepAlive: true,
    };
    const probe = openPool({
      ...shared,
      application_name: "portolan",
      max: 1,
      maxLifetimeSeconds: RENEWED_SECONDS,
      connectionTimeoutMillis: Math.min(connectTimeoutMs, ANSWER_MS),
      options: startOptions("own"),
    });
    return {
      name: readConnectionString(url).servers.map(nameOf).join(","),
      pool: openPool({
        ...shared,
        application_name: "portolan requests",
        max: poolSize,
        login,
        options: startOptions("requests"),
      }),
      places: new Places({ places: poolSize, accountShare, waitMs: connectTimeoutMs }),
      probe,
      certificate: latestCertificate(probe),
      state: "unknown",
      silent: 0,
      replayed: 0n,
      askedAtMs: -Infinity,
      reads: 0,
    };
  }

  /** The later of the positions that the caller and everybody must see; undefined if no standby is known to have it. */
  #needed(account: string, { position }: ReadPoint): WalPosition | undefined {
    const oldestMs = Math.max(performance.now() - this.#options.maxLagMs, this.#followsFromMs);
    const everybody = this.#samples.find(({ atMs }) => atMs >= oldestMs);
    const own = this.#writers.get(account);
    const timeline = this.#samples.at(-1)?.timeline;
    const all = [everybody, position, own].filter((one) => one !== undefined);
    if (!everybody || all.some((one) => one.timeline !== timeline)) return undefined;
    return all.reduce((a, b) => (b.lsn > a.lsn ? b : a));
  }

  #mayServe({ state, replayed, askedAtMs }: Standby, { lsn }: WalPosition): boolean {
    return state === "ok" && replayed >= lsn && performance.now() - askedAtMs < this.#options.maxLagMs;
  }

  #lagOf({ state, replayed }: Standby): number | undefined {
    if (state !== "ok") return undefined;
    const passed = this.#samples.findLast(({ lsn }) => lsn <= replayed);
    return passed && Math.max(0, performance.now() - passed.atMs);
  }

  /** Again and again, with the pause between one answer and the next question. Whatever it throws has been noted. */
  #repeat(ask: () => Promise<unknown>): void {
    const again = (): void => {
      if (this.#isClosed) return;
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          this.#repeat(ask);
        },
        Math.min(ASK_MS, this.#options.maxLagMs / 4),
      ).unref();
      this.#timers.add(timer);
    };
    ask().then(again, again);
  }

  /** Samples where the primary is, and gives how far it will be with all that was committed. Rejects where it does not answer. */
  async #askPrimary(): Promise<WalPosition> {
    const atMs = performance.now();
    const { timeline, lsn, inserted } = await this.#options.askPrimary();
    const sample = { atMs, timeline, lsn: parseLsn(lsn) };
    const last = this.#samples.at(-1);
    const { maxLagMs } = this.#options;
    if (last?.timeline !== timeline) this.#samples = [sample];
    else if (atMs - last.atMs >= maxLagMs / SAMPLES || last.atMs < this.#followsFromMs) {
      // one from before the window is kept, for the position that a lagging standby has passed
      const first = this.#samples.findLastIndex((one) => one.atMs < atMs - 10 * maxLagMs);
      this.#samples = [...this.#samples.slice(Math.max(0, first)), sample];
    }
    return { timeline, lsn: parseLsn(inserted) };
  }

  async #ask(standby: Standby): Promise<void> {
    try {
      this.#system ??= await this.#options.askSystem();
      const askedAtMs = performance.now();
      const answer = await this.#answerOf(standby);
      standby.replayed = parseLsn(answer.lsn ?? "0/0");
      standby.askedAtMs = askedAtMs;
      standby.state = this.#judge(answer);
      standby.silent = 0;
    } catch (error) {
      standby.state = "gone";
      standby.silent = sqlstateOf(error) === undefined ? standby.silent + 1 : 0;
    }
    if (standby.silent >= MOST_SILENT) cut(standby.pool);
    else if (standby.state === "gone" || standby.state === "promoted") abandon(standby.pool);
  }

  /** Rejects where it does not answer, or hangs. */
  async #answerOf({ probe }: Standby): Promise<Answer> {
    const client = await probe.connect();
    let timer: NodeJS.Timeout | undefined;
    let isSound = false;
    try {
      const hangs = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error("no answer")), ANSWER_MS).unref();
      });
      const asked = client.query<Answer>(ASK);
      asked.catch(() => undefined); // told by the race, or nobody waits any more
      const { rows } = await Promise.race([asked, hangs]);
      isSound = true;
      return rows[0]!;
    } finally {
      clearTimeout(timer);
      client.release(!isSound);
    }
  }

  #judge({ standby, system, timeline }: Answer): StandbyState {
    if (system !== this.#system) return "foreign";
    if (!standby) return "promoted";
    return timeline === this.#samples.at(-1)?.timeline ? "ok" : "other timeline";
  }
}

/** Farther than any position. */
const FARTHEST = 2n ** 64n;

/**
 * Decides whether a failed read on a standby runs again on the primary. The standby may lag behind a right, a table or a
 * rule, may have been promoted, or may have cancelled the query for a conflict with recovery.
 */
export function notOnStandby(error: unknown, point: ReadPoint): unknown {
  // the primary has the same locks
  const isFinal = sqlstateOf(error) === SQLSTATE.queryCanceled || isLockTimeout(error) || isGone(error);
  if (isFinal) return error;
  point.isOnPrimary = true;
  return new NotOnStandby("the standby could not answer", { cause: error });
}

function isGone(error: unknown): boolean {
  return error instanceof GatewayError && error.code === "CLIENT_GONE";
}
