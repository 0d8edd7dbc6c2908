/** Assigns the order of events, while this process holds the lease: cuts the written changes into batches. */
import { toHeader, type EventLog, type HeaderRow } from "./log.ts";
import type { PositionStream } from "./positionStream.ts";
import type { ReaderSession } from "./readerSession.ts";
import type { Upkeep } from "./upkeep.ts";
import type { Wake } from "./wake.ts";

const SECOND = 1000;
/**
 * While writers are busy, the writes within this time are one batch: each batch takes about 1 ms, half of it PostgreSQL's.
 */
const BATCH_INTERVAL_MS = 20;
/** Otherwise each writer wakes the reader, which delivers a batch at once, but at most one in this time. */
const WOKEN_INTERVAL_MS = 3;
/** Writers count as busy from this many statements at once, and in a second; at most twice as many are counted. */
const BUSY = { burst: 30, perSecond: 120 };
/** How often the log is read without a notification. */
const SAFETY_POLL_MS = 1 * SECOND;
/** Transactions that began before the reader fell asleep do not wake it. The reader polls for them, less and less often. */
const IN_FLIGHT_POLL_MS = { first: 10, most: 100 };
/** How often the log is read where prepared transactions are allowed, which cannot notify. */
const TWO_PHASE_POLL_MS = 50;

interface CutRow extends Partial<HeaderRow> {
  readonly held: boolean;
  readonly in_flight: readonly string[];
}

export interface CutterOptions {
  readonly eventLog: EventLog;
  readonly wake: Wake;
  readonly upkeep: Upkeep;
  /** Called after each look. */
  readonly onLook: () => void;
}

/** How the lease is held. */
export interface Holding {
  readonly term: number;
  /** A writer may prepare its transaction. */
  readonly twoPhase: boolean;
  /** Publishes batches beside PostgreSQL. */
  readonly stream: () => PositionStream | undefined;
}

export class Cutter {
  readonly #options: CutterOptions;
  /** Whether writers should wake the reader. */
  #asleep = false;
  /** A bucket that each statement fills and time empties: how busy writers are. */
  #bucket = { level: 0, atMs: 0 };
  /** Transactions that may not know that the reader is asleep; undefined: not examined yet. */
  #inFlight: readonly string[] | undefined;
  #pollMs = IN_FLIGHT_POLL_MS.first;

  constructor(options: CutterOptions) {
    this.#options = options;
  }

  /** Resolves when another process has the lease, or this one stops. */
  async run(session: ReaderSession, { term, twoPhase, stream }: Holding): Promise<void> {
    const { wake, upkeep, eventLog, onLook } = this.#options;
    this.#asleep = false;
    this.#forgetInFlight();
    while (!wake.isStopped) {
      const woken = wake.untilWoken();
      const askedAtMs = performance.now();
      const [cut] = await session.rows<CutRow>({
        name: "portolan cut_batch",
        text: "select * from portolan.cut_batch($1)",
        values: [term],
      });
      if (!cut?.held) return;
      onLook();
      const header = toHeader(cut);
      if (header) {
        const { head } = eventLog;
        if (!head || header.n !== head.batch + 1) return; // another process has appended: follow that first
        eventLog.setClock(header.atMs, askedAtMs);
        eventLog.append(header);
        stream()?.publisher.publish(header);
        if (this.#asleep && this.#isBusy(header.last - head.last)) await this.#setAsleep(session, false);
      }
      if (this.#asleep) {
        if (header) await wake.pause(WOKEN_INTERVAL_MS);
        await this.#doze(cut, woken);
      } else if (header) await wake.pause(BATCH_INTERVAL_MS);
      else if (twoPhase) await wake.pause(TWO_PHASE_POLL_MS);
      else {
        await this.#setAsleep(session, true); // and look once more
        this.#forgetInFlight();
      }
      await upkeep.clear(session);
      await upkeep.note(session);
    }
    await session.rows("select portolan.release_lease($1)", [term]);
  }

  #forgetInFlight(): void {
    this.#inFlight = undefined;
    this.#pollMs = IN_FLIGHT_POLL_MS.first;
  }

  /** Rests until a writer wakes the reader, or until one that does not know that it should may have written. */
  async #doze({ in_flight: inFlight }: CutRow, woken: Promise<void>): Promise<void> {
    const { wake } = this.#options;
    const before = this.#inFlight;
    // a transaction in flight when the flag was set may not have seen it; later ones have
    this.#inFlight = inFlight.filter((xid) => before?.includes(xid) ?? true);
    if (this.#inFlight.length === 0) await wake.sleep(SAFETY_POLL_MS, woken);
    else await wake.sleep((this.#pollMs = Math.min(IN_FLIGHT_POLL_MS.most, this.#pollMs * 1.2)), woken);
  }

  /**
   * Counts the statements of a batch, and decides whether writers should stop waking the reader: each wake-up costs a
   * NOTIFY, for which writers wait for one another. The number of batches would not show this, because many writers
   * make few batches.
   */
  #isBusy(statements: number): boolean {
    const now = performance.now();
    const left = this.#bucket.level - ((now - this.#bucket.atMs) * BUSY.perSecond) / SECOND;
    this.#bucket = { level: Math.min(Math.max(0, left) + statements, 2 * BUSY.burst), atMs: now };
    return this.#bucket.level > BUSY.burst;
  }

  async #setAsleep(session: ReaderSession, asleep: boolean): Promise<void> {
    await session.rows("select portolan.set_asleep($1)", [asleep]);
    this.#asleep = asleep;
  }
}
