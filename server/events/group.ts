/** Subscriptions with the same table and rights: their common work is done once. */
import { setTimeout } from "node:timers/promises";
import { GatewayError } from "../ground/errors.ts";
import { isTransient } from "../ground/retry.ts";
import { Audience, type AudienceHost } from "./audience.ts";
import { Cursor } from "./cursor.ts";
import { hashOf, type Fleet } from "./fleet.ts";
import { toEnd, type Judge, type Subscriber, type Visibility } from "./judge.ts";
import { JudgedAhead } from "./judgedAhead.ts";
import { judgedOnce, type Page } from "./judgedOnce.ts";
import type { Entry, EventLog, Header } from "./log.ts";
import type { Member, MemberGroup } from "./member.ts";
import { formatPosition, type Position } from "./position.ts";
import { toShow } from "./projection.ts";
import { rowsOf, type Decoded, type Table, type TableInfo } from "./table.ts";

const RETRY_MS = { first: 50, most: 2000 };

/** The part of the hub that a group needs. */
export interface GroupHost extends AudienceHost {
  readonly eventLog: EventLog;
  readonly judge: Judge;
  /** The gateways that share the judging of a live group. */
  fleetOf(group: Group): Fleet | undefined;
  /** The group has nothing more to deliver now. True when its members moved to another group. */
  caughtUp(group: Group): boolean;
  /** Called when the group has no members left. */
  empty(group: Group): void;
}

/** The records of a page, with the columns that may be seen. */
interface JudgedPage {
  readonly info: TableInfo;
  readonly entries: readonly Entry[];
  readonly decoded: readonly Decoded[];
  readonly visibility: Visibility;
}

export interface GroupOptions {
  readonly key: string;
  readonly table: Table;
  readonly subscriber: Subscriber;
  /** Where it begins. */
  readonly position: Position;
  readonly host: GroupHost;
}

export class Group implements MemberGroup {
  readonly key: string;
  /** Its name among gateways. */
  readonly hash: string;
  readonly table: Table;
  readonly subscriber: Subscriber;
  readonly #host: GroupHost;
  /** As subscribers know the table. */
  readonly #name: string;
  readonly #rowSecurity: boolean;
  readonly #ahead: JudgedAhead;
  readonly #audience: Audience;
  readonly #cursor: Cursor;
  readonly #stop = new AbortController();

  constructor({ key, table, subscriber, position, host }: GroupOptions) {
    this.key = key;
    this.hash = hashOf(key);
    this.table = table;
    this.subscriber = subscriber;
    this.#host = host;
    this.#name = `${table.info.schema}.${table.info.name}`;
    this.#rowSecurity = table.info.rowSecurity;
    this.#ahead = new JudgedAhead(table, subscriber, host);
    this.#audience = new Audience(table, host);
    this.#cursor = new Cursor(position, table, host.eventLog);
  }

  /** When the oldest undelivered batch was cut, in milliseconds since the epoch; undefined: there is none. */
  get behindSinceMs(): number | undefined {
    return this.#cursor.behindSinceMs;
  }

  get members(): ReadonlySet<Member> {
    return this.#audience.members;
  }

  /** Everything up to there is delivered. */
  get position(): Position {
    return this.#cursor.position;
  }

  /** The position where a new member would begin; undefined in the middle of a batch. */
  get joinable(): Position | undefined {
    return this.#cursor.isWithinBatch || this.#stop.signal.aborted ? undefined : this.position;
  }

  add(member: Member): void {
    this.#audience.add(member);
    member.group = this;
  }

  remove(member: Member): void {
    if (!this.#audience.remove(member)) return;
    member.position = this.position;
    member.group = undefined;
    if (this.members.size > 0) return;
    this.#stop.abort();
    this.#host.empty(this);
  }

  end(error: GatewayError): void {
    this.#audience.end(error);
  }

  /** Ends or keeps each member, now that these columns may be selected. */
  checkRights(columns: ReadonlySet<number> | null): void {
    const { info, isGone, isReplaced } = this.table;
    const name = `${info.schema}.${info.name}`;
    // Citus has made a shard of the table, and another one has its name; or somebody did the like
    if (isReplaced || (!info.active && !isGone && name !== this.#name))
      return this.end(new GatewayError("UNAVAILABLE", `${this.#name} is another table now: subscribe again`));
    if (isGone) return this.end(new GatewayError("NOT_FOUND", `${name} is gone`));
    if (columns === null) return this.end(new GatewayError("FORBIDDEN"));
    if (columns.size === 0) return this.end(new GatewayError("FORBIDDEN", `The account may not select from ${name}`));
    if (!info.active) return this.end(new GatewayError("BAD_USER_INPUT", `Events of ${name} were switched off`));
    this.#audience.endRefused(info, columns);
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
    const { signal } = this.#stop;
    const next = await this.#cursor.next();
    if (signal.aborted) return;
    if (next.kind === "gone") this.#gap(next.position);
    else if (next.kind === "batches") await this.#deliverBatches(next.headers);
    else await this.#cursor.wait(next.position, signal, () => this.#host.caughtUp(this));
  }

  async #deliverBatches(headers: readonly Header[]): Promise<void> {
    let ahead = 0;
    for (const [index, header] of headers.entries()) {
      this.#cursor.comeTo(header);
      if (index === ahead) ahead += await this.#ahead.look(headers.slice(index));
      await this.#deliverBatch(header);
      if (this.#stop.signal.aborted || !this.#cursor.hasDelivered(header)) return;
    }
  }

  async #deliverBatch(header: Header): Promise<void> {
    for (;;) {
      const page = await this.#cursor.page(header);
      if (this.#stop.signal.aborted) return;
      if (!page) return this.#gap(undefined);
      const entries = page.entriesOf.get(this.table.info.oid);
      if (entries && !(await this.#deliverPage(header, entries))) return;
      this.#cursor.turn(page);
      if (!page.next) break;
    }
    this.#cursor.moveTo(this.#cursor.behind(header, header.last));
    this.#audience.passed(header);
  }

  /** False when the group has ended. Nothing is delivered before everything is judged. */
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
        this.#deliver(header, { info, entries, decoded, visibility });
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
    const place = [this.#cursor.delivered.epoch, header.n, ...ends].join(" ");
    return judgedOnce(
      fleet,
      { group: this.hash, place, ...page },
      (by) => metrics.verdicts.inc({ database, by }),
      () => judge.judge(this.subscriber, page.info, page.rows),
    );
  }

  #deliver(header: Header, { info, entries, decoded, visibility }: JudgedPage): void {
    const show = toShow(info, visibility.columns);
    for (let start = 0; start < entries.length;) {
      const { last } = entries[start] as Entry;
      let end = start + 1;
      while (end < entries.length && entries[end]?.last === last) end++;
      const isFinal = entries[end - 1]?.final ?? true;
      const after = this.#cursor.behind(header, last);
      this.#audience.deliver({
        header,
        entries: entries.slice(start, end),
        decoded: decoded.slice(start, end),
        visibility,
        show,
        before: this.#cursor.delivered,
        after,
        isFinal,
      });
      if (isFinal) this.#cursor.moveTo(after);
      start = end;
    }
  }

  /** Tells the members of a gap up to `position`, by default up to the end of the log. */
  #gap(position = this.#host.eventLog.head): void {
    if (!position) return;
    const gap = { after: formatPosition(this.#cursor.delivered), position: formatPosition(position) };
    this.#audience.drop();
    this.#cursor.jumpTo(position);
    this.#audience.tellGap(gap);
  }

  /** Its members belong to other groups now, because the criteria of groups have changed. */
  #dissolve(): void {
    for (const member of [...this.members]) {
      this.remove(member);
      this.#host.place(member, member.position);
    }
  }
}
