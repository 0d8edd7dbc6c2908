/** The number of features of a selection. It is counted, and remembered while the data are the same. */
import { LRUCache } from "lru-cache";
import { sql } from "postgraphile/pg-sql2";
import type { Database, Identity, RequestContext, Transaction } from "../../../server/kernel/database/database.ts";
import type { Collection } from "../../collections/collections.ts";
import type { TableState, Tiles } from "../../tiles/tiles.ts";
import { countAll, type Selection } from "./featureSql.ts";

interface Known {
  readonly count: number;
  /** The snapshot of the transaction that counted; undefined where an equal snapshot does not mean an equal number. */
  readonly snapshot: string | undefined;
  /** The version of the counted rows, by the table's stamp (`Tiles.seenBy`); undefined where the table has none. */
  readonly seen: string | undefined;
  /** Whether the snapshot was still the same at the last request. */
  readonly isSteady: boolean;
}

export interface CountOptions {
  /** As `ReadOptions.tolerant`. */
  readonly tolerant: boolean;
  readonly lenient: boolean;
  /** Longest time for counting. Default: that of the transaction. */
  readonly budgetMs: number | undefined;
}

/** The collection and the caller of a request. */
interface Of {
  readonly database: Database;
  readonly collection: Collection;
  readonly identity: Identity;
  readonly context: RequestContext;
  readonly tiles: Tiles;
}

/**
 * Numbers of features, in the memory of the process: the 1000 most recently used. Only those of tables are kept.
 * Without a policy that chooses rows, a number holds for its snapshot: an equal snapshot means that nothing was
 * committed, for any caller at any time. A number also holds for the stamp of a table that has one, under the same
 * conditions as the table's tiles.
 */
export class Counts {
  readonly #known = new LRUCache<string, Known>({ max: 1000 });
  /** The numbers that are being counted, by their keys and snapshots. */
  readonly #running = new Map<string, Promise<number>>();

  /**
   * Counts the features. `transaction`: one with a single snapshot, which has begun. Throws SQLSTATE 57014 where
   * counting takes longer than it may.
   */
  async of(transaction: Transaction, of: Of, selection: Selection, options: CountOptions): Promise<number> {
    const kept = this.kept(transaction, of, selection);
    if (kept !== undefined) return kept;
    const key = keyOf(of, selection);
    if (key === undefined) return count(transaction, of, selection, options);
    const { snapshot } = transaction;
    const { kind, rowSecurity, isSharded = false } = of.collection;
    const known = this.#known.get(key);
    const seen = await seenNow(transaction, of);
    const isKept = known !== undefined && seen !== undefined && known.seen === seen;
    const isOfAll = kind === "r" && !rowSecurity && !isSharded; // commits on shards leave the coordinator's snapshot as it is
    const newly = (): Promise<number> => count(transaction, of, selection, options);
    const counted = isKept
      ? known.count
      : await (isOfAll ? this.#once(`${key} ${snapshot}`, snapshot, newly) : newly());
    this.#known.set(key, { count: counted, seen, snapshot: isOfAll ? snapshot : undefined, isSteady: false });
    return counted;
  }

  /**
   * Counts once for all requests that see the same snapshot: after a commit, those of all connections need the new number.
   * A request whose own count would have succeeded does not fail with another one's.
   */
  async #once(key: string, snapshot: string | undefined, newly: () => Promise<number>): Promise<number> {
    if (snapshot === undefined) return newly();
    const running = this.#running.get(key);
    if (running) return running.catch(newly);
    const own = newly();
    this.#running.set(key, own);
    try {
      return await own;
    } finally {
      this.#running.delete(key);
    }
  }

  /** The known number for the snapshot of the transaction. */
  kept({ snapshot }: Pick<Transaction, "snapshot">, of: Of, selection: Selection): number | undefined {
    const key = keyOf(of, selection);
    const known = key === undefined ? undefined : this.#known.get(key);
    if (key === undefined || known?.snapshot === undefined) return undefined;
    const isSteady = known.snapshot === snapshot;
    if (isSteady !== known.isSteady) this.#known.set(key, { ...known, isSteady });
    return isSteady ? known.count : undefined;
  }

  /** Whether the number will probably be known. */
  expects(of: Of, selection: Selection): boolean {
    const key = keyOf(of, selection);
    return key !== undefined && this.#known.get(key)?.isSteady === true;
  }
}

/** The key of a number; undefined where it is not kept. */
function keyOf(of: Of, selection: Selection): string | undefined {
  let known = keys.get(selection);
  if (!known) keys.set(selection, (known = { key: makeKey(of, selection) }));
  return known.key;
}

/** The keys of running requests. Each has a selection of its own, and asks for its key several times. */
const keys = new WeakMap<Selection, { readonly key: string | undefined }>();

function makeKey({ database, collection, identity }: Of, selection: Selection): string | undefined {
  const { oid, geometry, instant, kind, rowSecurity } = collection;
  const { bbox, equalities, condition } = selection;
  if (!"rp".includes(kind) || condition) return undefined; // a filter may depend on the time
  const box = bbox && [bbox.bounds, bbox.heights, bbox.crs.srid];
  const role = rowSecurity ? identity.role : undefined;
  return JSON.stringify([database.name, oid, geometry?.number, instant, box, [...equalities].sort(), role]);
}

/** The version of the table as the caller sees it, by `Tiles.seenBy`. */
async function seenNow(transaction: Transaction, of: Of): Promise<string | undefined> {
  const { database, collection, tiles } = of;
  const known = tiles.knownStamp(database, collection);
  const { rows } = await transaction.query<TableState>({
    name: "ogc state",
    text: "select stamp, unchanged, viewer from portolan.table_state($1::oid, $2::text)",
    values: [collection.oid, known?.stamp ?? null],
  });
  const [state] = rows;
  return state && tiles.seenBy(of, [collection], [{ known, state }]);
}

/** Counts in a statement of its own. The transaction has the longest time that it had before for the statements after it. */
async function count(
  transaction: Transaction,
  { collection }: Of,
  selection: Selection,
  { tolerant, lenient, budgetMs }: CountOptions,
): Promise<number> {
  const { text, values } = sql.compile(countAll(collection, selection, { tolerant, lenient }));
  const before = budgetMs === undefined ? undefined : await setTimeout(transaction, `${budgetMs}`);
  const { rows } = await transaction.query<{ count: string }>({ text, values });
  if (before !== undefined) await setTimeout(transaction, before);
  return Number(rows[0]?.count);
}

/** Sets the longest time for statements of the transaction. Returns the one before. */
async function setTimeout(transaction: Transaction, timeout: string): Promise<string | undefined> {
  const { rows } = await transaction.query<{ before: string }>({
    text: "select t.before from (select pg_catalog.current_setting('statement_timeout') as before offset 0) t where pg_catalog.set_config('statement_timeout', $1, true) is not null",
    values: [timeout],
  });
  return rows[0]?.before;
}
