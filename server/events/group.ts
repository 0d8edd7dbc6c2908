/** Subscriptions with the same table and rights: their common work is done once. */
import { setTimeout } from "node:timers/promises";
import { GatewayError } from "../ground/errors.ts";
import { isTransient } from "../ground/retry.ts";
import type { Tracing } from "../kernel/tracing/trace.ts";
import { hashOf, type Fleet } from "./fleet.ts";
import { toEnd, type Judge, type Subscriber, type Visibility } from "./judge.ts";
import { JudgedAhead } from "./judgedAhead.ts";
import { judgedOnce, type Page } from "./judgedOnce.ts";
import type { Entry, EventLog, Header } from "./log.ts";
import type { Member, MemberGroup } from "./member.ts";
import type { EventMetrics } from "./metrics.ts";
import { formatPosition, isBefore, type Position } from "./position.ts";
import { Projection, VisibleChanges, toShow, toVisible, type Show } from "./projection.ts";
import { inOrderOfWriting, rowsOf, type Decoded, type Table, type TableInfo } from "./table.ts";
import type { EventGap, SubscribeRequest } from "./types.ts";

const RETRY_MS = { first: 50, most: 2000 };

/** The part of the hub that a group needs. */
export interface GroupHost {
  readonly databaseName: string;
  readonly eventLog: EventLog;
  readonly judge: Judge;
  readonly metrics: EventMetrics;
  readonly tracing: Tracing | undefined;
  /** The gateways that share the judging of a group as it is now: of one that follows events as they come. */
  fleetOf(group: Group): Fleet | undefined;
  /** Puts a member into the group that fits it, to go on from `position`. */
  place(member: Member, position: Position): void;
  end(member: Member, error: GatewayError): void;
  /** The group has nothing more to deliver for now. True when its members went over to another one. */
  caughtUp(group: Group): boolean;
  /** It has no members any more. */
  empty(group: Group): void;
}

export class Group implements MemberGroup {
  readonly key: string;
  /** Its name among gateways. */
  readonly hash: string;
  readonly table: Table;
  readonly subscriber: Subscriber;
  readonly #host: GroupHost;
  readonly #rowSecurity: boolean;
  readonly #ahead: JudgedAhead;
  readonly #projections = new Map<string, Projection>();
  readonly #members = new Set<Member>();
  readonly #stop = new AbortController();
  #position: Position;
  /** The head when the group began: a subscriber that resumes from a deleted position gets everything after it. */
  #beginning: Position | undefined;
  #waiting = false;
  #behindSinceMs: number | undefined;
  /** Set between the pages of a batch. */
  #within: { readonly last: number; readonly id: number } | undefined;
  /** The transaction of which a part has been delivered. */
  #midTransaction: { readonly batch: number; readonly last: number } | undefined;
  /** The transaction that is being delivered has changes that cannot be shown. */
  #lost = false;

  constructor(key: string, table: Table, subscriber: Subscriber, position: Position, host: GroupHost) {
    this.key = key;
    this.hash = hashOf(key);
    this.table = table;
    this.subscriber = subscriber;
    this.#position = position;
    this.#beginning = host.eventLog.head;
    this.#rowSecurity = table.info.rowSecurity;
    this.#host = host;
    this.#ahead = new JudgedAhead(table, subscriber, host);
  }

  /** When the oldest batch was cut that is yet to be delivered, in milliseconds since the epoch; undefined: none is. */
  get behindSinceMs(): number | undefined {
    return this.#behindSinceMs;
  }

  get members(): ReadonlySet<Member> {
    return this.#members;
  }

  /** Everything up to there is delivered. */
  get position(): Position {
    return (this.#waiting ? this.#host.eventLog.head : undefined) ?? this.#position;
  }

  /** The position where a new member would begin; undefined in the middle of a batch. */
  get joinable(): Position | undefined {
    return this.#within || this.#stop.signal.aborted ? undefined : this.position;
  }

  add(member: Member): void {
    const key = Projection.keyOf(member.request);
    let projection = this.#projections.get(key);
    if (!projection) this.#projections.set(key, (projection = new Projection(member.request)));
    projection.members.add(member);
    this.#members.add(member);
    member.group = this;
  }

  remove(member: Member): void {
    if (!this.#members.delete(member)) return;
    const key = Projection.keyOf(member.request);
    const projection = this.#projections.get(key);
    projection?.members.delete(member);
    if (projection?.members.size === 0) this.#projections.delete(key);
    const parts = projection?.parts ?? 0;
    member.position = this.position;
    member.got = this.#midTransaction && parts > 0 ? { ...this.#midTransaction, parts } : undefined;
    member.group = undefined;
    if (this.#members.size > 0) return;
    this.#stop.abort();
    this.#host.empty(this);
  }

  end(error: GatewayError): void {
    for (const member of this.#members) this.#host.end(member, error);
  }

  /** Ends or keeps each member, now that these columns may be selected. */
  checkRights(columns: ReadonlySet<number> | null): void {
    const { info } = this.table;
    const name = `${info.schema}.${info.name}`;
    if (this.table.isGone || columns === null)
      return this.end(
        this.table.isGone ? new GatewayError("NOT_FOUND", `${name} is gone`) : new GatewayError("FORBIDDEN"),
      );
    if (columns.size === 0) return this.end(new GatewayError("FORBIDDEN", `The account may not select from ${name}`));
    if (!info.active) return this.end(new GatewayError("BAD_USER_INPUT", `Events of ${name} were switched off`));
    for (const projection of this.#projections.values()) {
      const refused = projection.refusedColumn(info, columns);
      if (refused) for (const member of projection.members) this.#host.end(member, refused);
    }
  }

  /** Delivers until there are no members. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.#advance();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (!isTransient(error)) return this.end(toEnd(error, this.table.info));
        const delay = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** failures++);
        await setTimeout(delay, undefined, { signal }).catch(() => undefined); // aborted: the loop ends
      }
    }
  }

  async #advance(): Promise<void> {
    const { eventLog } = this.#host;
    const { oid } = this.table.info;
    const next = await eventLog.next(this.#position, oid);
    if (this.#stop.signal.aborted) return;
    const beginning = this.#beginning;
    this.#beginning = undefined;
    if (next.kind === "gone") {
      const isEarlier = beginning?.epoch === next.position.epoch && isBefore(beginning, next.position);
      this.#gap(isEarlier ? beginning : next.position);
    } else if (next.kind === "batches") {
      let ahead = 0;
      for (const [index, header] of next.headers.entries()) {
        this.#behindSinceMs = header.atMs;
        if (index === ahead) ahead += await this.#ahead.look(next.headers.slice(index));
        await this.#deliverBatch(header);
        if (this.#stop.signal.aborted || this.#position.batch !== header.n || this.#position.last !== header.last)
          return;
      }
    } else {
      this.#position = next.position;
      if (eventLog.head && isBefore(eventLog.head, next.position)) await setTimeout(5); // the log is about to hear of it
      if (eventLog.head?.batch !== next.position.batch || eventLog.head.epoch !== next.position.epoch) return;
      this.#waiting = true;
      this.#behindSinceMs = undefined;
      try {
        if (this.#host.caughtUp(this)) return;
        this.#position = await eventLog.wait(oid, this.#stop.signal);
      } finally {
        if (!this.#stop.signal.aborted) this.#waiting = false;
      }
    }
  }

  async #deliverBatch(header: Header): Promise<void> {
    const { eventLog } = this.#host;
    for (;;) {
      const begin =
        header.n === this.#position.batch
          ? { last: this.#position.last, id: Number.MAX_SAFE_INTEGER }
          : { last: 0, id: 0 };
      const page = await eventLog.page(header, this.table.info.oid, this.#within ?? begin);
      if (this.#stop.signal.aborted) return;
      if (!page) return this.#gap(undefined);
      const entries = page.entriesOf.get(this.table.info.oid);
      if (entries && !(await this.#deliverPage(header, entries))) return;
      this.#within = page.next;
      if (!page.next) break;
    }
    this.#position = { ...this.#position, batch: header.n, last: header.last };
    for (const member of this.#members)
      if (member.since && header.snapshot.xmin >= member.since.xmax) member.since = undefined;
  }

  /** False when the group has come to its end. Nothing is delivered before everything is judged. */
  async #deliverPage(header: Header, entries: readonly Entry[]): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const { info } = this.table;
      if (info.rowSecurity !== this.#rowSecurity) {
        this.#dissolve();
        return false;
      }
      const decoded = await Promise.all(entries.map((entry) => this.table.decode(entry, info)));
      let visibility: Visibility | undefined;
      try {
        visibility = await this.#judge(header, entries, { info, rows: [...rowsOf(decoded)], isReread: attempt > 0 });
      } catch (error) {
        // a policy failed, or the table has changed
        if (isTransient(error)) throw error;
        await this.table.reload();
        if (this.table.info.version === info.version || attempt > 5) throw error;
      }
      if (this.#stop.signal.aborted) return false;
      if (visibility) {
        this.checkRights(this.table.isGone ? null : visibility.columns);
        if (this.#stop.signal.aborted) return false;
        this.#deliver(header, info, entries, decoded, visibility);
        return !this.#stop.signal.aborted;
      }
      await this.table.reload();
    }
  }

  async #judge(
    header: Header,
    entries: readonly Entry[],
    page: Pick<Page, "info" | "rows" | "isReread">,
  ): Promise<Visibility | undefined> {
    const known = page.isReread ? undefined : this.#ahead.of(entries, page.info);
    if (known) return known;
    const { metrics, judge, databaseName: database } = this.#host;
    const fleet = this.#ahead.isLive(header) ? this.#host.fleetOf(this) : undefined;
    const ends = [entries[0], entries.at(-1)].map((entry) => `${entry?.last}.${entry?.id}`);
    const place = [this.#position.epoch, header.n, ...ends].join(" ");
    return judgedOnce(
      fleet,
      { group: this.hash, place, ...page },
      (by) => metrics.verdicts.inc({ database, by }),
      () => judge.judge(this.subscriber, page.info, page.rows),
    );
  }

  #deliver(
    header: Header,
    info: TableInfo,
    entries: readonly Entry[],
    decoded: readonly Decoded[],
    visibility: Visibility,
  ): void {
    const show = toShow(info, visibility.columns);
    for (let start = 0; start < entries.length;) {
      const first = entries[start] as Entry;
      let end = start + 1;
      while (end < entries.length && entries[end]?.last === first.last) end++;
      this.#deliverTransaction(header, entries.slice(start, end), decoded.slice(start, end), visibility, show);
      start = end;
    }
  }

  #deliverTransaction(
    header: Header,
    entries: readonly Entry[],
    decoded: readonly Decoded[],
    visibility: Visibility,
    show: Show,
  ): void {
    const { metrics, tracing, databaseName: database } = this.#host;
    const { last, xid, atMs } = entries.at(-1) as Entry;
    const isFinal = entries.at(-1)?.final ?? true;
    this.#midTransaction = { batch: header.n, last };
    const position: Position = { ...this.#position, batch: header.n, last };
    const readable = decoded.filter((one) => one !== "lost");
    this.#lost ||= readable.length < decoded.length;
    if (!this.#lost) {
      const changes = inOrderOfWriting(readable);
      const visible = changes.flatMap((change) => toVisible(change, visibility) ?? []);
      metrics.read.inc({ database }, changes.length);
      metrics.filtered.inc({ database, reason: "hidden" }, changes.length - visible.length);
      const visibleChanges = new VisibleChanges(visible, show);
      let left = 0;
      for (const projection of this.#projections.values()) {
        try {
          left += projection.take(visibleChanges) * projection.members.size;
        } catch (error) {
          const failure = new GatewayError("BAD_USER_INPUT", "The filter cannot be applied to a row", { cause: error });
          for (const member of projection.members) this.#host.end(member, failure);
        }
      }
      metrics.filtered.inc({ database, reason: "filter" }, left);
    }
    const [before, after] = [formatPosition(this.#position), formatPosition(position)];
    if (isFinal && this.#lost) {
      const gap = { after: before, position: after };
      for (const projection of this.#projections.values()) projection.drop();
      for (const member of this.#members) if (!member.since?.sees(xid)) this.#tellGap(member, gap);
    } else if (!this.#lost) {
      let delivered = 0;
      for (const projection of this.#projections.values()) {
        if (projection.isEmpty) continue;
        for (const batch of projection.batches(show, isFinal, before, after, atMs))
          for (const member of projection.members)
            if (!member.since?.sees(xid) && !this.#hasGot(member, projection.parts)) {
              delivered += batch.changes.length;
              this.#give(member, batch, position);
            }
      }
      metrics.delivered.inc({ database }, delivered);
      const { schema, name } = this.table.info;
      if (delivered > 0)
        tracing?.delivered({
          database,
          relation: `${schema}.${name}`,
          changes: delivered,
          writtenAtMs: atMs,
          noticedAtMs: header.atMs,
        });
    }
    if (!isFinal) return;
    this.#position = position;
    this.#midTransaction = undefined;
    this.#lost = false;
    for (const projection of this.#projections.values()) projection.parts = 0;
  }

  #hasGot({ got }: Member, part: number): boolean {
    const { batch, last } = this.#midTransaction ?? {};
    return got !== undefined && got.batch === batch && got.last === last && part <= got.parts;
  }

  #give(member: Member, batch: Parameters<SubscribeRequest["deliver"]>[0], position: Position): void {
    let busy: void | Promise<void>;
    try {
      busy = member.request.deliver(batch);
    } catch (error) {
      return this.#host.end(member, toEnd(error, this.table.info));
    }
    if (!busy || member.ended) return;
    // it goes on by itself, from the database if the others have gone ahead
    this.remove(member);
    if (!batch.more) {
      member.position = position;
      member.got = undefined;
    }
    busy.then(
      () => this.#host.place(member, member.position),
      (error: unknown) => this.#host.end(member, toEnd(error, this.table.info)),
    );
  }

  #gap(position: Position | undefined): void {
    const to = position ?? this.#host.eventLog.head;
    if (!to) return;
    const gap = { after: formatPosition(this.#position), position: formatPosition(to) };
    this.#within = undefined;
    this.#midTransaction = undefined;
    this.#lost = false;
    for (const projection of this.#projections.values()) projection.drop();
    this.#position = to;
    for (const member of this.#members) {
      member.since = undefined;
      this.#tellGap(member, gap);
    }
  }

  #tellGap(member: Member, gap: EventGap): void {
    this.#host.metrics.gaps.inc({ database: this.#host.databaseName });
    try {
      member.request.gap(gap);
    } catch (error) {
      this.#host.end(member, toEnd(error, this.table.info));
    }
  }

  /** Its members belong to other groups now: what groups are made by has changed. */
  #dissolve(): void {
    for (const member of [...this.#members]) {
      this.remove(member);
      this.#host.place(member, member.position);
    }
  }
}
