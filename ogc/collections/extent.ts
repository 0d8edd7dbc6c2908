/** The extent of a collection as the caller sees it: exact, and cheap while nothing changes. */
import { LRUCache } from "lru-cache";
import type { Identity, RequestContext, Transaction } from "../../server/kernel/database/database.ts";
import { SQLSTATE, sqlstateOf } from "../../server/ground/errors.ts";
import type { Asker } from "./access.ts";
import type { Collection } from "./collections.ts";
import type { Extent } from "./bounds.ts";
import { outward, readExtent } from "./extentSql.ts";
import { ofCatalogue, reading } from "./reach.ts";

interface Known {
  readonly extent: Extent | undefined;
  readonly snapshot: string;
  readonly atMs: number;
  readonly costMs: number;
}

/** While others commit, an extent is kept for this many times as long as it took. */
const REST = 20;
/** A view may show other rows though nothing was committed. */
const LONGEST_MS = 60_000;
/** A list of collections leaves out the extents that it would have to wait longer for. */
const LIST_BUDGET_MS = 3000;

/**
 * Extents in longitude and latitude, in the memory of the process, separate for callers who may see different rows: the
 * 10,000 most recently used.
 */
export class Extents {
  readonly #known = new LRUCache<string, Known>({ max: 10_000 });
  readonly #viewers = new WeakMap<Identity, number>();
  #viewerCount = 0;

  /**
   * The extents of several collections, as far as they are available soon. Undefined: nothing is there, or unknown now.
   * `seen`: the snapshot of a transaction of this request, which is asked for otherwise.
   */
  async ofAll(asker: Asker, collections: readonly Collection[], seen?: string): Promise<(Extent | undefined)[]> {
    if (collections.length === 0) return [];
    const { database, identity, context } = asker;
    const end = performance.now() + LIST_BUDGET_MS;
    const snapshot = seen ?? (await database.withIdentity(identity, ofCatalogue(context), readSnapshot));
    const found: (Extent | undefined)[] = [];
    for (const collection of collections)
      found.push(
        await this.#of(asker, collection, snapshot, Math.round(end - performance.now())).catch((error: unknown) => {
          if (sqlstateOf(error) === SQLSTATE.insufficientPrivilege) return undefined; // of what is beneath a view
          throw error;
        }),
      );
    return found;
  }

  /** Undefined where there is nothing, or where it cannot be found out, or not within the time of a statement. */
  async of(asker: Asker, collection: Collection): Promise<Extent | undefined> {
    const { database, identity, context } = asker;
    return this.#of(
      asker,
      collection,
      await database.withIdentity(identity, ofCatalogue(context), readSnapshot),
      undefined,
    );
  }

  async #of(
    asker: Asker,
    collection: Collection,
    snapshot: string,
    timeoutMs: number | undefined,
  ): Promise<Extent | undefined> {
    const drawn = collection.raster?.extent;
    if (collection.raster) return drawn && { ...drawn, degrees: outward(drawn.degrees) };
    if (collection.instant !== undefined)
      return this.#of(asker, { ...collection, instant: undefined }, snapshot, timeoutMs);
    const { database, identity, context } = asker;
    const key = JSON.stringify([
      database.name,
      collection.oid,
      collection.geometry.number,
      this.#viewer(identity, context, collection),
    ]);
    const known = this.#known.get(key);
    const age = known ? performance.now() - known.atMs : Infinity;
    if (known && age < LONGEST_MS && (known.snapshot === snapshot || age < REST * known.costMs)) return known.extent;
    if (timeoutMs !== undefined && timeoutMs < 1) return undefined;
    const started = performance.now();
    try {
      const extent = await database.withIdentity(
        identity,
        { ...reading(context, collection, false), ...(timeoutMs && { timeoutMs }) },
        (transaction) => readExtent(transaction, collection),
      );
      this.#remember(key, extent, snapshot, started);
      return extent;
    } catch (error) {
      if (!isOfRelation(error)) throw error;
      this.#remember(key, undefined, snapshot, started); // not to be tried again at once
      return undefined;
    }
  }

  #remember(key: string, extent: Extent | undefined, snapshot: string, startedMs: number): void {
    this.#known.set(key, { extent, snapshot, atMs: startedMs, costMs: performance.now() - startedMs });
  }

  /** Callers who see the same rows have the same number: everybody, where no policy chooses rows and no view hides one. */
  #viewer(identity: Identity, { service, address }: RequestContext, { rowSecurity, kind }: Collection): unknown {
    if (!rowSecurity && (kind === "r" || kind === "p")) return null;
    const number = this.#viewers.get(identity) ?? ++this.#viewerCount;
    this.#viewers.set(identity, number);
    return [number, service, address];
  }
}

/** Classes of SQLSTATE that speak of PostgreSQL itself: insufficient resources, operator intervention. */
const OF_SERVER = /^(53|57P)/;
/** Errors that the callers handle. */
const OF_CALLER: readonly unknown[] = [
  SQLSTATE.insufficientPrivilege,
  SQLSTATE.undefinedColumn,
  SQLSTATE.undefinedTable,
];

/**
 * Whether the rows of one relation are unavailable: they take too long, a view's function raises, a foreign server is away.
 */
function isOfRelation(error: unknown): boolean {
  const state = sqlstateOf(error);
  return state !== undefined && !OF_SERVER.test(state) && !OF_CALLER.includes(state);
}

/**
 * The same text as long as nothing was committed; always another one on a standby, whose text omits running transactions.
 */
async function readSnapshot(transaction: Transaction): Promise<string> {
  const { rows } = await transaction.query<{ snapshot: string }>({
    name: "ogc snapshot",
    text: "select case when pg_is_in_recovery() then clock_timestamp()::text else portolan.data_snapshot() end as snapshot",
    last: true,
  });
  return rows[0]!.snapshot;
}
