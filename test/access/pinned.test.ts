/** What each door shows on sessions that stay a caller's, beside what it shows in a transaction. */
import assert from "node:assert/strict";
import { until } from "../support/events.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const TABLES = `
create schema lake;
create table lake.boats (id int primary key, owner text not null, name text not null, geom geometry(Point, 4326));
insert into lake.boats
select i, (array['ann', 'ben', 'cy'])[1 + i % 3], 'Boat ' || i, st_setsrid(st_makepoint(i / 100.0, i / 200.0), 4326)
from generate_series(1, 3000) i;
create index on lake.boats using gist (geom);
alter table lake.boats enable row level security;
create policy own on lake.boats using (owner = current_setting('jwt.claims.uid', true));
create table lake.places (id int primary key, name text not null, geom geometry(Point, 4326));
insert into lake.places select i, 'Place ' || i, st_setsrid(st_makepoint(i / 100.0, i / 200.0), 4326) from generate_series(1, 3000) i;
create index on lake.places using gist (geom);
select portolan.create_user(name, null), portolan.set_privilege('lake.boats', name, 'read'), portolan.set_privilege('lake.places', name, 'read')
from unnest(array['ann', 'ben', 'cy']) name;
select portolan.set_privilege('lake.places', 'anonymous', 'read');
create function lake.traces() returns text language sql volatile
as $$ select concat_ws(' ', nullif(current_setting('portolan.pin', true), ''), current_setting('default_transaction_read_only'), current_setting('transaction_read_only')) $$;
select portolan.create_method('boats', 'select id, owner, name from lake.boats where id <= :most order by id');
select portolan.create_method('share', 'select id, 60 / (id - :least) as share from lake.boats order by id limit 5');
select portolan.create_method('who', 'select current_user::text as who, session_user::text as login, host((portolan.request_context()).ip) as address');
select portolan.create_method('traces', 'select lake.traces() as seen');
update portolan.methods set published = true;
analyze lake.boats, lake.places`;

describe("doors on sessions that stay a caller's", () => {
  let gateway: TestGateway;
  /** One token for each account: what is set of another one is another session. */
  const tokens = new Map<string, string>();

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["lake"], poolSize: 3, trustedProxies: ["127.0.0.1"] },
      prepare: ({ client }) => client.query(TABLES),
    });
    for (const account of ["ann", "ben", "cy"]) tokens.set(account, await gateway.token(account));
  });

  after(() => gateway.close());

  async function counted(outcome: "answered" | "failed"): Promise<number> {
    const { text } = await gateway.http.get("/metrics");
    const [, value] =
      new RegExp(`^portolan_pinned_reads_total\\{.*outcome="${outcome}".*\\} (\\d+)$`, "m").exec(text) ?? [];
    return Number(value);
  }

  /** Without what is another one each time. */
  async function ogc(account: string | undefined, path: string): Promise<string> {
    const { name } = gateway.database;
    const request = gateway.http.get(`/api/v4/ogc/database/${name}/collections/${path}`).buffer(true);
    if (account) request.set("Authorization", `Bearer ${tokens.get(account)}`);
    const { status, text = "", body } = await request;
    const all = text === "" ? JSON.stringify(body) : text;
    return `${status} ${all.replace(/"timeStamp":"[^"]*"/, "")}`;
  }

  const graphql =
    (query: string) =>
    async (account: string): Promise<string> => {
      const request = gateway.http
        .post("/api/graphql/schema/lake")
        .set("Authorization", `Bearer ${tokens.get(account)}`);
      return JSON.stringify((await request.send({ query })).body);
    };

  async function called(account: string, method: string, params: object = {}, from = "192.0.2.1"): Promise<string> {
    const { body } = await gateway.http
      .post("/api/v4/call")
      .set("Authorization", `Bearer ${tokens.get(account)}`)
      .set("X-Forwarded-For", from)
      .send({ jsonrpc: "2.0", method, params, id: 1 });
    return JSON.stringify((body as { result?: { data: unknown } }).result?.data ?? body);
  }

  const READS: Readonly<Record<string, (account: string) => Promise<string>>> = {
    "one feature": (account) => ogc(account, "lake.boats/items/30"),
    "one feature of all": (account) => ogc(account, "lake.places/items/30"),
    "no feature": (account) => ogc(account, "lake.places/items/99999"),
    "box of a few": (account) => ogc(account, "lake.boats/items?bbox=1,0.5,1.3,0.8"),
    "box of nothing": (account) => ogc(account, "lake.places/items?bbox=-1,-1,-0.5,-0.5"),
    "first ten": (account) => ogc(account, "lake.places/items?limit=10"),
    "vector tile": (account) => ogc(account, "lake.boats/tiles/WebMercatorQuad/6/31/32"),
    "REST, rows": async (account) => {
      const request = gateway.http.get("/api/v4/schemas/lake/tables/boats/rows?limit=10");
      return JSON.stringify((await request.set("Authorization", `Bearer ${tokens.get(account)}`)).body);
    },
    "GraphQL, list": graphql("{ getBoats(limit: 50) { id name owner } }"),
    "GraphQL, one row": graphql("{ getBoats(id: 30) { id name owner } }"),
    "stored method": (account) => called(account, "boats", { most: 60 }),
    "stored method without rows": (account) => called(account, "boats", { most: 0 }),
    "GraphQL, two fields": graphql("{ a: getBoats(limit: 5) { id } b: getPlaces(id: 3) { name } }"),
  };
  /** Several statements. */
  const ORDINARY = ["GraphQL, two fields"];

  for (const [door, ask] of Object.entries(READS))
    it(`${door}: the same for each account, whoever came before`, async () => {
      const expected = new Map<string, string>();
      for (const account of ["ann", "ben", "cy"]) expected.set(account, await ask(account));
      const [answered, failed] = [await counted("answered"), await counted("failed")];
      for (let round = 0; round < 4; round++)
        for (const account of ["ann", "ben", "cy", "ann"])
          assert.equal(await ask(account), expected.get(account), `${account} ${round}`);
      assert.equal(await counted("failed"), failed);
      if (ORDINARY.includes(door)) return;
      await until(async () => {
        assert.equal(await ask("ann"), expected.get("ann"));
        return (await counted("answered")) >= answered + 8;
      });
    });

  /** A token of its own, with which each of these was asked often enough to be on a session of its account. */
  async function settled(account: string): Promise<readonly string[]> {
    const before = await counted("answered");
    let seen: string[] = [];
    await until(async () => {
      seen = await Promise.all([READS["one feature"]!(account), READS["GraphQL, one row"]!(account)]);
      return (await counted("answered")) >= before + 2;
    });
    return seen;
  }
  const sql = (text: string): Promise<unknown> => gateway.database.client.query(text);

  it("stored method: for addresses in turn, without a second attempt", async () => {
    const ask = async (n: number): Promise<void> => {
      const from = `192.0.2.${10 + (n % 3)}`;
      assert.match(await called("ann", "who", {}, from), new RegExp(`"${from}"`));
    };
    const before = await counted("answered");
    let n = 0;
    await until(async () => {
      await ask(++n);
      return (await counted("answered")) >= before + 6;
    });
    const [answered, failed] = [await counted("answered"), await counted("failed")];
    for (let more = 0; more < 30; more++) await ask(++n);
    assert.deepEqual([await counted("answered"), await counted("failed")], [answered + 30, failed]);
  });

  it("end a privilege at once", async () => {
    const [feature = "", row] = await settled("ann");
    assert.match(feature, /^200/);
    await sql("select portolan.set_privilege('lake.boats', 'ann', 'none')");
    const [refused = "", denied = ""] = await settled("ann");
    assert.match(refused, /^403/);
    assert.match(denied, /FORBIDDEN/);
    await sql("select portolan.set_privilege('lake.boats', 'ann', 'read')");
    assert.deepEqual(await settled("ann"), [feature, row]);
  });

  it("heed a rule from the moment on in which it is written", async () => {
    const [feature = "", row = ""] = await settled("ann");
    await sql(`insert into portolan.rules (username, schema, "table", access) values ('ann', 'lake', 'boats', 'deny')`);
    const refused = await Promise.all([READS["one feature"]!("ann"), READS["GraphQL, one row"]!("ann")]);
    assert.match(refused[0], /^403/);
    assert.match(refused[1], /FORBIDDEN/);
    await sql("delete from portolan.rules");
    assert.deepEqual(await settled("ann"), [feature, row]);
  });

  it("heed rules of addresses and interfaces, whichever came before", async () => {
    const from = async (address: string): Promise<string> => {
      const { name } = gateway.database;
      const { status } = await gateway.http
        .get(`/api/v4/ogc/database/${name}/collections/lake.places/items/30`)
        .set("Authorization", `Bearer ${tokens.get("ben")}`)
        .set("X-Forwarded-For", address);
      return String(status);
    };
    for (let n = 0; n < 4; n++) assert.deepEqual([await from("192.0.2.1"), await from("192.0.2.2")], ["200", "200"]);
    await sql(
      `insert into portolan.rules (username, schema, "table", iprange, access) values ('ben', 'lake', 'places', '192.0.2.2', 'deny')`,
    );
    for (let n = 0; n < 4; n++) assert.deepEqual([await from("192.0.2.1"), await from("192.0.2.2")], ["200", "403"]);
    await sql("delete from portolan.rules");
    await sql(
      `insert into portolan.rules (username, schema, "table", service, access) values ('ben', 'lake', 'places', 'ogc', 'deny')`,
    );
    const places = graphql("{ getPlaces(id: 3) { name } }");
    for (let n = 0; n < 4; n++) {
      assert.equal(await from("192.0.2.1"), "403");
      assert.equal(await places("ben"), '{"data":{"getPlaces":[{"name":"Place 3"}]}}');
    }
    await sql("delete from portolan.rules");
  });

  /** Calls a method until one of its answers came without a transaction. */
  async function settledCall(account: string, method: string, params: object, from?: string): Promise<string> {
    const before = await counted("answered");
    let seen = "";
    await until(async () => {
      seen = await called(account, method, params, from);
      return (await counted("answered")) > before;
    });
    return seen;
  }

  it("stored methods: more rows than before, errors, other text, other rights and rules", async () => {
    const few = await settledCall("ann", "boats", { most: 30 });
    const all = JSON.parse(await called("ann", "boats", { most: 3000 })) as unknown[];
    assert.equal(all.length, 1000, "more than come at a time");
    assert.equal(await settledCall("ann", "boats", { most: 30 }), few);
    await settledCall("ann", "share", { least: -1 });
    assert.match(await called("ann", "share", { least: 3 }), /"sqlstate":"22012"/);
    assert.equal(await settledCall("ann", "boats", { most: 30 }), few);

    await sql("select portolan.set_privilege('lake.boats', 'ann', 'none')");
    assert.match(await called("ann", "boats", { most: 30 }), /"sqlstate":"42501"/);
    await sql("select portolan.set_privilege('lake.boats', 'ann', 'read')");
    assert.equal(await settledCall("ann", "boats", { most: 30 }), few);
    await sql(`insert into portolan.rules (username, schema, "table", access) values ('ann', 'lake', 'boats', 'deny')`);
    assert.match(await called("ann", "boats", { most: 30 }), /"sqlstate":"42501"/);
    await sql("delete from portolan.rules");
    assert.equal(await settledCall("ann", "boats", { most: 30 }), few);

    await sql("alter table lake.boats alter id type text");
    assert.match(await called("ann", "share", { least: -1 }), /"error"/);
    await sql("alter table lake.boats alter id type int using id::int");
    assert.equal(await settledCall("ann", "boats", { most: 30 }), few);
    await sql(
      "update portolan.methods set q = 'select max(id) as id from lake.boats where id <= :most' where method = 'boats'",
    );
    assert.equal(await called("ann", "boats", { most: 30 }), '[{"id":30}]');
  });

  it("stored methods: each caller is who it is, at each address, and code finds nothing of the session", async () => {
    const { name } = gateway.database;
    for (let n = 0; n < 4; n++)
      for (const account of ["ann", "ben"])
        for (const address of ["192.0.2.1", "192.0.2.2"]) {
          const role = `${account}@${name}`;
          assert.deepEqual(JSON.parse(await called(account, "who", {}, address)), [
            { who: role, login: role, address },
          ]);
          assert.deepEqual(JSON.parse(await called(account, "traces", {}, address)), [{ seen: "off on" }]);
          await settledCall(account, "who", {}, address);
        }
  });

  it("end with the token, and with the account", async () => {
    const ask = READS["one feature of all"]!;
    tokens.set("cy", await gateway.token("cy", 2));
    const seen = new Set<string>();
    await until(async () => {
      seen.add((await ask("cy")).slice(0, 3));
      return seen.has("401");
    });
    assert.deepEqual([...seen].toSorted(), ["200", "401"]);
    tokens.set("cy", await gateway.token("cy"));
    for (let n = 0; n < 4; n++) {
      assert.equal((await ask("cy")).slice(0, 3), "200");
      assert.match(await called("cy", "who"), /"cy@/);
    }
    await sql("select portolan.drop_user('cy')");
    await until(async () => !(await called("cy", "who")).includes('"cy@'), 6000);
    await until(async () => (await ask("cy")).startsWith("401"), 6000);
    await until(async () => (await READS["GraphQL, one row"]!("cy")).includes("UNAUTHENTICATED"), 6000);
  });
});
