/**
 * The ids of the proofs that came lately. PostgreSQL has those of all gateways. A gateway that gets one proof after the other, and
 * is the only one to get any, answers from its memory, and writes the ids down some times a second; as soon as another gateway
 * gets a proof, each asks PostgreSQL before it answers. The rules are those of `portolan.use_ids`.
 */
import { randomUUID } from "node:crypto";
import type { IDatabase } from "pg-promise";
import { GatewayError } from "../../ground/errors.ts";

/** How long a proof could come again: `MAX_AGE_SECONDS` and `MAX_AHEAD_SECONDS` of dpop.ts, and one for the rounding. */
export const PROOF_SECONDS = 91;
/** Ids that are remembered at most, about 15 MB: no flood of proofs fills the memory or the table. */
const MAX_LIVE = 200_000;
/** A gateway whose proofs follow each other faster than this asks to answer alone. */
const ALONE_BELOW_MS = 100;
/** How often expired ids are deleted. A Map passes over its deleted entries again at each look at its first one, until it is rebuilt. */
const FORGET_MS = 1000;
/** How often a gateway that is alone writes its ids. The first proof at another gateway waits up to this time. */
const WRITE_MS = 250;
/** PostgreSQL gives a second, counted later than we do. */
const ALONE_MS = 900;
/** How long a failed write waits before it is repeated. */
const RETRY_MS = 20;
/** After this time, another gateway is asked again whether it has stored its ids. */
const MAX_WAIT_MS = 25;

/** The answer of the store about the id of a proof. */
export interface Use {
  readonly isFirst: boolean;
  /** Ids used before this instant (seconds since the epoch) may have been lost; usually -Infinity. */
  readonly lostAt: number;
}

interface Waiting {
  readonly id: string;
  readonly resolve: (use: Use) => void;
  readonly reject: (error: unknown) => void;
}

interface Answer {
  readonly first: readonly number[];
  readonly is_alone: boolean;
  readonly is_complete: boolean;
  readonly wait_ms: number;
  readonly lost_seconds: number | null;
}

export class ProofIds {
  readonly #db: IDatabase<object>;
  readonly #keeper = randomUUID();
  readonly #maxLive: number;
  /** Id → when it may be forgotten, by `performance.now()`, which is the order in which they came. */
  readonly #seen = new Map<string, number>();
  #forgotAt = -Infinity;
  /** Proofs whose ids PostgreSQL is asked about. */
  #waiting: Waiting[] = [];
  /** Ids that were answered from memory and are not written yet. */
  #unwritten: string[] = [];
  /** Until then proofs are answered from memory, by `performance.now()`. */
  #aloneUntil = -Infinity;
  /** Whether PostgreSQL may still believe that this store is alone. */
  #isHeld = false;
  /** Whether the memory has all that PostgreSQL has. */
  #isComplete = false;
  #lostAt = -Infinity;
  #askedAt = -Infinity;
  /** One statement at a time: those that come meanwhile go with the next. */
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `maxLive`: ids that are remembered at most. */
  constructor(db: IDatabase<object>, maxLive = MAX_LIVE) {
    this.#db = db;
    this.#maxLive = maxLive;
  }

  /** Notes an id. Throws `RATE_LIMITED` if there are too many, and PostgreSQL's errors. */
  use(id: string): Use | Promise<Use> {
    const now = performance.now();
    this.#forget(now);
    if (this.#seen.has(id)) return { isFirst: false, lostAt: this.#lostAt };
    if (this.#seen.size >= this.#maxLive) throw new GatewayError("RATE_LIMITED", "Too many proofs; try again later");
    this.#seen.set(id, now + PROOF_SECONDS * 1000);
    if (now < this.#aloneUntil) {
      this.#unwritten.push(id);
      return { isFirst: true, lostAt: this.#lostAt };
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#run());
    });
  }

  /** Stores the remaining ids. No id may be used afterwards. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#aloneUntil = -Infinity;
    await this.#running;
    clearTimeout(this.#timer);
    // where that fails, the next store takes it for lost
    if (this.#isHeld || this.#unwritten.length > 0) await this.#write([], false).catch(() => undefined);
  }

  #forget(now: number): void {
    if (now < this.#forgotAt + FORGET_MS) return;
    this.#forgotAt = now;
    for (const [id, until] of this.#seen) {
      if (until > now) return;
      this.#seen.delete(id);
    }
  }

  /** Does what there is to do, and again when there is more. */
  #run(): void {
    if (this.#running) return;
    clearTimeout(this.#timer);
    this.#running = (this.#waiting.length > 0 ? this.#ask() : this.#keep()).then((pauseMs) => {
      this.#running = undefined;
      if (pauseMs > 0) this.#timer = setTimeout(() => this.#run(), pauseMs);
      else if (this.#waiting.length > 0) this.#run();
      else if (this.#isHeld || this.#unwritten.length > 0) {
        const isAlone = performance.now() < this.#aloneUntil;
        this.#timer = setTimeout(() => this.#run(), isAlone ? WRITE_MS : RETRY_MS).unref();
      }
    });
  }

  /** Asks PostgreSQL about those that wait. Returns how long they are to wait before it is asked again. */
  async #ask(): Promise<number> {
    const asked = this.#waiting;
    this.#waiting = [];
    const now = performance.now();
    const wantsAlone = now - this.#askedAt < ALONE_BELOW_MS || now < this.#aloneUntil;
    this.#askedAt = now;
    const ids = asked.map(({ id }) => id);
    try {
      const { first, waitMs } = await this.#write(ids, wantsAlone);
      if (waitMs > 0) {
        this.#waiting.unshift(...asked);
        return Math.min(waitMs, MAX_WAIT_MS);
      }
      asked.forEach(({ resolve }, n) => resolve({ isFirst: first.has(n), lostAt: this.#lostAt }));
    } catch (error) {
      for (const { id, reject } of asked) {
        this.#seen.delete(id);
        reject(error);
      }
    }
    return 0;
  }

  /** While this gateway is alone, stores new ids. Ends if there are none, or if PostgreSQL reports ids of others. */
  async #keep(): Promise<number> {
    const goesOn = this.#unwritten.length > 0 && performance.now() < this.#aloneUntil;
    await this.#write([], goesOn).catch(() => undefined); // they stay unwritten, and go with the next ones
    return 0;
  }

  /** Writes down those that were answered, and these. `first`: the places of the new ones among these. */
  async #write(ids: readonly string[], alone: boolean): Promise<{ first: ReadonlySet<number>; waitMs: number }> {
    const began = performance.now();
    // without `alone` others may answer as soon as this is written: nothing more is answered from memory
    if (!alone) this.#aloneUntil = -Infinity;
    const before = this.#unwritten;
    this.#unwritten = [];
    try {
      const answer = await this.#note([...before, ...ids], alone);
      if (answer.wait_ms > 0) this.#unwritten.unshift(...before);
      this.#isHeld = answer.is_alone || (this.#isHeld && alone && answer.is_complete);
      if (!answer.is_complete) this.#isComplete = false;
      this.#lostAt = answer.lost_seconds === null ? -Infinity : Date.now() / 1000 - answer.lost_seconds;
      const isAlone = answer.is_alone && (this.#isComplete || (await this.#read()));
      this.#aloneUntil = isAlone ? began + ALONE_MS : -Infinity;
      return { first: new Set(answer.first.map((n) => n - 1 - before.length)), waitMs: answer.wait_ms };
    } catch (error) {
      this.#unwritten.unshift(...before);
      this.#isHeld ||= alone;
      throw error;
    }
  }

  #note(ids: readonly string[], alone: boolean): Promise<Answer> {
    return this.#db.one<Answer>({
      name: "use_ids",
      text: "select first, is_alone, is_complete, wait_ms, lost_seconds from portolan.use_ids($1, $2, $3, $4)",
      values: [this.#keeper, ids, PROOF_SECONDS, alone],
    });
  }

  /** Reads the ids that others have stored. False if there are too many. */
  async #read(): Promise<boolean> {
    const rows = await this.#db.any<{ id: string; seconds: number }>("select id, seconds from portolan.live_ids()");
    const now = performance.now();
    for (const { id, seconds } of rows) {
      const text = id.replaceAll("-", "");
      if (!this.#seen.has(text)) this.#seen.set(text, now + seconds * 1000);
    }
    return (this.#isComplete = this.#seen.size < this.#maxLive);
  }
}
