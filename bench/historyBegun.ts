/** How long it takes to begin the history of a large table, and how long a writer beside it ever waits. */
import { workJobs } from "../server/kernel/jobs.ts";
import { openAsGateway, testDatabase } from "../test/support/databases.ts";
import pg from "pg";
import type { Benchmark, Row } from "./support/benchmark.ts";

// HISTORY_ROWS=10000000 takes about 15 minutes
const ROWS = Number(process.env["HISTORY_ROWS"] ?? 2_000_000);

export const benchmark: Benchmark = {
  name: "history of a large table",
  async run() {
    const test = await testDatabase({ kind: "portolan" });
    const database = openAsGateway(test, { statementTimeoutMs: 3_600_000 });
    try {
      await test.client.query(
        `
create schema town;
create table town.large (id int primary key, name text, kind int, at timestamptz default now());
insert into town.large select i, 'row ' || i, i % 10 from generate_series(1, ${ROWS}) i;
`,
      );
      await test.client.query("vacuum analyze town.large");
      const copy = async (): Promise<number> => {
        await test.client.query("create table town.copy (like town.large including all); checkpoint");
        const taken = await seconds(() => test.client.query("insert into town.copy select * from town.large"));
        await test.client.query("drop table town.copy");
        return taken;
      };
      const begin = async (): Promise<number> => {
        await test.client.query("checkpoint");
        await test.client.query("select portolan.enable_versioning('town.large')");
        return seconds(() => workJobs(database, { signal: new AbortController().signal }));
      };
      const compared = (what: string, job: number, insert: number): Row => ({
        what: `beginning the history of ${ROWS} rows, ${what}`,
        ours: `${job.toFixed(1)} s`,
        peer: `insert … select of the same rows ${insert.toFixed(1)} s`,
        ratio: `${(job / insert).toFixed(2)}×`,
        target: "≤ 2",
      });
      const alone = compared("alone", await begin(), await copy());
      await test.client.query("select portolan.disable_versioning('town.large', drop_history => true, wait => true)");
      const other = await startWriter(test.url);
      const besideWriter = await copy();
      await other.stop();
      const writer = await startWriter(test.url);
      const beside = compared("both beside a writer", await begin(), besideWriter);
      const { longestMs, writes } = await writer.stop();
      return [
        alone,
        beside,
        {
          what: "longest wait of that writer, who changes one row at a time",
          ours: `${longestMs.toFixed(0)} ms`,
          peer: `${writes} writes`,
          ratio: "",
          target: "< 100 ms",
        },
      ];
    } finally {
      await database.close();
      await test.drop();
    }
  },
};

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
}

/** Changes a row somewhere, again and again, until it is stopped. */
async function startWriter(url: string): Promise<{ stop(): Promise<{ longestMs: number; writes: number }> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let goesOn = true;
  let longestMs = 0;
  let writes = 0;
  const done = (async () => {
    while (goesOn) {
      const id = 1 + Math.floor(Math.random() * ROWS);
      const ms =
        1000 * (await seconds(() => client.query("update town.large set kind = kind + 1 where id = $1", [id])));
      longestMs = Math.max(longestMs, ms);
      writes++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await client.end();
  })();
  return {
    async stop() {
      goesOn = false;
      await done;
      return { longestMs, writes };
    },
  };
}
