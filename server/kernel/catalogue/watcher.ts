/** Notices what changed in a database behind the gateway's back: DDL, accounts, signing keys. */
import { LRUCache } from "lru-cache";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import type { Relation } from "./access.ts";

export interface WatcherOptions {
  readonly database: Database;
  /** The configured schemas; undefined: whatever `portolan.exposed_schemas()` says at the moment. */
  readonly schemas: readonly string[] | undefined;
  /** The trusted owners and functions of the configuration; default: only those that are always trusted. */
  readonly trusted?: { readonly owners: readonly string[]; readonly functions: readonly string[] };
  readonly intervalMs: number;
  /** Whether the database has been idle for a while: it is polled rarely then. Default: never. */
  readonly isIdle?: () => boolean;
  /** After this long without an answer over an open connection, the connections to the database count as dead. */
  readonly silenceMs: number;
  readonly log: Log;
  /**
   * The settings of this gateway that decide what is made in a database. With it, the database records for which catalogue
   * everything was made, and a gateway that finds that record at its first look makes nothing. Default: the first look makes
   * everything.
   */
  readonly settledAs?: string | undefined;
  /**
   * Runs at the first look and after DDL, before the catalogue is taken as seen, for what must be made in the database. False
   * where somebody was in the way.
   */
  readonly prepare: (schemas: readonly string[]) => Promise<boolean>;
  /** Runs after DDL in one of the exposed schemas, once super users have their rights on new objects. */
  readonly onCatalogue: () => Promise<void>;
  /** Runs after an account or a signing key has changed. */
  readonly onAccounts: () => void;
  /**
   * Must end all connections: nobody reports a connection as dead whose other end is gone, or which a firewall has dropped.
   */
  readonly onSilence: () => void;
  /** Subjects of `portolan.generations` that do not change who may come in. */
  readonly subjects: ReadonlySet<string>;
  /** Runs after one of them has changed. */
  readonly onSubject: (subject: string) => Promise<void>;
}

interface Catalogue {
  readonly schemas: readonly string[];
  readonly fingerprint: string;
  /** How long PostgreSQL took to read it: here the answer may have lain while a schema was built. */
  readonly tookMs: number;
}

/** A removed account loses access within 5 s: the interval of polling, and the longest validity of a verification. */
const ACCOUNTS_INTERVAL_MS = 500;
const TRUST_MS = 4000;
/** How often a database is looked at that nobody asks: every transaction of its cluster would cost a look at its catalogue. */
const IDLE_INTERVAL_MS = 10_000;
/** How often it is looked whether somebody answers. */
const PATIENCE_STEP_MS = 500;
/** After reading the catalogue, polling rests for this many times as long as PostgreSQL took to read it. */
const CATALOGUE_REST = 8;
/**
 * At the start, how long to wait for a transaction, often autovacuum, that blocks the grants for super users: they would be
 * refused until the next look.
 */
const SHARE = { withinMs: 2000, againMs: 50 };
/** How often one look grants again where the catalogue has changed since it was read; then the next look does it. */
const ROUNDS = 3;
/** A request that has met another catalogue waits no longer than this for the rest to end. */
const LONGEST_WAIT_MS = 1000;

/** The number of missed relations whose versions are remembered. */
const MISSED = 1000;

/** Subjects that change who may come in, but no rights on rows: a standby need not have replayed them. */
const OF_TOKENS: ReadonlySet<string> = new Set(["tokens", "keys", "clients"]);

/**
 * Polls. While no transaction other than the request log's has ended since the last look, the snapshot's text is the same,
 * and the catalogue is not read: that costs 0.2 ms. Needs no privilege of its own, no LISTEN connection, and no superuser
 * for event triggers.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  /** The generation of each subject at the last look. */
  #generations: ReadonlyMap<string, string> | undefined;
  #accountsSeenAt = 0;
  /** When the last look at each began that has ended. */
  readonly #sawAtMs = { accounts: -Infinity, catalogue: -Infinity };
  #snapshot = "";
  /** Whether super users have all possible grants, also on the newest objects; else it is tried again. */
  #isSettled = true;
  /** Whether nobody blocked what had to be made. */
  #isPrepared = true;
  #catalogue: Catalogue | undefined;
  #nextCatalogueAt = 0;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** A look that somebody waits for, that rests first and that has not begun. */
  #coming: Promise<void> | undefined;
  /** The same without a rest. */
  #next: Promise<void> | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** Relations that somebody has missed, with the version that there was: the catalogue was looked at for it. */
  readonly #missed = new LRUCache<string, string>({ max: MISSED });
  #stopped = false;
  #reachable = true;
  /** A look was left out: nothing that was seen before is believed any more. */
  #isPaused = false;
  #resuming: Promise<void> | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** The schemas that are exposed now. */
  get schemas(): readonly string[] {
    return this.#catalogue?.schemas ?? [];
  }

  /**
   * Takes the first look, which must succeed, and keeps polling. Where somebody waits for it, the first look has one round:
   * what that round grants usually changes the catalogue again.
   */
  async start(rounds = ROUNDS): Promise<void> {
    const { database, schemas, trusted, intervalMs } = this.#options;
    const lookAtCatalogue = async (): Promise<void> => {
      await database.db.func("portolan.note_schemas", [schemas ?? null]);
      await database.db.func("portolan.note_trust", [trusted?.owners ?? [], trusted?.functions ?? []]);
      await this.#lookAtCatalogue({ rounds });
    };
    await Promise.all([this.#lookAtAccounts(), lookAtCatalogue()]);
    // apart from each other: a catalogue that is locked by somebody's DDL must not keep a removed account in
    this.#repeat(Math.min(intervalMs, ACCOUNTS_INTERVAL_MS), () => this.#lookAtAccounts());
    this.#repeat(intervalMs, () => this.lookNow(false));
  }

  /**
   * Looks at the catalogue now. `isOther`: PostgreSQL has said that it is another one, e.g. of a column that is gone: then
   * it is looked at also when it was read just before, after a moment. Never rejects.
   */
  lookNow(isOther = true): Promise<void> {
    const known = isOther ? this.#coming : this.#next;
    if (known) return known;
    const look = async (): Promise<void> => {
      if (!isOther) this.#next = undefined;
      await this.#guard(() => this.#lookAtCatalogue({ isOther }));
    };
    this.#looking = this.#looking.then(look);
    if (isOther) this.#coming = this.#looking;
    else this.#next = this.#looking;
    return this.#looking;
  }

  /**
   * Reads the catalogue for a missed relation, or one whose definition forbids a request: at once where it has changed since
   * it was last missed, else as after any question. Never rejects.
   */
  async lookFor({ schema, name }: Relation): Promise<void> {
    const key = JSON.stringify([schema, name]);
    let version: string | undefined;
    await this.#guard(async () => {
      version = await this.#versionOf(schema, name);
    });
    const isOther = version !== undefined && version !== this.#missed.get(key);
    if (version !== undefined) this.#missed.set(key, version);
    await this.lookNow(isOther);
  }

  /** A request came: makes up for skipped polls first. Never rejects. */
  async resume(): Promise<void> {
    if (!this.#isPaused) return;
    const look = async (): Promise<void> => {
      await Promise.all([this.#guard(() => this.#lookAtAccounts()), this.lookNow(false)]);
      this.#isPaused = false;
      this.#resuming = undefined;
    };
    await (this.#resuming ??= look());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#looking;
  }

  /** Runs it again and again, with the pause between one end and the next start. */
  #repeat(pauseMs: number, run: () => Promise<void>, ranAt = performance.now()): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#leavesOut(ranAt)) this.#repeat(pauseMs, run, ranAt);
      else void this.#guard(run).then(() => this.#repeat(pauseMs, run));
    }, pauseMs);
    timer.unref();
    this.#timers.add(timer);
  }

  /** Whether this poll can be skipped. The next request is verified again, and resumes polling. */
  #leavesOut(ranAt: number): boolean {
    if (!this.#options.isIdle?.() || performance.now() - ranAt > IDLE_INTERVAL_MS) return false;
    if (!this.#isPaused) this.#accountsAreOther();
    this.#isPaused = true;
    return true;
  }

  /** Never rejects: an unreachable database is said once in the log, and requests say it for themselves. */
  async #guard(run: () => Promise<void>): Promise<void> {
    const { log, database } = this.#options;
    try {
      await run();
      if (!this.#reachable) log.info({ database: database.name }, "the database answers again");
      this.#reachable = true;
    } catch (error) {
      if (this.#stopped) return;
      if (this.#reachable) log.error({ err: error, database: database.name }, "the database cannot be watched");
      this.#reachable = false;
      this.#snapshot = "";
      // an earlier verification may be outdated after a time without polls
      if (performance.now() - this.#accountsSeenAt > TRUST_MS) this.#accountsAreOther();
    }
  }

  async #lookAtAccounts(): Promise<void> {
    const { database, subjects, onSubject } = this.#options;
    const beganMs = performance.now();
    const rows = await this.#inTime(
      database.look<{ subject: string; generation: string }>(
        `
select subject, generation::text from portolan.generations
union all
select 'memberships', concat_ws(' ', count(*), sum(hashtextextended(m::text, 0))) from pg_auth_members m
union all
select 'roles', concat_ws(' ', count(*), sum(hashtextextended(concat_ws(' ', r.oid, r.rolname, r.rolinherit), 0)))
from pg_roles r where r.rolsuper or not r.rolinherit`,
      ),
    );
    const before = this.#generations;
    const now = new Map(rows.map(({ subject, generation }) => [subject, generation]));
    const changed = (subject: string): boolean => before !== undefined && before.get(subject) !== now.get(subject);
    this.#generations = now;
    const others = [...now.keys()].filter((subject) => !subjects.has(subject) && changed(subject));
    if (others.length > 0) this.#accountsAreOther({ andRights: others.some((subject) => !OF_TOKENS.has(subject)) });
    this.#accountsSeenAt = performance.now();
    this.#saw("accounts", beganMs);
    await Promise.all([...subjects].filter(changed).map(onSubject));
  }

  /**
   * Waits for an answer, which PostgreSQL's own limit (`Database.look`) has come in time unless the connection is dead. Steps
   * are counted, not time: a process that stood still itself finds the answer before the next one.
   */
  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const { database, log, silenceMs, onSilence } = this.#options;
    let steps = 0;
    const stepping = setInterval(() => {
      if (performance.now() - this.#accountsSeenAt > TRUST_MS) this.#accountsAreOther();
      if (++steps !== Math.ceil(silenceMs / PATIENCE_STEP_MS) || this.#stopped) return;
      log.warn({ database: database.name }, "the database has not answered for a while: its connections are made anew");
      onSilence();
    }, PATIENCE_STEP_MS).unref();
    try {
      return await answer;
    } finally {
      clearInterval(stepping);
    }
  }

  #accountsAreOther({ andRights = true } = {}): void {
    this.#isOther({ andRights });
    this.#options.onAccounts();
  }

  /** Drops what was known before; where rights have changed, also the content of standbys that lag behind. */
  #isOther({ andRights = true } = {}): void {
    const { memory, standbys } = this.#options.database;
    memory.forget();
    if (andRights) standbys?.follow();
  }

  /** A look that began then has ended, and what it has found was forgotten. */
  #saw(what: "accounts" | "catalogue", beganMs: number): void {
    this.#sawAtMs[what] = beganMs;
    this.#options.database.memory.sawAt(Math.min(...Object.values(this.#sawAtMs)));
  }

  async #lookAtCatalogue({ isOther = false, rounds = ROUNDS }): Promise<void> {
    const { database, onCatalogue, prepare } = this.#options;
    const restMs = this.#nextCatalogueAt - performance.now();
    if (restMs > 0) {
      if (!isOther) return;
      await sleep(Math.min(restMs, LONGEST_WAIT_MS));
    }
    if (isOther) this.#coming = undefined;
    const beganMs = performance.now();
    const { snapshot } = await database.db.one<{ snapshot: string }>("select portolan.data_snapshot() as snapshot");
    if (snapshot === this.#snapshot) return this.#saw("catalogue", beganMs);

    const isFirst = this.#catalogue === undefined;
    let catalogue = await this.#read();
    const before =
      isFirst && (await this.#wasSettled(catalogue)) ? catalogue.fingerprint : this.#catalogue?.fingerprint;
    let changed = catalogue.fingerprint !== before;
    // a catalogue of thousands of tables takes a while to read: on a busy database that must stay a small part of the time
    this.#nextCatalogueAt = performance.now() + CATALOGUE_REST * catalogue.tookMs;
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
      if (!isShared) break; // somebody is in the way
    }
    this.#catalogue = catalogue;
    this.#snapshot = this.#isSettled ? snapshot : "";
    if (changed) this.#isOther();
    this.#saw("catalogue", beganMs);
    if (changed && !isFirst) await onCatalogue();
    if (isNew && this.#isSettled && this.#isPrepared) await this.#noteSettled(catalogue);
  }

  /** Whether everything was made that this catalogue needs, for this database and no copy of it. */
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
    const schemas = configured ?? (await exposedSchemas(database));
    const read = await database.db.one<Omit<Catalogue, "schemas">>(
      `
select concat_ws(',', (select oid from pg_database where datname = current_database()),
    string_agg(schema || ' ' || fingerprint, ',' order by schema)) as fingerprint,
  extract(epoch from clock_timestamp() - statement_timestamp())::float8 * 1000 as "tookMs"
from portolan.catalogue($1::text[])`,
      [schemas],
    );
    return { schemas, ...read };
  }

  /**
   * Changes with the definition of a relation and with its comment; undefined for one that does not exist or is not exposed.
   */
  async #versionOf(schema: string, relation: string): Promise<string | undefined> {
    const { database, schemas } = this.#options;
    const row = await database.db.oneOrNone<{ version: string }>(
      `
select concat_ws(' ', c.oid, c.xmin, obj_description(c.oid, 'pg_class')) as version
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = $2 and n.nspname = any (coalesce($3::text[], portolan.exposed_schemas()))`,
      [schema, relation, schemas ?? null],
    );
    return row?.version;
  }

  /**
   * Whether everything that can be shared is shared; false when somebody's DDL blocked it for `withinMs` and it must be
   * tried again.
   */
  async #share(schemas: readonly string[], withinMs: number): Promise<boolean> {
    const end = performance.now() + withinMs;
    for (;;) {
      const isShared = await this.#tryToShare(schemas);
      if (isShared || this.#stopped || performance.now() >= end) return isShared;
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
