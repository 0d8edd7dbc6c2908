import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

describe("dashboards", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  let ann: Requests;

  before(async () => {
    gateway = await testGateway({ prepare: ({ client }) => client.query("select portolan.create_user('ann', null)") });
    [captain, guest, ann] = (await Promise.all(
      ["captain", "guest", "ann"].map((name) => requestsAs(gateway, name)),
    )) as [Requests, Requests, Requests];
  });
  after(() => gateway.close());

  const panel = { q: "select count(*) from world.cities", show: "number", title: "Cities", y: "count" };

  it("are their owner's, seen by those that they are shared with, and changed in their latest version alone", async () => {
    await guest("post", "/dashboards", { name: "port", title: "The port", panels: [panel] }).expect(201);
    await ann("get", "/dashboards/port").expect(404);
    await guest("patch", "/dashboards/port", { shared: ["ann"], version: 1 }).expect(303);
    const { body } = await ann("get", "/dashboards/port").expect(200);
    assert.deepEqual([body.panels, body.owner, body.may_change, body.version], [[panel], "guest", false, 2]);
    problemOf(await ann("patch", "/dashboards/port", { title: "Mine" }), 403);
    problemOf(await ann("delete", "/dashboards/port"), 403);
    problemOf(await guest("patch", "/dashboards/port", { panels: [], version: 1 }), 409);
    await guest("delete", "/dashboards/port").expect(204);
    problemOf(await guest("get", "/dashboards/port"), 404);
  });

  it("refuse what is no panel, in REST and in SQL", async () => {
    for (const bad of [
      { q: "", show: "number" },
      { q: "select 1", show: "pie" },
      { q: "select 1" },
      { q: "select 1", show: "line", x: 1 },
      { q: "select 1", show: "line", colour: "red" },
      { q: "select 1", show: "table", title: "x".repeat(201) },
      { q: "select 1", show: "table", params: [1] },
      { q: "select 1", show: "table", wide: "yes" },
      "select 1",
    ]) {
      problemOf(await ann("post", "/dashboards", { name: "bad", panels: [bad] }), 400);
      await assert.rejects(
        gateway.database.client.query("select portolan.create_dashboard('bad', null, $1)", [JSON.stringify([bad])]),
        ({ code }: { code: string }) => code === "PX400",
      );
    }
    problemOf(await ann("post", "/dashboards", { name: "bad", panels: Array(41).fill(panel) }), 400);
    await gateway.http.get("/api/v4/dashboards").expect(401);
  });

  it("are taken over by whoever removes the account of their owner, and stay shared with the same people", async () => {
    const rows = async (text: string) => (await gateway.database.client.query(text)).rows;
    await rows("select portolan.create_user('eve', null), portolan.create_user('leaver', null)");
    const leaver = await requestsAs(gateway, "leaver");
    await leaver("post", "/dashboards", { name: "public", panels: [panel], shared: ["*"] }).expect(201);
    await leaver("post", "/maps", { name: "crew", layers: [], shared: ["eve"] }).expect(201);
    await leaver("post", "/queries", { name: "own", q: "select 1" }).expect(201);
    await captain("delete", "/users/leaver").expect(204);
    for (const [path, shared] of [
      ["/dashboards/public", ["*"]],
      ["/maps/crew", ["eve"]],
      ["/queries/own", []],
    ] as const) {
      const { body } = await captain("get", path).expect(200);
      assert.deepEqual([body.owner, body.shared, body.may_change], ["captain", shared, true], path);
      assert.equal((await captain("get", `${path}/versions`).expect(200)).body.length, 1);
    }
    await ann("get", "/dashboards/public").expect(200);
    const [told] = await rows(
      `select details from portolan.audit where event = 'dashboard.changed' and details ->> 'name' = 'public' order by at desc limit 1`,
    );
    assert.equal(told.details.by, "captain");
    await captain("patch", "/dashboards/public", { owner: "eve" }).expect(303);
    await rows("select portolan.drop_user('eve')");
    const { body } = await captain("get", "/dashboards/public").expect(200);
    assert.deepEqual([body.owner, body.shared], [null, ["*"]], "in SQL they become the operator's");
    for (const path of ["/dashboards/public", "/maps/crew", "/queries/own"]) await captain("delete", path).expect(204);
  });

  it("are in the configuration, and in the audit", async () => {
    await captain("post", "/dashboards", { name: "kept", panels: [panel], shared: ["*"] }).expect(201);
    const { body } = await captain("get", "/configuration").expect(200);
    assert.deepEqual(body.dashboards.kept, { title: null, panels: [panel], owner: "captain", shared: ["*"] });
    await captain("delete", "/dashboards/kept").expect(204);
    const applied = await captain("post", "/configuration?dry=false", { dashboards: { kept: body.dashboards.kept } });
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    assert.deepEqual((await captain("get", "/dashboards/kept").expect(200)).body.panels, [panel]);
    const { rows } = await gateway.database.client.query(
      "select distinct event from portolan.audit where event like 'dashboard.%' order by 1",
    );
    assert.deepEqual(
      rows.map(({ event }) => event),
      ["dashboard.changed", "dashboard.created", "dashboard.removed"],
    );
  });
});
