/** How long it takes to begin the history of a large table, and how long a writer beside it ever waits. */
import { workJobs } from "../server/kernel/jobs.ts";
import { openAsGateway, testDatabase } from "../test/support/databases.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { makeLargeTable, seconds, startWriter, type Waits } from "./support/largeTable.ts";

const ROWS = Number(process.env["HISTORY_ROWS"] ?? 2_000_000);
/** A larger table is measured beside a writer only: it takes minutes. */
const MOST_TWICE = 5_000_000;
/** The rows that a history of the table has when it begins. */
const OF_HISTORY = `
(id, name, kind, at, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version)
select *, now(), 'infinity', pg_current_xact_id(), session_user, 1 from town.large`;

/** Runs what is measured, and gives its seconds. */
type Around = (run: () => Promise<number>) => Promise<number>;

export const benchmark: Benchmark = {
  name: "history of a large table",
  async run() {
    const test = await testDatabase({ kind: "portolan" });
    const database = openAsGateway(test, { statementTimeoutMs: 3_600_000 });
    try {
      await makeLargeTable(test.client, ROWS);
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
        const writer = await startWriter(test.url, ROWS);
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
