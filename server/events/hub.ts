/** Subscriptions to the writes of one database. Read this first; `types.ts` has the interface for the doors. */
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../kernel/database/database.ts";
import { GatewayError, factorNeeded } from "../ground/errors.ts";
import { readType } from "../types/catalogue.ts";
import type { Log } from "../ground/log.ts";
import type { Tracing } from "../kernel/tracing/trace.ts";
import type { Nats } from "../fleet/nats.ts";
import { VERSION } from "../ground/packageDirectory.ts";
import { Groups } from "./groups.ts";
import { Judge, toEnd, type Subscriber } from "./judge.ts";
import { EventLog } from "./log.ts";
import type { Member } from "./member.ts";
import type { EventFigures, EventMetrics } from "./metrics.ts";
import { Snapshot, formatPosition, parsePosition, type Position } from "./position.ts";
import { Projection, keyColumnsOf } from "./projection.ts";
import { EventReader } from "./reader.ts";
import { RightsCheck } from "./rightsCheck.ts";
import { Sharing } from "./sharing.ts";
import { OpenTables } from "./openTables.ts";
import { TableSwitch } from "./tableSwitch.ts";
import type { EventColumn, EventHub, SubscribeRequest, Subscription } from "./types.ts";

const READY_WITHIN_MS = 5000;
/** The most groups that a gateway reports to judge. */
const MOST_TOLD = 100;

export interface EventHubOptions {
  /** Its pool reads and judges events. It is separate, so that requests and events do not wait for one another. */
  readonly database: Database;
  readonly config: {
    /** `all`: every table of the exposed schemas has events; `marked`: those that were switched on. */
    readonly events: "all" | "marked";
    readonly eventPoolSize: number;
    readonly eventRetentionMs: number;
    readonly eventRetentionBytes: number;
    readonly ogc?: { readonly tileMatrixSets: Readonly<Record<string, unknown>> };
  };
  /** The schemas that are exposed now. */
  readonly schemas: () => readonly string[];
  readonly log: Log;
  readonly metrics: EventMetrics;
  readonly tracing?: Tracing | undefined;
  /** Set where other gateways can share the work. */
  readonly nats?: Nats | undefined;
  /** How many sockets of the database this gateway has. */
  readonly sockets?: (() => number) | undefined;
}

/** Opens change events of one database, which must be migrated, and begins to follow them. */
export function createEventHub(options: EventHubOptions): EventHub {
  return new Hub(options);
}

class Hub implements EventHub {
  readonly #options: EventHubOptions;
  readonly #groups: Groups;
  readonly #tables: OpenTables;
  readonly #reader: EventReader;
  readonly #switch: TableSwitch;
  readonly #rights: RightsCheck;
  readonly #checking: Promise<void>;
  readonly #sharing: Sharing | undefined;
  readonly #closing = new AbortController();
  readonly #stopObserving: () => void;

  constructor(options: EventHubOptions) {
    const { database, config, log, metrics, tracing, nats } = options;
    this.#options = options;
    const judge = new Judge(database, metrics, Math.max(1, config.eventPoolSize - 1));
    const eventLog = new EventLog(database, () => new Set([...this.#groups.all].map(({ table }) => table.info.oid)));
    this.#groups = new Groups({ databaseName: database.name, eventLog, judge, metrics, tracing, log });
    this.#tables = new OpenTables({ database, judge, schemas: options.schemas });
    this.#reader = new EventReader({
      database,
      log,
      eventLog,
      retentionMs: config.eventRetentionMs,
      retentionBytes: config.eventRetentionBytes,
      describe: () => this.#describe(),
    });
    this.#reader.start();
    this.#stopObserving = metrics.observe(() => this.#figures());
    this.#switch = new TableSwitch({ database, log, all: config.events === "all" });
    const { signal } = this.#closing;
    this.#rights = new RightsCheck({ database, log, judge, groups: this.#groups.all, signal });
    this.#checking = this.#rights.run();
    if (nats)
      this.#sharing = new Sharing({
        database,
        nats,
        log,
        metrics,
        groups: this.#groups,
        reader: this.#reader,
        signal,
      });
  }

  async subscribe(request: SubscribeRequest): Promise<Subscription> {
    const { identity, schema, relation } = request;
    const head = await this.#head();
    const after = request.after === undefined ? undefined : parsePosition(request.after);
    const { table, columns, snapshot } = await this.#tables.open(identity, schema, relation);
    const { info } = table;
    const refused = new Projection(request).refusedColumn(info, columns);
    if (refused) throw refused;
    const subscriber: Subscriber = { identity, address: request.address };
    if (info.rowSecurity) {
      const visibility = await this.#groups.judge.judge(subscriber, info, []).catch((error: unknown) => {
        throw toEnd(error, info); // policies that cannot be evaluated at all
      });
      if (visibility?.columns.size === 0) {
        const refusal = `A rule denies select on ${info.schema}.${info.name}`;
        const lack = await this.#groups.judge.lackOfFactor(subscriber, info);
        if (lack !== null) throw factorNeeded(refusal, lack);
        throw new GatewayError("FORBIDDEN", refusal);
      }
    }
    this.#checkOpen();
    const member: Member = {
      request,
      table,
      since: after ? undefined : new Snapshot(snapshot),
      position: after ?? head,
      group: undefined,
      got: undefined,
      ended: false,
    };
    this.#groups.add(member);
    return {
      get position() {
        return formatPosition(member.group?.position ?? member.position);
      },
      schema: info.schema,
      relation: info.name,
      keyColumns: keyColumnsOf(info, columns),
      close: () => this.#groups.remove(member),
    };
  }

  async describe({ identity, schema, relation }: Pick<SubscribeRequest, "identity" | "schema" | "relation">) {
    const { table, columns } = await this.#tables.open(identity, schema, relation);
    const { types } = table.info;
    const described = table.info.columns
      .filter(({ number }) => columns.has(number))
      .map(({ name, type }): EventColumn => ({ name, type: readType(type, (oid) => types[oid]) }));
    return { columns: described, keyColumns: keyColumnsOf(table.info, columns) };
  }

  async #head(): Promise<Position> {
    this.#checkOpen();
    if (!this.#groups.eventLog.head)
      await Promise.race([this.#groups.eventLog.ready, delay(READY_WITHIN_MS, undefined, { ref: false })]);
    this.#checkOpen();
    if (!this.#groups.eventLog.head) throw new GatewayError("UNAVAILABLE", "Events cannot be read at the moment");
    return this.#groups.eventLog.head;
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw new GatewayError("UNAVAILABLE", "The service is shutting down");
  }

  // Work beside events --------------------------------------------------------------------

  refresh(): void {
    this.#rights.refresh();
  }

  async sync(schemas: readonly string[]): Promise<boolean> {
    await this.#reader.lookForShards();
    return this.#switch.sync(schemas);
  }

  async check(): Promise<void> {
    if (!this.#reader.isAlive) throw new Error("nobody reads the events");
  }

  #figures(): EventFigures {
    return { database: this.#options.database.name, isReader: this.#reader.isReader, ...this.#groups.figures() };
  }

  /** For `portolan.fleet`, and for `portolan.seed_tiles`, which knows the sets of tiles by it. */
  #describe(): object {
    const { lagSeconds, subscriptions } = this.#groups.figures();
    return {
      host: hostname(),
      process: process.pid,
      version: VERSION,
      sockets: this.#options.sockets?.() ?? 0,
      subscriptions,
      lag_ms: Math.round(lagSeconds * 10) * 100,
      tile_matrix_sets: Object.keys(this.#options.config.ogc?.tileMatrixSets ?? {}),
      judges: this.#groups.judgedFor()?.slice(0, MOST_TOLD) ?? null,
    };
  }

  async close(how?: { readonly rests: boolean }): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#switch.close();
    this.#stopObserving();
    this.#groups.endAll(new GatewayError("UNAVAILABLE", "The service is shutting down"));
    await Promise.all([this.#sharing?.close(), this.#reader.stop(how), this.#checking]);
  }
}
