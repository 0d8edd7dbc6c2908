/** The metrics of maps for Prometheus. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The present state of the pool. */
export interface PoolState {
  busy(): number;
  idle(): number;
  queued(): number;
  pixels(): number;
}

export interface MapMetrics {
  watch(state: PoolState): void;
  /** Starts the timer of a map. Call the returned function with the result. */
  startTimer(): (result: "drawn" | "failed") => void;
  /** Counts a map that is drawn a second time. */
  retried(): void;
  /** Counts a map that was refused because the caller's other maps had its share of the workers. */
  accountBusy(): void;
  /**
   * Counts a worker that ended: by itself, or because it held its share of connections, was not well, or had drawn
   * enough.
   */
  ended(reason: "crash" | "connections" | "failure" | "age"): void;
}

export function createMapMetrics(registry: Registry): MapMetrics {
  const registers = [registry];
  const duration = new Histogram({
    name: "portolan_map_duration_seconds",
    help: "Time that MapServer took for a map, without the wait for a worker",
    labelNames: ["result"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const retries = new Counter({ name: "portolan_map_retries_total", help: "Maps that were drawn again", registers });
  const ends = new Counter({
    name: "portolan_map_worker_ends_total",
    help: "MapServer workers that ended",
    labelNames: ["reason"],
    registers,
  });
  const accountBusy = new Counter({
    name: "portolan_map_account_busy_total",
    help: "Maps that got no worker in time, because other maps of the same account or anonymous address had its whole share",
    registers,
  });
  return {
    watch(state) {
      new Gauge({
        name: "portolan_map_workers",
        help: "MapServer workers",
        labelNames: ["state"],
        registers,
        collect() {
          this.set({ state: "busy" }, state.busy());
          this.set({ state: "idle" }, state.idle());
        },
      });
      new Gauge({
        name: "portolan_map_queue",
        help: "Maps that wait for a worker",
        registers,
        collect() {
          this.set(state.queued());
        },
      });
      new Gauge({
        name: "portolan_map_pixels",
        help: "Pixels of the maps that are drawn or sent",
        registers,
        collect() {
          this.set(state.pixels());
        },
      });
    },
    startTimer() {
      const stop = duration.startTimer();
      return (result) => void stop({ result });
    },
    retried: () => retries.inc(),
    accountBusy: () => accountBusy.inc(),
    ended: (reason) => ends.inc({ reason }),
  };
}
