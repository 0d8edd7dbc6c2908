import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { testHub, until, type TestHub } from "../support/events.ts";
import { HAS_MERGE } from "../support/postgres.ts";

describe("writes to a table with events", () => {
  let database: TestDatabase;
  let hub: TestHub;
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;
  const outbox = () =>
    query("select operation, cardinality(old) as old, cardinality(new) as new from portolan.outbox order by id");
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => assert.fail("it did not fail"),
      (error: { code: string; message: string }) => error,
    );

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query("create schema town; select portolan.create_user('alice', null)");
    hub = await testHub(database);
  });

  after(async () => {
    await hub.close();
    await database.drop();
  });

  /** Makes a table with events that alice may read, and subscribes her to it. */
  async function table(name: string, definition: string) {
    await query(`create table town.${name} ${definition}`);
    await query(`select portolan.set_privilege('town.${name}', 'alice', 'read')`);
    await query(`select portolan.enable_events('town.${name}')`);
    return hub.subscribe("alice", `town.${name}`);
  }

  it("COPY, multi-row statements, ON CONFLICT, MERGE, cascades and CTEs arrive row by row", async () => {
    const owners = await table("owners", "(id int primary key, name text)");
    const shops = await table(
      "shops",
      "(id int primary key, owner int references town.owners on delete cascade, n int)",
    );
    await query("insert into town.owners select i, 'o' || i from generate_series(1, 3) i");
    await query("insert into town.shops values (1, 1, 0), (2, 2, 0), (3, 3, 0)");
    await query("insert into town.shops values (1, 1, 5), (4, 1, 5) on conflict (id) do update set n = excluded.n");
    await query(
      HAS_MERGE
        ? `merge into town.shops s using (values (2, 9), (5, 9)) v (id, n) on s.id = v.id
           when matched then update set n = v.n when not matched then insert values (v.id, 2, v.n)`
        : "insert into town.shops values (2, 2, 9), (5, 2, 9) on conflict (id) do update set n = excluded.n",
    );
    await query(
      "with gone as (delete from town.shops where id = 5 returning *) update town.shops s set n = -1 from gone where s.id = 3",
    );
    await query("delete from town.owners where id = 1");
    await shops.expect(10);
    await owners.expect(4);
    assert.deepEqual([...shops.summary].sort(), [
      "DELETE 1",
      "DELETE 4",
      "DELETE 5",
      "INSERT 1",
      "INSERT 2",
      "INSERT 3",
      "INSERT 4",
      "INSERT 5",
      "UPDATE 1",
      "UPDATE 2",
      "UPDATE 3",
    ]);
    assert.deepEqual(owners.summary, ["INSERT 1", "INSERT 2", "INSERT 3", "DELETE 1"]);
    // one message per transaction
    assert.equal(shops.batches.length, 5);
  });

  it("statements that touch no row write nothing", async () => {
    await table("quiet", "(id int primary key)");
    const before = (await outbox()).length;
    await query("update town.quiet set id = 2; delete from town.quiet; insert into town.quiet select 1 where false");
    assert.equal((await outbox()).length, before);
  });

  it("a bulk statement is split at 1,000 rows, and arrives whole, in parts", async () => {
    const bulk = await table("bulk", "(id int primary key, v int)");
    await query("insert into town.bulk select i, i from generate_series(1, 3500) i");
    await query("update town.bulk set v = v + 1");
    await bulk.expect(7000);
    const rows = await query(
      "select operation, cardinality(coalesce(new, old)) as n from portolan.outbox where relation = 'town.bulk'::regclass and operation <> 't' order by id",
    );
    assert.deepEqual(
      rows.map(({ n }) => n),
      [1000, 1000, 1000, 500, 1000, 1000, 1000, 500],
    );
    assert.equal(bulk.changes.length, 7000);
    assert.deepEqual(
      bulk.batches.map(({ more }) => more),
      [true, true, true, false, true, true, true, false],
    );
    assert.ok(bulk.batches.every(({ changes }) => changes.length <= 1000));
    assert.ok(
      bulk.changes
        .slice(3500)
        .every((change) => Number(change.new?.values["v"]) === Number(change.old?.values["v"]) + 1),
    );
  });

  it("rows of several megabytes are split at 1 MB, and arrive as they are", async () => {
    const large = await table("large", "(id int primary key, t text, b bytea)");
    await query(
      "insert into town.large select i, repeat('x\"\\,', 250000) || i, decode(repeat('ab', 700000), 'hex') from generate_series(1, 5) i",
    );
    await query("update town.large set t = 'short' where id = 3");
    await large.expect(6);
    assert.equal(
      (
        await query(
          "select count(*)::int as n from portolan.outbox where relation = 'town.large'::regclass and operation = 'i'",
        )
      )[0].n,
      5,
    );
    assert.equal(large.changes[2]?.new?.values["t"], `${'x"\\,'.repeat(250_000)}3`);
    assert.equal(large.changes[2]?.new?.values["b"], `\\x${"ab".repeat(700_000)}`);
    assert.equal(large.changes[5]?.new?.values["t"], "short");
    assert.equal(large.batches.length, 6);
  });

  it("a row of more than 50 MB is a gap, and affects neither its writer nor later events", async () => {
    const huge = await table("huge", "(id int primary key, t text)");
    await query("insert into town.huge values (1, repeat('x', 51000000))");
    await query("insert into town.huge values (2, 'small')");
    await huge.expect(1);
    assert.deepEqual([huge.summary, huge.gaps.length, huge.endCode], [["INSERT 2"], 1, undefined]);
  });

  it("a table without a key is identified by all its columns, a composite key by its parts", async () => {
    const keyless = await table("keyless", "(a int, b text)");
    const pairs = await table("pairs", "(b text, a int, note text, primary key (a, b))");
    await query("insert into town.keyless values (1, null), (1, 'x,y'), (null, '')");
    await query("update town.keyless set a = 2 where b = 'x,y'");
    await query("insert into town.pairs values ('ä (b)', 7, 'n')");
    await keyless.expect(4);
    await pairs.expect(1);
    assert.deepEqual(keyless.summary, ["INSERT 1,%00", "INSERT 1,x%2Cy", "INSERT %00,", "UPDATE 2,x%2Cy"]);
    assert.deepEqual(keyless.batches[0]?.keyColumns, ["a", "b"]);
    assert.deepEqual(pairs.summary, ["INSERT 7,%C3%A4%20%28b%29"]);
    assert.deepEqual(pairs.batches[0]?.keyColumns, ["a", "b"]);
  });

  it("odd names, generated columns, arrays, json, composites and geometry keep their text", async () => {
    await query("create type town.pair as (x int, y text)");
    await query(`
create table town."Odd.Name" ("o" int primary key, "n" text, "old_rows" int, "select" int generated always as ("o" * 2) stored,
  tags text[], doc jsonb, p town.pair, g geometry(Point, 4326), "Odd.Name" text);
select portolan.set_privilege('town."Odd.Name"', 'alice', 'read'), portolan.enable_events('town."Odd.Name"')`);
    const subscriber = await hub.subscribe("alice", "town", { relation: "Odd.Name" });
    await query(`insert into town."Odd.Name" ("o", "n", tags, doc, p, g)
      values (3, 'x', array['a"b', 'c,d', null], '{"k": [1, 2]}', row(1, 'q"\\'), 'srid=4326;point(1 2)')`);
    const [change] = await subscriber.expect(1);
    const [row] = await query(
      `select "o"::text, "n", "old_rows"::text, "select"::text, tags::text, doc::text, p::text, g::text, "Odd.Name" from town."Odd.Name"`,
    );
    assert.deepEqual({ ...change?.new?.values }, { ...row });
    assert.equal(change?.new?.values["select"], "6");
  });

  it("the writer's session settings do not change the text", async () => {
    const times = await table("times", "(id int primary key, at timestamptz, d date, i interval, f float8, b bytea)");
    const odd = [
      "set datestyle = 'german'",
      "set timezone = 'Asia/Tokyo'",
      "set intervalstyle = 'sql_standard'",
      "set extra_float_digits = -5",
      "set bytea_output = 'escape'",
    ];
    const sessions = ["", ...odd, odd.join(";"), "set timezone = 'Etc/UTC'; set datestyle = 'ISO, DMY'"];
    for (const [id, settings] of sessions.entries()) {
      await query(settings);
      await query(
        `insert into town.times values (${id}, '2024-01-02 03:04:05+00', '2024-12-31', make_interval(days => -1, hours => 2), 0.1::float8 + 0.2, '\\x00ff')`,
      );
      await query("reset all");
    }
    await times.expect(sessions.length);
    for (const [id, change] of times.changes.entries())
      assert.deepEqual(
        { ...change.new?.values },
        {
          id: String(id),
          at: "2024-01-02 03:04:05+00",
          d: "2024-12-31",
          i: "-1 days +02:00:00",
          f: "0.30000000000000004",
          b: "\\x00ff",
        },
      );
  });

  it("nor do they for types that contain other types, nor does its search_path", async () => {
    await query(`
create type town.visit as (at timestamptz, of regclass);
create domain town.share as float8 check (value < 1);
create type town.hours as range (subtype = timestamp)`);
    const boxed = await table(
      "boxed",
      "(id int primary key, v town.visit, s town.share, days date[], h town.hours, p point, of regclass)",
    );
    const row = `$$(2024-01-02 03:04:05+00,town.boxed)$$, 0.1::float8 + 0.2, '{2024-12-31}',
      town.hours('2024-12-30', '2024-12-31'), point(0.1::float8 + 0.2, 1), 'town.boxed'`;
    const sessions = [
      "",
      "set timezone = 'Asia/Tokyo'",
      "set datestyle = 'german'",
      "set extra_float_digits = -5",
      "set search_path = town",
    ];
    for (const [id, settings] of sessions.entries()) {
      await query(settings);
      await query(`insert into town.boxed values (${id}, ${row})`);
      await query("reset all");
    }
    await boxed.expect(sessions.length);
    for (const [id, change] of boxed.changes.entries())
      assert.deepEqual(
        { ...change.new?.values },
        {
          id: String(id),
          v: '("2024-01-02 03:04:05+00",town.boxed)',
          s: "0.30000000000000004",
          days: "{2024-12-31}",
          h: '["2024-12-30 00:00:00","2024-12-31 00:00:00")',
          p: "(0.30000000000000004,1)",
          of: "town.boxed",
        },
      );
  });

  it("functions on a writer's search_path are not called with the owner's rights", async () => {
    const guarded = await table("guarded", "(id int primary key, at timestamptz, t text)");
    const [{ role }] = await query("select role from portolan.users where name = 'alice'");
    await query(`
select portolan.set_privilege('town.guarded', 'alice', 'write');
create schema trap; create table trap.called (by text default current_user); grant usage on schema trap to public;
grant insert on trap.called to public;
create function trap.same(text, text) returns boolean language plpgsql volatile as $$ begin
  insert into trap.called default values; return true; end $$;
create operator trap.= (leftarg = text, rightarg = text, function = trap.same);
create operator trap.<> (leftarg = text, rightarg = text, function = trap.same);
create operator trap.~~ (leftarg = text, rightarg = text, function = trap.same);
create function trap.current_setting(text) returns text language plpgsql volatile as $$ begin
  insert into trap.called default values; return ''; end $$;
create function trap.lower(text) returns text language plpgsql volatile as $$ begin
  insert into trap.called default values; return 'i'; end $$;
create domain trap.text as pg_catalog.text check (trap.same(value, value))`);
    const writer = await testDatabaseClient(database);
    await writer.query(`
create temp table old_rows as select i as id, now() as at, 'trap' as t from generate_series(7, 8) i;
create temp table new_rows as table old_rows; grant select on old_rows, new_rows to public`);
    await writer.query(`set role "${role}"`);
    await writer.query("set search_path = trap, pg_temp, pg_catalog");
    await writer.query("insert into town.guarded values (1, null, 'one')");
    await writer.query("insert into town.guarded values (2, null, 'two'), (3, null, 'three')");
    await writer.query("update town.guarded set t = 'uno' where id operator(pg_catalog.=) 1");
    await writer.query("set timezone = 'Asia/Tokyo'");
    await writer.query("update town.guarded set t = t || '!'");
    await writer.query("delete from town.guarded");
    await writer.end();
    await guarded.expect(10);
    const written = ["INSERT 1", "INSERT 2", "INSERT 3", "UPDATE 1", "UPDATE 2", "UPDATE 3", "UPDATE 1"].toSorted();
    assert.deepEqual(guarded.summary.slice(0, 7).toSorted(), written);
    assert.deepEqual(guarded.summary.slice(7).toSorted(), ["DELETE 1", "DELETE 2", "DELETE 3"]);
    assert.deepEqual(await query("select * from trap.called"), []);
  });

  it("columns are added, renamed or dropped while subscribed", async () => {
    const moving = await table("moving", "(id int primary key, a int, b text)");
    await query("insert into town.moving values (1, 1, 'one')");
    await moving.expect(1);
    await query("alter table town.moving add c text default 'new'");
    await query("insert into town.moving values (2, 2, 'two', 'c')");
    await query("alter table town.moving drop a");
    await query("update town.moving set b = 'uno' where id = 1");
    await query("alter table town.moving rename b to label");
    await query(
      "begin; insert into town.moving values (3, 'three', 'x'); alter table town.moving add d int; insert into town.moving values (4, 'four', 'x', 9); commit",
    );
    await moving.expect(5);
    assert.deepEqual(moving.summary, ["INSERT 1", "INSERT 2", "UPDATE 1", "INSERT 3", "INSERT 4"]);
    assert.deepEqual({ ...moving.changes[4]?.new?.values }, { id: "4", label: "four", c: "x", d: "9" });
    assert.equal(moving.endCode, undefined);
    // read again after the DDL, in the present columns
    const again = await hub.subscribe("alice", "town.moving", { after: moving.batches[0]?.position });
    await again.expect(4);
    assert.deepEqual(again.summary, ["INSERT 2", "UPDATE 1", "INSERT 3", "INSERT 4"]);
    assert.deepEqual({ ...again.changes[0]?.new?.values }, { id: "2", label: "two", c: "c", d: null });
    assert.equal(again.changes[2]?.new?.row, "(3,three,x,)");
  });

  it("sessions that have written before notice DDL of others, in every isolation level", async () => {
    const known = await table("known", "(id int primary key, a text)");
    const writer = await testDatabaseClient(database);
    const write = (id: number, rest: string) => writer.query(`insert into town.known values (${id}${rest})`);
    for (let i = 0; i < 8; i++) await write(i, ", 'plain'");
    await query("alter table town.known add b text; alter table town.known drop a");
    await write(10, ", 'b'");
    await query("alter table town.known add c int; alter table town.known rename b to d");
    await writer.query("begin isolation level repeatable read; select 1");
    await write(11, ", 'd', 3");
    await writer.query("commit; begin isolation level serializable");
    await write(12, ", 'd', 3");
    await writer.query("rollback");
    await query("alter table town.known drop d; alter table town.known add e text");
    await writer.query("begin");
    await write(13, ", 3, 'e'");
    await writer.query("rollback");
    await write(14, ", 3, 'e'");
    await writer.query("begin isolation level repeatable read; select 1");
    await query("alter table town.known add f text");
    await write(15, ", 3, 'e', 'f'");
    await writer.query("commit");
    await write(16, ", 3, 'e', 'f'");
    await writer.end();
    await until(() => known.summary.includes("INSERT 16"));
    // a snapshot older than the DDL does not know its columns: that transaction is a gap, and only that one
    assert.deepEqual(known.summary.slice(8), ["INSERT 10", "INSERT 11", "INSERT 14", "INSERT 16"]);
    assert.equal(known.gaps.length, 1);
    const shown = known.changes.slice(8).map((change) => ({ ...change.new?.values }));
    assert.deepEqual(shown.at(-1), { id: "16", c: "3", e: "e", f: "f" });
    const again = await hub.subscribe("alice", "town.known", { after: known.batches[7]?.position });
    await again.expect(4);
    assert.deepEqual({ ...again.changes[1]?.new?.values }, { id: "11", c: "3", e: null, f: null });
  });

  it("a column that got another type is a gap for a subscriber that resumes from before", async () => {
    const typed = await table("typed", "(id int primary key, v int)");
    await query("insert into town.typed values (1, 1)");
    await query("insert into town.typed values (2, 2)");
    await typed.expect(2);
    await query("alter table town.typed alter v type text using 'n' || v");
    await query("insert into town.typed values (3, 'n3')");
    await typed.expect(3);
    const again = await hub.subscribe("alice", "town.typed", { after: typed.batches[0]?.position });
    await again.expect(1);
    assert.equal(again.gaps.length, 1);
    assert.deepEqual(again.summary, ["INSERT 3"]);
  });

  it("TRUNCATE is a gap", async () => {
    const emptied = await table("emptied", "(id int primary key)");
    await query("insert into town.emptied values (1)");
    await query(
      "begin; insert into town.emptied values (2); truncate town.emptied; insert into town.emptied values (3); commit",
    );
    await query("insert into town.emptied values (4)");
    await emptied.expect(2);
    assert.deepEqual(emptied.summary, ["INSERT 1", "INSERT 4"]);
    assert.equal(emptied.gaps.length, 1);
    assert.equal(emptied.gaps[0]?.after, emptied.batches[0]?.position);
  });

  it("writes of row triggers come after the statement that fired them", async () => {
    const nested = await table("nested", "(id int primary key, v int)");
    await query(`
create function town.again() returns trigger language plpgsql as $$
begin
  if new.v < 3 then update town.nested set v = v + 1 where id = new.id; end if;
  return null;
end $$;
create trigger again after insert or update on town.nested for each row execute function town.again();
insert into town.nested values (1, 0), (2, 2)`);
    await nested.expect(6);
    for (const key of ["1", "2"]) {
      const values = nested.changes
        .filter((change) => change.key === key)
        .map((change) => [change.old?.values["v"], change.new?.values["v"]]);
      assert.deepEqual(
        values,
        key === "1"
          ? [
              [undefined, "0"],
              ["0", "1"],
              ["1", "2"],
              ["2", "3"],
            ]
          : [
              [undefined, "2"],
              ["2", "3"],
            ],
      );
    }
  });

  it("rolled back savepoints and transactions write nothing, and a row keeps its order over savepoints", async () => {
    const saved = await table("saved", "(id int primary key, v int)");
    await query(
      "begin; insert into town.saved values (1, 1); savepoint a; update town.saved set v = 2; rollback to a; update town.saved set v = 3; savepoint b; insert into town.saved values (2, 1); release b; commit",
    );
    await query("begin; insert into town.saved values (3, 1); rollback");
    await query("insert into town.saved values (4, 1)");
    await saved.expect(4);
    assert.deepEqual(saved.summary, ["INSERT 1", "UPDATE 1", "INSERT 2", "INSERT 4"]);
  });

  describe("partitioned tables", () => {
    it("writes through the table and straight to a partition arrive as the table's, also of partitions that come later", async () => {
      await query(`
create table town.logs (id int, day date, t text, primary key (id, day)) partition by range (day);
create table town.logs_1 partition of town.logs for values from ('2024-01-01') to ('2024-02-01');
create table town.logs_2 (t text, gone int, day date not null, id int not null) partition by range (day);
alter table town.logs_2 drop gone;
alter table town.logs attach partition town.logs_2 for values from ('2024-02-01') to ('2024-03-01');
create table town.logs_2a partition of town.logs_2 for values from ('2024-02-01') to ('2024-02-15');
create table town.logs_2b partition of town.logs_2 default;
select portolan.set_privilege('town.logs', 'alice', 'read');
select portolan.enable_events('town.logs')`);
      const logs = await hub.subscribe("alice", "town.logs");
      await query("insert into town.logs values (1, '2024-01-05', 'a'), (2, '2024-02-05', 'b')");
      await query("insert into town.logs_2a (id, day, t) values (3, '2024-02-06', 'c')");
      await query("update town.logs set day = '2024-02-20' where id = 1");
      await query("update town.logs_2 set t = 'bb' where id = 2");
      await query("delete from town.logs_2b where id = 1");
      await logs.expect(6);
      assert.deepEqual(logs.summary, [
        "INSERT 1,2024-01-05",
        "INSERT 2,2024-02-05",
        "INSERT 3,2024-02-06",
        "UPDATE 1,2024-02-20",
        "UPDATE 2,2024-02-05",
        "DELETE 1,2024-02-20",
      ]);
      assert.deepEqual({ ...logs.changes[2]?.new?.values }, { id: "3", day: "2024-02-06", t: "c" });
      assert.equal(logs.changes[2]?.new?.row, "(3,2024-02-06,c)");

      await query("create table town.logs_3 partition of town.logs for values from ('2024-03-01') to ('2024-04-01')");
      await hub.hub.sync(["town"]);
      await query("insert into town.logs_3 values (9, '2024-03-03', 'z')");
      await logs.expect(7);
      assert.equal(logs.summary.at(-1), "INSERT 9,2024-03-03");
      assert.equal(logs.gaps.length, 0);

      await query(
        "create table town.logs_4 (like town.logs); insert into town.logs_4 values (20, '2024-05-05', 'came along')",
      );
      await query(
        "alter table town.logs attach partition town.logs_4 for values from ('2024-05-01') to ('2024-06-01')",
      );
      await hub.hub.sync(["town"]);
      await until(() => logs.gaps.length === 1);
      await query("alter table town.logs detach partition town.logs_4");
      await hub.hub.sync(["town"]);
      await until(() => logs.gaps.length === 2);
      assert.equal(
        (await query("select count(*)::int as n from pg_trigger where tgrelid = 'town.logs_4'::regclass"))[0].n,
        0,
      );
    });

    it("a partition is refused, with the name of the table to subscribe to", async () => {
      const error = await code(hub.subscribe("alice", "town.logs_1"));
      assert.match(error.message, /may not select|is a partition: its events are those of town.logs/);
      await query("select portolan.set_privilege('town.logs_1', 'alice', 'read')");
      assert.match(
        (await code(hub.subscribe("alice", "town.logs_1"))).message,
        /is a partition: its events are those of town.logs/,
      );
      assert.match(
        (await code(query("select portolan.enable_events('town.logs_1')"))).message,
        /events are of town.logs/,
      );
    });
  });

  describe("switching events", () => {
    const active = async (name: string) =>
      (
        await query(
          "select count(*)::int as n from pg_trigger where tgrelid = $1::regclass and tgname like '\\_900\\_emit%'",
          [`town.${name}`],
        )
      )[0].n;

    it("enable_events and disable_events can be repeated", async () => {
      await query("create table town.switched (id int primary key)");
      for (let i = 0; i < 2; i++) await query("select portolan.enable_events('town.switched')");
      assert.equal(await active("switched"), 4);
      for (let i = 0; i < 2; i++) await query("select portolan.disable_events('town.switched')");
      assert.equal(await active("switched"), 0);
    });

    for (const [what, statement, reason] of [
      ["a view", "create view town.v as select 1 as a", /is a view/],
      ["a materialised view", "create materialized view town.mv as select 1 as a", /is a view/],
      ["an unlogged table", "create unlogged table town.ul (a int)", /unlogged/],
      [
        "a parent by INHERITS",
        "create table town.parent (a int); create table town.child () inherits (town.parent)",
        /INHERITS/,
      ],
      ["a sequence", "create sequence town.seq", /not a table or view/],
    ] as const)
      it(`enable_events refuses ${what} with PX400`, async () => {
        await query(statement);
        const name = /town\.(\w+)/.exec(statement)?.[1];
        const error = await code(query(`select portolan.enable_events('town.${name}')`));
        assert.equal(error.code, "PX400");
        assert.match(error.message, reason);
      });

    it("enable_events is for super users", async () => {
      await query(
        "select portolan.create_user('boss', null, superuser => true); select portolan.share_with_owner('{town}')",
      );
      const as = async (account: string) => {
        await query("begin");
        try {
          await query("select set_config('role', role, true) from portolan.users where name = $1", [account]);
          await query("select portolan.enable_events('town.switched')");
        } finally {
          await query("rollback");
        }
      };
      assert.equal((await code(as("alice"))).code, "42501");
      await as("boss");
    });

    it("the comment decides, and an explicit switch that says otherwise is refused", async () => {
      await query("create table town.marked (id int primary key)");
      await query("comment on table town.marked is E'@events on\\nMarked.'");
      await hub.hub.sync(["town"]);
      assert.equal(await active("marked"), 4);
      assert.equal((await code(query("select portolan.disable_events('town.marked')"))).code, "PX400");
      await query("comment on table town.marked is '@events off'");
      await hub.hub.sync(["town"]);
      assert.equal(await active("marked"), 0);
      assert.equal((await code(query("select portolan.enable_events('town.marked')"))).code, "PX400");
      await query("comment on table town.marked is null; select portolan.enable_events('town.marked')");
      assert.equal(await active("marked"), 4);
      await hub.hub.sync(["town"]);
      assert.equal(await active("marked"), 4);
    });

    it('events: "all" has every table of the schemas, but for those that were switched off', async () => {
      await query(
        "create schema everywhere; create table everywhere.a (id int); create table everywhere.b (id int); create table everywhere.c (id int)",
      );
      await query("comment on table everywhere.c is '@events off'; select portolan.disable_events('everywhere.b')");
      const all = await testHub(database, { events: "all", schemas: ["everywhere"] });
      await all.hub.sync(["everywhere"]);
      const on = await query(
        "select relation::text as name from portolan.event_tables where active and relation::text like 'everywhere%'",
      );
      assert.deepEqual(
        on.map(({ name }) => name),
        ["everywhere.a"],
      );
      await all.close();
    });

    it("dropped triggers are made again, and subscribers get a gap", async () => {
      const repaired = await table("repaired", "(id int primary key)");
      await query("drop trigger _900_emit_insert on town.repaired; insert into town.repaired values (1)");
      await hub.hub.sync(["town"]);
      await query("insert into town.repaired values (2)");
      await repaired.expect(1);
      assert.deepEqual(repaired.summary, ["INSERT 2"]);
      assert.equal(repaired.gaps.length, 1);
    });

    it("a table that is in use is left alone, and tried again", async () => {
      await query("create table town.busy (id int primary key); comment on table town.busy is '@events on'");
      const other = await testDatabaseClient(database);
      await other.query("begin; lock table town.busy in row exclusive mode");
      await hub.hub.sync(["town"]);
      assert.equal(await active("busy"), 0);
      await other.query("rollback");
      await other.end();
      await until(async () => (await active("busy")) === 4);
    });

    it("disabling ends the subscriptions with the reason; the time in between is a gap", async () => {
      const stopped = await table("stopped", "(id int primary key)");
      await query("insert into town.stopped values (1)");
      await stopped.expect(1);
      await query("select portolan.disable_events('town.stopped')");
      await until(() => stopped.ended !== undefined);
      assert.equal(stopped.endCode, "BAD_USER_INPUT");
      assert.match((await code(hub.subscribe("alice", "town.stopped"))).message, /enable_events\('town.stopped'\)/);
      await query("insert into town.stopped values (2); select portolan.enable_events('town.stopped')");
      const again = await hub.subscribe("alice", "town.stopped", { after: stopped.batches[0]?.position });
      await query("insert into town.stopped values (3)");
      await again.expect(1);
      assert.deepEqual(again.summary, ["INSERT 3"]);
      assert.equal(again.gaps.length, 1);
    });
  });

  it("no account can reach the outbox, the lease, or write an event", async () => {
    const [{ emit }] = await query(
      "select tgfoid::regproc as emit from pg_trigger where tgname = '_900_emit_insert' limit 1",
    );
    for (const statement of [
      "select * from portolan.outbox",
      "insert into portolan.outbox (relation, operation) values (1, 't')",
      "update portolan.event_reader set pid = 1",
      "select portolan.take_lease(0, now())",
      "select portolan.read_batch(1, '{1}', 0, 0, 1)",
      "select setval('portolan.asleep', 0)",
      `create temp table t (id int); create trigger t after insert on t referencing new table as new_rows for each statement execute function ${emit}()`,
    ]) {
      await query("begin");
      await query("select set_config('role', role, true) from portolan.users where name = 'alice'");
      assert.equal((await code(query(statement))).code, "42501", statement);
      await query("rollback");
    }
  });
});

async function testDatabaseClient({ url }: TestDatabase) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
