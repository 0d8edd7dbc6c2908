import assert from "node:assert/strict";
import { connectAgent, type TestAgent } from "../support/agent.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/** Each must be refused, as BAD_USER_INPUT or FORBIDDEN, before PostgreSQL runs it. */
const REFUSED: readonly string[] = [
  // writes in disguise
  "with d as (delete from world.cities returning *) select * from d",
  "with u as (update world.cities set name = 'x' returning *) select count(*) from u",
  "with i as (insert into world.areas (name) values ('x') returning *) select * from i",
  "with m as (select 1), d as (delete from world.cities) select * from m",
  "select * from (with d as (select 1) select * from d) x, world.cities for update",
  "select * from world.cities for share",
  "select * from world.cities for no key update skip locked",
  "select * into world.copy from world.cities",
  "select * into temp copy from world.cities",
  "insert into world.areas (name) values ('x')",
  "update world.cities set name = 'x'",
  "delete from world.cities",
  "merge into world.cities c using world.areas a on c.area_id = a.id when matched then delete",
  "truncate world.cities",
  "create table world.mine (id int)",
  "create temp table mine (id int)",
  "create view world.mine as select 1",
  "drop table world.cities",
  "alter table world.cities add column x int",
  "comment on table world.cities is 'x'",
  "grant select on world.cities to public",
  "refresh materialized view world.cities",
  "vacuum world.cities",
  "analyze world.cities",
  // EXPLAIN that runs
  "explain analyze delete from world.cities",
  "explain analyze select 1",
  "explain (analyze) select 1",
  "explain (analyze false) select 1",
  "explain (verbose, analyze on) select 1",
  "explain delete from world.cities",
  "explain execute mine",
  "explain create table world.mine as select 1",
  "explain with d as (delete from world.cities returning *) select * from d",
  // several statements, and none
  "select 1; delete from world.cities",
  "select 1; select 2",
  "",
  "-- nothing",
  // who it is, and settings
  "set role postgres",
  "set session authorization postgres",
  "reset role",
  "reset all",
  "set statement_timeout = 0",
  "set local row_security = off",
  "discard all",
  "select set_config('role', 'postgres', false)",
  "select set_config('statement_timeout', '0', false)",
  "select set_config(name, setting, false) from pg_settings",
  // transactions, cursors, prepared statements, notifications
  "begin",
  "commit",
  "rollback",
  "savepoint s",
  "declare c cursor with hold for select 1",
  "fetch all from c",
  "prepare p as select 1",
  "execute p",
  "deallocate all",
  "listen portolan",
  "notify portolan",
  "unlisten *",
  "lock table world.cities",
  "set transaction read write",
  "start transaction read write",
  "abort",
  "release savepoint s",
  "set constraints all deferred",
  "prepare transaction 'x'",
  "commit prepared 'x'",
  "close c",
  "move all from c",
  "do $$ begin perform 1; end $$",
  "call world.nothing()",
  "load 'auto_explain'",
  "checkpoint",
  "reindex table world.cities",
  "cluster world.cities",
  "alter system set work_mem = '1GB'",
  "alter role captain superuser",
  "create role mine",
  "create extension dblink",
  "create function world.mine() returns int language sql as 'select 1'",
  "create rule mine as on select to world.cities do instead nothing",
  "drop owned by captain",
  "security label on table world.cities is 'x'",
  // files and programs
  "copy world.cities to '/tmp/x'",
  "copy world.cities from program 'id'",
  "copy (select 1) to stdout",
  "select pg_read_file('/etc/passwd')",
  "select pg_ls_dir('/')",
  "select * from pg_stat_file('/etc/passwd')",
  "select pg_read_binary_file('/etc/passwd')",
  "select * from pg_ls_waldir()",
  "select lo_import('/etc/passwd')",
  "select lo_export(1, '/tmp/x')",
  // functions that READ ONLY lets through
  "select lo_from_bytea(0, 'x')",
  "select lo_create(0)",
  "select lo_put(1, 0, 'x')",
  "select lo_unlink(1)",
  "select pg_logical_emit_message(true, 'x', 'y')",
  "select pg_notify('portolan', 'x')",
  "select nextval('world.cities_id_seq')",
  "select setval('world.cities_id_seq', 1)",
  "select pg_advisory_lock(1)",
  "select pg_try_advisory_lock(1)",
  "select pg_advisory_xact_lock_shared(1, 2)",
  "select txid_current()",
  "select pg_current_xact_id()",
  "select pg_export_snapshot()",
  "select pg_create_logical_replication_slot('x', 'pgoutput')",
  "select pg_switch_wal()",
  "select pg_rotate_logfile()",
  "select pg_reload_conf()",
  "select setseed(0.5)",
  "select pg_stat_reset()",
  "select pg_stat_clear_snapshot()",
  "select lo_open(1, 131072)",
  "select currval('world.cities_id_seq')",
  "select lastval()",
  "select pg_advisory_unlock_all()",
  "select pg_create_restore_point('x')",
  "select pg_promote()",
  "select pg_log_backend_memory_contexts(1)",
  "select dblink_exec('dbname=postgres', 'delete from x')",
  "select portolan.create_user('mine', 'mine')",
  "select portolan.change_own_account('{}')",
  "select portolan.end_agent('x')",
  "select portolan.note_agents('[]')",
  // other people's sessions, and waiting
  "select pg_terminate_backend(pid) from pg_stat_activity",
  "select pg_cancel_backend(1)",
  "select pg_sleep(100)",
  "select pg_sleep_for('1 hour')",
  "select pg_sleep_until(now() + interval '1 day')",
  "select 1 where pg_sleep(100) is null",
  "select (select pg_sleep(100))",
  "select * from generate_series(1, 10) n, lateral pg_sleep(n)",
  "values (pg_sleep(100))",
  "select case when false then pg_sleep(100) end",
  "select array(select pg_sleep(1) from world.cities)",
  "select count(*) filter (where pg_sleep(1) is null) from world.cities",
  "select 1 order by pg_sleep(100)",
  "select 1 limit (select 1 from pg_sleep(100))",
  "explain select pg_sleep(100)",
  "select pg_catalog.pg_sleep(100)",
  'select "pg_sleep"(100)',
  "select p_g_s from world.cities, pg_sleep(1) p_g_s",
  "table pg_locks",
  // text that is run
  "select query_to_xml('delete from world.cities', true, true, '')",
  "select table_to_xml('world.cities', true, true, '')",
  "select database_to_xml(true, true, '')",
  "select schema_to_xml('world', true, true, '')",
  "select cursor_to_xml('c', 1, true, true, '')",
  "select * from ts_stat('select to_tsvector(name) from world.cities')",
  // functions, views, operators, casts and row functions of a team
  "select world.careless()",
  "select world.careless(1)",
  "select c.touched from world.cities c",
  "select (c).touched from world.cities c",
  "select touched(c) from world.cities c",
  "select * from world.sneaky",
  "select * from world.sneakier",
  "select n from (select 1 as n) x where exists (select from world.sneakier)",
  "select 1 operator(world.===) 1",
  "select '1'::world.checked",
  "select cast(1 as world.checked)",
  "select array['1']::world.checked[]",
  "select row(1)::world.holding",
  "select * from json_to_record('{}') r (a world.checked)",
  "select pg_input_is_valid('1', 'world.checked')",
  "select domain_in('1', 'world.checked'::regtype::oid, -1)",
  "select world.careless_sum(id) from world.cities",
  "select world.careless_sum(id) over () from world.cities",
];

const ANSWERED: readonly (readonly [string, readonly unknown[]])[] = [
  ["select 1 as n", [{ n: 1 }]],
  ["values (1), (2)", [{ column1: 1 }, { column1: 2 }]],
  ["with a as (select 2 as n) select n * 2 as n from a", [{ n: 4 }]],
  ["table world.nothing_here", []],
  ["select random() < 1 as is_less", [{ is_less: true }]],
  [
    "select clock_timestamp() is not null as is_there, gen_random_uuid() is not null as is_too",
    [{ is_there: true, is_too: true }],
  ],
  ["select 9007199254740993 as big", [{ big: 9007199254740993n }]],
  ["select count(*) as n from world.cities where st_x(geom) > 179", [{ n: 0 }]],
  ["show server_encoding", [{ server_encoding: "UTF8" }]],
];

describe("the tool sql", () => {
  let gateway: TestGateway;
  let agent: TestAgent;
  before(async () => {
    gateway = await testGateway({
      config: { mcp: true, statementTimeoutMs: 3000, mcpMaxBytes: 20_000 },
      prepare: ({ client, name }) =>
        client.query(`
create table world.nothing_here (id int);
create function world.careless(int default 1) returns int language sql volatile as 'select 1';
create function world.careless_step(bigint, int) returns bigint language sql volatile as 'select $1';
create aggregate world.careless_sum (int) (sfunc = world.careless_step, stype = bigint, initcond = '0');
create function world.touched(world.cities) returns text language sql volatile as 'select ''x''';
create view world.sneaky as select pg_sleep(0)::text as nap;
create view world.sneakier as select * from world.sneaky;
create function world.same(int, int) returns boolean language sql volatile as 'select true';
create operator world.=== (leftarg = int, rightarg = int, function = world.same);
create function world.is_checked(int) returns boolean language sql volatile as 'select true';
create domain world.checked as int check (world.is_checked(value));
create type world.holding as (n world.checked);
create table world.hidden (id int primary key, secret text);
insert into world.hidden values (1, 'x');
grant usage on schema world to "guest@${name}";`),
    });
    agent = await connectAgent(gateway, "captain", { scope: "" });
  });
  after(async () => {
    await agent?.close();
    await gateway.close();
  });

  it("refuses whatever may do more than read, before it runs", async () => {
    const { client } = gateway.database;
    const state = async (): Promise<unknown> =>
      (
        await client.query(`
select (select count(*) from world.cities) as cities, (select count(*) from pg_largeobject_metadata) as objects,
  (select count(*) from pg_locks where locktype = 'advisory') as locks, (select last_value from world.cities_id_seq) as last`)
      ).rows[0];
    const before = await state();
    const wrong: string[] = [];
    for (const sql of REFUSED) {
      const error = await agent.refused("sql", { sql }).catch((failure: unknown) => ({ code: String(failure) }));
      if (!["BAD_USER_INPUT", "FORBIDDEN", "INVALID_PARAMS"].includes(error.code)) wrong.push(`${sql}: ${error.code}`);
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(await state(), before);
  });

  it("need not look at PostgreSQL's own operators, none of which does more than read", async () => {
    const { rows } = await gateway.database.client.query(`
select o.oid::regoperator from pg_operator o, portolan.volatile_functions(array[o.oprcode::oid]) where o.oid < 16384`);
    assert.deepEqual(rows, []);
  });

  for (const [sql, rows] of ANSWERED)
    it(`answers ${sql}`, async () => {
      const answered = (await agent.call("sql", { sql }))["rows"];
      assert.deepEqual(
        JSON.stringify(answered),
        JSON.stringify(rows, (_name, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
      );
    });

  it("keeps every digit of a large number in the text of the result", async () => {
    const { content } = await agent.client.callTool({
      name: "sql",
      arguments: { sql: "select 9007199254740993 as big" },
    });
    assert.match((content as { text: string }[])[0]!.text, /"big":9007199254740993\b/);
  });

  it("explains a statement without running it", async () => {
    const { rows } = await agent.call<{ rows: object[] }>("sql", {
      sql: "explain select * from world.cities where id = :id",
      params: { id: 1 },
    });
    assert.match(JSON.stringify(rows), /cities/);
  });

  it("ends a statement that takes too long, and serves the next one", async () => {
    const sql = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n";
    assert.equal((await agent.refused("sql", { sql })).code, "TIMEOUT");
    assert.deepEqual((await agent.call("sql", { sql: "select 1 as n" }))["rows"], [{ n: 1 }]);
  });

  for (const sql of [
    "select repeat('x', 30000000) from generate_series(1, 20)",
    "select string_agg(repeat('x', 1000), '') from generate_series(1, 100000)",
    "select array_agg(n) from generate_series(1, 5000000) n",
    "select * from generate_series(1, 1000000000) a, generate_series(1, 1000000000) b where a = b + 2000000000",
    "select n, repeat('x', 19000) from generate_series(1, 100000) n",
  ])
    it(`neither waits for nor keeps ${sql}`, async () => {
      const before = process.memoryUsage().rss;
      let peak = before;
      const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
      const began = performance.now();
      const answered = await agent.call<{ rows: object[] }>("sql", { sql }).catch((error: unknown) => String(error));
      clearInterval(timer);
      if (typeof answered === "string") assert.match(answered, /TIMEOUT|LIMIT_EXCEEDED/);
      else assert.ok(JSON.stringify(answered.rows).length <= 20_100);
      assert.ok(performance.now() - began < 20_000);
      assert.ok(peak - before < 150_000_000, `${Math.round((peak - before) / 1e6)} MB more`);
      assert.deepEqual((await agent.call("sql", { sql: "select 1 as n" }))["rows"], [{ n: 1 }]);
    });

  it("gives as many rows as fit, and a cursor behind them", async () => {
    const sql = "select n, repeat('x', 100) as filling from generate_series(1, 1000) n order by n";
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await agent.call<{ rows: { n: number }[]; cursor?: string }>(
        "sql",
        cursor === undefined ? { sql, limit: 400 } : { cursor },
      );
      assert.ok(JSON.stringify(page.rows).length <= 20_100);
      seen.push(...page.rows.map(({ n }) => n));
      ({ cursor } = page);
    } while (cursor !== undefined);
    assert.deepEqual(
      seen,
      [...Array(1000).keys()].map((n) => n + 1),
    );
  });

  it("refuses a single row that does not fit, in words", async () => {
    const { code, message } = await agent.refused("sql", { sql: "select repeat('x', 30000)" });
    assert.equal(code, "LIMIT_EXCEEDED");
    assert.match(message, /fewer columns/);
  });

  it("tells the place of a mistake", async () => {
    const error = await agent.refused("sql", { sql: "select nam from world.cities" });
    assert.equal(error["sqlstate"], "42703");
    assert.equal(error["position"], 8);
  });

  it("names a volatile function, and says what to do instead", async () => {
    const { message } = await agent.refused("sql", { sql: "select world.careless()" });
    assert.match(message, /world\.careless.*stored method/);
  });

  it("has the rights of the account", async () => {
    const guest = await connectAgent(gateway, "guest");
    const error = await guest.refused("sql", { sql: "select * from world.hidden" });
    assert.equal(error.code, "FORBIDDEN");
    assert.equal(error["sqlstate"], "42501");
    await guest.close();
  });

  it("takes the rules for agents and those for SQL: both must let it", async () => {
    const { client, name } = gateway.database;
    await client.query(`grant select on world.hidden to "guest@${name}"`);
    const guest = await connectAgent(gateway, "guest");
    const sql = "select count(*)::int as n from world.hidden";
    const rule = (service: string, access: string, filter?: string): Promise<unknown> =>
      client.query("select portolan.create_rule($1)", [
        JSON.stringify({
          username: "guest",
          schema: "world",
          table: "hidden",
          service,
          access,
          ...(filter && { filter }),
        }),
      ]);
    const clear = (): Promise<unknown> => client.query("select portolan.drop_rule(id) from portolan.rules");
    for (const service of ["sql", "mcp", "*"]) {
      await rule(service, "deny");
      assert.equal((await guest.refused("sql", { sql })).code, "FORBIDDEN", `a rule for ${service}`);
      await clear();
    }
    await rule("graphql", "deny");
    assert.deepEqual((await guest.call("sql", { sql }))["rows"], [{ n: 1 }]);
    await clear();
    await rule("mcp", "limit", "id = 2");
    assert.deepEqual((await guest.call("sql", { sql }))["rows"], [{ n: 0 }]);
    await rule("sql", "limit", "id = 1");
    assert.equal((await guest.refused("sql", { sql })).code, "FORBIDDEN", "two different limits deny");
    await clear();
    await rule("*", "limit", "id = 1");
    assert.deepEqual((await guest.call("sql", { sql }))["rows"], [{ n: 1 }]);
    await clear();
    await guest.close();
  });
});
