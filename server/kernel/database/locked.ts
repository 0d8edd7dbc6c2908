/** The error for a request that waited for a lock as long as it may: which table is locked, and who holds the lock. */
import type { IDatabase } from "pg-promise";
import { lockedByOther, type GatewayError, type HeldLock } from "../../ground/errors.ts";
import type { Identity } from "./begin.ts";
import type { Reached } from "./code.ts";
import { lockLimit, type Setting } from "./settings.ts";
import { makeClient } from "./wire/wire.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/** `detail`: for the log. */
export interface LockFailure {
  readonly cause: unknown;
  readonly detail?: string;
}

/** Names the table if the lock is still held. The holder is told to super users; for operators it is in the log. */
export async function whatIsLocked(
  db: IDatabase<object>,
  { role }: Pick<Identity, "role">,
  reach: readonly Reached[] = [],
  { cause, detail }: LockFailure,
): Promise<GatewayError> {
  const relations = reach.filter(({ request }) => request !== "call" && request !== "names");
  const all = (member: "schema" | "name" | "request"): string[] => relations.map((relation) => relation[member]);
  const asked = db.oneOrNone<HeldLock>(
    'select relation, holders, is_guess as "isGuess", is_readable as "isReadable", is_told as "isTold" from portolan.held_lock($1, $2, $3, $4)',
    [role, all("schema"), all("name"), all("request")],
  );
  return lockedByOther(cause, (await asked.catch(() => null)) ?? undefined, detail); // without an answer it is the error alone
}

/** After this time the database is asked again: somebody may have given it another `lock_timeout`. */
const KNOWN_MS = 60_000;

/**
 * The longest wait for a lock, for a connection that gets its settings when it starts. `urlOf`: the login of requests, with
 * which one connection is made to read the database's own setting.
 */
export class LockLimit {
  readonly #lockTimeoutMs: number | undefined;
  readonly #urlOf: () => Promise<string>;
  #own: { readonly askedAtMs: number; readonly ms: Promise<number> } | undefined;

  constructor(lockTimeoutMs: number | undefined, urlOf: () => Promise<string>) {
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#urlOf = urlOf;
  }

  /** No setting where the database's own is to stay. */
  async settings(): Promise<readonly Setting[]> {
    const limitMs = this.#lockTimeoutMs;
    if (limitMs === undefined) return [];
    const ownMs = await this.#ownMs().catch(() => 0); // the connection itself tells what is wrong
    return ownMs > 0 && ownMs <= limitMs ? [] : [lockLimit(limitMs)];
  }

  #ownMs(): Promise<number> {
    const nowMs = performance.now();
    if (!this.#own || nowMs - this.#own.askedAtMs > KNOWN_MS) {
      const ms = this.#urlOf().then(ownLimitMs);
      this.#own = { askedAtMs: nowMs, ms };
      ms.catch(() => (this.#own = undefined));
    }
    return this.#own.ms;
  }
}

async function ownLimitMs(url: string): Promise<number> {
  const client = makeClient({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ ms: string }>(
      "select 1000 operator(pg_catalog.*) pg_catalog.date_part('epoch', pg_catalog.current_setting('lock_timeout')::pg_catalog.interval) as ms",
    );
    return Number(rows[0]?.ms);
  } finally {
    await client.end().catch(() => undefined); // it was never connected
  }
}
