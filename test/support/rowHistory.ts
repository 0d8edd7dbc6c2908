/**
 * Writers whose every answer is remembered, and a check of rows and events against it: each acknowledged write is there, each is
 * told exactly once and in the order of its row, and what is not told was announced by a gap.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** What a writer does to a row: `v` counts the writes of the row, and a deletion leaves it as it was. */
export interface RowWrite {
  readonly kind: "insert" | "update" | "delete";
  readonly tenant: number;
  readonly id: number;
  readonly v: number;
}

interface Told {
  readonly write: RowWrite;
  readonly beganMs: number;
  /** Undefined of a write that was not answered with success: it may have been done. */
  readonly answeredMs?: number;
}

export interface RowHistoryOptions {
  readonly write: (write: RowWrite) => Promise<boolean>;
  readonly writers: number;
  readonly tenants: number;
  /** The first id; greater ones are free. */
  readonly from: number;
  /** Pause of a writer after each write. */
  readonly pauseMs?: number;
}

export interface RowHistoryReport {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly events: number;
  readonly gaps: number;
  /** Acknowledged writes without an event, which a gap has announced. */
  readonly behindGaps: number;
  /** What must not be. */
  readonly problems: readonly string[];
}

export class RowHistory {
  readonly #options: RowHistoryOptions;
  readonly #rows = new Map<number, Told[]>();
  readonly #events = new Map<number, number[]>();
  readonly #gapsAtMs: number[] = [];
  #next: number;
  #stopped = false;
  readonly #running: Promise<unknown>;
  acknowledged = 0;
  unanswered = 0;
  events = 0;
  /** The longest time in which no write was answered with success. */
  longestPauseMs = 0;
  #lastMs = performance.now();

  constructor(options: RowHistoryOptions) {
    this.#options = options;
    this.#next = options.from;
    this.#running = Promise.all(Array.from({ length: options.writers }, () => this.#write()));
  }

  /** Ends the writers. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Takes what a subscriber gets, in order. */
  take(rows: readonly Readonly<Record<string, unknown>>[]): void {
    for (const { id, v } of rows) {
      if (Number(id) < this.#options.from) continue;
      this.events++;
      const seen = this.#events.get(Number(id)) ?? [];
      seen.push(Number(v));
      this.#events.set(Number(id), seen);
    }
  }

  /** Takes a gap: what was written before it need not be told. */
  gap(): void {
    this.#gapsAtMs.push(performance.now());
  }

  /** Whether each row has all its events, apart from what gaps announce. */
  get isComplete(): boolean {
    return this.report(undefined).problems.length === 0;
  }

  /** rows: `v` of the rows that the database has, by their id. Without it only events are looked at. */
  report(rows: ReadonlyMap<number, number> | undefined): RowHistoryReport {
    const problems: string[] = [];
    let behindGaps = 0;
    const lastGapMs = this.#gapsAtMs.at(-1) ?? -Infinity;
    for (const [id, tolds] of this.#rows) {
      const seen = [...(this.#events.get(id) ?? [])];
      for (const { write, beganMs, answeredMs } of tolds) {
        if (seen[0] === write.v) seen.shift();
        else if (answeredMs === undefined) continue; // it was not done, or it is behind a gap
        else if (beganMs < lastGapMs) behindGaps++;
        else problems.push(`${write.kind} of row ${id} (${write.v}) has no event, and no gap tells of it`);
      }
      if (seen.length > 0)
        problems.push(
          `row ${id}: events ${this.#events.get(id)?.join()} of writes ${tolds.map((t) => t.write.v).join()}`,
        );
      if (rows) problems.push(...this.#ofRow(id, tolds, rows.get(id)));
    }
    for (const id of this.#events.keys()) if (!this.#rows.has(id)) problems.push(`row ${id} was never written`);
    const { acknowledged, unanswered, events } = this;
    return { acknowledged, unanswered, events, gaps: this.#gapsAtMs.length, behindGaps, problems };
  }

  #ofRow(id: number, tolds: readonly Told[], kept: number | undefined): readonly string[] {
    let states: (number | undefined)[] = [undefined];
    for (const { write, answeredMs } of tolds) {
      const after = write.kind === "delete" ? undefined : write.v;
      states = answeredMs === undefined ? [...states, after] : [after];
    }
    return states.includes(kept) ? [] : [`row ${id} is ${kept ?? "gone"} and not ${states.join(" or ")}`];
  }

  /** Rows one after the other: each is inserted, updated some times, and every second one is deleted. */
  async #write(): Promise<void> {
    const { tenants, pauseMs = 0 } = this.#options;
    while (!this.#stopped) {
      const id = this.#next++;
      const row = { tenant: id % tenants, id };
      const tolds: Told[] = [];
      this.#rows.set(id, tolds);
      for (let v = 0; v <= 3 && !this.#stopped; v++) {
        const kind = v === 0 ? "insert" : v < 3 ? "update" : "delete";
        if (kind === "delete" && id % 2 === 0) break;
        if (!(await this.#one({ ...row, kind, v: kind === "delete" ? v - 1 : v }, tolds))) break;
        if (pauseMs > 0) await sleep(pauseMs);
      }
    }
  }

  /** A row of which a write was not answered is left alone from then on. */
  async #one(write: RowWrite, tolds: Told[]): Promise<boolean> {
    const beganMs = performance.now();
    const at = tolds.push({ write, beganMs }) - 1;
    const isDone = await this.#options.write(write).catch(() => false);
    const nowMs = performance.now();
    if (!isDone) {
      this.unanswered++;
      await sleep(20);
      return false;
    }
    tolds[at] = { write, beganMs, answeredMs: nowMs };
    this.acknowledged++;
    this.longestPauseMs = Math.max(this.longestPauseMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    return true;
  }
}
