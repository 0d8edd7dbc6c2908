/** How long it takes to begin the history of a large table, and how long a writer beside it ever waits. */
import { workJobs } from "../server/kernel/jobs.ts";
import { openAsGateway, testDatabase } from "../test/support/databases.ts";
import pg from "pg";
import type { Benchmark, Row } from "./support/benchmark.ts";

const ROWS = Number(process.env["HISTORY_ROWS"] ?? 2_000_000);
/** A larger table is measured beside a writer only: it takes minutes. */
const MOST_TWICE = 5_000_000;
/** The rows that a history of the table has when it begins. */
const OF_HISTORY = `
(id, name, kind, at, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version)
select *, now(), 'infinity', pg_current_xact_id(), session_user, 1 from town.large`;

interface Waits {
  readonly longestMs: number;
  readonly writes: number;
}

/** Runs what is measured, and gives its seconds. */
type Around = (run: () => Promise<number>) => Promise<number>;

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
      const begin = async (): Promise<number> => {
        await test.client.query("checkpoint");
        await test.client.query("select portolan.enable_versioning('town.large')");
        return seconds(() => workJobs(database, { signal: new AbortController().signal }));
      };
      const copy = async (): Promise<number> => {
        await test.client.query("checkpoint");
        return seconds(() => test.client.query(`insert into town.twin ${OF_HISTORY}`));
      };
      const compared = async (what: string, around: Around): Promise<Row> => {
        const job = await around(begin);
        await test.client.query(`
create table town.twin (like town__history.large including all);
select portolan.disable_versioning('town.large', drop_history => true, wait => true)`);
        const insert = await around(copy);
        await test.client.query("drop table town.twin");
        return {
          what: `beginning the history of ${ROWS} rows, ${what}`,
          ours: `${job.toFixed(1)} s`,
          peer: `insert … select of the same rows into a table with the same indexes ${insert.toFixed(1)} s`,
          ratio: `${(job / insert).toFixed(2)}×`,
          target: "≤ 2",
        };
      };
      const alone = ROWS > MOST_TWICE ? [] : [await compared("alone", (run) => run())];
      const waits: Waits[] = [];
      const beside = await compared("both beside a writer", async (run) => {
        const writer = await startWriter(test.url);
        const taken = await run();
        waits.push(await writer.stop());
        return taken;
      });
      return [
        ...alone,
        beside,
        {
          what: "longest wait of that writer, who changes one row at a time",
          ours: `${waits[0]!.longestMs.toFixed(0)} ms`,
          peer: `${waits[0]!.writes} writes; beside insert … select ${waits[1]!.longestMs.toFixed(0)} ms`,
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
async function startWriter(url: string): Promise<{ stop(): Promise<Waits> }> {
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
