/** Places in the order of events, and the snapshots that the order is made of. */
import { badInput } from "../ground/errors.ts";

/** After transaction `last` (the highest id that it wrote) of batch `batch`. */
export interface Position {
  /** The life of the database in which batches are counted. */
  readonly epoch: string;
  readonly batch: number;
  readonly last: number;
}

export function formatPosition({ epoch, batch, last }: Position): string {
  return `${epoch}-${batch.toString(36)}-${last.toString(36)}`;
}

/** Throws `BAD_USER_INPUT` for text that was never a position. */
export function parsePosition(text: string): Position {
  const [, epoch = "", batch = "", last = ""] = /^([0-9a-f]{1,20})-([0-9a-z]{1,10})-([0-9a-z]{1,10})$/.exec(text) ?? [];
  if (epoch === "") return badInput("after: that is no position of an earlier event");
  return { epoch, batch: parseInt(batch, 36), last: parseInt(last, 36) };
}

export function isSamePosition(a: Position, b: Position): boolean {
  return a.batch === b.batch && a.last === b.last && a.epoch === b.epoch;
}

/** Whether `a` comes before `b`, both of one epoch. */
export function isBefore(a: Position, b: Position): boolean {
  return a.batch < b.batch || (a.batch === b.batch && a.last < b.last);
}

/** PostgreSQL's `pg_snapshot`: the transactions that had ended at a moment. */
export class Snapshot {
  readonly xmin: bigint;
  readonly xmax: bigint;
  readonly #text: string;
  readonly #inFlight: ReadonlySet<string>;

  /** `text`: `xmin:xmax:xip,xip,…` */
  constructor(text: string) {
    this.#text = text;
    const [xmin = "0", xmax = "0", xip = ""] = text.split(":");
    this.xmin = BigInt(xmin);
    this.xmax = BigInt(xmax);
    this.#inFlight = new Set(xip.split(","));
  }

  /** Whether the transaction had ended then. */
  sees(xid: string): boolean {
    return BigInt(xid) < this.xmax && !this.#inFlight.has(xid);
  }
  /** In PostgreSQL's notation. */
  toString(): string {
    return this.#text;
  }
}
