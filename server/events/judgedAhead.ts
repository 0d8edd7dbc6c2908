/** A group that is behind has the records of many batches judged at once, in one statement. */
import { VERDICT_HOLDS_MS } from "./fleet.ts";
import type { Judge, Subscriber, Visibility } from "./judge.ts";
import type { Entry, EventLog, Header } from "./log.ts";
import { rowsOf, type Row, type Table, type TableInfo } from "./table.ts";

/** The answer to one question. */
const MOST = { batches: 50, rows: 500 };

export class JudgedAhead {
  readonly #table: Table;
  readonly #subscriber: Subscriber;
  readonly #eventLog: EventLog;
  readonly #judge: Judge;
  #known: { readonly version: string; readonly atMs: number; readonly visibility: Visibility } | undefined;
  /** The known part of the log. */
  #covered = new Set<readonly Entry[]>();

  constructor(table: Table, subscriber: Subscriber, host: { readonly eventLog: EventLog; readonly judge: Judge }) {
    this.#table = table;
    this.#subscriber = subscriber;
    this.#eventLog = host.eventLog;
    this.#judge = host.judge;
  }

  /** The verdict on a page within the last second, for the version of the table in `info`. */
  of(entries: readonly Entry[], info: TableInfo): Visibility | undefined {
    if (this.#known?.version !== info.version || performance.now() - this.#known.atMs > VERDICT_HOLDS_MS)
      this.#forget();
    return this.#covered.has(entries) ? this.#known?.visibility : undefined;
  }

  #forget(): void {
    this.#known = undefined;
    this.#covered = new Set();
  }

  /** For an older batch each gateway judges the records itself, because rights may have changed since another did. */
  isLive(header: Header): boolean {
    return Math.abs(this.#eventLog.ageMs(header) ?? Infinity) < VERDICT_HOLDS_MS;
  }

  /**
   * Judges the first of these batches together, as far as they are not live. Resolves to the number of judged batches,
   * at least one. Never rejects: failures are repeated page by page.
   */
  async look(headers: readonly Header[]): Promise<number> {
    const { info } = this.#table;
    this.#forget();
    const live = headers.findIndex((header) => this.isLive(header));
    const old = headers.slice(0, live === -1 ? MOST.batches : Math.min(live, MOST.batches));
    if (old.length < 2 || !info.rowSecurity) return Math.max(1, old.length);
    let count = 0;
    try {
      const rows: Row[] = [];
      for (const header of old) {
        const page = await this.#eventLog.page(header, info.oid, { last: 0, id: 0 });
        const entries = page?.entriesOf.get(info.oid) ?? [];
        rows.push(...rowsOf(await Promise.all(entries.map((entry) => this.#table.decode(entry, info)))));
        this.#covered.add(entries);
        count++;
        if (rows.length >= MOST.rows) break;
      }
      const atMs = performance.now();
      const visibility = await this.#judge.judge(this.#subscriber, info, rows);
      if (visibility) this.#known = { version: info.version, atMs, visibility };
    } catch {
      // the repetition reports it
    }
    return Math.max(1, count);
  }
}
