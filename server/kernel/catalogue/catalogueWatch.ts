/** Notices DDL in a database, and makes the objects that new relations need. */
import { setTimeout as sleep } from "node:timers/promises";
import { SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import type { Database } from "../database/database.ts";
import type { Relation } from "./access.ts";
import type { Looks } from "./looks.ts";

/** After reading the catalogue, polling pauses for this many times the duration of the read. */
const CATALOGUE_REST = 8;
/**
 * At the start, how long to wait for a transaction, often autovacuum, that blocks the grants for super users. Until the
 * next look they would be refused.
 */
const SHARE = { withinMs: 2000, againMs: 50 };
/** How often one look grants again where the catalogue has changed since it was read; then the next look does it. */
const ROUNDS = 3;
/** A request that found an outdated catalogue waits at most this long for the pause to end. */
const LONGEST_WAIT_MS = 1000;

export interface CatalogueWatchOptions {
  readonly database: Database;
  /** The configured schemas; undefined: whatever `portolan.exposed_schemas()` says at the moment. */
  readonly schemas: readonly string[] | undefined;
  /** The trusted owners and functions of the configuration; default: only those that are always trusted. */
  readonly trusted?: { readonly owners: readonly string[]; readonly functions: readonly string[] };
  /** The option mfa; default: the value that was recorded before. */
  readonly mfa?: string;
  readonly log: Log;
  /**
   * The settings of this gateway that decide what is made in a database. The database records the catalogue and the
   * settings for which everything was made, and a gateway that finds its own record at its first poll makes nothing.
   * Default: the first poll makes everything.
   */
  readonly settledAs?: string | undefined;
  /**
   * Makes the required objects in the database. Called at the first poll and after DDL, before the new catalogue is used.
   * False where a lock was in the way.
   */
  readonly prepare: (schemas: readonly string[]) => Promise<boolean>;
  /** Runs after DDL in one of the exposed schemas, once super users have their rights on new objects. */
  readonly onCatalogue: () => Promise<void>;
}

interface Catalogue {
  /** Taken before it was read, which shows all DDL of that snapshot. */
  readonly snapshot: string;
  readonly schemas: readonly string[];
  /** Of each schema. */
  readonly fingerprints: ReadonlyMap<string, string>;
  readonly fingerprint: string;
  /** Changes with whose code statements can run, also by objects of schemas that are not exposed. */
  readonly code: string;
  /**
   * How long PostgreSQL took to read it. The time measured here is no guide, because the answer may wait while a schema
   * is built.
   */
  readonly tookMs: number;
}

/** How to look. */
interface Look {
  /** PostgreSQL has reported another catalogue. It is then read even if it was read just before. */
  readonly isOther?: boolean;
  readonly rounds?: number;
  /** Runs when the rest is over. */
  readonly onBegin?: () => void;
}

export class CatalogueWatch {
  readonly #options: CatalogueWatchOptions;
  readonly #looks: Looks;
  readonly #signal: AbortSignal;
  #snapshot = "";
  /** Whether super users have all possible grants, also on the newest objects; else it is tried again. */
  #isSettled = true;
  /** Whether all preparations succeeded, with no lock in the way. */
  #isPrepared = true;
  #catalogue: Catalogue | undefined;
  #nextAt = 0;

  /** `signal` fires at the end. */
  constructor(options: CatalogueWatchOptions, looks: Looks, signal: AbortSignal) {
    this.#options = options;
    this.#looks = looks;
    this.#signal = signal;
  }

  /** The schemas that are exposed now. */
  get schemas(): readonly string[] {
    return this.#catalogue?.schemas ?? [];
  }

  /** For each of them a text that changes with DDL in it; undefined before the first look. */
  get fingerprints(): ReadonlyMap<string, string> | undefined {
    return this.#catalogue?.fingerprints;
  }

  /** The first look, which must succeed. */
  async begin(rounds?: number): Promise<void> {
    const { database, schemas, trusted, mfa } = this.#options;
    await database.db.func("portolan.note_schemas", [schemas ?? null]);
    await database.db.func("portolan.note_trust", [trusted?.owners ?? [], trusted?.functions ?? []]);
    if (mfa !== undefined) await database.db.func("portolan.note_mfa", [mfa]);
    await this.look(rounds === undefined ? {} : { rounds });
  }

  /** Makes the next look read the catalogue, whatever has ended since the last look. */
  distrust(): void {
    this.#snapshot = "";
  }

  /**
   * Polls the catalogue. Resolves to whether PostgreSQL was asked, because polling pauses after a long read. While a
   * request waits, the first poll has one round, because its grants usually change the catalogue again.
   */
  async look({ isOther = false, rounds = ROUNDS, onBegin }: Look = {}): Promise<boolean> {
    const { database, onCatalogue, prepare } = this.#options;
    const restMs = this.#nextAt - performance.now();
    if (restMs > 0) {
      if (!isOther) return false;
      await sleep(Math.min(restMs, LONGEST_WAIT_MS));
    }
    onBegin?.();
    const beganMs = performance.now();
    const { snapshot } = await database.db.one<{ snapshot: string }>("select portolan.data_snapshot() as snapshot");
    if (snapshot === this.#snapshot) {
      this.#looks.saw("catalogue", beganMs);
      return true;
    }

    const isFirst = this.#catalogue === undefined;
    let catalogue = await this.#read();
    const before =
      isFirst && (await this.#wasSettled(catalogue)) ? catalogue.fingerprint : this.#catalogue?.fingerprint;
    let changed = catalogue.fingerprint !== before;
    // reading a catalogue of thousands of tables takes a while, and must stay a small part of the load of a busy
    // database
    this.#nextAt = performance.now() + CATALOGUE_REST * catalogue.tookMs;
    this.#isSettled &&= !changed;
    const isNew = !this.#isSettled;
    for (let round = 0; !this.#isSettled && round < rounds; round++) {
      const isShared = await this.#share(catalogue.schemas, isFirst ? SHARE.withinMs : 0);
      const [, isPrepared] = await Promise.all([database.db.func("portolan.note_rights"), prepare(catalogue.schemas)]);
      this.#isPrepared = isPrepared;
      const after = await this.#read();
      // grants and triggers change the catalogue, and so does a transaction that makes a table meanwhile, which is not
      // shared yet
      this.#isSettled = isShared && after.fingerprint === catalogue.fingerprint;
      catalogue = after;
      changed ||= catalogue.fingerprint !== before;
      if (!isShared) break; // another session holds a lock
    }
    const isOtherCode = !isFirst && catalogue.code !== this.#catalogue?.code;
    this.#catalogue = catalogue;
    // that of the last read, so that what the look itself wrote needs no other look
    this.#snapshot = this.#isSettled ? catalogue.snapshot : "";
    if (changed || isOtherCode) this.#looks.forget();
    this.#looks.saw("catalogue", beganMs);
    if (changed && !isFirst) await onCatalogue();
    if (isNew && this.#isSettled && this.#isPrepared) await this.#noteSettled(catalogue);
    return true;
  }

  /**
   * Makes all grants that can be made. False when DDL of another session blocked it for `withinMs`; it must be tried
   * again.
   */
  async #wasSettled({ fingerprint }: Catalogue): Promise<boolean> {
    const { database, settledAs } = this.#options;
    if (settledAs === undefined) return false;
    const stamp = `${settledAs} ${fingerprint}`;
    return (await database.db.one<{ is: boolean }>("select portolan.is_settled($1) as is", [stamp])).is;
  }

  async #noteSettled({ fingerprint }: Catalogue): Promise<void> {
    const { database, settledAs } = this.#options;
    if (settledAs !== undefined) await database.db.func("portolan.note_settled", [`${settledAs} ${fingerprint}`]);
  }

  async #read(): Promise<Catalogue> {
    const { database, schemas: configured } = this.#options;
    const begun = await database.db.one<Pick<Catalogue, "snapshot" | "schemas">>(
      "select portolan.data_snapshot() as snapshot, coalesce($1::text[], portolan.exposed_schemas()) as schemas",
      [configured ?? null],
    );
    const { parts, ...read } = await database.db.one<
      Pick<Catalogue, "fingerprint" | "code" | "tookMs"> & { parts: Record<string, string> | null }
    >(
      `
select concat_ws(',', (select oid from pg_database where datname = current_database()),
    string_agg(schema || ' ' || fingerprint, ',' order by schema)) as fingerprint,
  json_object_agg(schema, fingerprint) as parts,
  portolan.code_stamp() as code,
  extract(epoch from clock_timestamp() - statement_timestamp())::float8 * 1000 as "tookMs"
from portolan.catalogue($1::text[])`,
      [begun.schemas],
    );
    return { ...begun, fingerprints: new Map(Object.entries(parts ?? {})), ...read };
  }

  /**
   * Changes with the definition of a relation, or of the functions of that name, and with its comment; undefined where
   * there is none, or it is not exposed.
   */
  async versionOf({ schema, name }: Relation): Promise<string | undefined> {
    const { database, schemas } = this.#options;
    const { version } = await database.db.one<{ version: string | null }>(
      `
select string_agg(concat_ws(' ', o.oid, o.xmin, obj_description(o.oid, o.catalogue)), ',' order by o.oid) as version
from (
  select c.oid, c.xmin, 'pg_class'::name, c.relnamespace from pg_class c where c.relname = $2
  union all
  select p.oid, p.xmin, 'pg_proc', p.pronamespace from pg_proc p where p.proname = $2
) o (oid, xmin, catalogue, namespace)
join pg_namespace n on n.oid = o.namespace
where n.nspname = $1 and n.nspname = any (coalesce($3::text[], portolan.exposed_schemas()))`,
      [schema, name, schemas ?? null],
    );
    return version ?? undefined;
  }

  /**
   * Whether everything that can be shared is shared; false when somebody's DDL blocked it for `withinMs` and it must be
   * tried again.
   */
  async #share(schemas: readonly string[], withinMs: number): Promise<boolean> {
    const end = performance.now() + withinMs;
    for (;;) {
      const isShared = await this.#tryToShare(schemas);
      if (isShared || this.#signal.aborted || performance.now() >= end) return isShared;
      await sleep(SHARE.againMs);
    }
  }

  async #tryToShare(schemas: readonly string[]): Promise<boolean> {
    const { database, log } = this.#options;
    try {
      const missing = await database.db.any<{ statement: string | null }>(
        "select portolan.share_with_owner($1::text[]) as statement",
        [schemas],
      );
      if (missing.some(({ statement }) => statement === null)) return false;
      if (missing.length > 0)
        log.warn(
          { database: database.name, statements: missing.map((row) => row.statement) },
          "super users lack rights that the owner of Portolan may not grant; run these statements as the relations' owner",
        );
      return true;
    } catch (error) {
      if (sqlstateOf(error) !== SQLSTATE.lockNotAvailable) throw error;
      return false;
    }
  }
}

/** The schemas that a database exposes where the configuration names none. */
export async function exposedSchemas({ db }: Database): Promise<readonly string[]> {
  return (await db.one<{ schemas: string[] }>("select portolan.exposed_schemas() as schemas")).schemas;
}
