import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

describe("saved views of tables", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  let ann: Requests;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(
          "select portolan.create_user('ann', null); create table world.visits (id int primary key, day date)",
        ),
    });
    [captain, guest, ann] = (await Promise.all(
      ["captain", "guest", "ann"].map((name) => requestsAs(gateway, name)),
    )) as [Requests, Requests, Requests];
  });
  after(() => gateway.close());

  const board = {
    relation: "world.cities",
    kind: "kanban",
    filter: { population: { gt: 1000 } },
    sort: "-population",
    columns: { order: ["name"], hidden: ["geom"], widths: { name: 300 } },
    fields: { label: "name", group: "country" },
  };

  it("are their owner's, seen by those that they are shared with, and changed in their latest version alone", async () => {
    await guest("post", "/views", { name: "board", ...board }).expect(201);
    await ann("get", "/views/board").expect(404);
    await guest("patch", "/views/board", { shared: ["Ann"], title: "Cities", version: 1 }).expect(303);
    const { body } = await ann("get", "/views/board").expect(200);
    assert.deepEqual(body, {
      ...board,
      name: "board",
      title: "Cities",
      owner: "guest",
      shared: ["ann"],
      schema: "world",
      table: "cities",
      version: 2,
      may_change: false,
    });
    problemOf(await ann("patch", "/views/board", { title: "Mine" }), 403);
    problemOf(await ann("delete", "/views/board"), 403);
    problemOf(await guest("patch", "/views/board", { owner: "ann" }), 403);
    problemOf(await guest("post", "/views", { name: "board", relation: "world.cities" }), 409);
    problemOf(await guest("patch", "/views/board", { filter: null, version: 1 }), 409);
    await guest("patch", "/views/board", { filter: null, kind: "grid" }).expect(303);
    assert.deepEqual((await guest("get", "/views/board").expect(200)).body.filter, null);
    await guest("delete", "/views/board").expect(204);
    problemOf(await guest("get", "/views/board"), 404);
  });

  it("refuse what is no view, in REST and in SQL", async () => {
    for (const bad of [
      { kind: "pie" },
      { kind: "calendar" },
      { kind: "kanban", fields: { label: "name" } },
      { filter: [1] },
      { sort: "" },
      { columns: { order: "name" } },
      { columns: { hidden: [1] } },
      { columns: { widths: { name: "wide" } } },
      { columns: { colour: ["name"] } },
      { fields: { label: 1 } },
      { fields: { colour: "name" } },
      { fields: { label: "n".repeat(64) } },
      { title: "x".repeat(201) },
      { shared: ["nobody-there"] },
    ]) {
      problemOf(await ann("post", "/views", { name: "bad", relation: "world.cities", ...bad }), 400);
      await assert.rejects(
        gateway.database.client.query("select portolan.create_saved('view', $1)", [
          JSON.stringify({ name: "bad", relation: "world.cities", ...bad }),
        ]),
        ({ code }: { code: string }) => code === "PX400",
        JSON.stringify(bad),
      );
    }
    problemOf(await ann("post", "/views", { name: "bad" }), 400);
    problemOf(await ann("post", "/views", { name: "bad", relation: "world.nothing" }), 404);
    problemOf(await ann("post", "/views", { name: "bad", relation: "nowhere.cities" }), 404);
    problemOf(await ann("post", "/views", { name: "bad", relation: "world" }), 404);
    await gateway.http.get("/api/v4/views").expect(401);
  });

  it("follow their table when it is renamed, and say that it has been dropped", async () => {
    await captain("post", "/views", {
      name: "days",
      relation: "world.visits",
      kind: "calendar",
      fields: { date: "day" },
    });
    const tableOf = async (): Promise<unknown> => (await captain("get", "/views/days").expect(200)).body.table;
    assert.equal(await tableOf(), "visits");
    await gateway.database.client.query("alter table world.visits rename to calls");
    assert.equal(await tableOf(), "calls");
    await gateway.database.client.query("drop table world.calls");
    assert.equal(await tableOf(), null);
    const { body } = await captain("get", "/configuration").expect(200);
    assert.deepEqual(body.views, {});
    await captain("patch", "/views/days", { title: "Gone" }).expect(303);
    await captain("delete", "/views/days").expect(204);
  });

  it("are in the configuration, and in the audit", async () => {
    await captain("post", "/views", { name: "kept", ...board, shared: ["*"] }).expect(201);
    const { body } = await captain("get", "/configuration").expect(200);
    const kept = { ...board, title: null, owner: "captain", shared: ["*"] };
    assert.deepEqual(body.views.kept, kept);
    await captain("delete", "/views/kept").expect(204);
    const applied = await captain("post", "/configuration?dry=false", { views: { kept: body.views.kept } });
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    assert.deepEqual((await captain("get", "/views/kept").expect(200)).body.columns, board.columns);
    problemOf(
      await captain("post", "/configuration?dry=false", { views: { kept: { ...kept, relation: "world.nothing" } } }),
      404,
    );
    const { rows } = await gateway.database.client.query(
      "select distinct event from portolan.audit where event like 'view.%' order by 1",
    );
    assert.deepEqual(
      rows.map(({ event }) => event),
      ["view.changed", "view.created", "view.removed"],
    );
  });
});
