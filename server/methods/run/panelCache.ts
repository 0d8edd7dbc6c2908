/** What the panels of public dashboards gave, for a while. */
import { LRUCache } from "lru-cache";
import { toGatewayError } from "../../ground/errors.ts";

export interface PanelRows {
  /** The `schema` of a result, as JSON text. */
  readonly schema: string;
  /** Each as JSON text. */
  readonly rows: readonly string[];
  /** Whether there are more. */
  readonly more: boolean;
}

const MAX_KEPT = 200;

/**
 * For one database: a panel runs once in `keepSeconds`, however many visitors look. A failure is kept as well, since it may
 * have taken as long. Visitors who come while it runs wait for the same run.
 */
export class PanelCache {
  readonly #kept = new LRUCache<string, Promise<PanelRows>>({ max: MAX_KEPT });

  rows(key: string, keepSeconds: number, run: () => Promise<PanelRows>): Promise<PanelRows> {
    const known = this.#kept.get(key);
    if (known) return known;
    const running = run();
    this.#kept.set(key, running);
    const keep = (): void => {
      if (this.#kept.peek(key) === running) this.#kept.set(key, running, { ttl: keepSeconds * 1000 });
    };
    running.then(keep, (error: unknown) => {
      if (isOfPanel(error)) keep();
      else if (this.#kept.peek(key) === running) this.#kept.delete(key);
    });
    return running;
  }

  /** Drops everything, also results that are being made now: rights may be others. */
  clear(): void {
    this.#kept.clear();
  }
}

/** Whether it would fail again in the same way: not where the service was busy or had no connection. */
function isOfPanel(error: unknown): boolean {
  return !["UNAVAILABLE", "ACCOUNT_BUSY", "INTERNAL", "CLIENT_GONE"].includes(toGatewayError(error).code);
}
