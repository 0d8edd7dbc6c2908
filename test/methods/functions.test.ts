import assert from "node:assert/strict";
import { Client } from "pg";
import { command } from "../support/commands.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/events.ts";
import { as, type As } from "./requests.ts";

describe("functions with the comment @method, and kept results", () => {
  let gateway: TestGateway;
  let guest: As;
  let captain: As;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create function world.sum_of(a int, b int default 10) returns int language sql immutable as 'select a + b';
comment on function world.sum_of is E'@method\\nAdds two numbers.';
create function world.southern(most int) returns table (name text, n bigint) language sql stable as
  $$select name, count(*) over () from world.countries where hemisphere = 'southern' order by 1 limit most$$;
comment on function world.southern is '@method countries.southern';
create function world.secret() returns int language sql as 'select 1';
comment on function world.secret is '@method';
revoke execute on function world.secret from public;
create function world.any_of(a anyelement, b anyelement) returns anyelement language sql immutable as 'select coalesce(a, b)';
comment on function world.any_of is '@method';
create function world.loose(n int) returns record language sql immutable as 'select n, n';
comment on function world.loose is '@method';
create function world.plain() returns int language sql as 'select 1';`),
    });
    [guest, captain] = await Promise.all([as(gateway, "guest"), as(gateway, "captain")]);
  });

  after(() => gateway.close());

  it("are in the command line's declarations for an account, as for the account itself", async () => {
    const env = { DATABASE_URL: gateway.database.gatewayUrl };
    const run = (account: string) => command(["interfaces", "--account", account], { env });
    const { stdout } = run("guest");
    assert.equal(stdout, await guest.interfaces());
    assert.match(stdout, /^ {2}sum_of\(params: \{ a: number; b\?: number/m);
    assert.match(run("nobody").stderr, /there is no account nobody/);
  });

  it("are called by name, with arguments as parameters and defaults left out", async () => {
    assert.deepEqual((await guest.call("sum_of", { a: 1 })).data, [{ sum_of: 11 }]);
    assert.deepEqual((await guest.call("sum_of", { a: 1, b: 2 })).data, [{ sum_of: 3 }]);
    assert.deepEqual((await guest.call("sum_of", [4, 5])).data, [{ sum_of: 9 }]);
    assert.equal((await guest.call("countries.southern", { most: 2 })).data.length, 2);
    assert.equal((await guest.fail("sum_of", { b: 1 })).data.parameter, "a");
    assert.equal((await guest.fail("sum_of", { a: 1, c: 1 })).data.parameter, "c");
    for (let n = 0; n < 3; n++)
      assert.deepEqual((await guest.call("sum_of", [{ a: 1 }, { a: 2, b: 2 }, { b: 3, a: 3 }, { a: 4 }])).data, [
        { sum_of: 11 },
        { sum_of: 4 },
        { sum_of: 6 },
        { sum_of: 14 },
      ]);
    assert.deepEqual((await guest.dry("sum_of", [{ a: 2, b: 2 }, { a: 1 }])).data, [{ sum_of: 4 }, { sum_of: 11 }]);
    assert.equal((await guest.fail("sum_of", [{ a: 1 }, { b: 1 }])).data.parameter, "a");
    for (const name of ["secret", "plain"]) assert.equal((await guest.fail(name)).code, -32601);
    assert.deepEqual((await captain.call("secret")).data, [{ secret: 1 }]);
  });

  it("are declared without a dry run", async () => {
    const text = await guest.interfaces();
    assert.match(
      text,
      /^ {2}\/\*\* Adds two numbers\. \*\/\n {2}sum_of\(params: \{ a: number; b\?: number \}\): Promise<\{ sum_of: number \| null \}\[\]>;$/m,
    );
    assert.match(
      text,
      /^ {2}"countries\.southern"\(params: \{ most: number \}\): Promise<\{ name: string \| null; n: number \| null \}\[\]>;$/m,
    );
    assert.doesNotMatch(text, /secret/);
  });

  it("do not affect others if PostgreSQL cannot type them", async () => {
    const text = await guest.interfaces();
    for (const declared of [
      "any_of(params: { a: Record<string, unknown>; b: Record<string, unknown> }): Promise<Record<string, unknown>[]>;",
      "loose(params: { n: Record<string, unknown> }): Promise<Record<string, unknown>[]>;",
    ])
      assert.ok(text.includes(`  ${declared}\n`), text);
    assert.equal((await guest.request("get", "/methods/any_of")).body.input_schema, null);
    assert.equal((await guest.fail("loose", { n: 1 })).data.sqlstate, "42601");
  });

  it("are read beside stored methods, and changed in SQL only", async () => {
    await guest.define({ method: "stored", q: "select 1 as n" });
    const { body: all } = await guest.request("get", "/methods");
    const names = (all as { method: string }[]).map(({ method }) => method);
    assert.deepEqual(
      names.filter((name) => ["any_of", "countries.southern", "sum_of", "stored", "secret", "plain"].includes(name)),
      ["any_of", "countries.southern", "stored", "sum_of"],
    );
    const { body: one } = await guest.request("get", "/methods/sum_of");
    assert.deepEqual(one, {
      method: "sum_of",
      q: 'select * from "world"."sum_of"("a" => :a, "b" => :b)',
      type_hints: null,
      type_formats: null,
      output_format: "json",
      srs: 4326,
      input_schema: {
        a: { type: "int4", array: false, typescript: "number" },
        b: { type: "int4", array: false, typescript: "number", optional: true },
      },
      output_schema: { sum_of: { type: "int4", array: false, typescript: "number | null" } },
      owner: null,
      published: true,
      description: "Adds two numbers.",
      timeout_ms: null,
      max_rows: null,
      cache_seconds: null,
      function: { schema: "world", name: "sum_of" },
    });
    const { body: several } = await guest.request("get", "/methods/sum_of,stored");
    assert.deepEqual(
      (several as { method: string }[]).map(({ method }) => method),
      ["stored", "sum_of"],
    );
    assert.equal((await guest.request("get", "/methods/secret")).status, 404);
    assert.equal((await guest.request("get", "/methods/sum_of,nowhere")).status, 404);
    for (const who of [guest, captain])
      for (const [method, body] of [["patch", { q: "select 2" }], ["delete"]] as const) {
        const answer = await who.request(method, "/methods/stored,sum_of", body);
        assert.deepEqual([answer.status, answer.body.code], [403, "FORBIDDEN"]);
        assert.match(answer.body.detail, /^The method sum_of is the function world\.sum_of, .*change it in SQL$/);
      }
    assert.equal((await guest.request("delete", "/methods/secret")).status, 404);
    assert.equal((await guest.call("stored")).data[0].n, 1);
  });

  it("their names are taken for accounts that may call them", async () => {
    const { status, body } = await guest.request("post", "/methods", [
      { method: "free", q: "select 1" },
      { method: "sum_of", q: "select 1" },
    ]);
    assert.deepEqual([status, body.code], [409, "CONFLICT"]);
    assert.match(body.detail, /sum_of/);
    assert.equal((await guest.request("get", "/methods/free")).status, 404);
    assert.equal((await guest.request("post", "/methods", { method: "secret", q: "select 1" })).status, 201);
    assert.equal((await guest.request("delete", "/methods/secret")).status, 204);
  });

  it("a stored method of the same name comes first; DDL is seen within moments", async () => {
    await gateway.database.client.query("comment on function world.plain is '@method'");
    await until(async () => (await guest.rpc({ jsonrpc: "2.0", method: "plain", id: 1 })).result !== undefined);
    await gateway.database.client.query("select portolan.create_method('plain', 'select 2 as n')");
    assert.deepEqual((await guest.call("plain")).data, [{ n: 2 }]);
    assert.equal((await captain.request("get", "/methods/plain")).body.q, "select 2 as n");
  });

  it("a result is kept with an entity tag, until a table changes that it was read from", async () => {
    const { client } = gateway.database;
    await client.query(
      "select portolan.create_method('logged', 'select count(*) as n, clock_timestamp() as at from world.logbook', cache_seconds => 3600)",
    );
    const token = await gateway.token("guest");
    const ask = (etag = "") =>
      gateway.http
        .post("/api/v4/call")
        .set("Authorization", `Bearer ${token}`)
        .set("If-None-Match", etag)
        .send({ jsonrpc: "2.0", method: "logged", id: 1 });
    let first = await ask().expect(200);
    // changes of the catalogue by earlier tests may empty the cache once more
    await until(async () => {
      const { status } = await ask(first.headers["etag"]);
      if (status !== 304) first = await ask().expect(200);
      return status === 304;
    });
    await guest.request("post", "/sql", { q: "insert into world.logbook (city_id, entry) values (1, 'news')" });
    await until(async () => (await ask()).body.result.data[0].n !== first.body.result.data[0].n);
    const other = await captain.call("logged");
    assert.notEqual(other.data[0].at, first.body.result.data[0].at);
    await client.query("update portolan.methods set q = 'select 1 as n' where method = 'logged'");
    assert.deepEqual((await ask().expect(200)).body.result.data, [{ n: 1 }]);
  });

  it("a kept result watches its tables once, as long as it is kept", async () => {
    await gateway.database.client.query(
      "select portolan.create_method('followed', 'select max(id) as id from world.logbook', cache_seconds => 3600)",
    );
    const subscriptions = async (): Promise<number> =>
      Number(/^portolan_events_subscriptions\{.*\} (\d+)$/m.exec((await gateway.http.get("/metrics")).text)?.[1]);
    for (let round = 0; round < 10; round++) {
      const written = await guest.request("post", "/sql", {
        q: "insert into world.logbook (city_id, entry) values (1, 'again') returning id",
      });
      await until(async () => (await guest.call("followed")).data[0].id === written.body.data[0].id);
    }
    await until(async () => {
      await guest.call("followed"); // changes of the catalogue by earlier tests may empty the cache once more
      return (await subscriptions()) === 1;
    });
    await gateway.database.client.query("update portolan.methods set q = q || ' ' where method = 'followed'");
    await gateway.database.client.query("comment on table world.logbook is 'DDL'");
    await until(async () => (await subscriptions()) === 0);
  });

  it("a result that was made while rights changed is not kept", async () => {
    const { client, url } = gateway.database;
    await client.query(`
select portolan.create_method('witness', 'select clock_timestamp() as at', cache_seconds => 3600);
select portolan.create_method('late', 'select clock_timestamp() as at, :n::int as n from world.countries limit 1', cache_seconds => 3600)`);
    const at = async (method: string, n?: number): Promise<string> => (await guest.call(method, { n })).data[0].at;
    await until(async () => (await at("late", 1)) === (await at("late", 1)));
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    try {
      await blocker.query("begin; lock table world.countries in access exclusive mode");
      const late = at("late", 2);
      await until(async () => {
        const { rows } = await client.query(
          "select from pg_locks where relation = 'world.countries'::regclass and not granted",
        );
        return rows.length > 0;
      });
      const kept = await at("witness"); // when the other one is running: earlier changes do not count
      await client.query("comment on table world.logbook is 'other rights'");
      await until(async () => (await at("witness")) !== kept);
      await blocker.query("commit");
      const made = await late;
      assert.notEqual(await at("late", 2), made);
    } finally {
      await blocker.end();
    }
  });

  it("results are kept up to a number of bytes, the oldest go first", async () => {
    await gateway.database.client.query(`
select portolan.create_method('weighty', 'select clock_timestamp() as at, repeat(''x'', 8000000) as x, :n::int as n', cache_seconds => 3600)`);
    const at = async (n: number): Promise<string> => (await guest.call("weighty", { n })).data[0].at;
    // changes of the catalogue by earlier tests may empty the cache once more
    let first = "";
    await until(async () => first === (first = await at(0)));
    let last = "";
    for (let n = 1; n <= 13; n++) last = await at(n);
    await until(async () => last === (last = await at(13)));
    assert.notEqual(await at(0), first);
  });
});
