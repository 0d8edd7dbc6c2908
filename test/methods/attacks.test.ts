import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { HAS_MERGE } from "../support/postgres.ts";
import { as, type As } from "./requests.ts";

describe("SQL that someone wrote", () => {
  let gateway: TestGateway;
  let guest: As;
  let captain: As;
  const sql = (who: As, q: string, params?: object) => who.request("post", "/sql", { q, ...(params && { params }) });

  before(async () => {
    gateway = await testGateway({
      config: { statementTimeoutMs: 1500, sqlRequestTimeoutMs: 2500, maxAnswerBytes: 1_000_000 },
      prepare: ({ client }) =>
        client.query(`
select portolan.create_user('crew', null), portolan.create_user('mate', null, user_group => 'crew');
create schema deck;
create table deck.ropes (id int primary key, owner text);
insert into deck.ropes values (1, 'guest'), (2, 'mate'), (3, 'crew');
select portolan.set_privilege('deck.ropes', a, 'write') from unnest(array['guest', 'crew']) a;
alter table deck.ropes enable row level security;
create policy own on deck.ropes using (owner = (portolan.request_context()).name);
create function deck.write_rope(id int) returns int language sql volatile as
  $$insert into deck.ropes values (id, (portolan.request_context()).name) returning id$$;
create function deck.execute_text(q text) returns int language plpgsql volatile as $$begin execute q; return 1; end$$;
grant usage on schema deck to public;`),
    });
    [guest, captain] = await Promise.all([as(gateway, "guest"), as(gateway, "captain")]);
  });

  after(() => gateway.close());

  it("is one SELECT, VALUES, WITH, INSERT, UPDATE, DELETE or MERGE, and nothing else", async () => {
    for (const q of [
      "select 1; select 2",
      "select 1; drop table world.cities",
      "select 1;; commit",
      "",
      ";",
      "-- nothing",
      "create table t (a int)",
      "create table t as select 1",
      "select 1 into t",
      "with a as (select 1) select * into t from a",
      "drop table world.cities",
      "alter role guest superuser",
      "copy world.cities to stdout",
      "copy world.cities from program 'id'",
      "set role postgres",
      "reset role",
      "set session authorization postgres",
      "do $$ begin end $$",
      "call x()",
      "begin",
      "commit",
      "rollback",
      "savepoint a",
      "prepare x as select 1",
      "execute x",
      "deallocate all",
      "declare c cursor for select 1",
      "explain select 1",
      "explain analyze select 1",
      "listen x",
      "notify x",
      "lock table world.cities",
      "vacuum",
      "truncate world.cities",
      "discard all",
      "show all",
      "grant select on world.cities to public",
      "select 1 from",
      "select $1",
      "select 'open",
      "select \u0000 1",
      `select ${"(".repeat(5000)}1${")".repeat(5000)}`,
      `select 1${"+1".repeat(40_000)}`,
      `select '${"x".repeat(1_000_000)}'`,
    ]) {
      for (const path of ["/sql", "/methods"]) {
        const { status, body } = await guest.request("post", path, path === "/sql" ? { q } : { method: "m", q });
        assert.equal(status, 400, `${path} ${q.slice(0, 60)}`);
        assert.equal(body.code, "BAD_USER_INPUT");
      }
    }
    for (const q of [
      "select 1;",
      " select 1 -- end",
      "/* a */ values (1)",
      "(select 1)",
      "with a as (select 1) select * from a",
      "table world.cities",
      ...(HAS_MERGE
        ? ["merge into deck.ropes r using (select 1 as id) s on r.id = s.id when matched then do nothing"]
        : []),
    ])
      assert.equal((await sql(guest, q)).status, 200, q);
  });

  it("cannot leave the caller's role, not even through functions that execute text, nor as a super user", async () => {
    const name = gateway.database.name;
    for (const [who, roles] of [
      [guest, ["postgres", "gateway", `captain@${name}`, `owner@${name}`, `.pool@${name}`]],
      [captain, ["postgres", "gateway", `guest@${name}`, `mate@${name}`, `.pool@${name}`]],
    ] as const)
      for (const role of roles)
        for (const q of [
          `select set_config('role', '${role}', true), query_to_xml('select * from portolan.users', true, true, '')`,
          `select query_to_xml($$select set_config('role', '${role}', false)$$, true, true, '')`,
          `with a as (select set_config('role', '${role}', true)) select * from a, table_to_xml('portolan.users', true, true, '')`,
          `select ts_stat($$select set_config('role', '${role}', true)::tsvector$$)`,
          `select set_config('session_authorization', '${role}', true)`,
        ]) {
          const { status, body } = await sql(who, q);
          assert.deepEqual([status, body.sqlstate], [403, "42501"], q);
        }
    // the view does not show it, so nothing is set
    const { body } = await sql(guest, "update pg_settings set setting = 'postgres' where name = 'role'");
    assert.equal(body.affected_rows, 0);
    assert.equal((await sql(guest, "select * from portolan.users")).body.sqlstate, "42501");
  });

  it("escapes no policy by becoming its group or anonymous, nor by forging settings", async () => {
    const mate = await as(gateway, "mate");
    const name = gateway.database.name;
    const seen = async (q: string) =>
      (await sql(mate, q)).body.data?.flatMap((row: { owner?: string }) => row.owner ?? []);
    assert.deepEqual(await seen("select owner from deck.ropes"), ["mate"]);
    for (const setting of [
      `set_config('role', 'crew@${name}', true)`,
      `set_config('role', 'anonymous@${name}', true)`,
      "set_config('portolan.user', 'crew', true)",
      "set_config('request.jwt.claims', '{\"uid\":\"crew\"}', true)",
      "set_config('row_security', 'off', true)",
    ]) {
      const { body } = await sql(
        mate,
        `with s as materialized (select ${setting} as s) select r.owner from s, deck.ropes r`,
      );
      assert.ok(
        body.sqlstate !== undefined || body.data.every((row: { owner: string }) => row.owner === "mate"),
        setting,
      );
    }
    assert.deepEqual(await seen("select owner from deck.ropes"), ["mate"]);
  });

  it("leaves nothing behind for the next request of the account", async () => {
    await sql(guest, "select set_config('my.x', 'left', false), set_config('search_path', 'deck', false)");
    const { body } = await sql(
      guest,
      "select coalesce(current_setting('my.x', true), '') as x, current_setting('search_path') as path",
    );
    assert.deepEqual(body.data, [{ x: "", path: '"$user", public' }]);
  });

  it("does not affect the next request by a function that changes prepared statements", async () => {
    const spoil = (q: string) => sql(guest, "select deck.execute_text(:q)", { q });
    const who = async () => (await sql(guest, "select current_setting('portolan.user') as name")).body.data;
    for (const q of [
      "deallocate all",
      "do $$ declare s text; begin for s in select name from pg_prepared_statements loop execute format('deallocate %I', s); execute format('prepare %I as select 1', s); end loop; end $$",
    ]) {
      await who();
      assert.equal((await spoil(q)).status, 200);
      // one of them gets the connection that the attack used
      for (const name of await Promise.all(Array.from({ length: 12 }, who)))
        assert.deepEqual(name, [{ name: "guest" }]);
    }
  });

  it("is ended if it runs for ever, even if it lifts its own timeout", async () => {
    for (const q of [
      "with recursive t as (select 1 as n union all select n + 1 from t) select count(*) from t",
      "select set_config('statement_timeout', '0', true), pg_sleep(30)",
      "with s as materialized (select set_config('statement_timeout', '0', false)) select count(*) from s, generate_series(1, 100000000000) n",
      "select set_config('statement_timeout', '0', false), case when n > 1001 then pg_sleep(30) end from generate_series(1, 5000) n",
    ]) {
      const { status, body } = await sql(guest, q);
      assert.deepEqual([status, body.code], [504, "TIMEOUT"], q);
    }
    assert.equal((await sql(guest, "select 1")).status, 200);
  });

  it("makes no temporary tables, large objects, or locks that outlive it", async () => {
    for (const q of [
      "select lo_creat(-1)",
      "select lo_create(0)",
      "select lo_from_bytea(0, 'x')",
      "select pg_advisory_lock(1)",
      "select pg_try_advisory_xact_lock(n) from generate_series(1, 100000) n",
      "select pg_terminate_backend(pg_backend_pid())",
      "select pg_logical_emit_message(false, 'a', 'b')",
      "select st_estimatedextent('world', 'cities', 'geom')",
      "select _postgis_stats('world.cities', 'geom')",
      "select _postgis_selectivity('world.cities', 'geom', st_makeenvelope(0, 0, 1, 1, 4326))",
    ]) {
      const { status, body } = await sql(guest, q);
      assert.deepEqual([status, body.sqlstate], [403, "42501"], q);
    }
    const { rows } = await gateway.database.client.query(
      "select has_database_privilege('guest@' || current_database(), current_database(), 'temporary') as temporary",
    );
    assert.equal(rows[0].temporary, false);
  });

  it("is an error if its result is over the limit, not a part of the result", async () => {
    await guest.define({ method: "three", q: "select n from generate_series(1, :n::int) n", max_rows: 3 });
    assert.equal((await guest.call("three", { n: 3 })).data.length, 3);
    const error = await guest.fail("three", { n: 4 });
    assert.deepEqual(
      [error.code, error.data.sqlstate, /more than 3 rows/.test(error.data.detail)],
      [-32603, "54000", true],
    );
    assert.equal((await guest.fail("three", [{ n: 2 }, { n: 2 }])).code, -32603);
    const { status, body } = await sql(guest, "select repeat('x', 1000) as x from generate_series(1, 10000)");
    assert.deepEqual([status, body.code], [400, "LIMIT_EXCEEDED"]);

    // many results that are each small enough form one answer
    const part = { q: "select repeat('x', 300000) as x" };
    const list = await guest.request("post", "/sql", [part, part, part, part]);
    assert.deepEqual([list.status, list.body.code, list.body.statement], [400, "LIMIT_EXCEEDED", 3]);
    assert.equal((await guest.request("post", "/sql", [part, part, part])).status, 200);
    await guest.define({ method: "part", ...part }, { method: "part_csv", ...part, output_format: "csv" });
    const calls = ["part", "part_csv", "part", "part_csv"].map((method, id) => ({ jsonrpc: "2.0", method, id }));
    const batch = await guest.rpc(calls);
    assert.deepEqual(
      batch.map(({ error }: { error: { code: number; data: { sqlstate?: string } } }) => [
        error.code,
        error.data.sqlstate,
      ]),
      [
        [-32000, undefined],
        [-32000, undefined],
        [-32000, undefined],
        [-32603, "54000"],
      ],
    );
  });

  it("reads in a read-only transaction, and writes if its statement or a function of it does", async () => {
    const isReadOnly = async (q: string) => (await sql(guest, q)).body.data[0].ro;
    assert.equal(await isReadOnly("select current_setting('transaction_read_only') as ro"), "on");
    assert.equal(
      await isReadOnly(
        "with x as (insert into deck.ropes values (10, 'guest') returning id) select current_setting('transaction_read_only') as ro from x",
      ),
      "off",
    );
    assert.deepEqual((await sql(guest, "select deck.write_rope(11) as id")).body.data, [{ id: 11 }]);
    assert.deepEqual((await sql(guest, "select id from deck.ropes where id > 9 order by 1 for update")).body.data, [
      { id: 10 },
      { id: 11 },
    ]);
  });

  it("gives the writer PostgreSQL's own words, with state and place", async () => {
    const { status, body } = await sql(guest, "select :a::int as ok,\n nme from world.cities", { a: 1 });
    assert.deepEqual(
      [status, body.sqlstate, body.position, body.detail],
      [400, "42703", 24, 'column "nme" does not exist'],
    );
    const zero = await sql(guest, "select 1 / :n::int", { n: 0 });
    assert.deepEqual([zero.status, zero.body.sqlstate], [400, "22012"]);
    const clash = await sql(guest, "insert into deck.ropes values (1, 'guest')");
    assert.deepEqual([clash.status, clash.body.sqlstate], [400, "23505"]);
    assert.match(clash.body.detail, /^duplicate key value violates/);
    const missing = await sql(guest, "select :n::int");
    assert.deepEqual([missing.status, missing.body.parameter], [400, "n"]);
    assert.match((await sql(guest, "select 1", { extra: 1 })).body.detail, /no parameter extra/);
  });

  it("a list of statements is one transaction", async () => {
    const good = await guest.request("post", "/sql", [
      { q: "insert into deck.ropes values (20, 'guest')" },
      { q: "select count(*) as n from deck.ropes where id = 20" },
    ]);
    assert.deepEqual(
      [good.status, good.body],
      [
        200,
        [
          { schema: {}, data: [], affected_rows: 1 },
          { schema: { n: { type: "int8", array: false } }, data: [{ n: 1 }] },
        ],
      ],
    );
    const bad = await guest.request("post", "/sql", [
      { q: "insert into deck.ropes values (21, 'guest')" },
      { q: "select 1 / 0" },
    ]);
    assert.deepEqual([bad.status, bad.body.statement], [400, 1]);
    assert.deepEqual((await sql(guest, "select id from deck.ropes where id = 21")).body.data, []);
  });

  it("flooding: many at once are all answered", async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => sql(guest, "select :n::int as n", { n })));
    for (const [n, { status, body }] of answers.entries()) {
      assert.equal(status, 200);
      assert.deepEqual(body.data, [{ n }]);
    }
  });

  it("unknown types in hints, and formats for something other than a date, are named", async () => {
    for (const type of ["no_such_type", "int4); drop table x; --"]) {
      const { status, body } = await guest.request("post", "/methods", {
        method: "h",
        q: "select :x as x",
        type_hints: { x: type },
      });
      assert.deepEqual([status, /type_hints/.test(body.detail)], [400, true]);
    }
    await gateway.database.client.query(`
alter table portolan.methods disable trigger user;
insert into portolan.methods (method, q, type_hints, published) values
  ('odd_hint', 'select :x as x', '{"x": "no_such_type"}', true),
  ('injected_hint', 'select :x as x', '{"x": "int4); drop table x; --"}', true);
alter table portolan.methods enable trigger user;`);
    await guest.define(
      { method: "odd_format", q: "select 1 as n", type_formats: { n: "Y-m-d" } },
      { method: "dated", q: "select :d::date as d", type_formats: { d: "d/m/Y" } },
    );
    for (const [method, params, parameter] of [
      ["odd_hint", { x: 1 }, "x"],
      ["injected_hint", { x: 1 }, "x"],
      ["odd_format", {}, "n"],
      ["dated", { d: "2024-02-30" }, "d"],
      ["dated", { d: "2024/01/01" }, "d"],
      ["dated", { d: "31/02/2024" }, "d"],
    ] as const) {
      const { code, data } = await guest.fail(method, params);
      assert.deepEqual([code, data.parameter], [-32602, parameter], method);
    }
    for (const d of ["01/02/2024", "2024-02-01"])
      assert.deepEqual((await guest.call("dated", { d })).data, [{ d: "01/02/2024" }]);
  });

  it("names and values with every odd character are names and values", async () => {
    const odd = `é"'\\$$\u2028<script>\t😀 {{x}} %s`;
    const { body } = await sql(guest, `select :v::text as "a""b'c$$:d", ':no' as s`, { v: odd });
    assert.deepEqual(body.data, [{ "a\"b'c$$:d": odd, s: ":no" }]);
    assert.equal((await sql(guest, "select :v::text", { v: "a\u0000b" })).status, 400);
  });
});

describe("SQL that someone wrote, with limits far from the time of its statements", () => {
  const LIMIT_MS = 3000; // each statement takes 0.2 s, so that the limit of all comes before that of one also on a busy machine
  let gateway: TestGateway;
  let captain: As;
  const sql = (who: As, q: string) => who.request("post", "/sql", { q });

  before(async () => {
    gateway = await testGateway({ config: { statementTimeoutMs: LIMIT_MS, sqlRequestTimeoutMs: LIMIT_MS } });
    captain = await as(gateway, "captain");
  });

  after(() => gateway.close());

  it("ends by the method's own limit, also between portions", async () => {
    const endless = "with recursive t as (select 1 as n union all select n + 1 from t) select";
    await captain.define(
      { method: "endless", q: `${endless} count(*) from t`, timeout_ms: 200 },
      {
        method: "endless_rows",
        q: `${endless} n, case when n % 100 = 0 then pg_sleep(0.005) end from t`,
        timeout_ms: 200,
      }, // each portion arrives soon
    );
    for (const method of ["endless", "endless_rows", "endless_rows"]) {
      const started = performance.now();
      const error = await captain.fail(method);
      assert.deepEqual(
        [error.code, error.data.sqlstate, error.data.detail],
        [-32603, "57014", "The statement took too long and was cancelled"],
      );
      assert.ok(performance.now() - started < LIMIT_MS);
    }
    assert.equal((await sql(captain, "select 1")).status, 200);
  });

  it("has a limit of time for the whole request: a list, a batch, an array of params, a stream", async () => {
    const sleep = { q: "select pg_sleep(0.2)" };
    const list = await captain.request("post", "/sql", [
      { q: "update world.cities set name = 'Rope'" },
      ...Array.from({ length: 20 }, () => sleep),
    ]);
    assert.deepEqual([list.status, list.body.code, list.body.sqlstate], [504, "TIMEOUT", "57014"]);
    assert.match(list.body.detail, /took too long together/);
    assert.ok(list.body.statement > 0 && list.body.statement <= 16, list.body.statement); // fewer on a busy machine
    assert.deepEqual((await sql(captain, "select id from world.cities where name = 'Rope'")).body.data, []);

    await captain.define(
      { method: "sleep", q: "select pg_sleep(:s::float8)" },
      { method: "drip", q: "select n, pg_sleep(0.0004) from generate_series(1, 20000) n", output_format: "csv" },
    );
    const call = (id: number) => ({ jsonrpc: "2.0", method: "sleep", params: { s: 0.2 }, id });
    const batch = await captain.rpc(Array.from({ length: 20 }, (_, n) => call(n)));
    const told = batch.map(({ error }: { error: { code: number; data: { sqlstate?: string; failed?: number } } }) => [
      error.code,
      error.data.sqlstate ?? error.data.failed,
    ]);
    const ended = told.findIndex(([, of]: unknown[]) => of === "57014");
    assert.ok(ended > 0 && ended <= 15, JSON.stringify(told)); // fewer on a busy machine
    assert.deepEqual(
      told,
      told.map((_: unknown, index: number) => (index === ended ? [-32603, "57014"] : [-32000, ended])),
    );
    const runs = await captain.fail(
      "sleep",
      Array.from({ length: 20 }, () => ({ s: 0.2 })),
    );
    assert.deepEqual([runs.code, runs.data.sqlstate], [-32603, "57014"]);
    const streamed = gateway.http
      .post("/api/v4/call")
      .set("Authorization", `Bearer ${await gateway.token("captain")}`)
      .set("Accept", "text/csv")
      .send({ jsonrpc: "2.0", method: "drip", id: 1 });
    await assert.rejects(streamed.then(), /aborted|socket hang up|terminated/);
    assert.equal((await sql(captain, "select 1")).status, 200);
  });
});
