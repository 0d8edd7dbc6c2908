/** The metrics of change events for Prometheus; one set for all databases of a gateway. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The figures of the hub of one database. */
export interface EventFigures {
  readonly database: string;
  readonly isReader: boolean;
  readonly groups: number;
  readonly subscriptions: number;
  /** Batches that the group furthest behind has yet to deliver. */
  readonly lagBatches: number;
  /** Age of the oldest batch that some group has yet to deliver; 0 when there is none. */
  readonly lagSeconds: number;
  /** Gateways that are known over NATS, this one among them. */
  readonly gateways: number;
  /** Groups that this gateway judges for others too. */
  readonly judged: number;
}

export interface EventMetrics {
  readonly read: Counter<"database">;
  readonly judged: Counter<"database">;
  readonly delivered: Counter<"database">;
  readonly filtered: Counter<"database" | "reason">;
  readonly gaps: Counter<"database">;
  readonly ended: Counter<"database" | "code">;
  readonly judgeSeconds: Histogram<"database">;
  /** Batches on their way between gateways. */
  readonly positions: Counter<"database" | "way">;
  /** Pages of groups that several gateways have. */
  readonly verdicts: Counter<"database" | "by">;
  /** Includes a hub in the gauges, until the returned function is called. */
  observe(figures: () => EventFigures): () => void;
}

export function createEventMetrics(registry: Registry): EventMetrics {
  const hubs = new Set<() => EventFigures>();
  const database = ["database"] as const;
  const registers = [registry];
  const gauge = (name: string, help: string, of: (figures: EventFigures) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: database,
      registers,
      aggregator: /_lag_|_gateways$/.test(name) ? "max" : "sum", // of several processes
      collect() {
        for (const figures of hubs) this.set({ database: figures().database }, of(figures()));
      },
    });
  };
  gauge("portolan_events_reader", "Whether this process gives out the order of events", ({ isReader }) => +isReader);
  gauge("portolan_events_groups", "Groups of subscriptions that are judged together", ({ groups }) => groups);
  gauge("portolan_events_subscriptions", "Subscriptions to events", ({ subscriptions }) => subscriptions);
  gauge("portolan_events_judged_groups", "Groups that this gateway judges for others too", (one) => one.judged);
  gauge("portolan_events_gateways", "Gateways that share the work of events, as this one knows", (one) => one.gateways);
  gauge(
    "portolan_events_lag_batches",
    "Batches that the slowest group has yet to deliver",
    ({ lagBatches }) => lagBatches,
  );
  gauge(
    "portolan_events_lag_seconds",
    "Age of the oldest batch that is yet to be delivered",
    ({ lagSeconds }) => lagSeconds,
  );
  const counter = (name: string, help: string): Counter<"database"> =>
    new Counter({ name, help, labelNames: database, registers });
  return {
    read: counter("portolan_events_read_total", "Row changes that a group of subscriptions has read"),
    judged: counter("portolan_events_judged_total", "Records that row level security was asked about"),
    delivered: counter("portolan_events_delivered_total", "Row changes that were given to a subscription"),
    filtered: new Counter({
      name: "portolan_events_filtered_total",
      help: "Row changes that a group (reason hidden) or a subscription's filter (reason filter) left out",
      labelNames: ["database", "reason"],
      registers,
    }),
    gaps: counter("portolan_events_gaps_total", "Gaps that subscriptions were told of"),
    ended: new Counter({
      name: "portolan_events_ended_total",
      help: "Subscriptions that ended by no wish of their own",
      labelNames: ["database", "code"],
      registers,
    }),
    judgeSeconds: new Histogram({
      name: "portolan_events_judge_seconds",
      help: "Time to judge the records of one page for one group",
      labelNames: database,
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    positions: new Counter({
      name: "portolan_events_positions_total",
      help: "Batches of events told over NATS: published, refused since another process reads, failed, taken from others",
      labelNames: ["database", "way"],
      registers,
    }),
    verdicts: new Counter({
      name: "portolan_events_verdicts_total",
      help: "Pages of groups that several gateways have: judged by this gateway for all (own), by another (other), by this one since the other was late (late)",
      labelNames: ["database", "by"],
      registers,
    }),
    observe(figures) {
      hubs.add(figures);
      return () => hubs.delete(figures);
    },
  };
}
