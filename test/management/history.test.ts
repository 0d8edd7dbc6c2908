import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { INJECTIONS, problemOf, requestsAs, type Requests } from "./requests.ts";

interface Difference {
  readonly key: string;
  readonly change: string;
  readonly by: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

describe("/api/v4/schemas/{schema}/tables/{table}/history, diff and restore", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  /** Instants between changes. */
  let first: string;
  let second: string;
  const PORTS = "/schemas/world/tables/ports";

  const run = async (text: string) => (await gateway.database.client.query(text)).rows;
  const now = async (): Promise<string> => (await run("select to_json(clock_timestamp()) #>> '{}' as now"))[0].now;
  const diff = async (as: Requests, table: string, parameters: Record<string, string>): Promise<Difference[]> =>
    (await as("get", `/schemas/world/tables/${table}/diff?${new URLSearchParams(parameters)}`).expect(200)).body;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client, name }) =>
        client.query(`
create table world.ports (id int primary key, name text, depth numeric, secret text, kind int default 1);
insert into world.ports values (1, 'Nuuk', 7.50, 'a', 1), (2, 'Vardø', 9007199254740993, 'b', 1), (3, 'Sisimiut', 3, 'c', 2);
create table world.berths (port int, "no, 1" text, free boolean, primary key (port, "no, 1"));
insert into world.berths values (1, 'a,b', true);
create table world.plain (id int primary key);
select portolan.share_with_owner('{world}');
select portolan.set_privilege('world.plain', 'guest', 'read');
grant usage on schema world to "guest@${name}";
grant select (id, name, kind) on world.ports to "guest@${name}";
alter table world.ports enable row level security;
create policy all_of_it on world.ports for all to public using (true);
create policy kind_1 on world.ports as restrictive for select to "guest@${name}" using (kind = 1);
select portolan.enable_versioning('world.ports');
select portolan.enable_versioning('world.berths');`),
    });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
    first = await now();
    const token = await gateway.token("captain");
    const write = (query: string) =>
      gateway.http
        .post("/api/graphql/schema/world")
        .set("Authorization", `Bearer ${token}`)
        .send({ query: `mutation { ${query} }` })
        .expect(({ body }) => assert.equal(body.errors, undefined, JSON.stringify(body)));
    await write(`updatePorts(id: "1", data: {name: "Godthåb"}) { id }`);
    await write(`updatePorts(id: "1", data: {depth: "8.25"}) { id }`);
    await write(`insertPorts(data: {id: 4, name: "Vaasa"}) { id }`);
    await write(`deletePorts(id: "3") { id }`);
    await write(`updatePorts(id: "2", data: {name: "passing"}) { id }`);
    await write(`updatePorts(id: "2", data: {name: "Vardø"}) { id }`);
    await write(`updateBerths(id: "1,a%2Cb", data: {free: false}) { port }`);
    second = await now();
    await run("update world.ports set secret = 'z' where id = 1");
  });
  after(() => gateway.close());

  it("a table says since when its history is kept, to every account that may read it", async () => {
    const { body } = await guest("get", PORTS).expect(200);
    assert.ok(Date.parse(body.versioned_since) <= Date.parse(first));
    assert.equal((await guest("get", "/schemas/world/tables/cities").expect(200)).body.versioned_since, null);
  });

  it("gives the life of a row: its versions, who wrote and who ended them, with exact numbers", async () => {
    const { body } = await captain("get", `${PORTS}/history?key=1`).expect(200);
    assert.deepEqual(
      body.map(({ written_by, ended_by, record }: Record<string, Record<string, unknown>>) => [
        written_by === null ? null : typeof written_by,
        ended_by,
        record?.["name"],
      ]),
      [
        ["string", "captain", "Nuuk"],
        ["string", "captain", "Godthåb"],
        ["string", body[3].written_by, "Godthåb"],
        ["string", null, "Godthåb"],
      ],
    );
    assert.equal(body[1].written_by, "captain");
    assert.match((await captain("get", `${PORTS}/history?key=2`).expect(200)).text, /9007199254740993/);
    assert.deepEqual((await captain("get", `${PORTS}/history?key=77`).expect(200)).body, []);
    const berth = await captain("get", `/schemas/world/tables/berths/history?key=${encodeURIComponent("1,a%2Cb")}`);
    assert.equal(berth.body.length, 2);
  });

  it("gives the differences between two instants, without changes that were undone", async () => {
    const found = await diff(captain, "ports", { from: first, to: second });
    assert.deepEqual(
      found.map(({ key, change, by, before, after }) => [key, change, by, before?.["name"], after?.["name"]]),
      [
        ["1", "update", "captain", "Nuuk", "Godthåb"],
        ["3", "delete", "captain", "Sisimiut", undefined],
        ["4", "insert", "captain", undefined, "Vaasa"],
      ],
    );
    assert.deepEqual(
      (await diff(captain, "ports", { from: second })).map(({ before, after }) => [
        before?.["secret"],
        after?.["secret"],
      ]),
      [["a", "z"]],
    );
    assert.deepEqual(
      (await diff(captain, "ports", { from: first, to: second, limit: "1", offset: "1" })).map(({ key }) => key),
      ["3"],
    );
    assert.deepEqual(
      (await diff(captain, "berths", { from: first })).map(({ key }) => key),
      ["1,a%2Cb"],
    );
  });

  it("shows an account the rows and columns that it may read, and no names if that is not everything", async () => {
    const found = await diff(guest, "ports", { from: first });
    assert.deepEqual(
      found.map(({ key, change, by, before, after }) => [key, change, by, before, after]),
      [
        ["1", "update", null, { id: 1, name: "Nuuk", kind: 1 }, { id: 1, name: "Godthåb", kind: 1 }],
        ["4", "insert", null, null, { id: 4, name: "Vaasa", kind: 1 }],
      ],
    );
    assert.deepEqual(await diff(guest, "ports", { from: second }), [], "the secret alone was changed");
    const { body } = await guest("get", `${PORTS}/history?key=1`).expect(200);
    assert.deepEqual(body[0].record, { id: 1, name: "Nuuk", kind: 1 });
    assert.equal(body[0].written_by, null);
    assert.deepEqual((await guest("get", `${PORTS}/history?key=3`).expect(200)).body, []);
  });

  it("restores rows, all or none, and only for accounts that may write them", async () => {
    const [{ valid_from: at }] = (await captain("get", `${PORTS}/history?key=1`).expect(200)).body;
    problemOf(await guest("post", `${PORTS}/restore`, { key: "1", at }), 403);
    problemOf(
      await captain("post", `${PORTS}/restore`, [
        { key: "1", at },
        { key: "4", at },
      ]),
      404,
    );
    assert.deepEqual(await run("select name from world.ports where id = 1"), [{ name: "Godthåb" }]);
    await captain("post", `${PORTS}/restore`, [
      { key: "1", at: first },
      { key: "3", at: first },
    ]).expect(204);
    assert.deepEqual(await run("select id, name, depth, secret from world.ports where id in (1, 3) order by 1"), [
      { id: 1, name: "Nuuk", depth: "7.50", secret: "a" },
      { id: 3, name: "Sisimiut", depth: "3", secret: "c" },
    ]);
  });

  it("a rule that denies the table denies its history", async () => {
    const { body } = await captain("post", "/rules", { access: "deny", username: "guest", table: "ports" }).expect(201);
    problemOf(await guest("get", `${PORTS}/history?key=1`), 403);
    problemOf(await guest("get", `${PORTS}/diff?from=${encodeURIComponent(first)}`), 403);
    await captain("delete", `/rules/${body.id}`).expect(204);
  });

  it("reports errors of a request, and shows nobody rows of others", async () => {
    problemOf(await gateway.http.get(`/api/v4${PORTS}/history?key=1`), 401);
    problemOf(await guest("get", "/schemas/world/tables/berths/history?key=1"), 404);
    problemOf(await captain("get", "/schemas/world/tables/nothing/diff?from=2026-01-01T00:00:00Z"), 404);
    problemOf(await captain("get", "/schemas/portolan/tables/users/history?key=1"), 404);
    assert.match(problemOf(await guest("get", "/schemas/world/tables/plain/history?key=1"), 400), /not versioned/);
    assert.match(problemOf(await captain("get", `${PORTS}/history`), 400), /key/);
    assert.match(problemOf(await captain("get", `${PORTS}/diff`), 400), /from/);
    assert.match(problemOf(await captain("get", `${PORTS}/diff?from=yesterday`), 400), /from/);
    assert.match(problemOf(await captain("get", `${PORTS}/diff?from=2026-99-01T00:00Z`), 400), /2026-99-01/);
    const backwards = new URLSearchParams({ from: second, to: first });
    assert.match(problemOf(await captain("get", `${PORTS}/diff?${backwards}`), 400), /before/);
    problemOf(await captain("post", `${PORTS}/restore`, { key: "1", at: "soon" }), 400);
    problemOf(await captain("post", `${PORTS}/restore`, { key: "1" }), 400);
    for (const key of INJECTIONS.filter((text) => !text.includes("\0")))
      assert.deepEqual((await captain("get", `${PORTS}/history?key=${encodeURIComponent(key)}`).expect(200)).body, []);
  });
});
