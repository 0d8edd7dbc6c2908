/** The order of events as this process knows it: recent batches in memory, all others through the database. */
import { LRUCache } from "lru-cache";
import type { Database } from "../kernel/database/database.ts";
import { isBefore, Snapshot, type Position } from "./position.ts";

/** The number of batches in memory; a subscriber that is further behind reads the database. */
const WINDOW = 1000;
/** Pages kept in memory, in bytes. One read serves every group that soon needs the page. */
const CACHE_BYTES = 32_000_000;
/** Memory of an entry and its decoded rows beside their texts, from heap snapshots. */
const ENTRY_BYTES = 2500;
/** A text is kept in three forms: as it was read, as fields, and as an element of an array. */
const COPIES = 3;
const PAGE_BYTES = 8_000_000;

export interface Header {
  readonly n: number;
  readonly last: number;
  readonly atMs: number;
  readonly snapshot: Snapshot;
  /** Oids of the tables whose events it holds. */
  readonly tables: ReadonlySet<number>;
}

/** A row of `portolan.event_log` or `portolan.cut_batch`. */
export interface HeaderRow {
  readonly n: string;
  readonly last: string;
  readonly at: Date;
  readonly snapshot: string;
  readonly relations: readonly (number | string)[];
}

interface LogRow extends Partial<HeaderRow> {
  readonly epoch: string;
  readonly floor: string | null;
  readonly floor_last: string | null;
  readonly head: string | null;
  readonly head_last: string | null;
  readonly known: boolean;
}

/** One row of the outbox. */
export interface Entry {
  /** Highest id of its transaction: with the batch, the transaction's position. */
  readonly last: number;
  readonly id: number;
  readonly xid: string;
  readonly atMs: number;
  /** The table, or the partition that was written to. */
  readonly relation: number;
  readonly shape: string | null;
  readonly operation: "i" | "u" | "d" | "t";
  /** Nesting of triggers. */
  readonly depth: number;
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** No part of its transaction and table follows. */
  readonly final: boolean;
}

export interface Page {
  readonly entriesOf: ReadonlyMap<number, readonly Entry[]>;
  /** The beginning of the next page of the same batch; undefined at its end. */
  readonly next: { readonly last: number; readonly id: number } | undefined;
}

/** The events after a position for one table. */
export type Next =
  | { readonly kind: "batches"; readonly headers: readonly Header[] }
  /** Nothing yet: `wait` resolves, when there is more, with the position to continue from. */
  | { readonly kind: "nothing"; readonly position: Position }
  /** The events after it are deleted, or it belongs to another epoch of the database. */
  | { readonly kind: "gone"; readonly position: Position };

interface CachedPage {
  readonly tables: ReadonlySet<number>;
  readonly page: Promise<Page>;
  bytes: number;
}

export class EventLog {
  readonly #database: Database;
  /** Oids of the tables that this process has subscriptions to. */
  readonly #interest: () => Iterable<number>;
  #head: Position | undefined;
  #window: Header[] = [];
  #clock: { readonly databaseMs: number; readonly atMs: number } | undefined;
  readonly #waiting = new Map<number, Set<(position: Position) => void>>();
  readonly #ready = Promise.withResolvers<void>();
  /** The most recently used pages, up to this many bytes together. Pages that are being read do not count yet. */
  readonly #pages = new LRUCache<string, CachedPage>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
  });

  constructor(database: Database, interest: () => Iterable<number>) {
    this.#database = database;
    this.#interest = interest;
  }

  /** The last batch that this process knows of; undefined before it has seen the log. */
  get head(): Position | undefined {
    return this.#head;
  }

  /** Resolves when `head` is known. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** The database's clock said `databaseMs` after this process's was at `atMs` (`performance.now`). */
  setClock(databaseMs: number, atMs: number): void {
    this.#clock = { databaseMs, atMs };
  }

  /** The longest possible time since the batch was cut, whatever this machine's clock says; undefined: unknown. */
  ageMs({ atMs }: Header): number | undefined {
    return this.#clock && this.#clock.databaseMs + (performance.now() - this.#clock.atMs) - atMs;
  }

  /** The batch after the head. */
  append(header: Header): void {
    const before = this.#head;
    if (!before) throw new Error("the log has no beginning");
    this.#head = { epoch: before.epoch, batch: header.n, last: header.last };
    this.#window.push(header);
    if (this.#window.length > 2 * WINDOW) this.#window = this.#window.slice(-WINDOW);
    for (const table of header.tables) {
      const waiting = this.#waiting.get(table);
      this.#waiting.delete(table);
      waiting?.forEach((resolve) => resolve(before));
    }
  }

  /** Starts again at `head`: at the beginning, in another epoch, or where batches in between are unknown. */
  restart(head: Position): void {
    const before = this.#head;
    this.#head = head;
    this.#window = [];
    this.#ready.resolve();
    if (!before) return;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    waiting.forEach((resolves) => resolves.forEach((resolve) => resolve(before)));
  }

  /** Resolves when there may be something for the table, with the position that was the head before. */
  wait(table: number, signal: AbortSignal): Promise<Position> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(table) ?? new Set();
      this.#waiting.set(table, waiting);
      const stop = (): void => {
        waiting.delete(settle);
        reject(signal.reason as Error);
      };
      const settle = (position: Position): void => {
        signal.removeEventListener("abort", stop);
        resolve(position);
      };
      waiting.add(settle);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** The events after `position` for a table, some batches at a time. Rejects when the database does not answer. */
  async next(position: Position, table: number): Promise<Next> {
    const head = this.#head;
    if (!head) throw new Error("the log is not known yet");
    if (position.epoch === head.epoch) {
      if (!isBefore(position, head) && position.batch <= head.batch) return { kind: "nothing", position: head };
      const [first] = this.#window;
      if (first && first.n <= position.batch + 1 && position.batch <= head.batch) {
        const headers = this.#window.filter((header) => isAfter(header, position) && header.tables.has(table));
        return headers.length > 0 ? { kind: "batches", headers } : { kind: "nothing", position: head };
      }
    }
    return this.#nextKept(position, table);
  }

  async #nextKept(position: Position, table: number): Promise<Next> {
    const rows = await this.#database.db.any<LogRow>("select * from portolan.event_log($1, $2, array[$3]::oid[])", [
      position.batch - 1,
      WINDOW,
      table,
    ]);
    const { epoch, head, floor, isNextKnown } = toLogState(rows);
    const isGone = position.epoch !== epoch || isBefore(position, floor) || position.batch > head.batch || !isNextKnown;
    if (isGone) return { kind: "gone", position: head };
    const headers = rows.flatMap((row) => toHeader(row) ?? []).filter((header) => isAfter(header, position));
    return headers.length > 0 ? { kind: "batches", headers } : { kind: "nothing", position: head };
  }

  /**
   * Events of a batch after (last, id), for at least the given table. Resolves with undefined when they are no longer
   * kept. They are read once for all tables with subscriptions in this process.
   */
  async page(header: Header, table: number, after: { last: number; id: number }): Promise<Page | undefined> {
    const key = `${this.#head?.epoch} ${header.n} ${after.last} ${after.id}`;
    const cached = this.#pages.get(key);
    if (cached?.tables.has(table)) return cached.page;
    const tables = new Set([...this.#interest()].filter((oid) => header.tables.has(oid))).add(table);
    const entry: CachedPage = {
      tables,
      page: this.#read(header.n, tables, after, (bytes) => (entry.bytes = bytes)),
      bytes: 0,
    };
    this.#pages.set(key, entry);
    try {
      const page = await entry.page;
      if (this.#pages.peek(key) === entry) this.#pages.set(key, { ...entry }); // its size is known now
      return page;
    } catch (error) {
      if (this.#pages.peek(key) === entry) this.#pages.delete(key);
      if (error instanceof NotKept) return undefined;
      throw error;
    }
  }

  async #read(
    n: number,
    tables: ReadonlySet<number>,
    after: { last: number; id: number },
    onBytes: (bytes: number) => void,
  ): Promise<Page> {
    const rows = await this.#database.db.any<EntryRow>({
      name: "portolan read_batch",
      text: "select * from portolan.read_batch($1, $2::oid[], $3, $4, $5)",
      values: [n, [...tables], after.last, after.id, PAGE_BYTES],
    });
    if (rows[0]?.kept === false) throw new NotKept();
    const entriesOf = new Map<number, Entry[]>();
    let bytes = 1000;
    for (const row of rows) {
      bytes += ENTRY_BYTES + COPIES * Number(row.size);
      const entries = entriesOf.get(Number(row.root));
      if (entries) entries.push(toEntry(row));
      else entriesOf.set(Number(row.root), [toEntry(row)]);
    }
    const lastRow = rows.at(-1);
    onBytes(bytes);
    return { entriesOf, next: lastRow?.more ? { last: Number(lastRow.last), id: Number(lastRow.id) } : undefined };
  }
}

class NotKept extends Error {}

interface EntryRow {
  readonly kept: boolean;
  readonly last: string;
  readonly id: string;
  readonly xid: string;
  readonly at: number;
  readonly root: number;
  readonly relation: number;
  readonly shape: string | null;
  readonly operation: string;
  readonly depth: number;
  readonly old: string | null;
  readonly new: string | null;
  readonly size: string;
  readonly final: boolean;
  readonly more: boolean;
}

function toEntry(row: EntryRow): Entry {
  return {
    last: Number(row.last),
    id: Number(row.id),
    xid: row.xid,
    atMs: row.at,
    relation: Number(row.relation),
    shape: row.shape,
    operation: row.operation as Entry["operation"],
    depth: row.depth,
    old: row.old === null ? [] : (JSON.parse(row.old) as string[]),
    new: row.new === null ? [] : (JSON.parse(row.new) as string[]),
    final: row.final,
  };
}

/** Whether the batch holds anything after the position. */
function isAfter(header: Header, position: Position): boolean {
  return header.n > position.batch || (header.n === position.batch && header.last > position.last);
}

/** Undefined for the row that tells only of the log itself. */
export function toHeader(row: Partial<HeaderRow>): Header | undefined {
  if (row.n === undefined || row.n === null || !row.at || row.snapshot === undefined) return undefined;
  return {
    n: Number(row.n),
    last: Number(row.last),
    atMs: row.at.getTime(),
    snapshot: new Snapshot(row.snapshot),
    tables: new Set(row.relations?.map(Number)),
  };
}

export interface LogState {
  readonly epoch: string;
  readonly head: Position;
  readonly floor: Position;
  /** Whether there is a batch after the one that was asked for. */
  readonly isNextKnown: boolean;
}

/** The part of each row of `portolan.event_log` that is about the log itself. */
export function toLogState([row]: readonly LogRow[]): LogState {
  const epoch = row?.epoch ?? "";
  return {
    epoch,
    head: { epoch, batch: Number(row?.head ?? 0), last: Number(row?.head_last ?? 0) },
    floor: { epoch, batch: Number(row?.floor ?? 0), last: Number(row?.floor_last ?? 0) },
    isNextKnown: row?.known ?? false,
  };
}

export type { LogRow };
