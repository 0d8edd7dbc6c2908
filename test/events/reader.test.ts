import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { testHub, until, type TestHub } from "../support/events.ts";
import { HubProcess } from "../support/hubProcess.ts";

describe("the reader of events", () => {
  let database: TestDatabase;
  let next = 1;
  const hubs: TestHub[] = [];
  const processes: HubProcess[] = [];
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;
  const insert = async () => query("insert into town.rows values ($1, 'x')", [next++]);
  const isReader = async ({ registry }: TestHub) => /portolan_events_reader\{[^}]*\} 1/.test(await registry.metrics());

  beforeEach(async () => {
    database = await testDatabase({ kind: "portolan" });
    next = 1;
    await query(`
create schema town; create table town.rows (id int primary key, t text);
select portolan.create_user('alice', null), portolan.set_privilege('town.rows', 'alice', 'read');
select portolan.enable_events('town.rows')`);
  });

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => one.end("SIGKILL")));
    await Promise.all(hubs.splice(0).map((hub) => hub.close()));
    await database.drop();
  });

  async function hub(config: Parameters<typeof testHub>[1] = {}): Promise<TestHub> {
    const made = await testHub(database, config);
    hubs.push(made);
    return made;
  }

  async function start(): Promise<HubProcess> {
    const made = new HubProcess(database, "alice", "town.rows");
    processes.push(made);
    await made.live;
    return made;
  }

  it("is one of all processes; the others deliver the same in the same order", async () => {
    const all = await Promise.all([hub(), hub(), hub()]);
    const subscribers = await Promise.all(all.map((one) => one.subscribe("alice", "town.rows")));
    for (let i = 0; i < 50; i++) await insert();
    for (const subscriber of subscribers) await subscriber.expect(50);
    const [first, ...others] = subscribers.map(({ batches }) =>
      batches.map(({ position, changes }) => [position, changes.map(({ key }) => key)]),
    );
    for (const other of others) assert.deepEqual(other, first);
    const readers = await Promise.all(all.map(isReader));
    assert.equal(readers.filter(Boolean).length, 1);
  });

  it("is replaced when it is killed, and nothing is lost or delivered twice", async () => {
    const doomed = await start();
    await until(() => doomed.isReader);
    const heir = await hub();
    const alice = await heir.subscribe("alice", "town.rows");
    let writing = true;
    const writer = (async () => {
      while (writing) {
        await insert();
        await setTimeout(5); // leaves the readers some of the processor
      }
    })();
    await alice.expect(30);
    await doomed.end("SIGKILL");
    await until(() => isReader(heir));
    const count = alice.changes.length;
    await alice.expect(count + 1);
    writing = false;
    await writer;
    await alice.expect(next - 1);
    assert.deepEqual(
      alice.summary,
      Array.from({ length: next - 1 }, (_, i) => `INSERT ${i + 1}`),
    );
  });

  it("loses the lease when it is frozen, and does no harm when it wakes", async () => {
    const frozen = await start();
    await until(() => frozen.isReader);
    const heir = await hub();
    const alice = await heir.subscribe("alice", "town.rows");
    await insert();
    await alice.expect(1);
    await frozen.end("SIGSTOP");
    await insert();
    await alice.expect(2);
    await frozen.end("SIGCONT");
    for (let i = 0; i < 20; i++) await insert();
    await alice.expect(22);
    await until(() => frozen.changes.length === 22);
    assert.deepEqual(
      frozen.changes.map(([, key]) => key),
      alice.changes.map(({ key }) => key),
    );
    await until(() => !frozen.isReader);
  });

  it("hands the lease over when it closes", async () => {
    const [first, second] = [await hub(), await hub()];
    const [old, heir] = (await isReader(first)) ? [first, second] : [second, first];
    const alice = await heir.subscribe("alice", "town.rows");
    await old.hub.close();
    await insert();
    await alice.expect(1);
    await until(() => isReader(heir));
  });

  it("every connection is terminated again and again: nothing is lost, nothing comes twice", async () => {
    const all = await Promise.all([hub(), hub()]);
    const subscribers = await Promise.all(all.map((one) => one.subscribe("alice", "town.rows")));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (let round = 0; round < 15; round++) {
      for (let i = 0; i < 20; i++) await insert();
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway'");
      await setTimeout(round * 20); // so that the readers restart at different moments
    }
    await client.end();
    for (const subscriber of subscribers) {
      await subscriber.expect(300, 40_000);
      assert.equal(subscriber.endCode, undefined);
      assert.deepEqual(
        subscriber.summary,
        Array.from({ length: 300 }, (_, i) => `INSERT ${i + 1}`),
      );
    }
  });

  it("sends a quiet database almost no queries", async () => {
    const one = await hub();
    const alice = await one.subscribe("alice", "town.rows");
    for (let i = 0; i < 20; i++) {
      await setTimeout(60); // a table that is written now and then
      await insert();
      await alice.expect(i + 1);
    }
    const counted = async () => (await query("select last_value from portolan.asleep"))[0].last_value;
    await until(async () => (await counted()) === "1");
    const transactions = async () =>
      Number(
        (
          await query(
            "select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()",
          )
        )[0].n,
      );
    // PostgreSQL counts late: the first seconds may show earlier work
    const spentIn3s = async (): Promise<number> => {
      const before = await transactions();
      await setTimeout(3000); // the time that it spends is the subject
      return (await transactions()) - before;
    };
    await until(async () => (await spentIn3s()) < 25);
  });

  it("delivers occasional writes at once, and those of busy writers in batches", async () => {
    const one = await hub();
    let come = 0;
    let tell = (): void => undefined;
    await one.subscribe("alice", "town.rows", {
      deliver: ({ changes }) => {
        come += changes.length;
        tell();
      },
    });
    const flag = async () => (await query("select last_value from portolan.asleep"))[0].last_value;
    const batches = async () => Number((await query("select max(n) as n from portolan.batches"))[0].n);
    await until(async () => (await flag()) === "1");
    // time is the subject: twenty of these take 400 ms if each waits until the batch before is 20 ms old
    const spans: number[] = [];
    const writeNowAndThen = async (): Promise<boolean> => {
      const began = performance.now();
      for (let i = 0; i < 20; i++) {
        const delivered = new Promise<void>((resolve) => (tell = resolve));
        await insert();
        await delivered;
      }
      spans.push(performance.now() - began);
      assert.equal(await flag(), "1", "writers go on waking it");
      await setTimeout(200); // as writers do that write now and then
      return spans.length >= 5 && Math.min(...spans) < 300;
    };
    // none of them is fast if each waits, and on a busy machine many are not fast either
    await until(writeNowAndThen, undefined, () => `${spans.join(", ")} ms`);
    const alone = come;
    const before = await batches();
    const began = performance.now();
    await query(
      "do $$ begin for i in 10001..13000 loop insert into town.rows values (i, 'x'); commit; end loop; end $$",
    );
    await until(() => come === alone + 3000);
    const most = 35 + (performance.now() - began) / 20;
    const cut = (await batches()) - before;
    assert.ok(cut < most, `${cut} batches, more than ${most}`);
    await until(async () => (await flag()) === "1");
  });

  it("is not woken by writers that write much in few batches, as many writers at once do", async () => {
    const one = await hub();
    await one.subscribe("alice", "town.rows");
    const isAsleep = async () => (await query("select last_value from portolan.asleep"))[0].last_value === "1";
    await until(isAsleep);
    await until(async () => {
      await query(
        "do $$ begin for i in 1..60 loop insert into town.rows select coalesce(max(id), 0) + 1, 'x' from town.rows; end loop; end $$",
      );
      for (let look = 0; look < 200; look++) if (!(await isAsleep())) return true;
      return false;
    });
    await until(isAsleep);
  });

  it("clears by age and by size; a position that is gone is a gap, one that is kept is not", async () => {
    const one = await hub({ eventRetentionMs: 3_600_000 });
    const alice = await one.subscribe("alice", "town.rows");
    for (let i = 0; i < 5; i++) {
      await insert();
      await alice.expect(i + 1);
    }
    const positions = alice.batches.map(({ position }) => position);
    assert.equal((await query("select portolan.clear_events(3600000, 1e9) as more"))[0].more, false);
    const resumed = await one.subscribe("alice", "town.rows", { after: positions[1] });
    await resumed.expect(3);
    assert.deepEqual([resumed.summary, resumed.gaps], [["INSERT 3", "INSERT 4", "INSERT 5"], []]);
    await query("select portolan.clear_events(0, 1e9)");
    assert.equal((await query("select count(*)::int as n from portolan.outbox"))[0].n, 1, "the last batch stays");
    const other = await hub(); // the first still has it all in memory
    const late = await other.subscribe("alice", "town.rows", { after: positions[1] });
    const current = await other.subscribe("alice", "town.rows", { after: positions[4] });
    await until(() => late.gaps.length === 1);
    await insert();
    await late.expect(1);
    await current.expect(1);
    assert.deepEqual([late.summary, late.gaps.length, late.gaps[0]?.after], [["INSERT 6"], 1, positions[1]]);
    assert.deepEqual([current.summary, current.gaps.length], [["INSERT 6"], 0]);
    // by size: all but the last batch are over it
    await insert();
    await alice.expect(7);
    await query("select portolan.clear_events(3600000, 300)");
    assert.equal((await query("select count(*)::int as n from portolan.batches"))[0].n < 4, true);
  });

  it("after a restore elsewhere everything begins again, with a gap for resuming subscribers", async () => {
    const first = await hub();
    const alice = await first.subscribe("alice", "town.rows");
    await insert();
    await alice.expect(1);
    const position = alice.batches[0]?.position ?? "";
    await first.close();
    hubs.length = 0;
    await query("update portolan.event_reader set identity = 'another cluster'");
    await query("update portolan.outbox set xid = '99999999'");
    await query("update portolan.batches set snapshot = '88888888:99999999:'");
    const second = await hub();
    const resumed = await second.subscribe("alice", "town.rows", { after: position });
    await insert();
    await resumed.expect(1);
    assert.deepEqual([resumed.summary, resumed.gaps.length], [["INSERT 2"], 1]);
  });

  it("a writer that prepares its transaction does not block it (needs max_prepared_transactions; the soak has it)", async function () {
    const [{ n }] = await query("select current_setting('max_prepared_transactions')::int as n");
    if (n === 0) return this.skip(); // the reader does not rest while there may be such transactions, which other tests cover
    const one = await hub();
    const alice = await one.subscribe("alice", "town.rows");
    await query("begin; insert into town.rows values (1, 'p'); prepare transaction 'p'");
    await query("insert into town.rows values (2, 'x')");
    await alice.expect(1);
    await query("commit prepared 'p'");
    await alice.expect(2);
    assert.deepEqual(alice.summary, ["INSERT 2", "INSERT 1"]);
  });
});
