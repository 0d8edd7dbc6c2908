/**
 * Values that hold until something is written to a table: a count, a tile. The stamp is asked for in the
 * statement that reads the rows:
 *
 *     const known = stamps.known(database, oid);
 *     `select s.stamp, s.unchanged, … from portolan.table_stamp($1, $2) as s` with [oid, known?.stamp ?? null]
 *     const version = stamps.version(database, oid, known, row);
 *
 * The same version means the same rows of the table; rights decide who sees which of them.
 */
import type { Database } from "../database/database.ts";

/** The answer of `portolan.table_stamp`. Both are null where nothing can be known of the table. */
export interface StampRow {
  readonly stamp: string | null;
  readonly unchanged: boolean | null;
}

/** The stamp of a table at some moment. */
export interface KnownStamp {
  readonly stamp: string;
  readonly version: number;
}

export class Stamps {
  readonly #known = new WeakMap<Database, Map<number, KnownStamp>>();
  #last = 0;

  /** The latest; to be taken before the statement is sent, and given back to `version`. */
  known(database: Database, oid: number): KnownStamp | undefined {
    return this.#known.get(database)?.get(oid);
  }

  /** The version of the table's content. Undefined where it cannot be known; then nothing may be kept. */
  version(
    database: Database,
    oid: number,
    known: KnownStamp | undefined,
    { stamp, unchanged }: StampRow,
  ): number | undefined {
    if (stamp === null) return undefined;
    const tables = this.#known.get(database) ?? new Map<number, KnownStamp>();
    this.#known.set(database, tables);
    const latest = tables.get(oid);
    const isSame = unchanged === true && known !== undefined;
    if (isSame) {
      // the next statement has less to look at, unless another caller has already moved the stamp on
      if (latest === known) tables.set(oid, { stamp, version: known.version });
      return known.version;
    }
    if (latest && snapshotOf(latest.stamp) === snapshotOf(stamp)) return latest.version;
    const version = ++this.#last;
    tables.set(oid, { stamp, version });
    return version;
  }
}

/** Without the moment at which it was taken. */
function snapshotOf(stamp: string): string {
  return stamp.slice(0, stamp.lastIndexOf(" "));
}
