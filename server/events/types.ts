/** The interface of change events for the doors. `createEventHub` makes the hub. */
import type { Identity } from "../kernel/database/database.ts";
import type { GatewayError } from "../ground/errors.ts";
import type { Column } from "../filter/tree.ts";

export const OPERATIONS = ["INSERT", "UPDATE", "DELETE"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Column → text as PostgreSQL prints it (dates in ISO, times with zone in UTC, geometry as hex EWKB), or null. */
export type ColumnTexts = Readonly<Record<string, string | null>>;

/** One row as it was written. */
export interface EventRecord {
  /** The columns that the subscriber may select and has asked for. */
  readonly values: ColumnTexts;
  /**
   * The whole row as a composite literal of the table's row type as it is now, for `unnest($1::text[]::schema.table[])`.
   * It holds every column, also those that the subscriber may not select: it is for statements, never for a client.
   */
  readonly row: string;
}

/** One row that was written, as the subscriber may know of it. */
export interface Change {
  /** INSERT too for a row that an update made visible to the subscriber, DELETE for one that it hid. */
  readonly operation: Operation;
  /**
   * The text of its key (contract: one column as it is; several percent-encoded and joined by commas), of the row as it
   * is after the change, for DELETE as it was. Without a primary key all columns that the subscriber may select are
   * the key; a null among them is `%00`.
   */
  readonly key: string;
  /** UPDATE and DELETE: the row before. */
  readonly old: EventRecord | undefined;
  /** INSERT and UPDATE: the row after. */
  readonly new: EventRecord | undefined;
}

/**
 * The changes of one transaction, or a part of them (at most 1,000 rows or about 1 MB). Frozen, and the same object for
 * every subscription of the same rights, filter, operations and columns.
 */
export interface EventBatch {
  readonly schema: string;
  readonly relation: string;
  /** Names of the columns that `key` is made of, in its order. */
  readonly keyColumns: readonly string[];
  /** In the order in which they were written. */
  readonly changes: readonly Change[];
  /** The position for `after`. With `more`, resuming from here gives the whole transaction again. */
  readonly position: string;
  /** Whether further parts of the same transaction follow. */
  readonly more: boolean;
  /** When the last of its statements was executed: milliseconds since the epoch, by PostgreSQL's clock. */
  readonly writtenAtMs: number;
  /** Gives what `make` made the first time for this batch and name: text that many subscriptions share. */
  memo<T>(name: string, make: () => T): T;
}

/** Events between the two positions are gone, or the table was truncated: the subscriber must read it again. */
export interface EventGap {
  readonly after: string;
  /** Events after this one are delivered. */
  readonly position: string;
}

/** A condition on rows. Equal keys mean equal conditions: they are tested once for all subscriptions of a group. */
export interface EventFilter {
  readonly key: string;
  /** Names of the columns that it reads: a subscriber who may not select one of them is refused. */
  readonly columns: readonly string[];
  /** `record` has at least `columns`. An error that it throws ends the subscriptions with this filter. */
  test(record: ColumnTexts): boolean;
}

export interface SubscribeRequest {
  readonly identity: Identity;
  /** The caller's address; policies may ask for it. */
  readonly address?: string | undefined;
  readonly schema: string;
  readonly relation: string;
  /** Default all. */
  readonly operations?: readonly Operation[] | undefined;
  /** INSERT: the new row must satisfy it, DELETE: the old one, UPDATE: one of the two. Only visible rows are tested. */
  readonly filter?: EventFilter | undefined;
  /** Columns of `values`; naming one that may not be selected is an error. Default: all that may be selected. */
  readonly columns?: readonly string[] | undefined;
  /** A position of an earlier subscription to the same table: everything after it comes first. */
  readonly after?: string | undefined;
  /**
   * Takes the next changes; never called before `subscribe` has resolved, nor after `close`, `end` or a rejection. While a
   * returned promise is pending, this subscription gets nothing more and nothing is kept in memory for it: missed changes
   * are read from the database again. When it rejects or throws, the subscription ends with that error.
   */
  deliver(batch: EventBatch): void | Promise<void>;
  /** Called in order with `deliver`. The subscription continues. */
  gap(gap: EventGap): void;
  /**
   * The subscription is over, and not by its own `close`: `FORBIDDEN` (the right is gone), `NOT_FOUND` (the table is
   * gone), `BAD_USER_INPUT` (events were switched off, a policy or the filter failed), `TIMEOUT`, `UNAVAILABLE` (the hub
   * closes).
   */
  end(error: GatewayError): void;
}

export interface Subscription {
  /** The position up to which everything was delivered; at first, where the subscription starts. */
  readonly position: string;
  readonly schema: string;
  readonly relation: string;
  /** Names of the table's key columns; empty without a primary key. */
  readonly keyColumns: readonly string[];
  /** Ends it without a message. No effect when it has ended. */
  close(): void;
}

export interface EventHub {
  /**
   * Resolves when the subscription is live: every transaction that commits from then on is delivered, and none that
   * had committed before it was asked for (but with `after`, all since then). Rejects with `NOT_FOUND` (no such table),
   * `FORBIDDEN` (may not select it, or a column that is named), `BAD_USER_INPUT` (a view, events are off, an unknown
   * column, a malformed position, policies that cannot judge a record), `UNAVAILABLE`.
   */
  subscribe(request: SubscribeRequest): Promise<Subscription>;
  /** The columns of a table whose events can be subscribed to. Rejects as `subscribe` does. */
  describe(
    request: Pick<SubscribeRequest, "identity" | "schema" | "relation">,
  ): Promise<{ readonly columns: readonly EventColumn[]; readonly keyColumns: readonly string[] }>;
  /** Call it after DDL, so that new columns and policies are known at once; without it they are when they matter. */
  refresh(): void;
  /**
   * Makes the triggers of events on the tables of these schemas match comments, settings and `portolan.events`. Call it each
   * time the catalogue is read, before that counts as seen. Returns false where a table is locked now, which is tried again.
   */
  sync(schemas: readonly string[]): Promise<boolean>;
  /** Readiness: rejects while no process reads the outbox or this one cannot follow it. */
  check(): Promise<void>;
  /**
   * Ends every subscription with `UNAVAILABLE` and gives up the lease of the reader. `rests`: the database falls asleep, so that
   * logs which are kept for the reader alone are let go.
   */
  close(how?: { readonly rests: boolean }): Promise<void>;
}

/**
 * A column that the subscriber may select. Its type is the base type of a domain (`pg_catalog`, `int4`; arrays `_int4`),
 * which is enough for a filter in this process. The parts of containers are not described.
 */
export type EventColumn = Column;
