/** A large table in its own database, and a writer that changes it a row at a time. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type pg from "pg";
import { workJobs } from "../../server/operate/jobs.ts";
import { openAsGateway, testDatabase } from "../../test/support/databases.ts";
import type { Row } from "./benchmark.ts";

export const ROWS = Number(process.env["HISTORY_ROWS"] ?? 2_000_000);

export interface LargeTable {
  readonly client: pg.Client;
  /** Runs the jobs that were begun, until all are done. */
  finish(): Promise<void>;
  /** Runs a writer beside the measured work, which changes one row at a time. */
  besideWriter<T>(run: () => Promise<T>): Promise<readonly [T, Waits]>;
}

export interface Waits {
  readonly longestMs: number;
  /** The longest wait without the time in line for a processor: locks and the disk remain. */
  readonly longestBlockedMs: number;
  readonly writes: number;
}

/** Makes `town.large` of `ROWS` rows, vacuumed, and drops it after. */
export async function withLargeTable(measure: (table: LargeTable) => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const test = await testDatabase({ kind: "portolan" });
  const database = openAsGateway(test, { statementTimeoutMs: 3_600_000 });
  try {
    await test.client.query(`
create schema town;
create table town.large (id int primary key, name text, kind int, at timestamptz default now());
insert into town.large select i, 'row ' || i, i % 10 from generate_series(1, ${ROWS}) i`);
    await test.client.query("vacuum analyze town.large");
    return await measure({
      client: test.client,
      finish: () => workJobs(database, { signal: new AbortController().signal }),
      async besideWriter(run) {
        const writer = fork(join(import.meta.dirname, "../peers/rowWriter.ts"), [test.url, String(ROWS)]);
        try {
          const result = await run();
          writer.send("stop");
          const [waits] = (await once(writer, "message")) as [Waits];
          return [result, waits];
        } finally {
          writer.kill();
        }
      },
    });
  } finally {
    await database.close();
    await test.drop();
  }
}

/** `beside`: the same writer's waits beside other work, by the name of that work. */
export function waitsRow(waits: Waits, beside: Readonly<Record<string, Waits>> = {}): Row {
  const figures = ({ longestMs, longestBlockedMs }: Waits): string =>
    `${longestMs.toFixed(0)} ms, of the database ${longestBlockedMs.toFixed(0)}`;
  return {
    what: "longest wait of a writer beside it, who changes one row at a time; without the line for a processor",
    ours: figures(waits),
    peer: [
      `${waits.writes} writes`,
      ...Object.entries(beside).map(([what, other]) => `beside ${what} ${figures(other)}`),
    ].join("; "),
    ratio: "",
    target: "< 100 ms",
  };
}

/** Compares beginning something for all rows with copying them. */
export function timesRow(what: string, taken: number, copied: number): Row {
  return {
    what,
    ours: `${taken.toFixed(1)} s`,
    peer: `insert … select of the same rows into a table with the same indexes ${copied.toFixed(1)} s`,
    ratio: `${(taken / copied).toFixed(2)}×`,
    target: "≤ 2",
  };
}

export async function seconds(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
}
