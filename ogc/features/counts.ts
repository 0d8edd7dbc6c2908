/** How many features a selection has: counted, and known for as long as nothing at all was committed. */
import { LRUCache } from "lru-cache";
import { sql } from "pg-sql2";
import type { Database, Transaction } from "../../server/kernel/database/database.ts";
import type { Collection } from "../collections.ts";
import { countAll, type Selection } from "./featureSql.ts";

interface Known {
  readonly snapshot: string;
  readonly count: number;
}

export interface CountOptions {
  /** As of `ReadOptions`. */
  readonly tolerant: boolean;
  /** Longest time for counting. Default the transaction's. */
  readonly budgetMs: number | undefined;
}

/**
 * Numbers of features, in the memory of the process. Kept for tables alone, and only where no policy chooses rows: there
 * the same snapshot of the database has the same number, whoever asks and whatever the time is. The 1000 that were used
 * last are kept.
 */
export class Counts {
  readonly #known = new LRUCache<string, Known>({ max: 1000 });

  /** `transaction`: one that sees a single snapshot, and has begun. Throws SQLSTATE 57014 where it takes longer than it may. */
  async of(
    transaction: Transaction,
    database: Database,
    collection: Collection,
    selection: Selection,
    options: CountOptions,
  ): Promise<number> {
    // a filter may depend on the hour
    if (collection.rowSecurity || collection.kind !== "r" || selection.condition)
      return count(transaction, collection, selection, options);
    const { bbox, equalities } = selection;
    const { oid, geometry, instant } = collection;
    const box = bbox && [bbox.bounds, bbox.heights, bbox.crs.srid];
    const key = JSON.stringify([database.name, oid, geometry.number, instant, box, [...equalities].sort()]);
    const { snapshot } = transaction;
    const known = this.#known.get(key);
    if (known && known.snapshot === snapshot) return known.count;
    const counted = await count(transaction, collection, selection, options);
    if (snapshot !== undefined) this.#known.set(key, { snapshot, count: counted });
    return counted;
  }
}

async function count(
  transaction: Transaction,
  collection: Collection,
  selection: Selection,
  { tolerant, budgetMs }: CountOptions,
): Promise<number> {
  if (budgetMs !== undefined)
    await transaction.query({ text: "select set_config('statement_timeout', $1, true)", values: [String(budgetMs)] });
  const { text, values } = sql.compile(countAll(collection, selection, { tolerant }));
  const { rows } = await transaction.query<{ count: string }>({ text, values });
  return Number(rows[0]?.count);
}
