import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { problemOf, requestsAs, type Requests } from "../management/requests.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { programEnv } from "../support/programEnv.ts";
import { until } from "../support/until.ts";

describe("find and replace in the rows of a table", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let ada: Requests;
  const PATH = "/schemas/town/tables/people/rows/replace";
  const query = async (text: string) => (await gateway.database.client.query(text)).rows;
  const names = async () => (await query("select name from town.people order by id")).map(({ name }) => name);
  const notes = async () => (await query("select note from town.people order by id")).map(({ note }) => note);

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["town"] },
      prepare: ({ client }) =>
        client.query(`
create schema town;
create table town.people (id int primary key, name text, note varchar(20), kind text, made text generated always as (name) stored);
create table town.pairs (a text, b int, t text, primary key (a, b));
create table town.plain (t text);
select portolan.create_user('captain', null, superuser => true), portolan.create_user('ada', null);
select portolan.share_with_owner('{town}');
select portolan.set_privilege('town.pairs', 'ada', 'read');`),
    });
    await query(`
grant select, update (name, kind) on town.people to "ada@${gateway.database.name}";
alter table town.people enable row level security;
create policy reads on town.people for select using (true);
create policy writes on town.people for update using (kind = 'own') with check (kind = 'own');
create policy owner on town.people to "captain@${gateway.database.name}" using (true)`);
    [captain, ada] = [await requestsAs(gateway, "captain"), await requestsAs(gateway, "ada")];
  });
  beforeEach(() =>
    query(`
truncate town.people, town.pairs, town.plain;
insert into town.people values
  (1, 'Main Street', 'a.b', 'own'), (2, 'main street', 'Main', 'theirs'), (3, 'Hill (Main)', null, 'own'), (4, null, '\\1', 'own');
insert into town.pairs values ('x,y', 1, 'old'), ('z', 2, 'old')`),
  );
  after(() => gateway.close());

  it("tells beforehand what it would do, in all texts that may be written, and does just that", async () => {
    const wanted = { find: "Main", replacement: "High" };
    const { body: seen } = await captain("post", `${PATH}?dry=true`, wanted).expect(200);
    assert.deepEqual([seen.columns, seen.found, seen.changed], [["name", "note", "kind"], 3, 3]);
    assert.deepEqual(seen.rows, [
      { key: "1", before: { name: "Main Street" }, after: { name: "High Street" } },
      { key: "2", before: { note: "Main" }, after: { note: "High" } },
      { key: "3", before: { name: "Hill (Main)" }, after: { name: "Hill (High)" } },
    ]);
    assert.deepEqual(await names(), ["Main Street", "main street", "Hill (Main)", null]);
    const { body: done } = await captain("post", PATH, { ...wanted, version: seen.version }).expect(200);
    assert.deepEqual([done.changed, done.keys.toSorted()], [3, ["1", "2", "3"]]);
    assert.deepEqual(await names(), ["High Street", "main street", "Hill (High)", null]);
    assert.deepEqual(await notes(), ["a.b", "High", null, "\\1"]);
    assert.equal((await captain("post", PATH, wanted).expect(200)).body.found, 0);
  });

  it("takes plain text as it is, and a regular expression with its groups", async () => {
    await captain("post", PATH, { find: "a.b", replacement: "\\1&$1" }).expect(200);
    await captain("post", PATH, { find: "\\1", replacement: "x", columns: ["note"], where: { id: { eq: 4 } } }).expect(
      200,
    );
    assert.deepEqual(await notes(), ["\\1&$1", "Main", null, "x"]);
    const body = {
      find: "^(\\w+) (street)$",
      replacement: "\\2 \\1",
      regex: true,
      matchCase: false,
      columns: ["name"],
    };
    await captain("post", PATH, body).expect(200);
    assert.deepEqual(await names(), ["Street Main", "street main", "Hill (Main)", null]);
  });

  it("stays within the filter, and names rows by keys of several columns", async () => {
    await captain("post", PATH, {
      find: "main",
      replacement: "x",
      matchCase: false,
      where: { kind: { eq: "theirs" } },
    }).expect(200);
    assert.deepEqual(await names(), ["Main Street", "x street", "Hill (Main)", null]);
    assert.deepEqual(await notes(), ["a.b", "x", null, "\\1"]);
    const { body } = await captain("post", "/schemas/town/tables/pairs/rows/replace", {
      find: "old",
      replacement: "new",
      columns: ["t"],
    }).expect(200);
    assert.deepEqual(
      body.keys,
      (await query("select portolan.encode_key(a) || ',' || b as key from town.pairs")).map(({ key }) => key),
    );
  });

  it("is refused where somebody has written meanwhile, also while it runs", async () => {
    const wanted = { find: "Main", replacement: "High", columns: ["name"] };
    const { body } = await captain("post", `${PATH}?dry=true`, wanted).expect(200);
    await query("update town.people set name = 'Main Road' where id = 1");
    problemOf(await captain("post", PATH, { ...wanted, version: body.version }), 409);
    assert.deepEqual(await names(), ["Main Road", "main street", "Hill (Main)", null]);
    await query("begin; update town.people set name = 'Main Way' where id = 1");
    const running = captain("post", PATH, wanted).then((answer) => answer);
    await until(async () => (await query("select 1 from pg_locks where not granted")).length > 0);
    await query("commit");
    problemOf(await running, 409);
    assert.deepEqual(await names(), ["Main Way", "main street", "Hill (Main)", null]);
  });

  it("leaves alone what the account may not write, and says how many rows", async () => {
    const { body } = await ada("post", PATH, { find: "main", replacement: "x", matchCase: false }).expect(200);
    assert.deepEqual([body.columns, body.found, body.changed], [["name", "kind"], 3, 2]);
    assert.deepEqual(await names(), ["x Street", "main street", "Hill (x)", null]);
    assert.deepEqual(await notes(), ["a.b", "Main", null, "\\1"]);
    problemOf(await ada("post", PATH, { find: "a", replacement: "b", columns: ["note"] }), 403);
    problemOf(await ada("post", PATH, { find: "own", replacement: "mine", columns: ["kind"] }), 403); // with check
    problemOf(await ada("post", "/schemas/town/tables/pairs/rows/replace", { find: "old", replacement: "new" }), 400);
    problemOf(await gateway.http.post(`/api/v4${PATH}`).send({ find: "a", replacement: "b" }), 401);
  });

  it("says what is wrong", async () => {
    const bad = async (body: object, what: RegExp, path = PATH) =>
      assert.match(problemOf(await captain("post", path, body), 400), what);
    await bad(
      { find: "(", replacement: "", regex: true },
      /^find: invalid regular expression: parentheses \(\) not balanced/,
    );
    await bad({ find: "", replacement: "x" }, /find/);
    await bad({ find: "a" }, /replacement/);
    await bad({ find: "a", replacement: "x", columns: ["id"] }, /"id" has no text/);
    await bad({ find: "a", replacement: "x", columns: ["made"] }, /"made" has no text/);
    await bad({ find: "a", replacement: "x", columns: ["none"] }, /no column "none"/);
    await bad({ find: "a", replacement: "x", where: { none: 1 } }, /none/);
    await bad({ find: "a", replacement: "b" }, /no primary key/, "/schemas/town/tables/plain/rows/replace");
    await bad({ find: "a.b", replacement: "x".repeat(21) }, /too long/);
    problemOf(await captain("post", "/schemas/town/tables/none/rows/replace", { find: "a", replacement: "b" }), 404);
    problemOf(
      await captain("post", "/schemas/pg_catalog/tables/pg_class/rows/replace", { find: "a", replacement: "b" }),
      404,
    );
    await captain("post", PATH, { find: "'; drop table town.people; --", replacement: "x" }).expect(200);
    assert.deepEqual(await names(), ["Main Street", "main street", "Hill (Main)", null]);
  });

  it("is a command, as an account", async () => {
    const { gatewayUrl, url } = gateway.database;
    const run = async (...values: string[]): Promise<string> => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["server/setup/portolan.mjs", "replace", ...values],
        {
          env: { ...programEnv(), DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url, BASE_URL: gateway.baseUrl },
        },
      );
      return stdout;
    };
    const wanted = ["town.people", "main", "x", "--as", "ada", "--ignore-case", "--columns", '["name"]'];
    assert.equal(
      await run(...wanted, "--dry"),
      `3 rows of town.people have it, 1 of which the account may not change: 2 would be changed
1: {"name":"Main Street"} → {"name":"x Street"}
2: {"name":"main street"} → {"name":"x street"}
3: {"name":"Hill (Main)"} → {"name":"Hill (x)"}
`,
    );
    assert.deepEqual(await names(), ["Main Street", "main street", "Hill (Main)", null]);
    assert.match(await run(...wanted), /: 2 are changed$/m);
    assert.deepEqual(await names(), ["x Street", "main street", "Hill (x)", null]);
    await run("town.people", "^(\\w) (.*)$", "\\2 \\1", "--as", "captain", "--regex", "--where", '{"id": {"eq": 1}}');
    assert.deepEqual(await names(), ["Street x", "main street", "Hill (x)", null]);
    await assert.rejects(run("town.people", "a", "b"), /--as <name>/);
    await assert.rejects(run("town.people", "(", "", "--as", "ada", "--regex"), /find: invalid regular expression/);
    await assert.rejects(run("town.people", "a", "b", "--as", "ada", "--where", "{"), /--where: is not JSON/);
  });
});
