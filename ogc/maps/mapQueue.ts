/**
 * Decides which map is drawn next. There are as many maps at a time as workers, and no more pixels than the budget. No
 * caller has more than its share of the workers. The caller with the fewest maps is next; among equals, the map that
 * came first. A map whose connection is open may pass some others, because a new connection costs more than a map.
 */
import { Shares, type Claimant } from "../../server/kernel/database/database.ts";
import { GatewayError } from "../../server/ground/errors.ts";

export interface MapQueueOptions {
  readonly workers: number;
  readonly pixelBudget: number;
  readonly queueTimeoutMs: number;
  readonly maxQueued: number;
  /** The part of the workers, and of the queue, that one caller may have. */
  readonly accountShare: number;
  /** Called when a map was refused because of its caller's share. */
  onAccountBusy(): void;
}

/** A place at a worker, and pixels of the budget. Disposing of it gives both back. */
export interface Turn extends Disposable {
  /** Gives back the place, and keeps the pixels. */
  leaveWorker(): void;
}

/** The needs of a map. */
export interface Demand {
  /** The account, or the address of an anonymous caller, and the database. */
  readonly caller: string;
  readonly pixels: number;
  /** Identifies its database connection; undefined for a map that needs none. */
  readonly connection: string | undefined;
  /** Fires when the client has left. */
  readonly signal: AbortSignal;
}

/** Whether a free worker has this connection open. */
export type IsOpen = (connection: string | undefined) => boolean;

/** The number of places by which a map may jump the queue, and the number of times that one map may be passed. */
const MAX_REACH = 32;

interface Waiting extends Claimant {
  readonly pixels: number;
  readonly connection: string | undefined;
  /** The number of later maps that were drawn before it. */
  passed: number;
  readonly start: (turn: Turn) => void;
  readonly refuse: (error: GatewayError) => void;
}

export class MapQueue {
  readonly #options: MapQueueOptions;
  readonly #isOpen: IsOpen;
  readonly #waiting: Waiting[] = [];
  readonly #workers: Shares;
  readonly #queue: Shares;
  #came = 0;
  #pixels = 0;
  #closed = false;

  constructor(options: MapQueueOptions, isOpen: IsOpen) {
    this.#options = options;
    this.#isOpen = isOpen;
    const { workers, maxQueued, accountShare } = options;
    this.#workers = new Shares({ places: workers, accountShare });
    this.#queue = new Shares({ places: maxQueued, accountShare });
  }

  get length(): number {
    return this.#waiting.length;
  }

  get pixels(): number {
    return this.#pixels;
  }

  /** Throws `INVALID_PARAMETER` for a map with more pixels than can ever be drawn. */
  refuseTooLarge(pixels: number): void {
    const { pixelBudget } = this.#options;
    if (pixels > pixelBudget)
      throw new GatewayError("INVALID_PARAMETER", `width × height: a map may have at most ${pixelBudget} pixels`);
  }

  /**
   * Resolves when a map of this many pixels may be drawn. A client that leaves meanwhile loses its place. Throws
   * `INVALID_PARAMETER` for a map that can never be drawn, `UNAVAILABLE` and `ACCOUNT_BUSY` with `Retry-After`, and
   * `CLIENT_GONE`.
   */
  async wait({ pixels, connection, caller, signal }: Demand): Promise<Turn> {
    this.refuseTooLarge(pixels);
    if (this.#closed || !this.#queue.allows(caller)) throw this.#busy(this.#queue, caller);
    if (signal.aborted) throw new GatewayError("CLIENT_GONE");
    const leaveQueue = this.#queue.take(caller);
    let leave: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Turn>((resolve, reject) => {
        const number = ++this.#came;
        const waiting: Waiting = { caller, number, pixels, connection, passed: 0, start: resolve, refuse: reject };
        leave = () => this.#drop(waiting, new GatewayError("CLIENT_GONE"));
        const late = (): void =>
          this.#drop(waiting, this.#hasPixels(waiting) ? this.#busy(this.#workers, caller) : noRoom());
        timer = setTimeout(late, this.#options.queueTimeoutMs);
        signal.addEventListener("abort", leave, { once: true });
        this.#waiting.push(waiting);
        this.#next();
      });
    } finally {
      leaveQueue();
      clearTimeout(timer);
      if (leave) signal.removeEventListener("abort", leave);
    }
  }

  /** Refuses all waiting and all future maps. */
  close(): void {
    this.#closed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(tooMany());
  }

  #next(): void {
    for (let first = this.#first(); first && this.#hasPixels(first); first = this.#first()) {
      const chosen = this.#choose(first);
      this.#waiting.splice(this.#waiting.indexOf(chosen), 1);
      chosen.start(this.#begin(chosen));
    }
  }

  #first(): Waiting | undefined {
    return this.#workers.next(this.#waiting);
  }

  #choose(first: Waiting): Waiting {
    if (first.passed >= MAX_REACH || this.#isOpen(first.connection)) return first;
    const held = this.#workers.held(first.caller);
    const equals = this.#waiting.filter(
      ({ caller, number }) =>
        number !== first.number && this.#workers.allows(caller) && this.#workers.held(caller) === held,
    );
    const other = equals.slice(0, MAX_REACH - 1).find((each) => this.#isOpen(each.connection) && this.#hasPixels(each));
    if (other) first.passed++;
    return other ?? first;
  }

  #hasPixels({ pixels }: Waiting): boolean {
    return this.#pixels + pixels <= this.#options.pixelBudget;
  }

  #begin({ caller, pixels }: Waiting): Turn {
    const giveBack = this.#workers.take(caller);
    this.#pixels += pixels;
    let atWorker = true;
    const leaveWorker = (): void => {
      if (!atWorker) return;
      atWorker = false;
      giveBack();
      this.#next();
    };
    return {
      leaveWorker,
      [Symbol.dispose]: () => {
        this.#pixels -= pixels;
        leaveWorker();
        this.#next();
      },
    };
  }

  #drop(waiting: Waiting, error: GatewayError): void {
    const at = this.#waiting.indexOf(waiting);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    waiting.refuse(error);
    this.#next();
  }

  #busy(shares: Shares, caller: string): GatewayError {
    if (this.#closed || !shares.isOverShare(caller)) return tooMany();
    this.#options.onAccountBusy();
    return new GatewayError("ACCOUNT_BUSY", undefined, RETRY_AFTER);
  }
}

const RETRY_AFTER = { headers: { "Retry-After": "2" } };

/** The error for a map that does not fit: workers were free, but other maps have taken the pixels. */
function noRoom(): GatewayError {
  return new GatewayError("UNAVAILABLE", "Other large maps are being drawn: try again later", {
    headers: { "Retry-After": "10" },
  });
}

function tooMany(): GatewayError {
  return new GatewayError("UNAVAILABLE", "Too many maps are requested at the moment", RETRY_AFTER);
}
