/** Writers whose changes can be counted: every row has a counter, so a chain of events proves that none is missing. */
import { setTimeout } from "node:timers/promises";
import pg from "pg";

const ROWS = 20;

export interface WrittenCounts {
  committed: number;
  rolledBack: number;
  failed: number;
}

/** Makes `town.chain`: rows that are only ever updated, by one each time, and others that are added and deleted. */
export const CHAIN_TABLE = `
create table town.chain (id int primary key, v int not null, writer int, note text);
insert into town.chain select i, 0, 0, '' from generate_series(1, ${ROWS}) i;`;

export interface Writers {
  readonly counts: WrittenCounts;
  /** Ends them; resolves when the last transaction has ended. */
  stop(): Promise<void>;
}

export interface WriterOptions {
  readonly url: string;
  readonly writers: number;
  /** Whether transactions may be prepared. */
  readonly twoPhase?: boolean;
  /** Pause after each transaction. */
  readonly pauseMs?: number;
}

/** Starts connections that write `town.chain` in every way until stopped. A lost connection is opened again. */
export function startWriters({ url, writers, twoPhase = false, pauseMs = 0 }: WriterOptions): Writers {
  const counts: WrittenCounts = { committed: 0, rolledBack: 0, failed: 0 };
  let stopped = false;
  const running = Array.from({ length: writers }, (_, index) => write(index + 1));

  async function write(writer: number): Promise<void> {
    let serial = 0;
    while (!stopped) {
      const client = new pg.Client({ connectionString: url });
      client.on("error", () => undefined); // lost: opened again
      try {
        await client.connect();
        while (!stopped) {
          await transaction(client, writer, ++serial);
          if (pauseMs > 0) await setTimeout(pauseMs);
        }
      } catch {
        counts.failed++;
        await setTimeout(20);
      } finally {
        await client.end().catch(() => undefined); // it may be gone
      }
    }
  }

  async function transaction(client: pg.Client, writer: number, serial: number): Promise<void> {
    const [one, two] = [1 + Math.floor(Math.random() * ROWS), 1 + Math.floor(Math.random() * ROWS)];
    const bump = `update town.chain set v = v + 1, writer = ${writer} where id = `;
    const kind = Math.random();
    const own = 1000 * writer + 1_000_000 + (serial % 10);
    try {
      await client.query("begin");
      if (kind < 0.35) {
        await client.query(bump + one);
        await client.query(`select pg_sleep(${(Math.random() * 0.01).toFixed(4)})`);
        await client.query(bump + two);
      } else if (kind < 0.5) {
        await client.query(bump + one);
        await client.query("savepoint a");
        await client.query(bump + two);
        await client.query(Math.random() < 0.5 ? "rollback to a" : "release a");
        await client.query(bump + one);
      } else if (kind < 0.6) {
        await client.query(`update town.chain set v = v + 1 where id between ${one} and ${one + 5} and id <= ${ROWS}`);
      } else if (kind < 0.7) {
        await client.query(
          `insert into town.chain values (${own}, 0, ${writer}, 'mine') on conflict (id) do update set v = chain.v + 1`,
        );
        if (Math.random() < 0.5) await client.query(`delete from town.chain where id = ${own}`);
      } else if (kind < 0.8) {
        await client.query(
          `insert into town.chain select ${own * 1000} + i, 0, ${writer}, repeat('x', 200) from generate_series(1, ${Math.random() < 0.1 ? 1500 : 20}) i`,
        );
        await client.query(`delete from town.chain where id > ${own * 1000} and id <= ${own * 1000 + 2000}`);
      } else if (kind < 0.83) {
        await client.query(bump + one);
        await client.query("select pg_sleep(0.3)");
        await client.query(bump + one);
      } else await client.query(bump + one);

      if (Math.random() < 0.15) {
        await client.query("rollback");
        counts.rolledBack++;
      } else if (twoPhase && Math.random() < 0.2) {
        const name = `w${writer}_${serial}_${process.pid}`;
        await client.query(`prepare transaction '${name}'`);
        await setTimeout(Math.random() * 30);
        await client.query(`commit prepared '${name}'`);
        counts.committed++;
      } else {
        await client.query("commit");
        counts.committed++;
      }
    } catch (error) {
      const { code = "" } = error as { code?: string };
      if (!/^40/.test(code)) throw error; // unless it was a deadlock or a conflict, the connection is gone
      await client.query("rollback");
      counts.rolledBack++;
    }
  }

  return {
    counts,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

type Texts = Readonly<Record<string, string | null>> | null;

export interface ChainReport {
  readonly events: number;
  /** Events whose old record is not the row's last new one: an event is missing, doubled or out of order. */
  readonly breaks: readonly string[];
}

/** Follows every row from event to event. */
export class ChainChecker {
  readonly #rows: Map<string, string>;
  readonly #breaks: string[] = [];
  #events = 0;

  /** `rows`: id → v, as they were where the events begin. */
  constructor(rows: ReadonlyMap<string, string>) {
    this.#rows = new Map(rows);
  }

  take(operation: string, key: string, old: Texts, current: Texts): void {
    this.#events++;
    const known = this.#rows.get(key);
    const expected = operation === "INSERT" ? undefined : old?.["v"];
    if (known !== expected) this.#breaks.push(`${operation} ${key}: ${String(expected)} instead of ${String(known)}`);
    if (current?.["v"] === undefined || current["v"] === null) this.#rows.delete(key);
    else this.#rows.set(key, current["v"]);
  }

  /**
   * Takes rows whose operations are known only by their numbers, as in messages of a socket. The value of a row tells
   * its operation, since each writer adds one, and a delete leaves the value unchanged.
   */
  takeRows(
    rows: readonly Readonly<Record<string, unknown>>[],
    operations: { readonly INSERT: number; readonly UPDATE: number; readonly DELETE: number },
  ): void {
    const found = { INSERT: 0, UPDATE: 0, DELETE: 0 };
    for (const row of rows) {
      this.#events++;
      const [key, v] = [String(row["id"]), Number(row["v"])];
      const known = this.#rows.get(key);
      if (known === undefined && v === 0) found.INSERT++;
      else if (known !== undefined && v === Number(known) + 1) found.UPDATE++;
      else if (known !== undefined && v === Number(known)) found.DELETE++;
      else this.#breaks.push(`${key}: ${v} after ${String(known)}`);
      if (v === Number(known ?? NaN)) this.#rows.delete(key);
      else this.#rows.set(key, String(v));
    }
    if (JSON.stringify(found) !== JSON.stringify(operations))
      this.#breaks.push(`${JSON.stringify(operations)} were found to be ${JSON.stringify(found)}`);
  }

  /** Whether the rows equal those of the table by now. */
  equals(rows: ReadonlyMap<string, string>): boolean {
    return rows.size === this.#rows.size && [...rows].every(([id, v]) => this.#rows.get(id) === v);
  }

  report(): ChainReport {
    return { events: this.#events, breaks: this.#breaks };
  }
}

/** id → v of `town.chain` now. */
export async function chainRows(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; v: string }>("select id::text, v::text from town.chain");
  return new Map(rows.map(({ id, v }) => [id, v]));
}
