/** Keeps the results of panels of public dashboards for a while. */
import { LRUCache } from "lru-cache";
import { toGatewayError } from "../../ground/errors.ts";
import { isTransient } from "../../ground/retry.ts";

export interface PanelRows {
  /** The `schema` of a result, as JSON text. */
  readonly schema: string;
  /** Each as JSON text. */
  readonly rows: readonly string[];
  /** Whether there are more. */
  readonly more: boolean;
}

const MAX_KEPT = 200;
/** Characters of all keys and results: those of a dashboard of 40 panels of the largest size. */
const MAX_LENGTH = 25_000_000;
/** How long rights are known. With the second for which caches on the way keep an answer, one that was taken ends within 5 s. */
const RIGHTS_MS = 4000;

/**
 * For one database: a panel runs once in `keepSeconds`, however many visitors look. A failure is kept as well, since it may
 * have taken as long. Visitors who come while it runs wait for the same run. The 200 most recently used results are kept, of
 * 25,000,000 characters together.
 */
export class PanelCache {
  readonly #kept = new LRUCache<string, Promise<PanelRows>>({ max: MAX_KEPT, maxSize: MAX_LENGTH, ttlAutopurge: true });
  /** Any number: the places for connections limit them. */
  readonly #running = new Map<string, Promise<PanelRows>>();
  #rights: { readonly text: Promise<string>; readonly untilMs: number } | undefined;

  rows(key: string, keepSeconds: number, run: () => Promise<PanelRows>): Promise<PanelRows> {
    const known = this.#kept.get(key) ?? this.#running.get(key);
    if (known) return known;
    const running = run();
    this.#running.set(key, running);
    const end = (keptLength: number | undefined): void => {
      if (this.#running.get(key) !== running) return; // everything was dropped meanwhile
      this.#running.delete(key);
      if (keptLength === undefined) return;
      this.#kept.set(key, running, { ttl: keepSeconds * 1000, size: key.length + keptLength });
    };
    running.then(
      ({ schema, rows }) => end(rows.reduce((length, row) => length + row.length, schema.length)),
      (error: unknown) => end(isOfPanel(error) ? 0 : undefined),
    );
    return running;
  }

  /** The result of `read`, at most four seconds old. */
  rights(read: () => Promise<string>): Promise<string> {
    const nowMs = performance.now();
    if (this.#rights && nowMs < this.#rights.untilMs) return this.#rights.text;
    const text = read();
    const rights = (this.#rights = { text, untilMs: nowMs + RIGHTS_MS });
    text.catch(() => {
      if (this.#rights === rights) this.#rights = undefined;
    });
    return text;
  }

  /** Drops everything, also results that are being made now: rights may be others. */
  clear(): void {
    this.#kept.clear();
    this.#running.clear();
    this.#rights = undefined;
  }
}

/** Whether it would fail again in the same way: not where the service was busy or had no connection, or another was in the way. */
function isOfPanel(error: unknown): boolean {
  return !isTransient(error) && !["INTERNAL", "CLIENT_GONE"].includes(toGatewayError(error).code);
}
