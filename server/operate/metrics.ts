/** The metrics for Prometheus at `/metrics`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { hostname } from "node:os";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { measureCertificates, type CertificateOptions } from "./certificate.ts";
import type { Database, StandbyFigures } from "../kernel/database/database.ts";
import type { Nats } from "../fleet/nats.ts";
import type { Mailer } from "../kernel/mail/mailer.ts";
import { VERSION } from "../ground/packageDirectory.ts";
import { ShortLived } from "../ground/shortLived.ts";

export interface Metrics {
  readonly registry: Registry;
  /**
   * Measures a request: duration, door, status. Returns a function to call when the answer has closed, which then calls
   * `doorOf`.
   */
  measure(request: IncomingMessage, response: ServerResponse, doorOf: (request: IncomingMessage) => string): () => void;
  /** Requests of all doors but this one. Probes and scrapes do not count. */
  besides(door: string): Besides;
  /** Calls the listener for each answer of a door, with the time that it took. Probes and scrapes do not count. */
  onAnswer(listener: (door: string, tookMs: number) => void): void;
}

export interface Besides {
  /** How many wait for the beginning of their answers. */
  readonly waiting: number;
  /** How long ago the last one was answered. */
  readonly quietMs: number;
}

/** One registry per gateway, so that several can live in one process. */
export function createMetrics(
  options: CertificateOptions,
  databases: ReadonlyMap<string, Database>,
  { nats, mail }: { readonly nats?: Nats | undefined; readonly mail?: Mailer | undefined } = {},
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "portolan_pool_connections",
    help: "Connections of the shared pool of each database",
    labelNames: ["database", "state"],
    registers: [registry],
    collect() {
      for (const { name, pool, places } of databases.values()) {
        this.set({ database: name, state: "idle" }, pool.idleCount);
        this.set({ database: name, state: "busy" }, pool.totalCount - pool.idleCount);
        this.set({ database: name, state: "waiting" }, places.waiting + pool.waitingCount);
      }
    },
  });
  countPinnedReads(registry, databases);
  new Gauge({
    name: "portolan_own_logins_waiting",
    help: "Requests that wait for a connection that is logged in as their account",
    labelNames: ["database"],
    registers: [registry],
    collect() {
      for (const { name: database, ownPlaces } of databases.values()) this.set({ database }, ownPlaces.waiting);
    },
  });
  new Counter({
    name: "portolan_account_busy_total",
    help: "Requests that got no connection in time, because other requests of the same account or anonymous address had its whole share",
    labelNames: ["database"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name: database, places, ownPlaces, standbys } of databases.values()) {
        const all = [places, ownPlaces, ...(standbys?.figures ?? []).map((one) => one.places)];
        this.inc(
          { database },
          all.reduce((sum, { refused }) => sum + refused, 0),
        );
      }
    },
  });
  if (mail) countMails(registry, mail);
  if (nats)
    new Gauge({
      name: "portolan_nats_connected",
      help: "Whether there is a connection to NATS",
      aggregator: "min", // of several processes
      registers: [registry],
      collect() {
        this.set(nats.connection ? 1 : 0);
      },
    });
  measureStandbys(registry, databases);
  measureCertificates(registry, options, databases);
  new Gauge({
    name: "portolan_gateway_info",
    help: "1, for each process, with its version and host",
    labelNames: ["version", "host", "process"],
    registers: [registry],
    collect() {
      this.set({ version: VERSION, host: hostname(), process: String(process.pid) }, 1);
    },
  });
  return { registry, ...measureRequests(registry) };
}

/** The highest value of a gauge, of those with such labels; 0 where there is none. */
export async function mostOf(
  registry: Registry,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values
    .filter((value) => Object.entries(labels).every(([label, wanted]) => value.labels[label] === wanted))
    .reduce((most, { value }) => Math.max(most, value), 0);
}

/** Requests of operators. */
const PROBES = "probes";

function measureRequests(registry: Registry): Pick<Metrics, "measure" | "besides" | "onAnswer"> {
  const duration = new Histogram({
    name: "portolan_http_request_duration_seconds",
    help: "Time from the request line to the end of the answer",
    labelNames: ["door", "method", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const inFlight = new ShortLived<{ readonly response: ServerResponse; readonly doorOf: () => string }>();
  /** When each door has answered last. */
  const answeredMs = new Map<string, number>();
  const listeners: ((door: string, tookMs: number) => void)[] = [];
  new Gauge({
    name: "portolan_http_requests_in_flight",
    help: "Requests that are being answered",
    registers: [registry],
    collect() {
      this.set(inFlight.size);
    },
  });
  const gone = new Counter({
    name: "portolan_http_clients_gone_total",
    help: "Requests whose client left before the answer was complete",
    registers: [registry],
  });
  const measure: Metrics["measure"] = (request, response, doorOf) => {
    const startedMs = performance.now();
    const leave = inFlight.add({
      response,
      doorOf: () => (request.answeredBy?.isOperation ? PROBES : doorOf(request)),
    });
    return () => {
      leave();
      const door = doorOf(request);
      const nowMs = performance.now();
      const tookMs = nowMs - startedMs;
      if (!request.answeredBy?.isOperation) {
        answeredMs.set(door, nowMs);
        for (const listener of listeners) listener(door, tookMs);
      }
      if (!response.writableFinished) gone.inc();
      const status = response.writableFinished ? String(response.statusCode) : "gone";
      duration.observe({ door, method: request.method ?? "", status }, tookMs / 1000);
    };
  };
  const besides: Metrics["besides"] = (door) => {
    let waiting = 0;
    for (const { response, doorOf } of inFlight) {
      if (response.headersSent) continue;
      const own = doorOf();
      if (own !== door && own !== PROBES) waiting++;
    }
    let lastMs = -Infinity;
    for (const [own, atMs] of answeredMs) if (own !== door) lastMs = Math.max(lastMs, atMs);
    return { waiting, quietMs: performance.now() - lastMs };
  };
  return { measure, besides, onAnswer: (listener) => void listeners.push(listener) };
}

/** Measures the databases that have standbys. */
function measureStandbys(registry: Registry, databases: ReadonlyMap<string, Database>): void {
  const labelNames = ["database", "server"];
  new Gauge({
    name: "portolan_standby_lag_seconds",
    help: "The most that the standby may lag behind the primary; only standbys that may serve reads",
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      eachStandby(({ lagMs }, labels) => lagMs !== undefined && this.set(labels, lagMs / 1000));
    },
  });
  new Gauge({
    name: "portolan_standby_state",
    help: "1 for the state of the standby: ok, unknown, gone, promoted, foreign, other timeline",
    labelNames: [...labelNames, "state"],
    registers: [registry],
    collect() {
      this.reset();
      eachStandby(({ state }, labels) => this.set({ ...labels, state }, 1));
    },
  });
  new Counter({
    name: "portolan_reads_total",
    help: "Reads that a standby may serve, by the server that they were given to",
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      eachStandby(({ reads }, labels) => this.inc(labels, reads));
      for (const { name: database, standbys } of databases.values())
        if (standbys) this.inc({ database, server: "primary" }, standbys.primaryReads);
    },
  });

  function eachStandby(take: (figures: StandbyFigures, labels: { database: string; server: string }) => void): void {
    for (const { name: database, standbys } of databases.values())
      for (const figures of standbys?.figures ?? []) take(figures, { database, server: figures.server });
  }
}

function countPinnedReads(registry: Registry, databases: ReadonlyMap<string, Database>): void {
  new Counter({
    name: "portolan_pinned_reads_total",
    help: "Reads on a session that was the caller's already: answered, or failed and answered in a transaction",
    labelNames: ["database", "outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name: database, pins } of databases.values()) {
        this.inc({ database, outcome: "answered" }, pins.answered);
        this.inc({ database, outcome: "failed" }, pins.failed);
      }
    },
  });
}

function countMails(registry: Registry, mail: Mailer): void {
  new Counter({
    name: "portolan_mails_total",
    help: "Mails to accounts, by kind and outcome",
    labelNames: ["kind", "outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, count] of mail.counts) {
        const [kind = "", outcome = ""] = key.split(" ");
        this.inc({ kind, outcome }, count);
      }
    },
  });
}
