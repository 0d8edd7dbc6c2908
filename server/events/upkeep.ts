/** The work beside reading: it deletes old events, and writes this gateway's entry. */
import type { ReaderSession } from "./readerSession.ts";

const SECOND = 1000;
const CLEAR_INTERVAL_MS = 10 * SECOND;
/** How often a gateway writes its own entry, where that has changed. */
const NOTE_INTERVAL_MS = 5 * SECOND;

export interface UpkeepOptions {
  readonly retentionMs: number;
  readonly retentionBytes: number;
  /** The entry of this gateway (`portolan.fleet`). */
  readonly describe: () => object;
}

export class Upkeep {
  readonly #options: UpkeepOptions;
  #clearedAtMs = -Infinity;
  #noted = { atMs: -Infinity, text: "" };

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  /** The entry went with the connection. */
  forgetNote(): void {
    this.#noted = { atMs: -Infinity, text: "" };
  }

  async clear(session: ReaderSession): Promise<void> {
    if (performance.now() - this.#clearedAtMs < CLEAR_INTERVAL_MS) return;
    const { retentionMs, retentionBytes } = this.#options;
    const [row] = await session.rows<{ more: boolean }>("select portolan.clear_events($1, $2) as more", [
      retentionMs,
      retentionBytes,
    ]);
    if (!row?.more) this.#clearedAtMs = performance.now(); // else goes on after the next batch
  }

  /** Writes only where something has changed, because each commit wakes all gateways. */
  async note(session: ReaderSession): Promise<void> {
    if (performance.now() - this.#noted.atMs < NOTE_INTERVAL_MS) return;
    const text = JSON.stringify(this.#options.describe());
    if (text !== this.#noted.text)
      await session.rows(
        "select portolan.note_gateway(a.backend_start, $1) from pg_stat_get_activity(pg_backend_pid()) a",
        [text],
      );
    this.#noted = { atMs: performance.now(), text };
  }
}
