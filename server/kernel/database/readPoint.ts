/** The position in PostgreSQL's WAL that the reads of a request must see. It includes the request's own writes. */
import { badInput } from "../../ground/errors.ts";
import { Changed } from "../../ground/retry.ts";

/** How far a server has written, or must have replayed. */
export interface WalPosition {
  /** Changes with every promotion. The same `lsn` on another timeline is another position. */
  readonly timeline: number;
  readonly lsn: bigint;
}

/** The header that returns the position of a client's write. The client sends it back in order to see that write. */
export const LSN_HEADER = "Portolan-LSN";

const POSITION = /^([1-9]\d{0,9}):([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/;

/** `1:0/16B3748`, the timeline before PostgreSQL's own text. */
function formatPosition({ timeline, lsn }: WalPosition): string {
  return `${timeline}:${formatLsn(lsn)}`;
}

/** Throws `BAD_USER_INPUT` for a text that is not a position. `name`: of its header or member. */
export function parsePosition(text: string, name = LSN_HEADER): WalPosition {
  const [, timeline, high = "", low = ""] = POSITION.exec(text.trim()) ?? [];
  if (timeline === undefined || Number(timeline) >= 2 ** 31)
    badInput(`${name} must be a position that Portolan returned, such as 1:0/16B3748`);
  return { timeline: Number(timeline), lsn: parseLsn(`${high}/${low}`) };
}

/** PostgreSQL's text of pg_lsn. */
export function formatLsn(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase();
}

export function parseLsn(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** The point that a request's reads must not fall behind. A standby that has reached it may serve them. */
export class ReadPoint {
  /** The position that the client asked to see. */
  readonly position: WalPosition | undefined;
  /** Set where a standby could not answer: the request is run again on the primary. */
  isOnPrimary = false;
  readonly #tell: (position: string) => void;

  /** `tell` is called with the position after each write. */
  constructor(position: WalPosition | undefined, tell: (position: string) => void) {
    this.position = position;
    this.#tell = tell;
  }

  wrote(position: WalPosition): void {
    this.#tell(formatPosition(position));
  }
}

/** A standby could not answer: it lags, is gone, was promoted, or lacks what the statement needs. */
export class NotOnStandby extends Changed {}
