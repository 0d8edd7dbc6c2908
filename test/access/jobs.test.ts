/** What is switched on for a large table is done in portions, beside its writers. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { mountsTmpfs, onlyIf } from "../support/onlyIf.ts";
import { sized } from "../support/size.ts";

const ROWS = sized(33_000, 110_000);
/** What more rows make a table large for these tests; the gateway's own is held by management/jobs.test.ts. */
const LARGE = sized(30_000, 100_000);

interface Job {
  readonly job: string;
  readonly state: string;
  readonly done: string;
  readonly total: string;
  readonly error: string | null;
  readonly pause_ms: number;
}

describe("jobs", () => {
  let database: TestDatabase;
  let tables = 0;
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;
  const connect = async (): Promise<pg.Client & AsyncDisposable> => {
    const client = new pg.Client({ connectionString: database.url });
    client.on("error", () => undefined); // the query that is running rejects
    await client.connect();
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
  };

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query("create schema town");
    const [{ definition }] = await query("select pg_get_functiondef('portolan.is_large'::regproc) as definition");
    assert.match(definition, /offset 100000\b/);
    await query(definition.replace("offset 100000", `offset ${LARGE}`));
  });
  after(() => database.drop());

  async function largeTable(partitions = false): Promise<string> {
    const name = `town.large_${tables++}`;
    await query(`create table ${name} (id int primary key, t text) ${partitions ? "partition by range (id)" : ""}`);
    if (partitions)
      await query(`create table ${name}_a partition of ${name} for values from (0) to (${ROWS / 2});
create table ${name}_b partition of ${name} for values from (${ROWS / 2}) to (1000000)`);
    await query(`insert into ${name} select i, 't' || i from generate_series(1, ${ROWS}) i`);
    return name;
  }
  const begin = async (noun: string, table: string): Promise<string> =>
    (await query(`select portolan.enable_${noun}($1) as job`, [table]))[0].job;
  const portion = async (job: string): Promise<Job> => (await query("select * from portolan.work_job($1)", [job]))[0];
  const jobOf = async (id: string) => (await query("select * from portolan.jobs where id = $1", [id]))[0];

  async function finish(job: string): Promise<Job> {
    for (let left = 5000; left > 0; left--) {
      const now = await portion(job);
      if (now.state !== "running" && now.state !== "queued") return now;
    }
    throw new Error("it does not end");
  }
  async function untilFilling(job: string, portions = 3): Promise<void> {
    for (let n = 0; n < portions; n++) assert.equal((await portion(job)).error, null);
    assert.equal((await jobOf(job)).position.phase, "fill");
  }

  /** Differences between a table and its history now, and rows with two versions at once. */
  async function faults(table: string): Promise<unknown[]> {
    const name = table.slice("town.".length);
    return query(`
with now as (select * from town__history.as_of_${name}(clock_timestamp()))
select 'missing' as fault, t.id from (table ${table} except table now) t
union all select 'extra', t.id from (table now except table ${table}) t
union all select 'overlap', a.id from (select id, portolan_from, lag(portolan_to) over (partition by id order by portolan_version) as before from town__history.${name}) a
  where a.portolan_from < a.before
limit 10`);
  }

  it("history of a large table is a job; it is given out when the last portion is done, and begins there", async () => {
    const table = await largeTable();
    const job = await begin("versioning", table);
    assert.equal(await begin("versioning", table), job, "the same again is the same job");
    await untilFilling(job);
    assert.deepEqual(await query("select portolan.is_versioned($1) as is", [table]), [{ is: false }]);
    assert.deepEqual(await query("select name from portolan.versioned_relations()"), []);
    await assert.rejects(query("select portolan.history($1, '1')", [table]), { code: "PX400" });
    await query(
      `update ${table} set t = 'early' where id in (1, ${ROWS}); delete from ${table} where id in (2, ${ROWS - 1})`,
    );
    const { state, done, total } = await finish(job);
    assert.equal(state, "done");
    assert.equal(done, total);
    assert.ok(Number(done) > ROWS - 10, done);
    assert.deepEqual(await faults(table), []);
    const [{ since }] = await query("select since from portolan.versioned_relations()");
    const { started } = await jobOf(job);
    assert.ok(since > started);
    assert.equal(await begin("versioning", table), null, "it is on");
    await query(`update ${table} set t = 'late' where id = 3`);
    assert.deepEqual(
      (await query("select record ->> 't' as t from portolan.history($1, '3')", [table])).map(({ t }) => t),
      ["t3", "late"],
    );
    assert.deepEqual(await faults(table), []);
  });

  it("a small table needs no job, nor does who waits", async () => {
    await query("create table town.small (id int primary key)");
    assert.equal(await begin("versioning", "town.small"), null);
    const table = await largeTable();
    assert.deepEqual(await query("select portolan.enable_versioning($1, wait => true) as job", [table]), [
      { job: null },
    ]);
    assert.deepEqual(await faults(table), []);
  });

  for (const noun of ["versioning", "workflow", "events"])
    it(`two who begin ${noun} of a table at once are given one job, and two workers do it one after the other`, async () => {
      const table = await largeTable();
      await using first = await connect();
      await using second = await connect();
      const enabled = `select portolan.enable_${noun}('${table}') as job`;
      await first.query("begin");
      const one = (await first.query<{ job: string }>(enabled)).rows[0]?.job ?? "";
      const other = second.query<{ job: string }>(enabled);
      await first.query("commit");
      assert.equal((await other).rows[0]?.job, one);
      const worked = "select * from portolan.work_job($1)";
      for (let left = 1000; left > 0 && (await jobOf(one)).state !== "done"; left--)
        await Promise.all([first.query(worked, [one]), second.query(worked, [one])]);
      assert.equal((await jobOf(one)).state, "done");
      if (noun === "versioning") assert.deepEqual(await faults(table), []);
    });

  it("who does not want to wait for the rest gets it at once", async () => {
    const table = await largeTable();
    const job = await begin("versioning", table);
    await untilFilling(job);
    await query(`update ${table} set t = 'x' where id % 1000 = 0`);
    await query("select portolan.enable_versioning($1, true)", [table]);
    assert.deepEqual(await faults(table), []);
    assert.equal((await jobOf(job)).state, "stopped");
    await query("select portolan.change_job($1, 'queued')", [job]);
    assert.equal((await finish(job)).state, "done");
  });

  /** Each portion is begun once by a worker that dies in it. */
  async function finishThroughDeaths(job: string): Promise<void> {
    for (let left = 1000; left > 0 && (await jobOf(job)).state !== "done"; left--) {
      const worker = await connect();
      await worker.query("begin");
      assert.notEqual((await worker.query("select * from portolan.work_job($1)", [job])).rows[0].state, "failed");
      const [{ pid }] = (await worker.query("select pg_backend_pid() as pid")).rows;
      await query("select pg_terminate_backend($1, 5000)", [pid]);
      await worker.end().catch(() => undefined); // its session is gone already
      assert.equal((await portion(job)).error, null);
    }
  }

  it("a worker may die in each of its portions", async () => {
    const table = await largeTable();
    await finishThroughDeaths(await begin("versioning", table));
    await query(`update ${table} set t = 'after' where id % 1000 = 0`);
    await finishThroughDeaths(await begin("workflow", table));
    await finishThroughDeaths(await begin("events", table));
    assert.deepEqual(await query("select portolan.events_of($1::regclass) as on", [table]), [{ on: true }]);
    await query(`update ${table} set t = 'later' where id % 1000 = 0`);
    assert.deepEqual(await faults(table), []);
    await finishThroughDeaths((await query("select portolan.disable_versioning($1) as job", [table]))[0].job);
    const twin = `town__history.${table.slice(5)}`;
    assert.deepEqual(await query(`select from ${twin} where portolan_to = 'infinity'`), []);
    assert.deepEqual(await query(`select count(*)::int as n from ${twin} where portolan_version = 1`), [{ n: ROWS }]);
  });

  onlyIf(mountsTmpfs(), "a system where it may mount")(
    "fails where the disk is full, keeps what is done, and goes on when there is room",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "portolan-small-"));
      const mount = (options: string) => execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
      mount(`size=${sized("2m", "6m")},mode=0777`);
      try {
        const [{ data_directory }] = await query("show data_directory");
        const { uid, gid } = statSync(data_directory);
        chownSync(folder, uid, gid);
        await query(`create tablespace small location '${folder}'`);
        const table = await largeTable();
        await query("set default_tablespace = small");
        const job = await begin("versioning", table);
        const full = await finish(job);
        assert.equal(full.state, "failed");
        assert.match(full.error ?? "", /No space left on device/);
        assert.ok(Number(full.done) > 0, full.done);
        mount("remount,size=200m");
        assert.equal(await begin("versioning", table), job);
        await query(`update ${table} set t = 'between' where id % 100 = 0`);
        const { state, done } = await finish(job);
        assert.equal(state, "done");
        assert.ok(Number(done) >= ROWS * 0.98, done);
        assert.deepEqual(await faults(table), []);
        await query("reset default_tablespace");
        await query("select portolan.disable_versioning($1, drop_history => true, wait => true)", [table]);
        await query("drop tablespace small");
      } finally {
        execFileSync("umount", ["--lazy", folder]);
        rmdirSync(folder);
      }
    },
  );

  it("is stopped, goes on, and is done by another when a worker dies in a portion", async () => {
    const table = await largeTable();
    const job = await begin("versioning", table);
    await untilFilling(job);
    await query("select portolan.change_job($1, 'stopped')", [job]);
    assert.deepEqual(await query("select * from portolan.work_job($1)", [job]), []);
    await query("select portolan.change_job($1, 'queued')", [job]);
    {
      await using worker = await connect();
      await worker.query("begin");
      await worker.query("select * from portolan.work_job($1)", [job]);
      assert.deepEqual(await query("select * from portolan.work_job($1)", [job]), [], "one works on it at a time");
      const [{ pid }] = (await worker.query("select pg_backend_pid() as pid")).rows;
      await query("select pg_terminate_backend($1, 5000)", [pid]);
    }
    assert.equal((await finish(job)).state, "done");
    assert.deepEqual(await faults(table), []);
    await assert.rejects(query("select portolan.change_job($1, 'queued')", [job]), { code: "PX409" });
    await assert.rejects(query("select portolan.change_job(0, 'queued')"), { code: "PX404" });
    await assert.rejects(query("select portolan.change_job($1, 'gone')", [job]), { code: "PX400" });
  });

  it("waits ever longer for a lock that somebody holds, keeps no writer waiting, and gives up in the end", async () => {
    const table = await largeTable();
    const job = await begin("versioning", table);
    await using holder = await connect();
    await holder.query(`begin; update ${table} set t = 'held' where id = 7`);
    await portion(job); // the twin is made without it
    const pauses = [];
    for (let n = 0; n < 5; n++) pauses.push((await portion(job)).pause_ms);
    assert.ok(
      pauses.every((ms) => ms >= 50),
      String(pauses),
    );
    assert.ok(pauses.at(-1)! > pauses[0]!, String(pauses));
    assert.match((await jobOf(job)).error, /waits for a lock/);
    await query("update portolan.jobs set lock_wait = '1 s' where id = $1", [job]);
    const { state, error } = await finish(job);
    assert.equal(state, "failed");
    assert.match(error ?? "", /could not be taken within 00:00:01/);
    await holder.query("commit");
    assert.equal(await begin("versioning", table), job, "asked for again it goes on");
    assert.equal((await finish(job)).state, "done");
    assert.deepEqual(await faults(table), []);
  });

  it("a row that somebody writes in a long transaction keeps no other writer waiting", async () => {
    const table = await largeTable();
    const job = await begin("versioning", table);
    await portion(job);
    await portion(job);
    await using holder = await connect();
    await holder.query(`begin; update ${table} set t = 'held' where id = 7`);
    const waits = (await portion(job)).pause_ms;
    assert.ok(waits > 0);
    await query(`set statement_timeout = '2s'; update ${table} set t = 'other' where id = 8; reset statement_timeout`);
    await holder.query("rollback");
    assert.equal((await finish(job)).state, "done");
    assert.deepEqual(await faults(table), []);
  });

  it("columns, places of rows and partitions may change between portions", async () => {
    const table = await largeTable(true);
    const job = await begin("versioning", table);
    await untilFilling(job);
    await query(`alter table ${table} add column n int default 5, alter column t type varchar`);
    assert.equal((await portion(job)).error, null);
    await query(`alter table ${table} rename column t to text`);
    await query(`update ${table} set text = 'moved', n = 6 where id % 100 = 0`);
    await query(`vacuum full ${table}_a`);
    await query(`alter table ${table} add column place float default random()`); // all rows are written anew
    assert.equal((await portion(job)).error, null);
    await query(`create table ${table}_c (like ${table}); insert into ${table}_c select i, 'late', 7, 0 from generate_series(1000000, 1000500) i;
alter table ${table} attach partition ${table}_c for values from (1000000) to (2000000)`);
    assert.equal((await portion(job)).error, null);
    await query(`alter table ${table} detach partition ${table}_a`);
    assert.equal((await finish(job)).state, "done");
    assert.deepEqual(await faults(table), []);
  });

  it("what fails is told, and nothing is half done; a table that is gone ends its job", async () => {
    const table = await largeTable();
    const job = await begin("versioning", table);
    await query(`alter table ${table} drop constraint ${table.slice(5)}_pkey`);
    const failed = await finish(job);
    assert.equal(failed.state, "failed");
    assert.match(failed.error ?? "", /has no primary key/);
    assert.deepEqual(await query("select from pg_trigger where tgrelid = $1::regclass", [table]), []);
    await query(`alter table ${table} add primary key (id)`);
    await query("select portolan.change_job($1, 'queued')", [job]);
    await untilFilling(job);
    await query(`drop table ${table}`);
    assert.match((await finish(job)).error ?? "", /gone/);
  });

  it("what was switched off stays off; a history that was kept before goes on", async () => {
    const table = await largeTable();
    const job = await begin("versioning", table);
    await untilFilling(job);
    await query("select portolan.disable_versioning($1, wait => true)", [table]);
    assert.equal((await jobOf(job)).state, "stopped");
    assert.deepEqual(await query("select from pg_trigger where tgrelid = $1::regclass", [table]), []);
    await query(`update ${table} set t = 'between' where id % 3 = 0`);
    assert.equal(await begin("versioning", table), job);
    await untilFilling(job);
    await query(`update ${table} set t = 'again' where id % 5 = 0; delete from ${table} where id = 11`);
    assert.equal((await finish(job)).state, "done");
    assert.deepEqual(await faults(table), []);
  });

  it("history of a large table ends in portions: writers go on, and what was recorded ends when it was switched off", async () => {
    const table = await largeTable();
    const twin = `town__history.${table.slice(5)}`;
    const open = async () =>
      (await query(`select count(*)::int as n from ${twin} where portolan_to = 'infinity'`))[0].n;
    await query("select portolan.enable_versioning($1, true)", [table]);
    await using holder = await connect();
    await holder.query(`begin; update ${table} set t = 'held' where id = 7`);
    const job = (await query("select portolan.disable_versioning($1) as job", [table]))[0].job;
    assert.equal((await query("select portolan.disable_versioning($1) as job", [table]))[0].job, job);
    assert.ok((await portion(job)).pause_ms > 0);
    await query(`set statement_timeout = '2s'; update ${table} set t = 'other' where id = 8; reset statement_timeout`);
    assert.deepEqual(await query("select portolan.is_versioned($1) as is", [table]), [{ is: true }]);
    await holder.query("commit");
    await portion(job); // the triggers go
    assert.deepEqual(await query("select from pg_trigger where tgrelid = $1::regclass", [table]), []);
    assert.deepEqual(await query("select portolan.is_versioned($1) as is", [table]), [{ is: false }]);
    await query(`update ${table} set t = 'not recorded' where id % 1000 = 0; delete from ${table} where id = 11`);
    await portion(job);
    const left = await open();
    assert.ok(left > 0 && left < ROWS, String(left));
    await query(`vacuum full ${twin}`);
    assert.equal((await finish(job)).state, "done");
    assert.equal(await open(), 0);
    assert.deepEqual(
      await query(`
select distinct h.portolan_to < j.updated as before, h.portolan_to > j.started as after
from ${twin} h, portolan.jobs j where j.id = ${job} and h.portolan_version = 1 and h.id > 8`),
      [{ before: true, after: true }],
    );
    assert.deepEqual(await query(`select from ${twin} where t = 'not recorded'`), []);
    assert.equal((await query("select portolan.disable_versioning($1) as job", [table]))[0].job, null);
  });

  it("history that is switched on again before it has ended ends what was recorded first; a table that is dropped ends it", async () => {
    const table = await largeTable();
    await query("select portolan.enable_versioning($1, true)", [table]);
    const endBegun = async (): Promise<string> => {
      const job = (await query("select portolan.disable_versioning($1) as job", [table]))[0].job;
      await portion(job); // the triggers go
      await portion(job);
      return job;
    };
    for (const wait of [false, true]) {
      const job = await endBegun();
      await query(
        `update ${table} set t = 'between ${wait}' where id % 1000 = 0; delete from ${table} where id % 1000 = 1`,
      );
      const [{ on }] = await query("select portolan.enable_versioning($1, $2) as on", [table, wait]);
      assert.equal((await jobOf(job)).state, "stopped");
      if (!wait) assert.equal((await finish(on)).state, "done");
      await query(`update ${table} set t = 'again' where id % 1000 = 2`);
    }
    assert.deepEqual(await faults(table), []);
    assert.deepEqual(
      (await query("select record ->> 't' as t from portolan.history($1, '1000')", [table])).map(({ t }) => t),
      ["t1000", "between false", "between true"],
    );
    const job = await endBegun();
    await query(`drop table ${table}`);
    assert.deepEqual(await query(`select from town__history.${table.slice(5)} where portolan_to = 'infinity'`), []);
    assert.match((await finish(job)).error ?? "", /gone/);
  });

  it("history that has begun is dropped as it is", async () => {
    const table = await largeTable();
    const filling = await begin("versioning", table);
    await untilFilling(filling);
    const drop = "select portolan.disable_versioning($1, drop_history => true) as job";
    const [{ job }] = await query(drop, [table]);
    assert.equal((await jobOf(filling)).state, "stopped");
    assert.equal((await finish(job)).state, "done");
    assert.deepEqual(
      await query(
        "select to_regclass($1) as twin, (select count(*)::int from pg_trigger where tgrelid = $2::regclass) as n",
        [`town__history.${table.slice(5)}`, table],
      ),
      [{ twin: null, n: 0 }],
    );
  });

  it("workflow of a large table writes none of its rows, nor of its history", async () => {
    const table = await largeTable();
    await query("select portolan.enable_versioning($1, true)", [table]);
    const job = await begin("workflow", table);
    const size = `select pg_relation_size('town__history.${table.slice(5)}') + pg_relation_size('${table}') as bytes`;
    const before = await query(size);
    assert.equal((await finish(job)).state, "done");
    assert.deepEqual(await query(size), before);
    assert.deepEqual(await faults(table), []);
    assert.deepEqual(
      await query(`select portolan_status as s, count(*)::int as n from town__history.${table.slice(5)} group by 1`),
      [{ s: 3, n: ROWS }],
    );
    await query(`update ${table} set t = 'after' where id = 1`);
    assert.deepEqual(await faults(table), []);
  });

  it("events of a large table wait for a lock as a job, and keep no writer waiting", async () => {
    const table = await largeTable();
    await using holder = await connect();
    await holder.query(`begin; update ${table} set t = 'held' where id = 7`);
    const job = await begin("events", table);
    assert.ok((await portion(job)).pause_ms > 0);
    await query(`set statement_timeout = '2s'; update ${table} set t = 'other' where id = 8; reset statement_timeout`);
    await holder.query("commit");
    assert.equal((await finish(job)).state, "done");
    assert.deepEqual(await query("select portolan.events_of($1::regclass) as on", [table]), [{ on: true }]);
    assert.equal(await begin("events", table), null);
  });
});
