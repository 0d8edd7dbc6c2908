/** MapServer: a pool of workers that may crash and hang. All requests to it go through this class. */
import { changedByOther, GatewayError, lockedByOther } from "../../server/ground/errors.ts";
import type { Log } from "../../server/ground/log.ts";
import { currentSpan, during } from "../../server/kernel/tracing/trace.ts";
import type { FastcgiAnswer } from "./mapFastcgi.ts";
import type { MapMetrics } from "./mapMetrics.ts";
import type { Leave, LockFailure, OwnConnections } from "../../server/kernel/database/database.ts";
import {
  hasNoConnection,
  isLoginRefused,
  isWell,
  lacksRight,
  MapServerFailure,
  mayWorkAgain,
  tookTooLong,
  wasInTheWay,
  wasLocked,
  WorkerHangs,
} from "./mapFailure.ts";
import { MapQueue, type Demand } from "./mapQueue.ts";
import { MapWorker, type MapWorkerOptions } from "./mapWorker.ts";

export interface MapServerOptions {
  readonly worker: MapWorkerOptions;
  /** The number of processes, and so of maps that are drawn at the same time. */
  readonly workers: number;
  /** The number of maps after which a worker is replaced. */
  readonly requestsPerWorker: number;
  /** The number of database connections of all workers together. */
  readonly connections: number;
  /** The pixels of all maps that are being drawn or sent. */
  readonly pixelBudget: number;
  /** The longest time for a map. After it, the worker is killed. */
  readonly timeoutMs: number;
  /** The longest time that a map waits for its turn. */
  readonly queueTimeoutMs: number;
  readonly maxQueued: number;
  /** The part of the workers, and of the queue, that one caller may have. */
  readonly accountShare: number;
  /** The connections of this process that log in as accounts. */
  readonly own: OwnConnections;
  /** The longest time that a map waits for a place of such a connection. */
  readonly connectTimeoutMs: number;
  readonly log: Log;
  readonly metrics: MapMetrics;
}

/** A map, with its request to MapServer's WMS. */
export interface MapRequest extends Demand {
  /** The whole query string. All of its parts were checked. */
  readonly query: string;
  readonly mediaType: string;
  /** The account that logs in; undefined where no account does. */
  readonly login: string | undefined;
  readonly requestId: string | undefined;
  /** Called when drawing begins, and awaited before the image is sent. Its error becomes the error of the map. */
  confirm(): Promise<void>;
  /**
   * Called when PostgreSQL reports a missing right. It checks whether that is so. Its error becomes the error of the
   * map.
   */
  checkRights(): Promise<void>;
  /** Gives the error of a map that waited for a lock as long as it may. Default: one that names no table. */
  locked?(failure: LockFailure): Promise<GatewayError>;
  /** Called when PostgreSQL refuses MapServer's login, before the map is drawn once more. */
  readmit(): Promise<void>;
  /**
   * Called when the worker hangs. It ends the worker's statements in PostgreSQL, which may not notice that the worker
   * is gone.
   */
  endLate(): void;
}

export interface MapServer {
  /**
   * Draws a map and passes its image to `send` in pieces. Their memory is reused when `send` has ended; its pixels
   * count until then. Throws `MAP_BACKEND_ERROR` (502) for an answer that is not an image, `TIMEOUT` (504), `UNAVAILABLE` or
   * `ACCOUNT_BUSY` (503) when the wait is too long, `INVALID_PARAMETER` (400) for a map that exceeds the budget by
   * itself, `CLIENT_GONE`.
   */
  draw(request: MapRequest, send: (image: readonly Buffer[]) => Promise<void>): Promise<void>;
  /** Throws `INVALID_PARAMETER` (400) for a map that exceeds the budget by itself. */
  refuseTooLarge(pixels: number): void;
  /** Rejects if no worker answers. */
  check(): Promise<void>;
  /** Closes the connections to a database. */
  leave(database: string): Promise<void>;
  close(): Promise<void>;
}

/** The connection that a map needs, and the account that logs in there, if any. */
type Wanted = Pick<MapRequest, "connection" | "login"> & Partial<Pick<MapRequest, "signal">>;

/**
 * The part of a map's time after which a failed statement counts as slow, not as lost. A slow one would be slow again.
 */
const SLOW_PART = 1 / 4;
/** An empty request. Any answer to it shows that the worker is well. */
const NO_QUERY = "";

export function createMapServer(options: MapServerOptions): MapServer {
  return new WorkerPool(options);
}

class WorkerPool implements MapServer {
  readonly #options: MapServerOptions;
  readonly #idle: MapWorker[] = [];
  readonly #busy = new Set<MapWorker>();
  readonly #queue: MapQueue;
  /** The number of workers that are about to start. */
  #replacing = 0;
  #closed = false;

  constructor(options: MapServerOptions) {
    this.#options = options;
    this.#queue = new MapQueue({ ...options, onAccountBusy: options.metrics.accountBusy }, (connection) =>
      this.#idle.some((worker) => has(worker, connection)),
    );
    options.metrics.watch({
      busy: () => this.#busy.size,
      idle: () => this.#idle.length,
      queued: () => this.#queue.length,
      pixels: () => this.#queue.pixels,
    });
  }

  async draw(request: MapRequest, send: (image: readonly Buffer[]) => Promise<void>): Promise<void> {
    using turn = await during(currentSpan()?.child("map queue"), () => this.#queue.wait(request));
    const stop = this.#options.metrics.startTimer();
    let answer: FastcgiAnswer;
    let confirmed: Promise<void> | undefined;
    try {
      const drawing = this.#drawTwice(request);
      confirmed = request.confirm();
      confirmed.catch(() => undefined); // awaited below
      answer = await drawing;
      stop("drawn");
    } catch (error) {
      stop("failed");
      throw error;
    } finally {
      turn.leaveWorker();
    }
    try {
      await confirmed;
      await send(answer.body);
    } finally {
      answer.release();
    }
  }

  refuseTooLarge(pixels: number): void {
    this.#queue.refuseTooLarge(pixels);
  }

  async check(): Promise<void> {
    if (this.#busy.size > 0) return; // each has its own time limit
    const answer = await this.#ask({ query: NO_QUERY, connection: undefined, login: undefined });
    answer.release();
    if (answer.contentType === "") throw new Error("MapServer did not answer");
  }

  async leave(database: string): Promise<void> {
    const isThere = (connection: string): boolean => connection.startsWith(`${database} `);
    const workers = this.#idle.filter(({ connections }) => [...connections].some(isThere));
    await Promise.all(workers.map((worker) => this.#end(worker, "connections")));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.close();
    await Promise.all([...this.#idle, ...this.#busy].map((worker) => worker.kill()));
  }

  /** Draws a map, and a second time if a worker or a lost connection was at fault and not the map. */
  async #drawTwice(request: MapRequest): Promise<FastcgiAnswer> {
    const { log, metrics, timeoutMs } = this.#options;
    const started = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await during(currentSpan()?.child("MapServer", { "portolan.map.pixels": request.pixels }), () =>
          this.#ask(request),
        );
        if (answer.contentType === request.mediaType && answer.body.length > 0) return answer;
        const failure = new MapServerFailure(answer);
        answer.release();
        throw failure;
      } catch (error) {
        if (error instanceof GatewayError) throw error;
        if (error instanceof WorkerHangs) request.endLate();
        const isSlow = performance.now() - started > timeoutMs * SLOW_PART;
        const again = attempt === 1 && !this.#closed && !isSlow && mayWorkAgain(error);
        const detail = error instanceof MapServerFailure ? error.words : String(error);
        const isOut = isLoginRefused(detail) || hasNoConnection(detail);
        if (!again) throw isOut ? noLogin(detail, error) : await this.#faultOf(error, detail, request);
        if (isLoginRefused(detail)) await request.readmit();
        if (lacksRight(detail)) {
          await request.checkRights();
          await this.#endThoseOf(request.connection);
        }
        metrics.retried();
        log.warn({ requestId: request.requestId, detail }, "MapServer failed; the map is drawn again");
      }
    }
  }

  /**
   * The error of a map that is not drawn again. Its cause is often the caller's rights, which may have changed
   * meanwhile.
   */
  async #faultOf(cause: unknown, detail: string, request: MapRequest): Promise<GatewayError> {
    if (!(cause instanceof MapServerFailure))
      return new GatewayError("MAP_BACKEND_ERROR", undefined, { detail, cause });
    const isRight = lacksRight(detail);
    await (isRight ? request.checkRights() : request.confirm());
    if (wasLocked(detail))
      return (await request.locked?.({ cause, detail })) ?? lockedByOther(cause, undefined, detail);
    if (wasInTheWay(detail)) return changedByOther(cause, detail);
    const code = isRight ? "FORBIDDEN" : tookTooLong(detail) ? "TIMEOUT" : "MAP_BACKEND_ERROR";
    return new GatewayError(code, undefined, { detail, cause });
  }

  /** Sends one request to one worker. A worker that takes too long is killed. */
  async #ask({ query, ...wanted }: Pick<MapRequest, "query"> & Wanted): Promise<FastcgiAnswer> {
    const { timeoutMs } = this.#options;
    const leave = await this.#place(wanted);
    const worker = await this.#take(wanted.login === undefined ? wanted.connection : undefined).catch(
      (error: unknown) => {
        leave?.();
        throw error;
      },
    );
    const timeUp = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeUp.reject(new WorkerHangs(`no answer within ${timeoutMs} ms`)), timeoutMs);
    let healthy = false;
    try {
      const answer = await Promise.race([
        worker.request({ REQUEST_METHOD: "GET", QUERY_STRING: query }),
        timeUp.promise,
      ]);
      healthy = isWell(answer);
      return answer;
    } finally {
      clearTimeout(timer);
      this.#give(worker, healthy);
      leave?.();
    }
  }

  /** A place for a connection that logs in as an account. The connection is closed with the map. */
  async #place({ login, signal }: Wanted): Promise<Leave | undefined> {
    return login === undefined ? undefined : this.#options.own.take(login, this.#options.connectTimeoutMs, signal);
  }

  /** An idle worker that has the connection, else one that may open it, else a new one. */
  async #take(connection: string | undefined): Promise<MapWorker> {
    const { workers, connections } = this.#options;
    const most = Math.max(1, Math.floor(connections / workers));
    const mayOpen = (worker: MapWorker): boolean => worker.connections.size < most;
    const alive = this.#idle.filter((each) => each.alive);
    const worker =
      alive.find((each) => has(each, connection)) ?? alive.find(mayOpen) ?? (await this.#replace(alive[0]));
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#busy.add(worker);
    if (connection !== undefined) worker.connections.add(connection);
    return worker;
  }

  /** Starts a new worker. If there is no room, it replaces one that has its share of connections. */
  async #replace(idle: MapWorker | undefined): Promise<MapWorker> {
    const hasRoom = this.#idle.length + this.#busy.size + this.#replacing < this.#options.workers;
    this.#replacing++;
    try {
      if (!hasRoom && idle) await this.#end(idle, "connections");
      return this.#start();
    } finally {
      this.#replacing--;
    }
  }

  #give(worker: MapWorker, healthy: boolean): void {
    this.#busy.delete(worker);
    if (this.#closed || !worker.alive) return;
    if (!healthy) void this.#end(worker, "failure");
    else if (worker.served >= this.#options.requestsPerWorker) void this.#end(worker, "age");
    else this.#idle.push(worker);
  }

  #start(): MapWorker {
    const worker = new MapWorker(this.#options.worker);
    this.#busy.add(worker);
    void worker.ended.then(() => {
      if (this.#closed || !this.#idle.includes(worker)) return;
      this.#idle.splice(this.#idle.indexOf(worker), 1);
      this.#options.metrics.ended("crash");
      this.#options.log.warn({ pid: worker.pid }, "an idle MapServer worker ended");
    });
    return worker;
  }

  /** Ends the idle workers that have this outdated connection. */
  async #endThoseOf(connection: string | undefined): Promise<void> {
    const workers = this.#idle.filter((worker) => connection !== undefined && has(worker, connection));
    await Promise.all(workers.map((worker) => this.#end(worker, "failure")));
  }

  async #end(worker: MapWorker, reason: "connections" | "failure" | "age"): Promise<void> {
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#options.metrics.ended(reason);
    await worker.kill();
  }
}

function has(worker: MapWorker, connection: string | undefined): boolean {
  return connection === undefined || worker.connections.has(connection);
}

function noLogin(detail: string, cause: unknown): GatewayError {
  return new GatewayError("UNAVAILABLE", "PostgreSQL has no connection left for the login of this map", {
    detail,
    cause,
  });
}
