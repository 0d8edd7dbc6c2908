/** How long it takes to switch events and workflow on for a large table, and how long a writer beside it ever waits. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ROWS, seconds, timesRow, waitsRow, withLargeTable } from "./support/largeTable.ts";

export const benchmark: Benchmark = {
  name: "events and workflow of a large table",
  run: () =>
    withLargeTable(async ({ client, finish, besideWriter }) => {
      await client.query("create table town.twin (like town.large including all)");
      await client.query("checkpoint");
      const copied = await seconds(() => client.query("insert into town.twin table town.large"));
      const rows: Row[] = [];
      for (const what of ["events", "workflow"]) {
        await client.query("checkpoint");
        const [taken, waits] = await besideWriter(async () => {
          const begun = await seconds(async () => {
            await client.query(`select portolan.enable_${what}('town.large')`);
            await finish();
          });
          await sleep(1000); // those who waited for the last step too
          return begun;
        });
        rows.push(timesRow(`${what} of ${ROWS} rows`, taken, copied), waitsRow(waits));
      }
      return rows;
    }),
};
