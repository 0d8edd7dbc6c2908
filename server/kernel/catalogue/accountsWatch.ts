/** Notices which accounts, keys and tokens have changed in a database. */
import type { Log } from "../../ground/log.ts";
import type { Database } from "../database/database.ts";
import type { Looks } from "./looks.ts";

/** The longest validity of a verification: a removed account loses access within 5 s. */
const TRUST_MS = 4000;
/** How often an unanswered poll is checked. */
const PATIENCE_STEP_MS = 500;
/** What changed through Portolan, which counts the changes of each subject. */
export const GENERATIONS = `select subject, generation::text, 0 as roles from portolan.generations`;
/**
 * What a team changed by itself, as by `grant role to role`. PostgreSQL tells nobody of these changes, so all roles are compared:
 * a membership and its role take 0.4 µs.
 */
export const ROLES = `
select 'memberships' as subject, concat_ws(' ', count(*), sum(hash_record_extended(m, 0))) as generation, count(*)::int as roles
from pg_auth_members m
union all
select 'roles', concat_ws(' ', count(*), sum(hashtextextended(concat_ws(' ', r.oid, r.rolname, r.rolinherit, r.rolsuper, r.rolbypassrls), 0))), 0
from pg_roles r`;
/** With so many memberships all roles are compared once a second, with half as many twice. */
const ROLES_PER_SECOND = 50_000;
/** However many there are: with the time to compare them, well within the time that a verification is valid. */
const ROLES_MOST_MS = 2000;
/** Subjects that change who may sign in, but no rights on rows. A standby need not have replayed them. */
const OF_TOKENS: ReadonlySet<string> = new Set(["tokens", "keys", "clients"]);

export interface AccountsWatchOptions {
  readonly database: Database;
  /** After this long without an answer over an open connection, the connections to the database count as dead. */
  readonly silenceMs: number;
  readonly log: Log;
  /** Runs after an account or a signing key has changed. */
  readonly onAccounts: () => void;
  /**
   * Must end all connections: a connection reports no error when its other end is gone or a firewall has dropped it.
   */
  readonly onSilence: () => void;
  /** Subjects of `portolan.generations` that do not change who may come in. */
  readonly subjects: ReadonlySet<string>;
  /** Runs after one of them has changed. */
  readonly onSubject: (subject: string) => Promise<void>;
}

export class AccountsWatch {
  readonly #options: AccountsWatchOptions;
  readonly #looks: Looks;
  readonly #signal: AbortSignal;
  /** When the roles are compared again (`performance.now()`). */
  #rolesDueMs = -Infinity;
  /** The generation of each subject at the last look. */
  #generations: ReadonlyMap<string, string> | undefined;
  #seenAt = 0;

  /** `signal` fires at the end. */
  constructor(options: AccountsWatchOptions, looks: Looks, signal: AbortSignal) {
    this.#options = options;
    this.#looks = looks;
    this.#signal = signal;
  }

  /** Whether the last poll is so old that an earlier verification may be outdated. */
  get isOutdated(): boolean {
    return performance.now() - this.#seenAt > TRUST_MS;
  }

  async look(): Promise<void> {
    const { database, subjects, onSubject } = this.#options;
    const beganMs = performance.now();
    const withRoles = beganMs >= this.#rolesDueMs;
    const rows = await this.#inTime(
      database.look<{ subject: string; generation: string; roles: number }>(
        withRoles ? `${GENERATIONS} union all ${ROLES}` : GENERATIONS,
      ),
    );
    const before = this.#generations;
    const now = new Map([
      ...(withRoles ? [] : (before ?? [])),
      ...rows.map(({ subject, generation }) => [subject, generation] as const),
    ]);
    const changed = (subject: string): boolean => before !== undefined && before.get(subject) !== now.get(subject);
    if (withRoles) {
      const roles = Math.max(...rows.map((row) => row.roles));
      this.#rolesDueMs = beganMs + Math.min((roles / ROLES_PER_SECOND) * 1000, ROLES_MOST_MS);
    }
    this.#generations = now;
    const others = [...now.keys()].filter((subject) => !subjects.has(subject) && changed(subject));
    if (others.length > 0) this.distrust({ andRights: others.some((subject) => !OF_TOKENS.has(subject)) });
    this.#seenAt = performance.now();
    this.#looks.saw("accounts", beganMs);
    if (withRoles) this.#looks.saw("roles", beganMs);
    await Promise.all([...subjects].filter(changed).map(onSubject));
  }

  /**
   * Waits for an answer. Unless the connection is dead, PostgreSQL's own limit (`Database.look`) has brought one by
   * then. It counts steps instead of time, so that a process that was paused finds the answer before the next step.
   */
  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const { database, log, silenceMs, onSilence } = this.#options;
    let steps = 0;
    const stepping = setInterval(() => {
      if (this.isOutdated) this.distrust();
      if (++steps !== Math.ceil(silenceMs / PATIENCE_STEP_MS) || this.#signal.aborted) return;
      log.warn({ database: database.name }, "the database has not answered for a while: reconnecting");
      onSilence();
    }, PATIENCE_STEP_MS).unref();
    try {
      return await answer;
    } finally {
      clearInterval(stepping);
    }
  }

  /** Earlier verifications no longer count. */
  distrust({ andRights = true } = {}): void {
    this.#looks.forget({ andRights });
    this.#options.onAccounts();
  }
}
