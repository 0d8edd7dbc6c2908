import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { INJECTIONS, problemOf, requestsAs, type Requests } from "./requests.ts";

interface Version {
  readonly version: number;
  readonly saved_at: string;
  readonly saved_by: string;
  readonly item: Readonly<Record<string, unknown>>;
}

describe("versions of what is saved", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let ann: Requests;
  let bob: Requests;
  const rows = async (text: string) => (await gateway.database.client.query(text)).rows as Record<string, never>[];
  const versionsOf = async (path: string, of = ann) =>
    (await of("get", `${path}/versions`).expect(200)).body as Version[];

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create table world.ports (id int primary key);
grant select on world.ports to public;
select portolan.create_user('ann', null), portolan.create_user('bob', null)`),
    });
    [captain, ann, bob] = (await Promise.all(["captain", "ann", "bob"].map((name) => requestsAs(gateway, name)))) as [
      Requests,
      Requests,
      Requests,
    ];
  });
  after(() => gateway.close());

  for (const [plural, first, second] of [
    ["maps", { layers: [{ land: true }] }, { layers: [{ collection: "world.cities" }] }],
    ["queries", { q: "select 1" }, { q: "select 2" }],
    ["dashboards", { panels: [{ q: "select 1", show: "number" }] }, { panels: [] }],
    ["views", { relation: "world.ports", sort: "id" }, { sort: "-id" }],
  ] as const)
    it(`${plural}: are listed with when and by whom, and one of them is saved anew`, async () => {
      const path = `/${plural}/one`;
      const versions = () => versionsOf(path);
      await ann("post", `/${plural}`, { name: "one", title: "First", shared: ["bob"], ...first }).expect(201);
      await ann("patch", path, { title: "Second", ...second }).expect(303);
      const [later, earlier] = await versions();
      assert.deepEqual([later?.version, later?.saved_by, later?.item["title"]], [2, "ann", "Second"]);
      assert.deepEqual({ ...earlier?.item, ...first }, earlier?.item);
      assert.equal(earlier?.item["shared"], undefined);
      assert.ok(Math.abs(Date.parse(later!.saved_at) - Date.now()) < 60_000);
      await ann("patch", path, { shared: [] }).expect(303);
      assert.equal((await versions()).length, 2, "sharing makes no version");
      const restored = await ann("post", `${path}/restore`, { version: 1 }).expect(303);
      assert.equal(restored.headers["location"], `/api/v4${path}`);
      const { body } = await ann("get", path).expect(200);
      assert.deepEqual({ ...body, ...first }, body);
      assert.deepEqual([body.title, body.owner, body.shared], ["First", "ann", []]);
      const numbers = (await versions()).map((each) => each.version);
      assert.deepEqual(numbers, [4, 2, 1]);
      problemOf(await ann("post", `${path}/restore`, { version: 3 }), 404);
      problemOf(await ann("post", `${path}/restore`, { version: 0 }), 400);
      problemOf(await ann("post", `${path}/restore`, {}), 400);
      await ann("delete", path).expect(204);
      problemOf(await ann("get", `${path}/versions`), 404);
      await bob("post", `/${plural}`, { name: "one", ...first }).expect(201);
      assert.equal((await versionsOf(path, bob)).length, 1, "those of a removed one are gone");
      await bob("delete", path).expect(204);
    });

  it("are their owner's and super users', also where the thing is shared", async () => {
    await ann("post", "/queries", { name: "secret", q: "select 'password'" }).expect(201);
    await ann("patch", "/queries/secret", { q: "select 1", shared: ["*"] }).expect(303);
    problemOf(await bob("get", "/queries/secret/versions"), 403);
    problemOf(await bob("post", "/queries/secret/restore", { version: 1 }), 403);
    await gateway.http.get("/api/v4/queries/secret/versions").expect(401);
    assert.equal((await versionsOf("/queries/secret", captain)).length, 2);
    await captain("patch", "/queries/secret", { owner: "bob" }).expect(303);
    problemOf(await ann("get", "/queries/secret/versions"), 403);
    assert.equal((await versionsOf("/queries/secret", bob)).length, 2);
    problemOf(await bob("get", "/queries/none/versions"), 404);
    for (const text of INJECTIONS.filter((each) => !each.includes("\0")))
      problemOf(await bob("get", `/queries/${encodeURIComponent(text)}/versions`), 404);
    await captain("delete", "/queries/secret").expect(204);
  });

  it("are the last fifty", async () => {
    await ann("post", "/queries", { name: "many", q: "select 0" }).expect(201);
    for (let n = 1; n <= 55; n++) await rows(`select portolan.update_saved('query', 'many', '{"q": "select ${n}"}')`);
    const versions = await versionsOf("/queries/many");
    assert.deepEqual([versions.length, versions[0]?.version, versions.at(-1)?.version], [50, 56, 7]);
  });

  it("name a table that is gone where one of a view cannot be restored", async () => {
    await rows("create table world.gone (id int primary key); grant select on world.gone to public");
    await ann("post", "/views", { name: "of", relation: "world.gone" }).expect(201);
    await ann("patch", "/views/of", { relation: "world.ports" }).expect(303);
    await rows("drop table world.gone");
    assert.match(problemOf(await ann("post", "/views/of/restore", { version: 1 }), 404), /world\.gone/);
  });
});
