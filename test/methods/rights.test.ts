import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { as, type As } from "./requests.ts";

describe("the rights to define, publish, change and call methods", () => {
  let gateway: TestGateway;
  let ann: As;
  let ben: As;
  let captain: As;

  before(async () => {
    gateway = await testGateway({
      config: { connectTimeoutMs: 30_000 }, // a busy machine takes longer to make a dozen connections
      prepare: ({ client }) =>
        client.query(`
select portolan.create_user('ann', null), portolan.create_user('ben', null);
select portolan.set_privilege('world.cities', 'ann', 'read');
create role team_app nologin;
grant usage on schema world to team_app;
grant select on world.countries to team_app;
select portolan.adopt_role('team', 'team_app');
create role other_app nologin;
select portolan.adopt_role('other', 'other_app');`),
    });
    [ann, ben, captain] = await Promise.all([as(gateway, "ann"), as(gateway, "ben"), as(gateway, "captain")]);
  });

  after(async () => {
    await gateway.close();
  });

  it("an account calls its own; for everybody else, super users included, it does not exist until it is published", async () => {
    await ann.define({ method: "mine", q: "select current_user::text as who, (portolan.request_context()).name" });
    assert.deepEqual((await ann.call("mine")).data, [{ who: `ann@${gateway.database.name}`, name: "ann" }]);
    for (const other of [ben, captain]) assert.equal((await other.fail("mine")).code, -32601);
    assert.equal((await ben.request("get", "/methods/mine")).status, 404);
    assert.equal((await ben.request("patch", "/methods/mine", { q: "select 1" })).status, 404);
    assert.equal((await ben.request("delete", "/methods/mine")).status, 404);
    assert.deepEqual((await ben.request("get", "/methods")).body, []);
    assert.doesNotMatch(await captain.interfaces(), /mine/);
    const listed = async (path: string) =>
      ((await captain.request("get", path)).body as readonly { method: string }[]).map(({ method }) => method);
    assert.ok(!(await listed("/methods")).includes("mine"), "what one may call");
    assert.ok((await listed("/methods?all=true")).includes("mine"), "it is there to publish");
    assert.deepEqual((await ben.request("get", "/methods?all=true")).body, []);

    assert.equal((await ann.request("patch", "/methods/mine", { published: true })).status, 403);
    assert.equal((await captain.request("get", "/methods/mine")).body.owner, "ann");
    assert.equal((await captain.request("patch", "/methods/mine", { published: true })).status, 303);
    assert.deepEqual((await ben.call("mine")).data, [{ who: `ben@${gateway.database.name}`, name: "ben" }]);
    assert.match(await ben.interfaces(), /^ {2}mine\(/m);
    assert.equal((await ben.request("patch", "/methods/mine", { q: "select 1" })).status, 403);
    assert.equal((await ben.request("delete", "/methods/mine")).status, 403);
  });

  it("a published method runs with the rights of its caller, who gets 42501 and nothing else", async () => {
    await captain.define({ method: "cityCount", q: "select count(*) as n from world.cities" });
    assert.ok((await ann.call("cityCount")).data[0].n > 100);
    assert.deepEqual(await ben.fail("cityCount"), {
      code: -32603,
      message: "Internal error",
      data: { sqlstate: "42501" },
    });
  });

  it("the first requests of an account may come all at once", async () => {
    await captain.define({ method: "oneOfMany", q: "select (portolan.request_context()).name", published: true });
    for (const name of ["newcomer", "team"]) {
      if (name === "newcomer") await gateway.database.client.query("select portolan.create_user($1, null)", [name]);
      const account = await as(gateway, name);
      const answers = await Promise.all(Array.from({ length: 12 }, () => account.call("oneOfMany")));
      for (const { data } of answers) assert.deepEqual(data, [{ name }]);
    }
  });

  it("any change by its owner, except of the description, unpublishes a method; a super user's does not", async () => {
    const changes: readonly object[] = [
      { q: "select date '2024-02-03' as n" },
      { type_hints: { n: "date" } },
      { type_formats: { n: "d/m/Y" } },
      { output_format: "csv" },
      { srs: 3857 },
      { timeout_ms: 1000 },
      { max_rows: 5 },
      { cache_seconds: 1 },
    ];
    const isPublished = async (): Promise<boolean> =>
      (await captain.request("get", "/methods/changing")).body.published as boolean;
    await ann.define({ method: "changing", q: "select date '2024-02-03' as n", published: false });
    for (const change of changes) {
      const original = (await ann.request("get", "/methods/changing")).body;
      assert.equal((await captain.request("patch", "/methods/changing", { published: true, ...change })).status, 303);
      assert.equal(await isPublished(), true, JSON.stringify(change));
      assert.equal(
        (await ann.request("patch", "/methods/changing", { description: JSON.stringify(change) })).status,
        303,
      );
      assert.equal((await ann.request("patch", "/methods/changing", change)).status, 303); // as it is
      await ann.dry("changing");
      assert.equal(await isPublished(), true, JSON.stringify(change));
      await ben.call("changing");
      const [[member]] = Object.entries(change) as [[string, unknown]];
      const other = member === "q" ? "select date '2024-02-04' as n" : original[member];
      assert.equal((await ann.request("patch", "/methods/changing", { [member]: other })).status, 303);
      assert.equal(await isPublished(), false, JSON.stringify(change));
      assert.equal((await ben.fail("changing")).code, -32601, JSON.stringify(change));
    }
    assert.equal((await ann.request("patch", "/methods/changing", { q: "select 2 as n" })).status, 303);
    assert.deepEqual((await ann.call("changing")).data, [{ n: 2 }]);
  });

  it("SQL that an account wrote does not write portolan.methods; that of a super user does", async () => {
    const run = (who: As, q: string) => who.request("post", "/sql", { q });
    await ann.define({ method: "by_rest", q: "select 3 as n" });
    // their open transaction would keep everybody else from defining a method, and themselves from being removed
    for (const text of [
      "insert into portolan.methods (method, q) values ('by_sql', 'select 3 as n')",
      "insert into portolan.methods (method, q, published) values ('x', 'select 1', true)",
      "update portolan.methods set published = true where method = 'by_rest'",
      "update portolan.methods set owner = 'captain' where method = 'by_rest'",
      "delete from portolan.methods where method = 'by_rest'",
    ])
      assert.deepEqual([(await run(ann, text)).status, text], [403, text]);
    assert.deepEqual((await ann.call("by_rest")).data, [{ n: 3 }]);
    assert.equal((await ben.fail("by_rest")).code, -32601);
    assert.deepEqual((await run(ben, "select method from portolan.methods where method = 'by_rest'")).body.data, []);
    assert.equal(
      (await run(captain, "update portolan.methods set published = true where method = 'by_rest'")).body.affected_rows,
      1,
    );
    assert.deepEqual((await ben.call("by_rest")).data, [{ n: 3 }]);
    // another type may select another function
    assert.equal((await ann.request("patch", "/methods/by_rest", { type_hints: { n: "int8" } })).status, 303);
    assert.equal((await ben.fail("by_rest")).code, -32601);
  });

  it("a DBA's method in SQL is published, and seen by the next call", async () => {
    const { client } = gateway.database;
    await client.query(
      "select portolan.create_method('dba', 'select :n::int + 1 as n', type_hints => '{}', srs => 3857)",
    );
    assert.deepEqual((await ben.call("dba", { n: 1 })).data, [{ n: 2 }]);
    await client.query("update portolan.methods set q = 'select :n::int + 10 as n' where method = 'dba'");
    assert.deepEqual((await ben.call("dba", { n: 1 })).data, [{ n: 11 }]);
    await assert.rejects(
      client.query("update portolan.methods set q = 'drop table world.cities' where method = 'dba'"),
      { code: "PX400" },
    );
    await client.query("delete from portolan.methods where method = 'dba'");
    assert.equal((await ben.fail("dba", { n: 1 })).code, -32601);
    await assert.rejects(client.query("select portolan.create_method('rpc.x', 'select 1')"), { code: "PX400" });
    await assert.rejects(client.query("select portolan.create_method('mine', 'select 1')"), { code: "PX409" });
  });

  it("an account on a team's own role runs published methods as that role, and may define and write none", async () => {
    const team = await as(gateway, "team");
    await captain.define({
      method: "context",
      q: "select session_user::text as login, current_user::text as role, (portolan.request_context()).name, (portolan.request_context()).service",
    });
    const [{ runner } = {}] = (
      await gateway.database.client.query<{ runner: string }>("select portolan.runner_role('team_app') as runner")
    ).rows;
    assert.deepEqual((await team.call("context")).data, [
      { login: runner, role: "team_app", name: "team", service: "sql" },
    ]);
    const refused = await team.request("post", "/methods", { method: "own", q: "select 1" });
    assert.deepEqual([refused.status, /cannot log in/.test(refused.body.detail)], [403, true]);
    const sql = await team.request("post", "/sql", { q: "select 1" });
    assert.deepEqual([sql.status, /cannot log in/.test(sql.body.detail)], [403, true]);
    assert.equal((await team.fail("cityCount")).data.sqlstate, "42501");
  });

  it("text that a published method executes cannot become any role, not even that of such an account, nor forge the caller", async () => {
    const team = await as(gateway, "team");
    await captain.define({ method: "become", q: "select set_config('role', :role, true) as r" });
    for (const role of [
      "postgres",
      "gateway",
      `captain@${gateway.database.name}`,
      `owner@${gateway.database.name}`,
      "other_app",
    ])
      assert.equal((await team.fail("become", { role })).data.sqlstate, "42501", role);
    await captain.define({
      method: "forge",
      q: "select set_config('portolan.user', 'captain', true), set_config('portolan.service', 'ogc', true), (portolan.request_context()).name as who, (portolan.request_context()).service as service",
    });
    const [row] = (await team.call("forge")).data;
    assert.deepEqual([row.who, row.service], ["team", "sql"]);
  });

  it("several are made, read, changed and removed together or not at all", async () => {
    const made = await ben.request("post", "/methods", [
      { method: "a1", q: "select 1" },
      { method: "a2", q: "select 2" },
    ]);
    assert.deepEqual([made.status, made.headers["location"], made.body.length], [201, "/api/v4/methods/a1,a2", 2]);
    const clash = await ben.request("post", "/methods", [
      { method: "a3", q: "select 1" },
      { method: "a1", q: "select 2" },
    ]);
    assert.deepEqual([clash.status, clash.body.code], [409, "CONFLICT"]);
    assert.equal((await ben.request("get", "/methods/a3")).status, 404);
    assert.deepEqual(
      (await ben.request("get", "/methods/a2,a1")).body.map(({ method }: { method: string }) => method),
      ["a1", "a2"],
    );
    assert.equal((await ben.request("get", "/methods/a1,none")).status, 404);
    assert.equal((await ben.request("delete", "/methods/a1,none")).status, 404);
    assert.equal((await ben.request("get", "/methods/a1")).status, 200);
    assert.equal((await ben.request("patch", "/methods/a1,a2", { description: "both" })).status, 303);
    assert.equal((await ben.request("delete", "/methods/a1,a2")).status, 204);
  });

  it("bodies that are not a definition are 400, naming each fault", async () => {
    for (const [body, fault] of [
      [{ method: "x" }, /^q: is missing$/],
      [{ q: "select 1" }, /^method: is missing$/],
      [{ method: "rpc.x", q: "select 1" }, /method: must not start with rpc\./],
      [{ method: "é", q: "select 1" }, /method: must be 1 to 100/],
      [
        { method: "x", q: "select 1", color: 1, owner: "captain" },
        /color: is not a member here; owner: is not a member here/,
      ],
      [{ method: "x", q: "select 1", output_format: "xml" }, /output_format/],
      [{ method: "x", q: "select 1", srs: "4326" }, /srs/],
      [{ method: "x", q: "select 1", type_hints: { a: 1 } }, /type_hints/],
      [{ method: "x", q: "select 1", timeout_ms: 0 }, /timeout_ms/],
      [[], /items|>=1|Too small/i],
      ["[1", /not valid JSON/],
    ] as const) {
      const { status, body: problem } = await ben.request("post", "/methods", body as object);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(problem.detail, fault);
    }
    assert.equal((await ben.request("post", "/methods", { method: "twice", q: "select 1" })).status, 201);
    assert.equal((await ben.request("post", "/methods", { method: "twice", q: "select 1" })).status, 409);
  });

  it("anonymous callers are refused everywhere", async () => {
    for (const path of ["/methods", "/methods/mine", "/interfaces"])
      await gateway.http.get(`/api/v4${path}`).expect(401);
    await gateway.http.post("/api/v4/sql").send({ q: "select 1" }).expect(401);
  });

  it("an account that is gone leaves its unpublished methods to nobody, and published ones to their callers", async () => {
    const { client } = gateway.database;
    await client.query("select portolan.create_user('leaver', null)");
    const leaver = await as(gateway, "leaver");
    await leaver.define({ method: "kept", q: "select 1 as n" }, { method: "lost", q: "select 1 as n" });
    await captain.request("patch", "/methods/kept", { published: true });
    await leaver.call("kept");
    await client.query("select portolan.drop_user('leaver')");
    assert.deepEqual((await ben.call("kept")).data, [{ n: 1 }]);
    assert.equal((await ben.fail("lost")).code, -32601);
    assert.equal((await captain.fail("lost")).code, -32601);
    assert.equal((await captain.request("delete", "/methods/lost")).status, 204);
  });
});
