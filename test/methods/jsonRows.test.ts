import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { CORPUS, FIXTURE } from "./corpus.ts";
import { as, type As } from "./requests.ts";

/** Statements whose text or values are hard to put into another statement, or to write as JSON. */
const AWKWARD: readonly { readonly q: string; readonly params?: object }[] = [
  "select 1 as n;",
  "select 1 as n ; -- the end;",
  "select 1 as n -- the end",
  "/* a; */ select 1 as n /* b; */ ;",
  "select 'é;ü' as a, 1 as n; -- ü",
  "values (1, 'a'), (2, null)",
  "table lab.captains",
  "(select 2 as n union all select 1) order by n",
  "with a as (select 1 as n) select * from a",
  "select 1, 2, 3",
  "select 1 as a, 2 as a, 3 as a_2, 'x' as a",
  `select 1 as "portolan row"`,
  `select 1 as q, 2 as t, 3 as c0, 4 as c1, 5 as "row", 6 as "a""b", 7 as "é\\", 8 as "?column?"`,
  "select id, name from lab.captains order by name desc limit 1 offset 1",
  "select c, c.id from lab.captains c order by id",
  "select generate_series(1, 3) as a, generate_series(1, 2) as b",
  "select 'a' as unknown, null as nothing, 'x'::name as n, 'c'::char(3) as padded",
  String.raw`select e'\b\f\n\r\t"\\\x01\x1f\x7f\u2028\ud83d\ude00</script>' as text, array[e'a"b\\,{}\n', '', 'NULL', null, '💧'] as list`,
  "select 'nan'::float8 as a, 'infinity'::float4 as b, '-infinity'::float8 as c, 1e300::float8 as d, 1e-7::float8 as e, -0.0::float8 as f, 0.1::float4 as g, 3::float8 as h",
  "select array['nan', 1.5, null]::float8[] as a, array[1.50]::numeric[] as n, '[2:3]={1,2}'::int[] as bounds, '{{1,2},{3,4}}'::int[] as twice, '{}'::text[] as none",
  "select 12345678901234567890.1200::numeric as a, 'nan'::numeric as b, 9223372036854775807 as c, (-32768)::int2 as d, 4294967295::oid as o",
  "select '0044-03-15 BC'::date as a, '0044-03-15 10:00:00.5 BC'::timestamp as b, '0044-03-15 10:00 BC'::timestamptz as c, 'infinity'::timestamptz as d, '-infinity'::date as e, '294276-01-01'::timestamp as f, '1850-01-01 00:00 Europe/Amsterdam'::timestamptz as g, '24:00'::time as h",
  `select '{"b": 1, "a": [1.10, "x\\u0000y"]}'::json as a, '{"b":1,\n"a":null}'::json as b, '{"b": 1.10, "a": "\\n"}'::jsonb as c, array['{}'::jsonb] as d`,
  "select mood, array[mood] as moods, size, berth, span from lab.ships order by id",
  "select id from lab.ships where false",
  { q: "select :a as a, :b::numeric as b, :c::int8 as c", params: { a: "x", b: "1.50", c: 7 } },
  { q: "select id from lab.ships where id = :id or name = :name order by id", params: { id: 1, name: "Beagle" } },
].map((one) => (typeof one === "string" ? { q: one } : one));

describe("rows that PostgreSQL writes as JSON", () => {
  let gateway: TestGateway;
  let guest: As;
  const sql = async (body: object): Promise<string> => {
    const { status, text } = await guest.request("post", "/sql", body);
    assert.equal(status, 200, `${JSON.stringify(body)} ${text}`);
    return text;
  };
  const inJson = async (): Promise<number> => {
    const q = `select count(*)::int as n from pg_prepared_statements where statement like 'select pg_catalog.row_to_json%'`;
    return JSON.parse(await sql({ q })).data[0].n;
  };

  before(async () => {
    gateway = await testGateway({ config: { ownPoolSize: 1 }, prepare: ({ client }) => client.query(FIXTURE) });
    guest = await as(gateway, "guest");
  });

  after(() => gateway.close());

  it("equal its own JSON when a statement is new to a connection, for any statement", async () => {
    const differing = /\b(insert|update|delete|merge|now|random|nextval|gen_random_uuid|clock_timestamp)\b/i;
    const reading = CORPUS.filter(({ q, output_format }) => output_format === undefined && !differing.test(q));
    const statements = [...AWKWARD, ...reading.map(({ method: _, declared: __, ...statement }) => statement)];
    assert.ok(statements.length > 70);
    for (const statement of statements) {
      const first = await sql(statement);
      assert.equal(await sql(statement), first);
      assert.equal(await sql(statement), first);
    }
    assert.ok((await inJson()) > 40);
  });

  it("have the columns that the statement has now, also after DDL", async () => {
    const q = "select * from lab.captains where id = 1";
    for (let n = 0; n < 3; n++)
      assert.deepEqual(JSON.parse(await sql({ q })).data, [{ id: 1, name: "Ada", ship_id: 1 }]);
    await gateway.database.client.query(
      "alter table lab.captains alter ship_id type numeric, add rank text default 'x'",
    );
    for (let n = 0; n < 3; n++) {
      const { schema, data } = JSON.parse(await sql({ q }));
      assert.deepEqual(data, [{ id: 1, name: "Ada", ship_id: "1", rank: "x" }]);
      assert.deepEqual(schema.ship_id, { type: "numeric", array: false });
      assert.deepEqual(Object.keys(schema), ["id", "name", "ship_id", "rank"]);
    }
  });

  it("come in portions, and no more of them than max_rows", async () => {
    const q = "select n as id, 'row ' || n as name from generate_series(1, :count::int) n";
    for (let n = 0; n < 3; n++) {
      const { data } = JSON.parse(await sql({ q, params: { count: 2500 } }));
      assert.equal(data.length, 2500);
      assert.deepEqual(data.at(-1), { id: 2500, name: "row 2500" });
      const { status, body } = await guest.request("post", "/sql", { q, params: { count: 11 }, max_rows: 10 });
      assert.deepEqual([status, body.sqlstate], [400, "54000"]);
    }
  });

  it("are complete even if they are more than each time before", async () => {
    const q = "select n as id from generate_series(1, :count::int) n";
    const ndjson = { method: "growing", q, output_format: "ndjson" };
    await guest.define(ndjson);
    for (const count of [3, 3, 3, 250, 3, 250]) {
      const ids = Array.from({ length: count }, (_, n) => n + 1);
      const { data } = JSON.parse(await sql({ q, params: { count } }));
      assert.deepEqual(
        data.map(({ id }: { id: number }) => id),
        ids,
      );
      assert.equal((await guest.call("growing", { count })).data, ids.map((id) => `{"id":${id}}\n`).join(""));
    }
  });

  it("leave nothing on the connection, and a cancelled statement leaves it intact", async () => {
    const q = "select pg_sleep(:s::float8)::text, set_config('my.secret', 'x', false), pg_backend_pid() as pid";
    const left = async (): Promise<unknown> => {
      const text = await sql({
        q: "select current_setting('my.secret', true) as secret, pg_backend_pid() as pid",
      });
      return JSON.parse(text).data[0];
    };
    let pid: unknown;
    for (let n = 0; n < 4; n++) {
      ({ pid } = JSON.parse(await sql({ q, params: { s: 0 } })).data[0]);
      assert.deepEqual(await left(), { secret: "", pid });
    }
    const late = await guest.request("post", "/sql", { q, params: { s: 20 }, timeout_ms: 100 });
    assert.deepEqual([late.status, late.body.sqlstate], [504, "57014"]);
    assert.deepEqual(await left(), { secret: "", pid });
    assert.equal(JSON.parse(await sql({ q, params: { s: 0 } })).data[0].pid, pid);
  });

  it("are read once if a function of the statement does more than read", async () => {
    const { client } = gateway.database;
    await client.query(`
create function lab.tell(n int) returns int language plpgsql as $$ begin perform pg_notify('told', n::text); return n; end $$;
listen told`);
    const told: (string | undefined)[] = [];
    client.on("notification", ({ payload }) => told.push(payload));
    const numbers = (n: number): string[] => Array.from({ length: n }, (_, index) => String(index + 1));
    for (const n of [2, 2, 2, 150]) {
      told.length = 0;
      const q = "select lab.tell(g) as n from generate_series(1, :n::int) g";
      assert.equal(JSON.parse(await sql({ q, params: { n } })).data.length, n);
      for (const done = Date.now() + 5000; told.length < n && Date.now() < done;) await client.query("select 1");
      assert.deepEqual(told, numbers(n));
    }
  });

  it("fail as the statement fails", async () => {
    const q = "select 1 / :n::int as x";
    for (let n = 0; n < 3; n++) {
      assert.deepEqual(JSON.parse(await sql({ q, params: { n: 1 } })).data, [{ x: 1 }]);
      const { status, body } = await guest.request("post", "/sql", { q, params: { n: 0 } });
      assert.deepEqual([status, body.sqlstate], [400, "22012"]);
      const wrong = await guest.request("post", "/sql", { q, params: { n: "a" } });
      assert.equal(wrong.body.parameter, "n");
    }
  });

  it("do not depend on how the database or the role shows values", async () => {
    const { client, name } = gateway.database;
    const q = String.raw`select interval '-1 year 2 mons 3 days -04:05:06.5' as i, date '2024-05-06' as d, timestamptz '2024-05-06 07:08:09+02' as t,
      '\x5c00ff'::bytea as b, 0.1::float8 + 0.2 as f, array[date '2024-05-06'] as a, tsrange('2024-05-06', null) as r, 'a\' || :x as s`;
    const expected = [await sql({ q, params: { x: "é" } })];
    await client.query(`
alter database ${name} set intervalstyle = 'iso_8601';
alter database ${name} set datestyle = 'German';
alter database ${name} set standard_conforming_strings = off;
alter role "guest@${name}" set bytea_output = 'escape';
alter role "guest@${name}" set extra_float_digits = 0;
select pg_terminate_backend(pid) from pg_stat_activity where usename = 'guest@${name}'`);
    const answers: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { status, text } = await guest.request("post", "/sql", { q, params: { x: "é" } });
      if (status !== 503) answers.push(text); // the connection that was ended
    }
    assert.ok(answers.length >= 2);
    assert.deepEqual(new Set(answers), new Set(expected));
    const read = JSON.parse(await sql({ q: "select :d::date as d", params: { d: "03/04/2024" } }));
    assert.deepEqual(read.data, [{ d: "2024-04-03" }]); // days and months have the order of that style
    const { i, b } = JSON.parse(answers[0]!).data[0];
    assert.deepEqual([i, b], [{ y: 0, m: -10, d: 3, h: -4, i: -5, s: -6.5 }, "XAD/"]);
  });
});
