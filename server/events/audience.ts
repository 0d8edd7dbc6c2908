/** The members of a group, and the part of a transaction that each of them receives. */
import { GatewayError } from "../ground/errors.ts";
import type { Tracing } from "../kernel/tracing/trace.ts";
import { toEnd, type Visibility } from "./judge.ts";
import type { Entry, Header } from "./log.ts";
import type { Member } from "./member.ts";
import type { EventMetrics } from "./metrics.ts";
import { formatPosition, type Position } from "./position.ts";
import { Projection, VisibleChanges, toVisible, type Show } from "./projection.ts";
import { inOrderOfWriting, type Decoded, type Table, type TableInfo } from "./table.ts";
import type { EventBatch, EventGap } from "./types.ts";

/** One transaction's part of a page, judged. */
export interface Transaction {
  readonly header: Header;
  /** At least one. */
  readonly entries: readonly Entry[];
  /** The decoded rows of each entry. */
  readonly decoded: readonly Decoded[];
  readonly visibility: Visibility;
  readonly show: Show;
  /** The positions before and after it. */
  readonly before: Position;
  readonly after: Position;
  /** No part of the transaction follows. */
  readonly isFinal: boolean;
}

/** The part of the hub that members need. */
export interface AudienceHost {
  readonly databaseName: string;
  readonly metrics: EventMetrics;
  readonly tracing: Tracing | undefined;
  /** Puts a member into the group that fits it, to go on from `position`. */
  place(member: Member, position: Position): void;
  end(member: Member, error: GatewayError): void;
}

export class Audience {
  readonly #table: Table;
  readonly #host: AudienceHost;
  readonly #members = new Set<Member>();
  readonly #projections = new Map<string, Projection>();
  /** The transaction that was delivered in part. */
  #midTransaction: { readonly batch: number; readonly last: number } | undefined;
  /** The transaction that is being delivered has changes that cannot be shown. */
  #lost = false;

  constructor(table: Table, host: AudienceHost) {
    this.#table = table;
    this.#host = host;
  }

  get members(): ReadonlySet<Member> {
    return this.#members;
  }

  add(member: Member): void {
    const key = Projection.keyOf(member.request);
    let projection = this.#projections.get(key);
    if (!projection) this.#projections.set(key, (projection = new Projection(member.request)));
    projection.members.add(member);
    this.#members.add(member);
  }

  /** Records which part of a transaction the member has received. False: the transaction was not there. */
  remove(member: Member): boolean {
    if (!this.#members.delete(member)) return false;
    const key = Projection.keyOf(member.request);
    const projection = this.#projections.get(key);
    projection?.members.delete(member);
    if (projection?.members.size === 0) this.#projections.delete(key);
    const parts = projection?.parts ?? 0;
    member.got = this.#midTransaction && parts > 0 ? { ...this.#midTransaction, parts } : undefined;
    return true;
  }

  end(error: GatewayError): void {
    for (const member of this.#members) this.#host.end(member, error);
  }

  /** Ends the members that use a column which they may not select any more. */
  endRefused(info: TableInfo, columns: ReadonlySet<number>): void {
    for (const projection of this.#projections.values()) {
      const refused = projection.refusedColumn(info, columns);
      if (refused) this.#endAll(projection, refused);
    }
  }

  #endAll({ members }: Projection, error: GatewayError): void {
    for (const member of members) this.#host.end(member, error);
  }

  /** A batch is delivered: a reader that starts after it need not look for it. */
  passed({ snapshot }: Header): void {
    for (const member of this.#members)
      if (member.since && snapshot.xmin >= member.since.xmax) member.since = undefined;
  }

  deliver(transaction: Transaction): void {
    const { header, decoded, after, isFinal } = transaction;
    this.#midTransaction = { batch: header.n, last: after.last };
    const readable = decoded.filter((one) => one !== "lost");
    this.#lost ||= readable.length < decoded.length;
    if (!this.#lost) {
      this.#take(readable, transaction);
      this.#give(transaction);
    } else if (isFinal) this.#tellLoss(transaction);
    if (isFinal) this.#forget();
  }

  #forget(): void {
    this.#midTransaction = undefined;
    this.#lost = false;
    for (const projection of this.#projections.values()) projection.parts = 0;
  }

  #take(readable: readonly Exclude<Decoded, "lost">[], { visibility, show }: Transaction): void {
    const { metrics, databaseName: database } = this.#host;
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
        this.#endAll(projection, failure);
      }
    }
    metrics.filtered.inc({ database, reason: "filter" }, left);
  }

  #give({ header, entries, show, before, after, isFinal }: Transaction): void {
    const { metrics, tracing, databaseName: database } = this.#host;
    const { xid, atMs: writtenAtMs } = entries.at(-1) as Entry;
    const positions = { before: formatPosition(before), after: formatPosition(after) };
    let delivered = 0;
    for (const projection of this.#projections.values()) {
      if (projection.isEmpty) continue;
      for (const batch of projection.batches({ show, isFinal, ...positions, writtenAtMs }))
        for (const member of projection.members)
          if (!member.since?.sees(xid) && !this.#hasGot(member, projection.parts)) {
            delivered += batch.changes.length;
            this.#giveTo(member, batch, after);
          }
    }
    metrics.delivered.inc({ database }, delivered);
    const { schema, name } = this.#table.info;
    if (delivered > 0)
      tracing?.delivered({
        database,
        relation: `${schema}.${name}`,
        changes: delivered,
        writtenAtMs,
        noticedAtMs: header.atMs,
      });
  }

  #tellLoss({ entries, before, after }: Transaction): void {
    const { xid } = entries.at(-1) as Entry;
    const gap = { after: formatPosition(before), position: formatPosition(after) };
    for (const projection of this.#projections.values()) projection.drop();
    for (const member of this.#members) if (!member.since?.sees(xid)) this.#tellGap(member, gap);
  }

  #hasGot({ got }: Member, part: number): boolean {
    const { batch, last } = this.#midTransaction ?? {};
    return got !== undefined && got.batch === batch && got.last === last && part <= got.parts;
  }

  #giveTo(member: Member, batch: EventBatch, position: Position): void {
    let busy: void | Promise<void>;
    try {
      busy = member.request.deliver(batch);
    } catch (error) {
      return this.#host.end(member, toEnd(error, this.#table.info));
    }
    if (!busy || member.ended) return;
    // it continues by itself, from the database if the others are ahead
    member.group?.remove(member);
    if (!batch.more) {
      member.position = position;
      member.got = undefined;
    }
    busy.then(
      () => this.#host.place(member, member.position),
      (error: unknown) => this.#host.end(member, toEnd(error, this.#table.info)),
    );
  }

  /** Drops the read part of the transaction with the rest, because its events are gone. */
  drop(): void {
    this.#midTransaction = undefined;
    this.#lost = false;
    for (const projection of this.#projections.values()) projection.drop();
  }

  /** Tells every member that events were missed, whatever it has received. */
  tellGap(gap: EventGap): void {
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
      this.#host.end(member, toEnd(error, this.#table.info));
    }
  }
}
