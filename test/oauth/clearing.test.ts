import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { createLog, type Log } from "../../server/ground/log.ts";
import { startClearing } from "../../server/oauth/clearing.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { testGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const WITHIN_MS = 10_000;
const INTERVAL_MS = 20;

describe("expired entries are removed", () => {
  /** An entry of that age. */
  const addEntry = ({ client }: TestDatabase, daysAgo: number) =>
    client.query("insert into portolan.audit (event, at) values ($1, now() - make_interval(days => $2))", [
      `of ${daysAgo} days ago`,
      daysAgo,
    ]);
  const entries = async ({ client }: TestDatabase) => {
    const { rows } = await client.query("select event from portolan.audit where event like 'of %' order by at");
    return rows.map(({ event }) => event as string);
  };

  it("by the gateway alone, after auditRetentionDays", async () => {
    const gateway = await testGateway({
      config: { auditRetentionDays: 7 },
      prepare: (database) => Promise.all([8, 6].map((days) => addEntry(database, days))),
    });
    try {
      await until(async () => (await entries(gateway.database)).length === 1, WITHIN_MS);
      assert.deepEqual(await entries(gateway.database), ["of 6 days ago"]);
    } finally {
      await gateway.close();
    }
  });

  it("repeatedly, also after a failure, until the gateway stops", async () => {
    const test = await testDatabase({ kind: "portolan" });
    const database = openAsGateway(test);
    try {
      let failures = 0;
      const log: Pick<Log, "warn"> = { warn: () => void failures++ };
      const stop = startClearing({
        databases: new Map([[test.name, database]]),
        auditRetentionDays: 30,
        intervalMs: INTERVAL_MS,
        log: Object.assign(createLog("silent"), log),
      });
      const gone = async () => (await entries(test)).length === 0;
      for (let round = 0; round < 3; round++) {
        await addEntry(test, 31);
        await until(gone, WITHIN_MS);
      }
      await test.client.query("alter function portolan.clear_expired(integer) rename to lost");
      await addEntry(test, 31);
      await until(() => failures >= 2, WITHIN_MS);
      assert.equal(await gone(), false);
      await test.client.query("alter function portolan.lost(integer) rename to clear_expired");
      await until(gone, WITHIN_MS);
      await stop();
      await addEntry(test, 31);
      // timers of one process fire in order, and statements on one connection run in order: everything due has been
      // done
      await setTimeout(5 * INTERVAL_MS);
      await database.db.one("select 1 as done");
      assert.equal((await entries(test)).length, 1, "it was stopped");
    } finally {
      await database.close();
      await test.drop();
    }
  });
});
