import assert from "node:assert/strict";
import { mock } from "node:test";
import type { Database } from "../../server/kernel/database/database.ts";
import { createLog } from "../../server/ground/log.ts";
import { Watcher } from "../../server/kernel/catalogue/watcher.ts";
import { mayUse, newAccess, type Access } from "../../server/graphql/access.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { MEMBERSHIPS_SAY } from "../support/postgres.ts";
import { until } from "../support/until.ts";

describe("whether an account may use a schema", () => {
  let test: TestDatabase;
  let database: Database;
  let watcher: Watcher;
  let role: string;
  let access: Access;
  let asked = 0;
  let aheadMs = 0;
  const later = (ms: number): void => void (aheadMs += ms);
  const count = ({ db }: Database): void => {
    const any = db.any.bind(db);
    mock.method(db, "any", (...query: Parameters<typeof any>) => (asked++, any(...query)));
  };
  const ask = (): Promise<boolean> => mayUse(database, access, role, "town");

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    role = `ann@${test.name}`;
    await test.client.query(`
create schema town; create table town.notes (id int primary key);
select portolan.create_user('ann', null), portolan.create_user('team', null);
select portolan.set_privilege('town.notes', 'team', 'read');
grant "team@${test.name}" to "${role}"`);
    const now = performance.now.bind(performance);
    mock.method(performance, "now", () => now() + aheadMs);
    database = openAsGateway(test);
    count(database);
    watcher = new Watcher({
      database,
      schemas: undefined,
      intervalMs: 20,
      silenceMs: 10_000,
      log: createLog("silent"),
      prepare: () => Promise.resolve(true),
      onCatalogue: () => Promise.resolve(),
      onAccounts: () => undefined,
      onSilence: () => undefined,
      subjects: new Set(),
      onSubject: () => Promise.resolve(),
    });
    await watcher.start();
  });

  beforeEach(() => {
    access = newAccess();
    asked = 0;
  });

  after(async () => {
    mock.restoreAll();
    await watcher.stop();
    await database.close();
    await test.drop();
  });

  /** Waits until the watcher has checked accounts and catalogue once more. */
  async function look(): Promise<void> {
    const since = performance.now();
    await until(() => database.memory.seenAtMs > since);
  }

  it("is asked once as long as the database is checked and nothing changes", async () => {
    await look();
    for (let round = 0; round < 5; round++) {
      assert.equal(await ask(), true);
      later(3000);
      await look();
    }
    assert.equal(asked, 1);
  });

  it("is asked again after five seconds if nothing checks the database", async () => {
    const alone = openAsGateway(test);
    count(alone);
    try {
      for (const [ms, times] of [
        [0, 1],
        [4000, 1],
        [1001, 2],
      ] as const) {
        later(ms);
        assert.equal(await mayUse(alone, access, role, "town"), true);
        assert.equal(asked, times);
      }
    } finally {
      await alone.close();
    }
  });

  const inherit = (yes: boolean): string =>
    MEMBERSHIPS_SAY ? `grant %team to %ann with inherit ${yes}` : `alter role %ann ${yes ? "" : "no"}inherit`;
  for (const [what, take, give] of [
    ["a right", "revoke select on town.notes from %team", "grant select on town.notes to %team"],
    ["the use of the schema", "revoke usage on schema town from %team", "grant usage on schema town to %team"],
    ["a membership", "revoke %team from %ann", "grant %team to %ann"],
    ["what it inherits", inherit(false), inherit(true)],
  ] as const)
    it(`ends with the first check of the database after ${what} was revoked`, async () => {
      const run = (sql: string): Promise<unknown> =>
        test.client.query(sql.replaceAll(/%(\w+)/g, (_, name: string) => `"${name}@${test.name}"`));
      await look();
      assert.equal(await ask(), true);
      await run(take);
      await look();
      assert.equal(await ask(), false);
      await run(give);
      await look();
      assert.equal(await ask(), true);
    });
});
