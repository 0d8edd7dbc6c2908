import assert from "node:assert/strict";
import type { Database } from "../../server/kernel/database/database.ts";
import { createLog } from "../../server/kernel/log.ts";
import { Watcher } from "../../server/kernel/catalogue/watcher.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";

describe("the watcher of a catalogue", () => {
  let test: TestDatabase;
  let database: Database;
  let watcher: Watcher;
  let seen = 0;

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query("create schema town; create table town.notes (id int primary key)");
    database = openAsGateway(test, { connectTimeoutMs: 1000 });
    watcher = new Watcher({
      database,
      schemas: undefined,
      intervalMs: 3_600_000,
      log: createLog("silent"),
      prepare: () => Promise.resolve(),
      onCatalogue: () => Promise.resolve(void seen++),
      onAccounts: () => undefined,
      onMaps: () => Promise.resolve(),
    });
    await watcher.start();
  });

  after(async () => {
    await watcher.stop();
    await database.close();
    await test.drop();
  });

  it("is seen as it is by whoever knows that it is another one, however often it was read just before", async () => {
    for (let n = 1; n <= 5; n++) {
      await test.client.query(`alter table town.notes add column c${n} int`);
      await watcher.lookNow();
      assert.equal(seen, n);
    }
  });

  it("is read once for all who wait for it", async () => {
    const before = seen;
    await test.client.query("alter table town.notes drop column c1");
    await Promise.all(Array.from({ length: 100 }, () => watcher.lookNow()));
    assert.equal(seen, before + 1);
  });
});
