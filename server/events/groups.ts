/** The groups of one database's subscriptions, and which of them a subscription joins. */
import type { GatewayError } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { accountKeyOf } from "../kernel/identity/identity.ts";
import type { Tracing } from "../kernel/tracing/trace.ts";
import type { Fleet } from "./fleet.ts";
import { Group, type GroupHost } from "./group.ts";
import type { Judge, Subscriber } from "./judge.ts";
import type { EventLog } from "./log.ts";
import type { Member } from "./member.ts";
import type { EventFigures, EventMetrics } from "./metrics.ts";
import { isBefore, isSamePosition, type Position } from "./position.ts";
import type { Table } from "./table.ts";

const SECOND = 1000;
/** A subscriber that resumes from further back catches up alone before it joins a group. */
const NEAR_BATCHES = 100;

export interface GroupsOptions {
  readonly databaseName: string;
  readonly eventLog: EventLog;
  readonly judge: Judge;
  readonly metrics: EventMetrics;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

export class Groups implements GroupHost {
  readonly databaseName: string;
  readonly eventLog: EventLog;
  readonly judge: Judge;
  readonly metrics: EventMetrics;
  readonly tracing: Tracing | undefined;
  readonly #log: Log;
  /** The group that new subscriptions join, by key; others are on their way to it. */
  readonly #joinable = new Map<string, Group>();
  readonly #groups = new Set<Group>();
  readonly #members = new Set<Member>();
  #fleet: Fleet | undefined;

  constructor({ databaseName, eventLog, judge, metrics, tracing, log }: GroupsOptions) {
    this.databaseName = databaseName;
    this.eventLog = eventLog;
    this.judge = judge;
    this.metrics = metrics;
    this.tracing = tracing;
    this.#log = log;
  }

  get all(): ReadonlySet<Group> {
    return this.#groups;
  }

  /** Shares the judging with the gateways of the fleet from now on. */
  share(fleet: Fleet): void {
    this.#fleet = fleet;
    for (const group of this.#joinable.values()) this.#joinFleet(group);
  }

  #joinFleet({ hash, key, table: { info } }: Group): void {
    this.#fleet?.join(hash, info.rowSecurity ? key : String(info.oid)); // one query for the rights of all roles
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

  /** Called when the caller has its subscription, which this must wait for. */
  add(member: Member): void {
    this.#members.add(member);
    setImmediate(() => this.place(member, member.position));
  }

  place(member: Member, position: Position): void {
    if (member.ended) return;
    const { table, request } = member;
    const subscriber: Subscriber = { identity: request.identity, address: request.address };
    const key = this.#keyOf(table, subscriber);
    const joinable = this.#joinable.get(key);
    const at = joinable?.joinable;
    // a new subscription knows what it has seen, so it may begin where others have not arrived yet
    const fits =
      at && (isSamePosition(at, position) || (member.since && at.epoch === position.epoch && isBefore(at, position)));
    if (joinable && fits) return joinable.add(member);
    const group = new Group({ key, table, subscriber, position, host: this });
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
    this.remove(member);
    this.metrics.ended.inc({ database: this.databaseName, code: error.code });
    try {
      member.request.end(error);
    } catch (failure) {
      this.#log.error({ err: failure }, "a subscriber failed while it was told of its end");
    }
  }

  remove(member: Member): void {
    member.ended = true;
    this.#members.delete(member);
    member.group?.remove(member);
  }

  /** Without row security the role decides everything; policies may also read claims and address. */
  #keyOf(table: Table, { identity, address }: Subscriber): string {
    const { oid, rowSecurity } = table.info;
    return JSON.stringify(rowSecurity ? [oid, accountKeyOf(identity), address] : [oid, identity.role]);
  }

  endAll(error: GatewayError): void {
    for (const member of this.#members) this.end(member, error);
  }

  figures(): Omit<EventFigures, "database" | "isReader"> {
    const { head } = this.eventLog;
    const behind = [...this.#groups].map(({ position }) => (head ? head.batch - position.batch : 0));
    const waitingSinceMs = [...this.#groups].flatMap(({ behindSinceMs }) => behindSinceMs ?? []);
    return {
      groups: this.#groups.size,
      subscriptions: this.#members.size,
      lagBatches: Math.max(0, ...behind),
      judged: this.#judged().length,
      gateways: 1 + (this.#fleet?.others ?? 0),
      lagSeconds: waitingSinceMs.length > 0 ? (Date.now() - Math.min(...waitingSinceMs)) / SECOND : 0,
    };
  }

  /** Groups that other gateways have too, and that this gateway judges. */
  #judged(): Group[] {
    const fleet = this.#fleet;
    return fleet ? [...this.#joinable.values()].filter(({ hash }) => fleet.judgeOf(hash) === fleet.id) : [];
  }

  /** Tables and roles of the groups that this gateway judges for others too; null where nothing is shared. */
  judgedFor(): readonly string[] | null {
    const judges = this.#judged().map(
      ({ table: { info }, subscriber }) => `${info.schema}.${info.name} ${subscriber.identity.role}`,
    );
    return this.#fleet ? [...new Set(judges)].sort() : null;
  }
}
