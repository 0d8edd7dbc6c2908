/** Subscriptions to the writes of one database. Read this first; `types.ts` has the interface for the doors. */
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../kernel/database/database.ts";
import { GatewayError } from "../ground/errors.ts";
import { accountKeyOf } from "../kernel/identity/identity.ts";
import { readType } from "../types/catalogue.ts";
import type { Log } from "../ground/log.ts";
import type { Tracing } from "../kernel/tracing/trace.ts";
import type { Nats } from "../fleet/nats.ts";
import { VERSION } from "../ground/packageDirectory.ts";
import { Fleet } from "./fleet.ts";
import { Group, type GroupHost } from "./group.ts";
import { Judge, toEnd, type Subscriber } from "./judge.ts";
import { EventLog } from "./log.ts";
import type { Member } from "./member.ts";
import type { EventFigures, EventMetrics } from "./metrics.ts";
import { Snapshot, formatPosition, isBefore, isSamePosition, parsePosition, type Position } from "./position.ts";
import { Projection, keyColumnsOf } from "./projection.ts";
import { PositionStream } from "./positionStream.ts";
import { EventReader } from "./reader.ts";
import { RightsCheck } from "./rightsCheck.ts";
import { Seal } from "./seal.ts";
import { OpenTables } from "./openTables.ts";
import type { Table } from "./table.ts";
import { TableSwitch } from "./tableSwitch.ts";
import type { EventColumn, EventHub, SubscribeRequest, Subscription } from "./types.ts";

const SECOND = 1000;
const READY_WITHIN_MS = 5 * SECOND;
/** A subscriber that resumes from further back catches up by itself before it joins the others. */
const NEAR_BATCHES = 100;
/** Groups that a gateway says it judges. */
const MOST_TOLD = 100;
const SHARE_AGAIN_MS = 1 * SECOND;
/** The same for all gateways of a database, and of no other: its name among gateways, and what only they know. */
const WHICH_DATABASE = `
select
  format('%s_%s', (select c.system_identifier from pg_control_system() c), d.oid) as name,
  portolan.secrets() ->> 'own_sql_secret' as secret
from pg_database d
where d.datname = current_database()`;

export interface EventHubOptions {
  /** Its pool reads events and judges them: one of its own, so that requests and events do not wait for one another. */
  readonly database: Database;
  readonly config: {
    /** `all`: every table of the exposed schemas has events; `marked`: those that were switched on. */
    readonly events: "all" | "marked";
    readonly eventPoolSize: number;
    readonly eventRetentionMs: number;
    readonly eventRetentionBytes: number;
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

class Hub implements EventHub, GroupHost {
  readonly eventLog: EventLog;
  readonly judge: Judge;
  readonly metrics: EventMetrics;
  readonly tracing: Tracing | undefined;
  readonly databaseName: string;
  readonly #options: EventHubOptions;
  readonly #reader: EventReader;
  readonly #tables: OpenTables;
  /** The group that new subscriptions join, by key; others are on their way to it. */
  readonly #joinable = new Map<string, Group>();
  readonly #groups = new Set<Group>();
  readonly #members = new Set<Member>();
  readonly #closing = new AbortController();
  readonly #stopObserving: () => void;
  readonly #switch: TableSwitch;
  readonly #rights: RightsCheck;
  readonly #checking: Promise<void>;
  #sharing: Promise<void> | undefined;
  #fleet: Fleet | undefined;
  #stream: PositionStream | undefined;

  constructor(options: EventHubOptions) {
    const { database, config, log, metrics } = options;
    this.#options = options;
    this.databaseName = database.name;
    this.metrics = metrics;
    this.tracing = options.tracing;
    this.eventLog = new EventLog(database, () => new Set([...this.#groups].map(({ table }) => table.info.oid)));
    this.judge = new Judge(database, metrics, Math.max(1, config.eventPoolSize - 1));
    this.#tables = new OpenTables({ database, judge: this.judge, schemas: options.schemas });
    this.#reader = new EventReader({
      database,
      log,
      eventLog: this.eventLog,
      retentionMs: config.eventRetentionMs,
      retentionBytes: config.eventRetentionBytes,
      describe: () => this.#describe(),
    });
    this.#reader.start();
    this.#stopObserving = metrics.observe(() => this.#figures());
    this.#switch = new TableSwitch({ database, log, all: config.events === "all" });
    const { judge } = this;
    this.#rights = new RightsCheck({ database, log, judge, groups: this.#groups, signal: this.#closing.signal });
    this.#checking = this.#rights.run();
    if (options.nats) this.#sharing = this.#share(options.nats);
  }

  /** Shares the work with other gateways of the database, as soon as that says which it is. Never rejects. */
  async #share(nats: Nats): Promise<void> {
    const { database, log, metrics } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted)
      try {
        const { name, secret } = await database.db.one<{ name: string; secret: string }>(WHICH_DATABASE);
        if (signal.aborted) return;
        const seal = new Seal(secret);
        this.#fleet = new Fleet(nats, seal, name);
        for (const group of this.#joinable.values()) this.#joinFleet(group);
        this.#stream = new PositionStream({
          nats,
          seal,
          database: name,
          id: this.#fleet.id,
          log,
          metrics,
          databaseName: database.name,
          take: (epoch, headers) => this.#reader.take(epoch, headers),
          changed: () => this.#reader.streamChanged(),
        });
        return this.#reader.follow(this.#stream);
      } catch (error) {
        log.warn({ err: error, database: database.name }, "events are not shared with other gateways yet");
        await delay(SHARE_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined); // closing
      }
  }

  #joinFleet({ hash, key, table: { info } }: Group): void {
    this.#fleet?.join(hash, info.rowSecurity ? key : String(info.oid)); // rights of all roles are one question
  }

  #setJoinable(key: string, group: Group | undefined): void {
    const before = this.#joinable.get(key);
    if (group) {
      this.#joinable.set(key, group);
      if (!before) this.#joinFleet(group);
    } else if (before) {
      this.#joinable.delete(key);
      this.#fleet?.leave(before.hash);
    }
  }

  fleetOf(group: Group): Fleet | undefined {
    return this.#joinable.get(group.key) === group ? this.#fleet : undefined;
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
      const visibility = await this.judge.judge(subscriber, info, []).catch((error: unknown) => {
        throw toEnd(error, info); // policies that cannot be asked at all
      });
      if (visibility?.columns.size === 0)
        throw new GatewayError("FORBIDDEN", `A rule denies select on ${info.schema}.${info.name}`);
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
    this.#members.add(member);
    // not before the caller has its subscription
    setImmediate(() => this.place(member, member.position));
    return {
      get position() {
        return formatPosition(member.group?.position ?? member.position);
      },
      schema: info.schema,
      relation: info.name,
      keyColumns: keyColumnsOf(info, columns),
      close: () => this.#remove(member),
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
    if (!this.eventLog.head)
      await Promise.race([this.eventLog.ready, delay(READY_WITHIN_MS, undefined, { ref: false })]);
    this.#checkOpen();
    if (!this.eventLog.head) throw new GatewayError("UNAVAILABLE", "Events cannot be read at the moment");
    return this.eventLog.head;
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw new GatewayError("UNAVAILABLE", "The service is shutting down");
  }

  // The interface for groups ------------------------------------------------------------------------------

  place(member: Member, position: Position): void {
    if (member.ended) return;
    const { table, request } = member;
    const subscriber: Subscriber = { identity: request.identity, address: request.address };
    const key = this.#keyOf(table, subscriber);
    const joinable = this.#joinable.get(key);
    const at = joinable?.joinable;
    // a new subscription knows what it has seen already, so it may begin where others have yet to go
    const fits =
      at && (isSamePosition(at, position) || (member.since && at.epoch === position.epoch && isBefore(at, position)));
    if (joinable && fits) return joinable.add(member);
    const group = new Group(key, table, subscriber, position, this);
    group.add(member);
    this.#groups.add(group);
    const head = this.eventLog.head;
    if (!joinable && head?.epoch === position.epoch && head.batch - position.batch <= NEAR_BATCHES)
      this.#setJoinable(key, group);
    void group.run(); // never rejects
  }

  caughtUp(group: Group): boolean {
    const joinable = this.#joinable.get(group.key);
    if (joinable === group) return false;
    if (!joinable) {
      this.#setJoinable(group.key, group);
      return false;
    }
    const at = joinable.joinable;
    if (!at || !isSamePosition(at, group.position)) return false;
    for (const member of [...group.members]) {
      group.remove(member);
      joinable.add(member);
    }
    return true;
  }

  empty(group: Group): void {
    this.#groups.delete(group);
    if (this.#joinable.get(group.key) === group) this.#setJoinable(group.key, undefined);
  }

  end(member: Member, error: GatewayError): void {
    if (member.ended) return;
    this.#remove(member);
    this.metrics.ended.inc({ database: this.databaseName, code: error.code });
    try {
      member.request.end(error);
    } catch (failure) {
      this.#options.log.error({ err: failure }, "a subscriber failed while it was told of its end");
    }
  }

  #remove(member: Member): void {
    member.ended = true;
    this.#members.delete(member);
    member.group?.remove(member);
  }

  /** Without row security the role says everything; policies may ask for claims and address too. */
  #keyOf(table: Table, { identity, address }: Subscriber): string {
    const { oid, rowSecurity } = table.info;
    return JSON.stringify(rowSecurity ? [oid, accountKeyOf(identity), address] : [oid, identity.role]);
  }

  // Work beside events --------------------------------------------------------------------

  refresh(): void {
    this.#rights.refresh();
  }

  sync(schemas: readonly string[]): Promise<boolean> {
    return this.#switch.sync(schemas);
  }

  async check(): Promise<void> {
    if (!this.#reader.isAlive) throw new Error("nobody reads the events");
  }

  #figures(): EventFigures {
    const { head } = this.eventLog;
    const behind = [...this.#groups].map(({ position }) => (head ? head.batch - position.batch : 0));
    const waitingSinceMs = [...this.#groups].flatMap(({ behindSinceMs }) => behindSinceMs ?? []);
    return {
      database: this.databaseName,
      isReader: this.#reader.isReader,
      groups: this.#groups.size,
      subscriptions: this.#members.size,
      lagBatches: Math.max(0, ...behind),
      judged: this.#judged().length,
      gateways: 1 + (this.#fleet?.others ?? 0),
      lagSeconds: waitingSinceMs.length > 0 ? (Date.now() - Math.min(...waitingSinceMs)) / SECOND : 0,
    };
  }

  /** Groups that others have too, and that this gateway judges. */
  #judged(): Group[] {
    const fleet = this.#fleet;
    return fleet ? [...this.#joinable.values()].filter(({ hash }) => fleet.judgeOf(hash) === fleet.id) : [];
  }

  /** For `portolan.fleet`. */
  #describe(): object {
    const { lagSeconds, subscriptions } = this.#figures();
    const judges = this.#judged().map(
      ({ table: { info }, subscriber }) => `${info.schema}.${info.name} ${subscriber.identity.role}`,
    );
    return {
      host: hostname(),
      process: process.pid,
      version: VERSION,
      sockets: this.#options.sockets?.() ?? 0,
      subscriptions,
      lag_ms: Math.round(lagSeconds * 10) * 100,
      judges: this.#fleet ? [...new Set(judges)].sort().slice(0, MOST_TOLD) : null,
    };
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#switch.close();
    this.#stopObserving();
    for (const member of this.#members)
      this.end(member, new GatewayError("UNAVAILABLE", "The service is shutting down"));
    this.#stream?.close();
    this.#fleet?.close();
    await Promise.all([this.#reader.stop(), this.#checking, this.#sharing]);
  }
}
