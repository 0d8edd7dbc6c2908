/** A group's position in the log: everything before it is delivered. */
import { setTimeout } from "node:timers/promises";
import type { EventLog, Header, Next, Page } from "./log.ts";
import { isBefore, type Position } from "./position.ts";
import type { Table } from "./table.ts";

export class Cursor {
  readonly #eventLog: EventLog;
  readonly #table: Table;
  #position: Position;
  /** The head when the group began: a subscriber that resumes from a deleted position gets everything after it. */
  #beginning: Position | undefined;
  #waiting = false;
  #behindSinceMs: number | undefined;
  /** Set between the pages of a batch. */
  #within: Page["next"];

  constructor(position: Position, table: Table, eventLog: EventLog) {
    this.#position = position;
    this.#table = table;
    this.#eventLog = eventLog;
    this.#beginning = eventLog.head;
  }

  /** Everything up to there is delivered, for this table. While the group waits, that is the head. */
  get position(): Position {
    return (this.#waiting ? this.#eventLog.head : undefined) ?? this.#position;
  }

  /** The position of the last transaction that was delivered. */
  get delivered(): Position {
    return this.#position;
  }

  get isWithinBatch(): boolean {
    return this.#within !== undefined;
  }

  /** When the oldest undelivered batch was cut, in milliseconds since the epoch; undefined: there is none. */
  get behindSinceMs(): number | undefined {
    return this.#behindSinceMs;
  }

  /** The next events of the log. If they are gone, the position after which events exist. */
  async next(): Promise<Next> {
    const next = await this.#eventLog.next(this.#position, this.#table.info.oid);
    const beginning = this.#beginning;
    this.#beginning = undefined;
    if (next.kind !== "gone" || !beginning) return next;
    const isEarlier = beginning.epoch === next.position.epoch && isBefore(beginning, next.position);
    return isEarlier ? { kind: "gone", position: beginning } : next;
  }

  /** The batch is the next to be delivered. */
  comeTo({ atMs }: Header): void {
    this.#behindSinceMs = atMs;
  }

  /** The page of the batch where it stands; undefined: it is deleted. */
  page(header: Header): Promise<Page | undefined> {
    const begin =
      header.n === this.#position.batch
        ? { last: this.#position.last, id: Number.MAX_SAFE_INTEGER }
        : { last: 0, id: 0 };
    return this.#eventLog.page(header, this.#table.info.oid, this.#within ?? begin);
  }

  /** Moves on after a page. */
  turn(page: Page): void {
    this.#within = page.next;
  }

  /** The position behind a transaction of the batch. */
  behind(header: Header, last: number): Position {
    return { ...this.#position, batch: header.n, last };
  }

  moveTo(position: Position): void {
    this.#position = position;
  }

  /** Continues at a position that may be in another batch. */
  jumpTo(position: Position): void {
    this.#within = undefined;
    this.#position = position;
  }

  hasDelivered({ n, last }: Header): boolean {
    return this.#position.batch === n && this.#position.last === last;
  }

  /**
   * Waits at the end of the log for more events. `caughtUp` is called when the log knows that this group has reached
   * the end; if it returns true, this does not wait.
   */
  async wait(position: Position, signal: AbortSignal, caughtUp: () => boolean): Promise<void> {
    this.#position = position;
    const { head } = this.#eventLog;
    if (head && isBefore(head, position)) await setTimeout(5); // the log will hear of it
    if (this.#eventLog.head?.batch !== position.batch || this.#eventLog.head.epoch !== position.epoch) return;
    this.#waiting = true;
    this.#behindSinceMs = undefined;
    try {
      if (caughtUp()) return;
      this.#position = await this.#eventLog.wait(this.#table.info.oid, signal);
    } finally {
      if (!signal.aborted) this.#waiting = false;
    }
  }
}
