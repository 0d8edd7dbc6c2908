/** How long it takes to begin the history of a large table, and how long a writer beside it ever waits. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark } from "./support/benchmark.ts";
import { ROWS, seconds, timesRow, waitsRow, withLargeTable } from "./support/largeTable.ts";

/** A larger table is measured beside a writer only: it takes minutes. */
const MOST_TWICE = 5_000_000;
const ALONE_MS = 10_000;
/** The rows that a history of the table has at its beginning. */
const OF_HISTORY = `
(id, name, kind, at, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version)
select *, now(), 'infinity', pg_current_xact_id(), session_user, 1 from town.large`;

export const benchmark: Benchmark = {
  name: "history of a large table",
  run: () =>
    withLargeTable(async ({ client, finish, besideWriter }) => {
      const begin = async (): Promise<number> => {
        await client.query("checkpoint");
        await client.query("select portolan.enable_versioning('town.large')");
        return seconds(finish);
      };
      const copy = async (): Promise<number> => {
        await client.query("checkpoint");
        return seconds(() => client.query(`insert into town.twin ${OF_HISTORY}`));
      };
      const end = () => client.query("drop table town.twin");
      /** Makes a table like that of the history. Rows are copied to it then. */
      const endHistory = () =>
        client.query(`
create table town.twin (like town__history.large including all);
select portolan.disable_versioning('town.large', drop_history => true, wait => true)`);
      const what = `beginning the history of ${ROWS} rows`;
      const rows = [];
      if (ROWS <= MOST_TWICE) {
        const begun = await begin();
        await endHistory();
        rows.push(timesRow(`${what}, alone`, begun, await copy()));
        await end();
      }
      const [begun, waits] = await besideWriter(begin);
      await endHistory();
      const [copied, besideCopy] = await besideWriter(copy);
      await end();
      const [, besideNothing] = await besideWriter(() => sleep(ALONE_MS));
      return [
        ...rows,
        timesRow(`${what}, both beside a writer`, begun, copied),
        waitsRow(waits, { "insert … select": besideCopy, nothing: besideNothing }),
      ];
    }),
};
