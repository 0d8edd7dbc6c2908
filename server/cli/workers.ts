/** Several processes that serve on one port: started, watched, replaced one by one, and ended together. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { AggregatorRegistry } from "prom-client";
import { announce, servesDemo, startLocalDemo, withDemo, type LocalDemo } from "../demo/localDemo.ts";
import type { Config } from "../kernel/config.ts";
import { OperatorError } from "../ground/errors.ts";
import { LocalHost } from "../fleet/host.ts";
import type { ConnectionPlaces } from "../kernel/database/database.ts";
import type { Log } from "../ground/log.ts";
import { openNats, type Nats } from "../fleet/nats.ts";
import type { Gateway } from "../main.ts";
import { warnAtStart } from "../operate/startWarnings.ts";
import { prepareDatabase, preparePatterns } from "../prepareDatabase.ts";
import type { Answers, ToPrimary, ToWorker } from "./worker.ts";
import { WorkerOpener } from "./workerOpener.ts";

const SECOND = 1000;
/** `workerHangMs` of a worker that has not served yet: on a busy host it takes a while to load and find its databases. */
const STARTS_MS = 120 * SECOND;
/** Delays before a worker that ended is replaced. They grow while workers end early. */
const AGAIN_MS = { first: 100, most: 10 * SECOND };
/** For all workers, before the promise to end within 10 s would be broken. */
const END_MS = 9 * SECOND;

export interface Workers {
  /** The gateway of the first worker that was ready. */
  readonly gateway: Pick<Gateway, "baseUrl" | "databases" | "sleepers" | "demo">;
  /** Whether there is a private cluster, which ends with this process. */
  readonly isPrivate: boolean;
  /** Resolves with the reason when the private cluster ends unexpectedly. */
  readonly failed: Promise<string>;
  /** Replaces each process by another, one after the other; running requests are answered. */
  replace(): Promise<void>;
  close(): Promise<void>;
}

/** How many processes `workers` means. */
export function workerCount({ workers }: Pick<Config, "workers">): number {
  return workers === 0 ? availableParallelism() : workers;
}

/** Starts them and resolves when all serve. Throws what `startGateway` throws, or `OperatorError`, with nothing left running. */
export async function startWorkers(given: Config, log: Log): Promise<Workers> {
  const config = withDemo(given);
  warnAtStart(config, log);
  const demo = servesDemo(config) ? await startLocalDemo(config) : undefined;
  const pool = new WorkerPool({ ...config, port: config.port || (await freePort(config)) }, demo, log);
  try {
    if (!demo) for (const database of config.databases) await prepareDatabase(database, log);
    if (!demo) await preparePatterns(config.patterns, log);
    const [gateway] = await Promise.all(Array.from({ length: workerCount(config) }, () => pool.start()));
    if (!gateway) throw new OperatorError("WORKERS: there is none");
    if (demo) announce(demo.cluster, { pid: process.pid, baseUrl: gateway.baseUrl });
    return {
      gateway: { ...gateway, demo: demo && { signIns: demo.signIns, fresh: demo.fresh } },
      isPrivate: demo !== undefined,
      failed: demo?.cluster.exited ?? new Promise(() => undefined),
      replace: () => pool.replace(),
      close: () => pool.close(),
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** A free port that all share, and keep while one after the other is replaced. */
async function freePort({ host }: Config): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The state of a worker. */
interface Kept {
  readonly opener: WorkerOpener;
  readonly connections: ConnectionPlaces;
  readonly startedAtMs: number;
  aliveAtMs: number;
  /** The places that it has taken. They become free when it ends, in whatever way. */
  readonly places: string[];
  /** Whether it serves. */
  ready: boolean;
  /** Whether it was told to end. */
  ends: boolean;
}

class WorkerPool {
  readonly #config: Config;
  readonly #demo: LocalDemo | undefined;
  readonly #log: Log;
  readonly #nats: Nats | undefined;
  readonly #host: LocalHost;
  readonly #metrics = new AggregatorRegistry();
  readonly #workers = new Map<Worker, Kept>();
  readonly #watching: NodeJS.Timeout;
  #baseUrl: string | undefined;
  #againMs = AGAIN_MS.first;
  #closing = false;

  constructor(config: Config, demo: LocalDemo | undefined, log: Log) {
    this.#config = config;
    this.#demo = demo;
    this.#log = log;
    this.#nats = openNats(config, log);
    this.#host = new LocalHost(this.#nats, config.baseUrl, config);
    cluster.on("message", (worker, message: ToPrimary) => {
      if (message.portolan === "ask") void this.#answer(worker, message);
      if (message.portolan === "answer") this.#workers.get(worker)?.opener.answered(message.id, message.value);
    });
    cluster.on("exit", (worker, code, signal) => this.#ended(worker, signal ?? code));
    this.#watching = setInterval(() => this.#endHanging(), SECOND).unref();
  }

  /** Resolves when the new one serves. Rejects when it ends before. */
  start(): Promise<Gateway> {
    const worker = cluster.fork();
    const opener = new WorkerOpener(worker);
    this.#workers.set(worker, {
      opener,
      connections: this.#host.join(opener),
      startedAtMs: performance.now(),
      aliveAtMs: performance.now(),
      places: [],
      ready: false,
      ends: false,
    });
    return new Promise((resolve, reject) => {
      worker.on("message", (message: ToPrimary) => {
        if (message.portolan !== "ready") return;
        const gateway = message.gateway as Gateway;
        this.#baseUrl = gateway.baseUrl;
        const kept = this.#workers.get(worker);
        if (kept) kept.ready = true;
        const databases = gateway.databases.map((one) => ({ ...one, broken: new Map(one.broken) }));
        resolve({ ...gateway, databases });
      });
      worker.once("exit", () => reject(new OperatorError("a process ended before it could serve: see its message")));
    });
  }

  async replace(): Promise<void> {
    for (const worker of [...this.#workers.keys()]) {
      if (this.#closing) return;
      await this.start();
      await this.#end(worker);
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#watching);
    const late = setTimeout(() => {
      for (const worker of this.#workers.keys()) {
        this.#log.warn({ pid: worker.process.pid }, "a serving process takes too long to end: it is killed");
        worker.process.kill("SIGKILL");
      }
    }, END_MS);
    await Promise.all([...this.#workers.keys()].map((worker) => this.#end(worker)));
    clearTimeout(late);
    this.#host.close();
    await this.#nats?.close();
    await this.#demo?.cluster.stop();
  }

  async #end(worker: Worker): Promise<void> {
    const kept = this.#workers.get(worker);
    if (!kept) return;
    kept.ends = true;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.process.kill("SIGTERM");
    await ended;
  }

  #ended(worker: Worker, how: string | number): void {
    const kept = this.#workers.get(worker);
    this.#workers.delete(worker);
    for (const place of kept?.places ?? []) this.#host.leave(place);
    if (kept) this.#host.forget(kept.opener);
    if (!kept || kept.ends || this.#closing) return;
    this.#log.error({ pid: worker.process.pid, how }, "a serving process has ended: another one takes its place");
    if (performance.now() - kept.startedAtMs > AGAIN_MS.most) this.#againMs = AGAIN_MS.first;
    setTimeout(() => {
      if (!this.#closing) this.start().catch(() => undefined); // its end was reported, and it is replaced in turn
    }, this.#againMs);
    this.#againMs = Math.min(AGAIN_MS.most, this.#againMs * 2);
  }

  #endHanging(): void {
    for (const [worker, { aliveAtMs, ready }] of this.#workers) {
      if (performance.now() - aliveAtMs < (ready ? this.#config.workerHangMs : STARTS_MS)) continue;
      this.#log.error({ pid: worker.process.pid }, "a serving process does not answer: it is ended");
      worker.process.kill("SIGKILL");
    }
  }

  async #answer(worker: Worker, { id, call, values }: ToPrimary & { portolan: "ask" }): Promise<void> {
    const kept = this.#workers.get(worker);
    if (!kept) return;
    kept.aliveAtMs = performance.now();
    const answers: Answers = {
      begin: () => ({
        databases: this.#demo?.databases ?? this.#config.databases,
        port: this.#config.port,
        baseUrl: this.#baseUrl,
      }),
      count: (key, perMinute) => this.#host.count(key, perMinute),
      take: async (key, most) => {
        const isTaken = await this.#host.take(key, most);
        if (isTaken) kept.places.push(key);
        return isTaken;
      },
      leave: (key) => {
        const at = kept.places.indexOf(key);
        if (at < 0) return;
        kept.places.splice(at, 1);
        this.#host.leave(key);
      },
      takeConnection: (login, waitMs) => kept.connections.take(login, waitMs),
      leaveConnection: (login) => kept.connections.leave(login),
      idleConnection: () => kept.connections.idle(),
      // a process that hangs, or has only begun, does not answer; figures without its part would look like reset
      // counters
      metrics: () => this.#metrics.clusterMetrics().catch(() => undefined),
      alive: () => undefined,
    };
    const value: unknown = await (answers[call] as (...values: readonly unknown[]) => unknown)(...values);
    if (worker.isConnected()) worker.send({ portolan: "answer", id, value } satisfies ToWorker);
  }
}
