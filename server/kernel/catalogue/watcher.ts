/** Notices changes that do not pass through the gateway: DDL, accounts, signing keys. */
import { LRUCache } from "lru-cache";
import type { Relation } from "./access.ts";
import { AccountsWatch, type AccountsWatchOptions } from "./accountsWatch.ts";
import { CatalogueWatch, type CatalogueWatchOptions } from "./catalogueWatch.ts";
import { Looks } from "./looks.ts";
import { Polls } from "./polls.ts";

export interface WatcherOptions extends AccountsWatchOptions, CatalogueWatchOptions {
  readonly intervalMs: number;
  /** Whether the database has been idle for a while: it is polled rarely then. Default: never. */
  readonly isIdle?: () => boolean;
}

/** A removed account loses access within 5 s: the interval of polling. */
const ACCOUNTS_INTERVAL_MS = 500;
/** The number of missed relations whose versions are remembered. */
const MISSED = 1000;

/**
 * Polls the database. While no transaction other than the request log's has ended since the last poll, the snapshot's
 * text is the same, and the catalogue is not read, which costs 0.2 ms. It needs no privilege of its own, no LISTEN
 * connection, and no superuser for event triggers.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #end = new AbortController();
  readonly #accounts: AccountsWatch;
  readonly #catalogue: CatalogueWatch;
  readonly #polls: Polls;
  /** The poll that requests wait for, which has not begun. */
  #coming: Promise<void> | undefined;
  /** The same without a rest. */
  #next: Promise<void> | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** Relations that were not found, with the version of the catalogue that was read for them. */
  readonly #missed = new LRUCache<string, string>({ max: MISSED });
  #reachable = true;

  constructor(options: WatcherOptions) {
    this.#options = options;
    const { signal } = this.#end;
    const looks = new Looks(options.database);
    this.#accounts = new AccountsWatch(options, looks, signal);
    this.#catalogue = new CatalogueWatch(options, looks, signal);
    this.#polls = new Polls({
      isIdle: options.isIdle,
      onPause: () => this.#accounts.distrust(),
      signal,
    });
  }

  /** The schemas that are exposed now. */
  get schemas(): readonly string[] {
    return this.#catalogue.schemas;
  }

  /** For each of them a text that changes with DDL in it. */
  get fingerprints(): ReadonlyMap<string, string> | undefined {
    return this.#catalogue.fingerprints;
  }

  /** Takes the first look, which must succeed, and keeps polling. `rounds`: see `CatalogueWatch.look`. */
  async start(rounds?: number): Promise<void> {
    const { intervalMs } = this.#options;
    await Promise.all([this.#accounts.look(), this.#catalogue.begin(rounds)]);
    // separately: a catalogue that is locked by another session's DDL must not keep a removed account in
    this.#polls.repeat(Math.min(intervalMs, ACCOUNTS_INTERVAL_MS), () => this.#lookAtAccounts());
    this.#polls.repeat(intervalMs, () => this.lookNow(false));
  }

  /**
   * Looks at the catalogue now. `isOther`: PostgreSQL has reported another catalogue, e.g. a missing column. Then it is
   * read after a moment, even if it was read just before. Never rejects.
   */
  lookNow(isOther = true): Promise<void> {
    const known = isOther ? this.#coming : this.#next;
    if (known) return known;
    const look = async (): Promise<void> => {
      if (!isOther) this.#next = undefined;
      const onBegin = (): void => {
        if (isOther) this.#coming = undefined;
      };
      await this.#guard(() => this.#catalogue.look({ isOther, onBegin }));
    };
    this.#looking = this.#looking.then(look);
    if (isOther) this.#coming = this.#looking;
    else this.#next = this.#looking;
    return this.#looking;
  }

  /**
   * Rereads the catalogue for a missing relation, or one whose definition forbids a request: at once where the catalogue
   * has changed since it was last missed, else at the usual pace. Never rejects.
   */
  async lookFor(relation: Relation): Promise<void> {
    const key = JSON.stringify([relation.schema, relation.name]);
    let version: string | undefined;
    await this.#guard(async () => {
      version = await this.#catalogue.versionOf(relation);
    });
    const isOther = version !== undefined && version !== this.#missed.get(key);
    if (version !== undefined) this.#missed.set(key, version);
    await this.lookNow(isOther);
  }

  /** A request came: makes up for skipped polls first. Never rejects. */
  async resume(): Promise<void> {
    await this.#polls.resume(() => Promise.all([this.#lookAtAccounts(), this.lookNow(false)]));
  }

  #lookAtAccounts(): Promise<void> {
    return this.#guard(() => this.#accounts.look());
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#looking;
  }

  /**
   * Never rejects. An unreachable database is logged once, and requests report it themselves. `look` resolves to false
   * where it has asked nothing.
   */
  async #guard(look: () => Promise<unknown>): Promise<void> {
    const { log, database } = this.#options;
    try {
      if ((await look()) === false) return;
      if (!this.#reachable) log.info({ database: database.name }, "the database answers again");
      this.#reachable = true;
    } catch (error) {
      if (this.#end.signal.aborted) return;
      if (this.#reachable) log.error({ err: error, database: database.name }, "the database cannot be watched");
      this.#reachable = false;
      this.#catalogue.distrust();
      // an earlier verification may be outdated after a time without polls
      if (this.#accounts.isOutdated) this.#accounts.distrust();
    }
  }
}
