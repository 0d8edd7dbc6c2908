import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

describe("saved queries", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  let ann: Requests;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query("select portolan.create_user('crew', null), portolan.create_user('ann', null, null, 'crew')"),
    });
    [captain, guest, ann] = (await Promise.all(
      ["captain", "guest", "ann"].map((name) => requestsAs(gateway, name)),
    )) as [Requests, Requests, Requests];
  });
  after(() => gateway.close());

  const names = async (as: Requests): Promise<readonly string[]> =>
    ((await as("get", "/queries").expect(200)).body as { name: string }[]).map(({ name }) => name);

  it("are seen by their owner, by those that they are shared with, and by super users", async () => {
    await guest("post", "/queries", { name: "big", q: "select * from world.cities where name = :name" }).expect(201);
    assert.deepEqual([await names(guest), await names(ann), await names(captain)], [["big"], [], ["big"]]);
    await ann("get", "/queries/big").expect(404);
    for (const shared of [["ann"], ["crew"], ["*"]]) {
      await guest("patch", "/queries/big", { shared }).expect(303);
      assert.deepEqual(await names(ann), ["big"], String(shared));
    }
    problemOf(await ann("patch", "/queries/big", { title: "Mine" }), 403);
    problemOf(await ann("delete", "/queries/big"), 403);
    const { body } = await ann("get", "/queries/big").expect(200);
    assert.deepEqual([body.owner, body.may_change, body.version], ["guest", false, 4]);
    await guest("patch", "/queries/big", { shared: [] }).expect(303);
    assert.deepEqual(await names(ann), []);
  });

  it("refuse a change that somebody else has made meanwhile, and what is no query", async () => {
    await ann("post", "/queries", { name: "mine", q: "select 1" }).expect(201);
    await ann("patch", "/queries/mine", { q: "select 2", version: 1 }).expect(303);
    problemOf(await ann("patch", "/queries/mine", { q: "select 3", version: 1 }), 409);
    problemOf(await ann("post", "/queries", { name: "mine", q: "select 4" }), 409);
    for (const bad of [
      { name: "With Spaces", q: "select 1" },
      { name: "empty", q: "" },
      { name: "unknown", q: "select 1", shared: ["nobody-of-that-name"] },
      { name: "more", q: "select 1", owner: "captain" },
      { q: "select 1" },
    ])
      problemOf(await ann("post", "/queries", bad), 400);
    await gateway.http.get("/api/v4/queries").expect(401);
    await ann("delete", "/queries/mine").expect(204);
    problemOf(await ann("get", "/queries/mine"), 404);
  });

  it("keep a chart of their result, in their versions too, and refuse what is none", async () => {
    const chart = { show: "bar", x: "country", y: "count" };
    const q = "select country_code as country, count(*) from world.cities group by 1";
    await ann("post", "/queries", { name: "charted", q, chart, shared: ["crew"] }).expect(201);
    assert.deepEqual((await ann("get", "/queries/charted").expect(200)).body.chart, chart);
    await ann("patch", "/queries/charted", { chart: null }).expect(303);
    assert.equal((await ann("get", "/queries/charted").expect(200)).body.chart, null);
    await ann("post", "/queries/charted/restore", { version: 1 }).expect(303);
    assert.deepEqual((await ann("get", "/queries/charted").expect(200)).body.chart, chart);
    for (const bad of [{ show: "pie" }, { x: "a" }, { show: "line", x: 1 }, { show: "bar", colour: "red" }, "bar"]) {
      problemOf(await ann("patch", "/queries/charted", { chart: bad }), 400);
      await assert.rejects(
        gateway.database.client.query("select portolan.update_query('charted', $1)", [JSON.stringify({ chart: bad })]),
        ({ code }: { code: string }) => code === "PX400",
      );
    }
    await ann("delete", "/queries/charted").expect(204);
  });

  it("are in the configuration, and in the audit", async () => {
    await captain("post", "/queries", {
      name: "kept",
      q: "select 1",
      chart: { show: "number" },
      shared: ["crew"],
    }).expect(201);
    const { body, status } = await captain("get", "/configuration");
    assert.equal(status, 200, JSON.stringify(body));
    const kept = { title: null, q: "select 1", chart: { show: "number" }, owner: "captain", shared: ["crew"] };
    assert.deepEqual(body.queries.kept, kept);
    await captain("delete", "/queries/kept").expect(204);
    const applied = await captain("post", "/configuration?dry=false", { queries: { kept: body.queries.kept } });
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    const again = (await captain("get", "/queries/kept").expect(200)).body;
    assert.deepEqual([again.shared, again.chart], [["crew"], { show: "number" }]);
    const { rows } = await gateway.database.client.query("select event from portolan.audit where event like 'query.%'");
    assert.ok(
      rows.some(({ event }) => event === "query.created") && rows.some(({ event }) => event === "query.removed"),
    );
  });
});
