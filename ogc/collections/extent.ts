/** The extent of a collection as the caller sees it. It is exact, and remembered while nothing changes. */
import type { Identity, RequestContext, Transaction } from "../../server/kernel/database/database.ts";
import { SQLSTATE, sqlstateOf } from "../../server/ground/errors.ts";
import type { Asker } from "./access.ts";
import { isSpatial, type Collection, type CollectionColumn } from "./collections.ts";
import type { Extent } from "./bounds.ts";
import { canBeRead, outward, readExtent, readExtents } from "./extentSql.ts";
import { instantColumn, readInterval, type Interval } from "./timeColumn.ts";
import { ofCatalogue, reading } from "./reach.ts";
import { mostRecent } from "../../server/ground/mostRecent.ts";

/** The area and the time that a collection covers. */
export interface WholeExtent {
  readonly spatial: Extent | undefined;
  /** The interval of the time column; undefined where there is no such column, or it is empty. */
  readonly temporal: Interval | undefined;
}

interface Known {
  /** An `Extent` or an `Interval`; undefined where there is none, or it cannot be determined. */
  readonly value: unknown;
  readonly snapshot: string;
  readonly atMs: number;
  /** When it was known to be exact, as the snapshot was still the same. */
  readonly exactAtMs: number;
  readonly costMs: number;
}

/** The state of the database that an answer refers to, and the time available for determining it. */
interface Moment {
  readonly snapshot: string;
  readonly timeoutMs: number | undefined;
}

interface Wanted<Of, Value> {
  readonly column: CollectionColumn;
  readonly moment: Moment;
  read(transaction: Transaction, collection: Of): Promise<Value | undefined>;
}

/** While others commit, an extent that was exact is reused for this many times as long as reading it took. */
const REST = 20;
/** The longest time that an extent is reused: a view may show other rows though nothing was committed. */
const LONGEST_MS = 60_000;
/** The longest time that a list of collections waits for extents. It leaves out the others. */
const LIST_BUDGET_MS = 3000;
/** The number of tables whose extents one statement reads, and the number from which on a batch is worth it. */
const BATCH = 100;
const BATCH_FROM = 5;
const BATCH_MS = 1000;

/**
 * Extents in longitude and latitude, in the memory of the process: the 10,000 most recently used. Callers who may see
 * different rows have separate ones.
 */
export class Extents {
  readonly #known = mostRecent<string, Known>(10_000);
  readonly #viewers = new WeakMap<Identity, number>();
  #viewerCount = 0;

  /**
   * The extents of several collections, as far as they are available within the time of a list. Undefined for an empty
   * or an unknown extent.
   * `seen`: the snapshot of a transaction of this request; without it, PostgreSQL is asked for one.
   */
  async ofAll(asker: Asker, collections: readonly Collection[], seen?: string): Promise<(Extent | undefined)[]> {
    const kept = seen === undefined ? collections.map((each) => this.#keptOf(asker, each)) : [];
    if (kept.length > 0 && !kept.includes(undefined)) return kept.map((known) => known!.value as Extent | undefined);
    await this.#readUnknown(asker, collections, seen);
    return this.#soon(asker, collections, seen, (collection, moment) => this.#spatial(asker, collection, moment));
  }

  /** The extents with the intervals of time. */
  async wholeOfAll(asker: Asker, collections: readonly Collection[], seen?: string): Promise<WholeExtent[]> {
    const spatial = await this.ofAll(asker, collections, seen);
    const temporal = await this.#soon(asker, collections, seen, (collection, moment) =>
      this.#temporal(asker, collection, moment),
    );
    return spatial.map((extent, index) => ({ spatial: extent, temporal: temporal[index] }));
  }

  /**
   * The extent and the interval of one collection. A part is undefined where it cannot be determined within the time of
   * a statement.
   */
  async of(asker: Asker, collection: Collection): Promise<WholeExtent> {
    const { database, identity, context } = asker;
    const snapshot = await database.withIdentity(identity, ofCatalogue(context), readSnapshot);
    const moment = { snapshot, timeoutMs: undefined };
    return {
      spatial: await this.#spatial(asker, collection, moment),
      temporal: await this.#temporal(asker, collection, moment),
    };
  }

  /**
   * Reads many unknown extents together, since a transaction for each takes longer than reading a small table, and most
   * tables are small. Extents that fail or take too long are read one by one afterwards.
   */
  async #readUnknown(asker: Asker, collections: readonly Collection[], seen: string | undefined): Promise<void> {
    const { database, identity, context } = asker;
    const unknown = collections
      .filter(isSpatial)
      .filter(
        (collection) => canBeRead(collection) && !this.#known.has(this.#keyOf(asker, collection, collection.geometry)),
      );
    if (unknown.length < BATCH_FROM || seen === undefined) return;
    for (let at = 0; at < unknown.length; at += BATCH) {
      const batch = unknown.slice(at, at + BATCH);
      const started = performance.now();
      const reach = batch.flatMap((collection) => reading(context, collection, false).reach ?? []);
      const asked = { ...context, reach: reach as typeof context.reach, timeoutMs: BATCH_MS };
      const present = batch.map((collection) => ({ ...collection, instant: undefined }));
      const values = await database
        .withIdentity(identity, asked, (transaction) => readExtents(transaction, present))
        .catch((error: unknown) => {
          if (!isOfRelation(error) && sqlstateOf(error) !== SQLSTATE.insufficientPrivilege) throw error;
          return undefined;
        });
      if (!values) return;
      const costMs = (performance.now() - started) / batch.length;
      batch.forEach((collection, index) =>
        this.#known.set(this.#keyOf(asker, collection, collection.geometry), {
          value: values[index],
          snapshot: seen,
          atMs: started,
          exactAtMs: started,
          costMs,
        }),
      );
    }
  }

  #keyOf({ database, identity, context }: Asker, collection: Collection, column: CollectionColumn): string {
    const viewer = this.#viewer(identity, context, collection);
    return viewer === null
      ? `${database.name} ${collection.oid} ${column.number}`
      : JSON.stringify([database.name, collection.oid, column.number, viewer]);
  }

  /** What is known of a collection, while it is reused whatever the present snapshot is. */
  #keptOf(asker: Asker, collection: Collection): Known | undefined {
    if (!isSpatial(collection) || collection.raster || collection.routine) return undefined;
    const known = this.#known.get(this.#keyOf(asker, collection, collection.geometry));
    return known && isYoung(known) && rests(known) ? known : undefined;
  }

  /** The value, if it is available within the time of a list. */
  async #soon<Value>(
    { database, identity, context }: Asker,
    collections: readonly Collection[],
    seen: string | undefined,
    find: (collection: Collection, moment: Moment) => Value | undefined | Promise<Value | undefined>,
  ): Promise<(Value | undefined)[]> {
    if (collections.length === 0) return [];
    const end = performance.now() + LIST_BUDGET_MS;
    const snapshot = seen ?? (await database.withIdentity(identity, ofCatalogue(context), readSnapshot));
    const found: (Value | undefined)[] = [];
    for (const collection of collections)
      try {
        const value = find(collection, { snapshot, timeoutMs: Math.round(end - performance.now()) });
        found.push(value instanceof Promise ? await value : value);
      } catch (error) {
        if (sqlstateOf(error) !== SQLSTATE.insufficientPrivilege) throw error; // a right on something beneath a view is missing
        found.push(undefined);
      }
    return found;
  }

  #spatial(asker: Asker, collection: Collection, moment: Moment): Extent | undefined | Promise<Extent | undefined> {
    const { raster } = collection;
    if (raster) return raster.extent && { ...raster.extent, degrees: outward(raster.extent.degrees) };
    if (!isSpatial(collection)) return undefined;
    return this.#kept(asker, collection, { column: collection.geometry, moment, read: readExtent });
  }

  #temporal(
    asker: Asker,
    collection: Collection,
    moment: Moment,
  ): Interval | undefined | Promise<Interval | undefined> {
    const column = collection.raster || collection.since ? undefined : instantColumn(collection);
    if (!column) return undefined;
    const read = (transaction: Transaction, of: Collection): Promise<Interval | undefined> =>
      readInterval(transaction, of, column);
    return this.#kept(asker, collection, { column, moment, read });
  }

  /** A value of a column, read or remembered. Gives the same object as long as nothing has changed. */
  #kept<Of extends Collection, Value>(
    asker: Asker,
    collection: Of,
    { column, moment, read }: Wanted<Of, Value>,
  ): Value | undefined | Promise<Value | undefined> {
    if (collection.routine) return undefined; // the rows depend on the call
    const { database, identity, context } = asker;
    const key = this.#keyOf(asker, collection, column);
    const known = this.#known.get(key);
    const { snapshot, timeoutMs } = moment;
    if (known && isYoung(known)) {
      // commits on shards leave the coordinator's snapshot as it is
      const isSame = known.snapshot === snapshot && !collection.isSharded;
      if (isSame) this.#known.set(key, { ...known, exactAtMs: performance.now() });
      if (isSame || rests(known)) return known.value as Value | undefined;
    }
    if (timeoutMs !== undefined && timeoutMs < 1) return undefined;
    const present = collection.instant === undefined ? collection : { ...collection, instant: undefined };
    const started = performance.now();
    const remember = (value: Value | undefined): Value | undefined => {
      const costMs = performance.now() - started;
      this.#known.set(key, { value, snapshot, atMs: started, exactAtMs: started, costMs });
      return value;
    };
    const asked = { ...reading(context, collection, false), ...(timeoutMs && { timeoutMs }) };
    return database
      .withIdentity(identity, asked, (transaction) => read(transaction, present))
      .then(remember, (error: unknown) => {
        if (!isOfRelation(error)) throw error;
        return remember(undefined); // so that it is not tried again at once
      });
  }

  /**
   * A number for the rows that a caller sees: callers who see the same rows have the same number. All callers share one
   * where no policy chooses rows and no view hides any.
   */
  #viewer(identity: Identity, { service, address }: RequestContext, { rowSecurity, kind }: Collection): unknown {
    if (!rowSecurity && (kind === "r" || kind === "p")) return null;
    const number = this.#viewers.get(identity) ?? ++this.#viewerCount;
    this.#viewers.set(identity, number);
    return [number, service, address];
  }
}

const isYoung = ({ atMs }: Known): boolean => performance.now() - atMs < LONGEST_MS;
const rests = ({ exactAtMs, costMs }: Known): boolean => performance.now() - exactAtMs < REST * costMs;

/** Classes of SQLSTATE about the server itself: insufficient resources, operator intervention. */
const OF_SERVER = /^(53|57P)/;
/** Errors that the callers of this class handle. */
const OF_CALLER: readonly unknown[] = [
  SQLSTATE.insufficientPrivilege,
  SQLSTATE.undefinedColumn,
  SQLSTATE.undefinedTable,
];

/**
 * Whether an error makes the rows of one relation unavailable: they take too long, a view's function raises, a foreign
 * server is away.
 */
function isOfRelation(error: unknown): boolean {
  const state = sqlstateOf(error);
  return state !== undefined && !OF_SERVER.test(state) && !OF_CALLER.includes(state);
}

/**
 * A text that stays the same as long as nothing is committed. On a standby it differs each time, because the snapshot
 * of a standby omits running transactions.
 */
async function readSnapshot(transaction: Transaction): Promise<string> {
  const { rows } = await transaction.query<{ snapshot: string }>({
    name: "ogc snapshot",
    text: "select case when pg_is_in_recovery() then clock_timestamp()::text else portolan.data_snapshot() end as snapshot",
    last: true,
  });
  return rows[0]!.snapshot;
}
