import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { Change } from "../../server/events/types.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { testHub, until, type TestHub } from "../support/events.ts";
import { CHAIN_TABLE, ChainChecker, chainRows, startWriters } from "../support/history.ts";

describe("the order of events", () => {
  let database: TestDatabase;
  let hub: TestHub;
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query(`
create schema town; ${CHAIN_TABLE}
create table town.parents (id int primary key, t text);
create table town.children (id int primary key, parent int references town.parents);
select portolan.create_user('alice', null);
select portolan.set_privilege(r, 'alice', 'read'), portolan.enable_events(r) from unnest('{town.chain,town.parents,town.children}'::regclass[]) r`);
    hub = await testHub(database);
  });

  after(async () => {
    await hub.close();
    await database.drop();
  });

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return client;
  }

  it("conflicting writers, savepoints, rollbacks, bulk and long transactions: every row's chain is whole", async () => {
    const checker = new ChainChecker(await chainRows(database.client));
    const alice = await hub.subscribe("alice", "town.chain");
    const resumed: { checker: ChainChecker; position: string } = {
      checker: new ChainChecker(await chainRows(database.client)),
      position: alice.subscription.position,
    };
    const writers = startWriters({ url: database.url, writers: 10 });
    // another subscriber comes and goes all the time, and resumes where it was
    let running = true;
    const pending: Change[] = [];
    const roaming = (async () => {
      while (running) {
        const one = await hub.subscribe("alice", "town.chain", { after: resumed.position });
        await setTimeout(150); // the time for which it stays
        one.subscription.close();
        for (const { changes, position, more } of one.batches) {
          // a part with `more` comes again after a resume: the transaction counts when it is complete
          pending.push(...changes);
          if (more) continue;
          for (const change of pending.splice(0))
            resumed.checker.take(change.operation, change.key, change.old?.values ?? null, change.new?.values ?? null);
          resumed.position = position;
        }
        pending.length = 0;
      }
    })();
    await until(() => alice.changes.length > 1000 && writers.counts.rolledBack > 10, 90_000);
    await writers.stop();
    const rows = await chainRows(database.client);
    let taken = 0;
    await until(() => {
      for (const change of alice.changes.slice(taken)) {
        checker.take(change.operation, change.key, change.old?.values ?? null, change.new?.values ?? null);
        taken++;
      }
      return checker.equals(rows);
    });
    assert.deepEqual(checker.report().breaks, []);
    assert.ok(checker.report().events > 1000, `${checker.report().events} events`);
    await until(() => resumed.checker.equals(rows));
    running = false;
    await roaming;
    assert.deepEqual(resumed.checker.report().breaks, []);
    assert.deepEqual(alice.gaps, []);
    alice.subscription.close();
  });

  it("a long transaction delays nobody, and arrives when it commits", async () => {
    const alice = await hub.subscribe("alice", "town.parents");
    const long = await connect();
    await long.query("begin; insert into town.parents values (1, 'long')");
    for (let i = 2; i < 12; i++) await query("insert into town.parents values ($1, 'short')", [i]);
    await alice.expect(10);
    assert.ok(!alice.summary.includes("INSERT 1"));
    await long.query("insert into town.parents values (100, 'long')");
    await long.query("commit");
    await alice.expect(12);
    assert.deepEqual(alice.summary.slice(10), ["INSERT 1", "INSERT 100"]);
    assert.equal(alice.batches.at(-1)?.changes.length, 2);
    await long.end();
    alice.subscription.close();
  });

  it("a subscriber that resumes in between does not skip the late commit of an early transaction", async () => {
    const early = await connect();
    await early.query("begin; insert into town.parents values (200, 'early')");
    const alice = await hub.subscribe("alice", "town.parents");
    await query("insert into town.parents values (201, 'x')");
    await alice.expect(1);
    await early.query("commit");
    await alice.expect(2);
    const again = await hub.subscribe("alice", "town.parents", { after: alice.batches[0]?.position });
    await again.expect(1);
    assert.deepEqual(again.summary, ["INSERT 200"]);
    await early.end();
    alice.subscription.close();
    again.subscription.close();
  });

  it("a transaction that began before the subscription and commits after it is delivered", async () => {
    const early = await connect();
    await early.query("begin; insert into town.parents values (300, 'early')");
    await query("insert into town.parents values (301, 'before')");
    const alice = await hub.subscribe("alice", "town.parents");
    await early.query("insert into town.parents values (302, 'early'); commit");
    await alice.expect(2);
    assert.deepEqual(alice.summary, ["INSERT 300", "INSERT 302"]);
    await early.end();
    alice.subscription.close();
  });

  it("no child before its parent, whichever connection wrote it", async () => {
    const log: string[] = [];
    const take =
      (table: string) =>
      ({ changes }: { changes: readonly { key: string }[] }) =>
        void log.push(...changes.map(({ key }) => `${table} ${key}`));
    const parents = await hub.subscribe("alice", "town.parents", { deliver: take("p") });
    const children = await hub.subscribe("alice", "town.children", { deliver: take("c") });
    const positions: string[][] = [[], []];
    const p = await hub.subscribe("alice", "town.parents", {
      deliver: ({ position }) => void positions[0]?.push(position),
    });
    const c = await hub.subscribe("alice", "town.children", {
      deliver: ({ position }) => void positions[1]?.push(position),
    });
    const [one, two] = [await connect(), await connect()];
    for (let i = 1000; i < 1100; i++) {
      await one.query(`insert into town.parents values (${i}, 'p')`);
      await two.query(`insert into town.children values (${i}, ${i})`);
    }
    await until(() => log.length >= 200);
    const order = (text: string): number[] =>
      text
        .split("-")
        .slice(1)
        .map((part) => parseInt(part, 36));
    for (let i = 0; i < 100; i++) {
      const [a = [], b = []] = [order(positions[0]?.[i] ?? ""), order(positions[1]?.[i] ?? "")];
      assert.ok((a[0] ?? 0) < (b[0] ?? 0) || (a[0] === b[0] && (a[1] ?? 0) < (b[1] ?? 0)));
    }
    await one.end();
    await two.end();
    for (const { subscription } of [parents, children, p, c]) subscription.close();
  });
});
