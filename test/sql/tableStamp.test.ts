import assert from "node:assert/strict";
import pg from "pg";
import { Stamps } from "../../server/kernel/catalogue/stamps.ts";
import type { Database } from "../../server/kernel/database/database.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { onlyIf } from "../support/onlyIf.ts";
import { HAS_MERGE } from "../support/postgres.ts";

interface Answer {
  readonly stamp: string | null;
  readonly unchanged: boolean | null;
}

describe("the stamp of a table", () => {
  let database: TestDatabase;
  const connections: pg.Client[] = [];
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query("create schema town; select portolan.create_user('alice', null); create role visitor;");
    await query("grant usage on schema town to visitor");
    await table("with_events", "events");
    await table("with_history", "history");
  });

  after(async () => {
    for (const connection of connections) await connection.end();
    await database.drop();
  });

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url });
    client.on("error", () => undefined); // the database is dropped under it
    await client.connect();
    connections.push(client);
    return client;
  }

  async function stampOf(name: string, known: string | null = null, client = database.client): Promise<Answer> {
    const { rows } = await client.query<Answer>("select * from portolan.table_stamp($1::regclass, $2)", [
      `town.${name}`,
      known,
    ]);
    return rows[0]!;
  }

  async function table(
    name: string,
    kept: "events" | "history" | "nothing",
    definition = "(id int primary key, v int)",
  ) {
    await query(`create table town.${name} ${definition}`);
    await query(`insert into town.${name} select i, 0 from generate_series(1, 10) i`);
    if (kept === "events") await query(`select portolan.enable_events('town.${name}')`);
    if (kept === "history") await query(`select portolan.enable_versioning('town.${name}')`);
  }

  /** As a gateway does each second. */
  const note = (client = database.client): Promise<unknown> =>
    client.query("select portolan.note_requests('here', 1, $1, '[]')", [
      JSON.stringify({ requests: 1, refused: 0, failed: 0, gone: 0, durations: [1], event_lag_ms: 0, map_queue: 0 }),
    ]);

  /** The stamp after `statements`. */
  async function unchangedBy(name: string, ...statements: string[]): Promise<boolean | null> {
    const { stamp } = await stampOf(name);
    for (const statement of statements) await query(statement);
    return (await stampOf(name, stamp)).unchanged;
  }

  for (const kept of ["events", "history"] as const)
    describe(`with ${kept}`, () => {
      const name = `with_${kept}`;

      it("is the same while nothing is written, or only to others", async () => {
        await table(`other_${kept}`, kept);
        assert.equal(await unchangedBy(name), true);
        assert.equal(await unchangedBy(name, `update town.other_${kept} set v = 1`), true);
        assert.equal(await unchangedBy(name, `update town.${name} set v = 1 where false`), true);
        assert.equal(
          await unchangedBy(name, `begin; update town.${name} set v = 77; rollback`, "vacuum analyze town." + name),
          true,
        );
      });

      for (const statement of [
        "insert into TABLE values (100, 0)",
        "update TABLE set v = 5 where id = 2",
        "delete from TABLE where id = 3",
        "merge into TABLE t using (values (4)) n (id) on t.id = n.id when matched then update set v = 9",
        "truncate TABLE",
        "alter table TABLE add column later int default 7",
        "alter table TABLE disable trigger user",
        "alter table TABLE enable trigger user",
        "create policy p on TABLE using (true)",
        "grant select on TABLE to visitor",
      ])
        onlyIf(HAS_MERGE || !statement.startsWith("merge"), "PostgreSQL 15")(`changes by ${statement}`, async () => {
          assert.notEqual(await unchangedBy(name, statement.replace("TABLE", `town.${name}`)), true);
        });

      it("changes by a transaction that began before it and committed after it", async () => {
        await query(`insert into town.${name} (id, v) select i, 0 from generate_series(1, 10) i`);
        const writer = await connect();
        await writer.query("begin");
        await writer.query(`update town.${name} set v = 100 where id = 1`);
        // others continue, so that the writer's number is no longer the highest
        await query(`update town.${name} set v = 3 where id = 2`);
        const { stamp } = await stampOf(name);
        assert.equal((await stampOf(name, stamp)).unchanged, true);
        await writer.query("commit");
        assert.equal((await stampOf(name, stamp)).unchanged, false);
      });

      it("in an older transaction is not that of a newer state", async () => {
        const reader = await connect();
        await reader.query("begin isolation level repeatable read");
        await reader.query("select 1 from town." + name);
        await query(`update town.${name} set v = v + 1`);
        const { stamp } = await stampOf(name);
        assert.equal((await stampOf(name, stamp, reader)).unchanged, false);
        await reader.query("rollback");
        assert.equal((await stampOf(name, stamp)).unchanged, true);
      });
    });

  it("works when both events and history are on, and each is switched off", async () => {
    await table("both", "events");
    await query("select portolan.enable_versioning('town.both')");
    assert.equal(await unchangedBy("both", "update town.both set v = 1"), false);
    await query("select portolan.disable_events('town.both')");
    assert.equal(await unchangedBy("both", "update town.both set v = 2"), false);
    assert.equal(await unchangedBy("both"), true);
    await query("select portolan.disable_versioning('town.both')");
    assert.deepEqual(await stampOf("both"), { stamp: null, unchanged: null });
  });

  it("is none without events and history, for a view, and in a transaction that writes", async () => {
    await table("plain", "nothing");
    await query("create view town.seen as select * from town.with_events");
    for (const name of ["plain", "seen"]) assert.equal((await stampOf(name)).stamp, null, name);
    assert.notEqual((await stampOf("with_events")).stamp, null);
    await query("begin; insert into town.with_events values (5000, 0)");
    assert.equal((await stampOf("with_events")).stamp, null);
    await query("rollback");
  });

  it("is none while a trigger is off, and for an account that may not select", async () => {
    await table("guarded", "events");
    await query("alter table town.guarded disable trigger _900_emit_delete");
    assert.equal((await stampOf("guarded")).stamp, null);
    await query("alter table town.guarded enable trigger _900_emit_delete");
    assert.notEqual((await stampOf("guarded")).stamp, null);
    const visitor = await connect();
    await visitor.query("set role visitor");
    assert.equal((await stampOf("guarded", null, visitor)).stamp, null);
    await query("grant select (id) on town.guarded to visitor");
    assert.notEqual((await stampOf("guarded", null, visitor)).stamp, null);
  });

  it("changes by workflow, and by rules", async () => {
    await table("drafts", "events");
    assert.equal(await unchangedBy("drafts", "select portolan.enable_workflow('town.drafts')"), false);
    assert.equal(await unchangedBy("drafts", "update town.drafts set portolan_status = 1 where id = 1"), false);
    assert.equal(
      await unchangedBy(
        "drafts",
        `select portolan.create_rule('{"username": "alice", "schema": "town", "table": "drafts", "access": "limit", "filter": "v = 1"}')`,
      ),
      false,
    );
  });

  it("sees writes to a partition, under its own name or that of the whole", async () => {
    await query(`create table town.parts (id int primary key, v int) partition by range (id);
create table town.low partition of town.parts for values from (0) to (100);
create table town.high partition of town.parts for values from (100) to (200);
select portolan.enable_events('town.parts')`);
    for (const name of ["parts", "low"]) {
      assert.equal(await unchangedBy(name, "insert into town.low values (1, 1)", "delete from town.low"), false, name);
      assert.equal(
        await unchangedBy(name, "insert into town.parts values (2, 2)", "delete from town.parts"),
        false,
        name,
      );
    }
    assert.equal(await unchangedBy("parts", "alter table town.parts detach partition town.high"), false);
    await query("create table town.new partition of town.parts for values from (200) to (300)");
    assert.equal((await stampOf("parts")).stamp, null, "a partition that has no triggers yet");
    await table("parent", "events");
    await query("create table town.child () inherits (town.parent)");
    assert.equal((await stampOf("parent")).stamp, null, "rows that INHERITS brings");
  });

  it("changes if the outbox was cleared since, and if the connection is younger", async () => {
    await table("old", "events");
    const { stamp } = await stampOf("old");
    assert.equal((await stampOf("old", stamp)).unchanged, true);
    assert.equal((await stampOf("old", stamp, await connect())).unchanged, false);
    await query("insert into town.old values (50, 0); delete from portolan.batches");
    const later = await stampOf("old");
    await query("insert into town.with_events values (51, 0)");
    await query(
      "insert into portolan.batches (n, snapshot, last, events, total, relations) select 1, pg_current_snapshot(), 0, 0, 0, '{}'",
    );
    assert.equal((await stampOf("old", later.stamp)).unchanged, false);
  });

  it("compares any text as an earlier stamp, or refuses it, and never finds it equal", async () => {
    for (const known of ["", " ", "a b", "00000001/x 1:1: 5", "null"])
      assert.equal((await stampOf("with_events", known)).unchanged, false, known);
  });

  it("is not that of another table, though nothing was committed anywhere since", async () => {
    await table("twin", "events");
    const [of, ofTwin] = ["with_events", "twin"];
    // other test files write to the same cluster: the snapshots within one transaction are the same
    const reader = await connect();
    await reader.query("begin isolation level repeatable read");
    const { stamp } = await stampOf(of, null, reader);
    const known = async (name: string): Promise<boolean | null> => (await stampOf(name, stamp, reader)).unchanged;
    assert.deepEqual([await known(of), await known(ofTwin)], [true, false]);
    await reader.query("rollback");
  });

  it("is compared again under another snapshot, of a running or new transaction", async () => {
    await table("awaited", "events");
    const [early, late, reader] = [await connect(), await connect(), await connect()];
    const now = (known: string | null): Promise<Answer> => stampOf("awaited", known, reader);
    await early.query("begin; update town.awaited set v = 1 where id = 1");
    const { stamp } = await now(null);
    assert.equal((await now(stamp)).unchanged, true);
    await late.query("begin; update town.awaited set v = 1 where id = 2");
    assert.equal((await now(stamp)).unchanged, true, "nobody sees what is not committed");
    await late.query("commit");
    const second = await now(stamp);
    assert.equal(second.unchanged, false);
    await early.query("rollback");
    assert.equal((await now(second.stamp)).unchanged, true, "a rollback leaves what was");
  });

  describe("beside the request log", () => {
    const snapshot = async (): Promise<string> => (await query("select portolan.data_snapshot() as text"))[0].text;

    /** Whether it is the same before and after; `steps` runs more than once, since autovacuum writes too. */
    async function isSame(steps: () => Promise<unknown>): Promise<boolean> {
      for (let time = 0; time < 5; time++) {
        const before = await snapshot();
        await steps();
        if ((await snapshot()) === before) return true;
      }
      return false;
    }

    async function notes(number: number): Promise<void> {
      for (let at = 0; at < number; at++) await note();
    }

    it("is the same, however often that is written, and differs after any other write", async () => {
      await table("noted", "events");
      assert.ok(await isSame(() => notes(5)));
      const { stamp } = await stampOf("noted");
      await notes(5);
      const later = await stampOf("noted", stamp);
      assert.equal(later.unchanged, true);
      await query("update town.noted set v = 1 where id = 1");
      await note();
      assert.equal((await stampOf("noted", stamp)).unchanged, false);
      assert.equal((await stampOf("noted", later.stamp)).unchanged, false);
      assert.equal(await isSame(() => query("update town.noted set v = 2 where id = 1")), false);
      assert.equal(await isSame(() => query("update town.noted set v = 3 where id = 1").then(() => note())), false);
    });

    it("sees transactions that were running meanwhile, once they are committed", async () => {
      await table("open", "nothing");
      const writers = [await connect(), await connect(), await connect()];
      for (const [at, writer] of writers.entries()) {
        await writer.query(`begin; update town.open set v = v + 1 where id = ${1 + at}`);
        if (at === 1) await note();
      }
      await note();
      assert.ok(await isSame(() => notes(2)));
      for (const [at, writer] of [...writers.entries()].toReversed()) {
        assert.equal(
          await isSame(async () => {
            await writer.query("commit");
            await writer.query(`begin; update town.open set v = v + 1 where id = ${1 + at}`);
            await note();
          }),
          false,
          `writer ${at}`,
        );
      }
      for (const writer of writers) await writer.query("rollback");
    });

    it("sees the writes of a transaction that wrote the log too", async () => {
      await table("mixed", "nothing");
      for (const way of ["begin; update town.mixed set v = v + 1", "begin; select pg_current_xact_id()"])
        assert.equal(
          await isSame(async () => {
            await query(way);
            await note();
            await query("commit");
          }),
          false,
          way,
        );
    });

    it("accepts no number of another server", async () => {
      const restored = await connect();
      await restored.query("begin");
      await restored.query(
        "update portolan.log_run set since = '3', last = (pg_current_xact_id()::text::bigint + 1)::text::xid8",
      );
      const next = await connect();
      await next.query("begin; update town.with_events set v = v where id = 1");
      await restored.query("commit");
      await next.query("commit");
      assert.doesNotMatch(await snapshot(), /^3:/);
    });
  });

  it("is never the same for two states, whatever many writers do", async () => {
    await table("busy", "events");
    await table("kept", "history");
    for (const name of ["busy", "kept"]) await hammer(name);
  });

  /** Writers with transactions of all lengths, and readers that remember the rows of each version of the table. */
  async function hammer(name: string): Promise<void> {
    const stamps = new Stamps();
    const key = {} as Database;
    const states = new Map<number, string>();
    const snapshots = new Map<string, string>();
    const until = performance.now() + 4000;
    let reads = 0;
    let hits = 0;
    const write = async (number: number): Promise<void> => {
      const client = await connect();
      for (let turn = 0; performance.now() < until; turn++) {
        await client.query("begin");
        await client.query(`update town.${name} set v = v + 1 where id = $1`, [1 + ((number + turn) % 10)]);
        // the subject is transactions of all lengths
        await client.query("select pg_sleep($1)", [Math.random() * 0.05 * number]);
        await client.query(turn % 5 === 4 ? "rollback" : "commit");
        await client.query("select pg_sleep(0.02)");
      }
    };
    const log = async (): Promise<void> => {
      const client = await connect();
      for (; performance.now() < until; await client.query("select pg_sleep(0.01)")) await note(client);
    };
    const read = async (): Promise<void> => {
      const client = await connect();
      const { oid } = (await client.query<{ oid: number }>(`select 'town.${name}'::regclass::oid::int as oid`))
        .rows[0]!;
      while (performance.now() < until) {
        const known = stamps.known(key, oid);
        const { rows } = await client.query<Answer & { rows: string; snapshot: string }>(
          `select s.*, (select string_agg(concat_ws('=', id, v), ',' order by id) from town.${name}) as rows,
  portolan.data_snapshot() as snapshot
from portolan.table_stamp($1, $2) s`,
          [oid, known?.stamp ?? null],
        );
        const version = stamps.version(key, oid, known, rows[0]!);
        assert.ok(version !== undefined);
        reads++;
        if (states.has(version)) hits++;
        assert.equal(states.get(version) ?? rows[0]!.rows, rows[0]!.rows);
        states.set(version, rows[0]!.rows);
        const { snapshot } = rows[0]!;
        assert.equal(snapshots.get(snapshot) ?? rows[0]!.rows, rows[0]!.rows);
        snapshots.set(snapshot, rows[0]!.rows);
      }
    };
    await Promise.all([write(1), write(2), write(8), log(), log(), read(), read()]);
    assert.ok(reads > 50 && states.size > 5 && hits > 0, `${reads} reads, ${states.size} states, ${hits} hits`);
  }
});
