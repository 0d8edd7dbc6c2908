/**
 * Who may draw now: as many maps as there are workers, and no more pixels than the budget, in the order of arrival, but
 * that maps whose connection is open may pass some others: a new connection costs more than a map.
 */
import { GatewayError } from "../../server/kernel/errors.ts";

export interface MapQueueOptions {
  readonly workers: number;
  readonly pixelBudget: number;
  readonly queueTimeoutMs: number;
  readonly maxQueued: number;
}

/** A place at a worker, and pixels of the budget; both are given back when it is disposed of. */
export interface Turn extends Disposable {
  /** Gives the place back, and keeps the pixels. */
  leaveWorker(): void;
}

/** What a map takes. */
export interface Demand {
  readonly pixels: number;
  /** What tells its database connection from others; undefined: it needs none. */
  readonly connection: string | undefined;
  /** Fires when the client has left. */
  readonly signal: AbortSignal;
}

/** Whether a worker is free that has this connection already. */
export type IsOpen = (connection: string | undefined) => boolean;

/** How far behind the first in the queue one may stand that is drawn before it, and how often that may happen to it. */
const MAX_REACH = 32;

interface Waiting {
  readonly pixels: number;
  readonly connection: string | undefined;
  /** How many were drawn before it that came later. */
  passed: number;
  readonly start: (turn: Turn) => void;
  readonly refuse: (error: GatewayError) => void;
}

export class MapQueue {
  readonly #options: MapQueueOptions;
  readonly #isOpen: IsOpen;
  readonly #waiting: Waiting[] = [];
  #drawing = 0;
  #pixels = 0;
  #closed = false;

  constructor(options: MapQueueOptions, isOpen: IsOpen) {
    this.#options = options;
    this.#isOpen = isOpen;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get pixels(): number {
    return this.#pixels;
  }

  /** Throws `INVALID_PARAMETER` where a map of so many pixels can never be drawn. */
  refuseTooLarge(pixels: number): void {
    const { pixelBudget } = this.#options;
    if (pixels > pixelBudget)
      throw new GatewayError("INVALID_PARAMETER", `width × height: a map may have ${pixelBudget} pixels at most`);
  }

  /**
   * Resolves when it is the turn of a map of so many pixels. A client that leaves meanwhile loses its place.
   * Throws `INVALID_PARAMETER` when the map can never be drawn, `UNAVAILABLE` with `Retry-After`, `CLIENT_GONE`.
   */
  async wait({ pixels, connection, signal }: Demand): Promise<Turn> {
    const { maxQueued, queueTimeoutMs } = this.#options;
    this.refuseTooLarge(pixels);
    if (this.#closed || this.#waiting.length >= maxQueued) throw this.#busy();
    if (signal.aborted) throw new GatewayError("CLIENT_GONE");
    let leave: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Turn>((resolve, reject) => {
        const waiting: Waiting = { pixels, connection, passed: 0, start: resolve, refuse: reject };
        leave = () => this.#drop(waiting, new GatewayError("CLIENT_GONE"));
        timer = setTimeout(() => this.#drop(waiting, this.#busy()), queueTimeoutMs);
        signal.addEventListener("abort", leave, { once: true });
        this.#waiting.push(waiting);
        this.#next();
      });
    } finally {
      clearTimeout(timer);
      if (leave) signal.removeEventListener("abort", leave);
    }
  }

  /** Refuses whoever waits, and whoever comes. */
  close(): void {
    this.#closed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(this.#busy());
  }

  #next(): void {
    for (let first = this.#waiting[0]; first && this.#fits(first); first = this.#waiting[0]) {
      const chosen = this.#choose(first);
      this.#waiting.splice(this.#waiting.indexOf(chosen), 1);
      chosen.start(this.#begin(chosen.pixels));
    }
  }

  #choose(first: Waiting): Waiting {
    if (first.passed >= MAX_REACH || this.#isOpen(first.connection)) return first;
    const other = this.#waiting.slice(1, MAX_REACH).find((each) => this.#isOpen(each.connection) && this.#fits(each));
    if (other) first.passed++;
    return other ?? first;
  }

  #fits({ pixels }: Waiting): boolean {
    const { workers, pixelBudget } = this.#options;
    return this.#drawing < workers && this.#pixels + pixels <= pixelBudget;
  }

  #begin(pixels: number): Turn {
    this.#drawing++;
    this.#pixels += pixels;
    let atWorker = true;
    const leaveWorker = (): void => {
      if (!atWorker) return;
      atWorker = false;
      this.#drawing--;
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

  #busy(): GatewayError {
    return new GatewayError("UNAVAILABLE", "Too many maps are asked for at the moment", {
      headers: { "Retry-After": "2" },
    });
  }
}
