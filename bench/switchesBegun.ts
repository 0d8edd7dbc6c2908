/** How long it takes to switch events and workflow on for a large table, and how long a writer beside it ever waits. */
import { workJobs } from "../server/kernel/jobs.ts";
import { openAsGateway, testDatabase } from "../test/support/databases.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { makeLargeTable, seconds, startWriter } from "./support/largeTable.ts";

const ROWS = Number(process.env["HISTORY_ROWS"] ?? 2_000_000);

export const benchmark: Benchmark = {
  name: "events and workflow of a large table",
  async run() {
    const test = await testDatabase({ kind: "portolan" });
    const database = openAsGateway(test, { statementTimeoutMs: 3_600_000 });
    try {
      await makeLargeTable(test.client, ROWS);
      await test.client.query("create table town.twin (like town.large including all)");
      await test.client.query("checkpoint");
      const copied = await seconds(() => test.client.query("insert into town.twin table town.large"));
      const rows: Row[] = [];
      for (const what of ["events", "workflow"]) {
        await test.client.query("checkpoint");
        const writer = await startWriter(test.url, ROWS);
        const taken = await seconds(async () => {
          await test.client.query(`select portolan.enable_${what}('town.large')`);
          await workJobs(database, { signal: new AbortController().signal });
        });
        await new Promise((resolve) => setTimeout(resolve, 1000)); // those who waited for the last step too
        const { longestMs, writes } = await writer.stop();
        rows.push(
          {
            what: `${what} of ${ROWS} rows`,
            ours: `${taken.toFixed(1)} s`,
            peer: `insert … select of the same rows into a table with the same indexes ${copied.toFixed(1)} s`,
            ratio: `${(taken / copied).toFixed(2)}×`,
            target: "≤ 2",
          },
          {
            what: "longest wait of a writer beside it, who changes one row at a time",
            ours: `${longestMs.toFixed(0)} ms`,
            peer: `${writes} writes`,
            ratio: "",
            target: "< 100 ms",
          },
        );
      }
      return rows;
    } finally {
      await database.close();
      await test.drop();
    }
  },
};
