import assert from "node:assert/strict";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { ready } from "../support/ready.ts";
import { until } from "../support/until.ts";

/** The answer to bytes that no client of HTTP would send. */
async function answerTo(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  socket.end(bytes);
  let answer = "";
  for await (const part of socket) answer += part;
  return answer;
}

describe("a hostile caller", () => {
  let gateway: TestGateway;
  before(async () => (gateway = await testGateway({ config: { maxAnswerBytes: 100_000 } })));
  after(() => gateway.close());

  it("gets a problem for bytes that are not a request", async () => {
    for (const [bytes, status, code] of [
      ["nonsense\r\n\r\n", 400, "BAD_USER_INPUT"],
      ["GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n", 400, "BAD_USER_INPUT"],
      [`GET /ping HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(66_000)}\r\n\r\n`, 414, "URI_TOO_LONG"],
    ] as const) {
      const [head = "", body = ""] = (await answerTo(gateway.baseUrl, bytes)).split("\r\n\r\n");
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} [^]*application/problem\\+json`));
      assert.deepEqual([JSON.parse(body).status, JSON.parse(body).code], [status, code]);
    }
    const longest = `GET /ping HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${"x".repeat(65_000)}\r\n\r\n`;
    assert.match(await answerTo(gateway.baseUrl, longest), /^HTTP\/1.1 200 /);
  });

  it("cannot stop the service by fragments that spread one another", async () => {
    for (const first of ["", "id @include(if: true)"]) {
      const levels = Array.from({ length: 26 }, (_, n) => `fragment f${n + 1} on Cities { ...f${n} ...f${n} }`);
      const query = `{ getCities(limit: 1) { ${first} ...f26 } } fragment f0 on Cities { name } ${levels.join(" ")}`;
      const started = performance.now();
      const { body } = await gateway.graphql("guest", "world", query);
      assert.equal(body.errors[0].extensions.code, "LIMIT_EXCEEDED");
      assert.ok(performance.now() - started < 5000);
    }
  });

  it("cannot stop the service by an answer that is larger than memory", async () => {
    const nested = await gateway.graphql(
      "guest",
      "world",
      '{ getCities(where: {country_code: "US"}) { countries { cities { countries { cities { zone } } } } } }',
    );
    assert.equal(nested.body.data.getCities, null);
    assert.equal(nested.body.errors[0].extensions.code, "LIMIT_EXCEEDED");
    const many = await gateway.graphql(
      "guest",
      "world",
      "{ a: getCatchments(limit: 5) { geom } b: getCities(limit: 1) { id } }",
    );
    assert.ok(many.body.data.b, "others are answered");
  });

  it("cannot plant an operator that the gateway's own login runs", async () => {
    const { client } = gateway.database;
    await client.query(`
create table public.loot (who text);
grant all on public.loot to public;
create function public.plant(text, oid) returns text language plpgsql as $$
begin insert into public.loot values (session_user); return $1 || $2::text; end $$;
create operator public.|| (leftarg = text, rightarg = oid, function = public.plant);
create function public.plant_eq(varchar, varchar) returns boolean language plpgsql as $$
begin insert into public.loot values (session_user); return $1::text = $2::text; end $$;
create operator public.= (leftarg = varchar, rightarg = varchar, function = public.plant_eq);
create function public.plant_any(anyelement, anyelement) returns boolean language sql as 'select true';
create table world.later (id int primary key);`);
    await until(async () => !(await gateway.graphql("captain", "world", "{ getLater { id } }")).body.errors);
    await ready(gateway.baseUrl);
    const { rows } = await client.query("select distinct who from public.loot where who = 'gateway'");
    assert.deepEqual(rows, []);
    await client.query(`
drop operator public.|| (text, oid); drop operator public.= (varchar, varchar);
drop function public.plant, public.plant_eq, public.plant_any; drop table public.loot, world.later;`);
  });

  it("is signed out within 5 s although somebody's DDL is open", async () => {
    const { client, url } = gateway.database;
    await client.query("select portolan.create_user('slow', 'x', user_group => 'guest')");
    const token = await gateway.token("slow");
    const ask = () =>
      gateway.http
        .post("/api/graphql/schema/world")
        .set("Authorization", `Bearer ${token}`)
        .send({ query: "{ countCities }" });
    await ask().expect(200);
    const other = new pg.Client({ connectionString: url });
    other.on("error", () => undefined); // the database is dropped under it when this test fails
    await other.connect();
    await other.query("create table world.held (id int primary key)");
    await other.query("begin; alter table world.held add c int; grant select on world.held to public");
    await setTimeout(700); // the gateway checks for DDL twice a second, and has noticed this
    await client.query("select portolan.set_password('slow', 'y')");
    await until(async () => (await ask()).status === 401, 5000);
    await other.query("rollback; drop table world.held");
    await other.end();
  });

  it("as a super user gets no right outside of the exposed schemas", async () => {
    const { client } = gateway.database;
    const asCaptain = async (text: string): Promise<void> => {
      await client.query("begin");
      try {
        await client.query(`set local role "captain@${gateway.database.name}"`);
        await client.query(text);
      } finally {
        await client.query("rollback");
      }
    };
    const grant = (relation: string): string => `
select portolan.set_privilege(c.oid::regclass, 'captain', 'all') from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname || '.' || c.relname = '${relation}'`;
    for (const relation of ["portolan.signing_keys", "public.spatial_ref_sys", "pg_catalog.pg_authid"])
      await assert.rejects(asCaptain(grant(relation)), { code: "PX400" }, relation);
  });

  it("cannot join a group that would make it a super user", async () => {
    const { client } = gateway.database;
    await assert.rejects(client.query("select portolan.create_user('climber', 'x', user_group => 'captain')"), {
      code: "PX400",
    });
  });

  it("cannot make a password stored in clear text by writing it like a hash", async () => {
    const { client } = gateway.database;
    await client.query("select portolan.create_user('dressed', '$scrypt$plain')");
    const { rows } = await client.query("select password from portolan.users where name = 'dressed'");
    assert.match(rows[0].password, /^\$2a\$10\$/);
  });
});
