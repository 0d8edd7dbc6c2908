import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { INJECTIONS, problemOf, requestsAs, type Requests } from "./requests.ts";

const HARBOURS = {
  name: "harbours",
  title: "Harbours of the world",
  view: { center: [10, 54], zoom: 5 },
  layers: [
    { land: true },
    {
      collection: "world.cities",
      opacity: 0.5,
      filter: "population > 1000",
      style: [{ name: "Large", where: { population: { gt: 1e6 } }, styles: [{ color: "#ff0000", size: 9 }] }],
    },
    { collection: "world.catchments", show: "map", visible: false, title: "Catchments", style: "print" },
  ],
  shared: [],
};

describe("saved maps", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let ann: Requests;
  let bob: Requests;
  let guest: Requests;
  const rows = async (text: string) => (await gateway.database.client.query(text)).rows as Record<string, never>[];

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
select portolan.create_user('crew', null), portolan.create_user('ann', null, null, 'crew'), portolan.create_user('bob', null, null, 'crew')`),
    });
    [captain, ann, bob, guest] = (await Promise.all(
      ["captain", "ann", "bob", "guest"].map((name) => requestsAs(gateway, name)),
    )) as [Requests, Requests, Requests, Requests];
  });
  after(() => gateway.close());
  afterEach(() => rows("delete from portolan.maps"));

  const sharedWith = (...shared: readonly string[]) => ann("patch", "/maps/harbours", { shared });

  it("are their owner's alone until they are shared with accounts, groups or everybody", async () => {
    const made = await ann("post", "/maps", HARBOURS).expect(201);
    assert.equal(made.headers["location"], "/api/v4/maps/harbours");
    const { body } = await ann("get", "/maps/harbours").expect(200);
    assert.deepEqual(body, { ...HARBOURS, owner: "ann", version: 1, may_change: true });
    problemOf(await bob("get", "/maps/harbours"), 404);
    assert.deepEqual((await bob("get", "/maps").expect(200)).body, []);
    for (const [shared, sees] of [
      [["bob"], [true, false]],
      [["crew"], [true, false]],
      [["guest"], [false, true]],
      [["*"], [true, true]],
      [[], [false, false]],
    ] as const) {
      await sharedWith(...shared).expect(303);
      const seen = await Promise.all([bob, guest].map(async (each) => (await each("get", "/maps")).body.length === 1));
      assert.deepEqual(seen, sees, shared.join(", "));
    }
    assert.equal((await captain("get", "/maps/harbours").expect(200)).body.may_change, true);
  });

  it("are changed and removed by their owner and super users, not by those that they are shared with", async () => {
    await ann("post", "/maps", { ...HARBOURS, shared: ["*"] }).expect(201);
    assert.match(problemOf(await bob("patch", "/maps/harbours", { title: "Mine" }), 403), /belongs to another account/);
    problemOf(await bob("delete", "/maps/harbours"), 403);
    problemOf(await ann("patch", "/maps/harbours", { owner: "bob" }), 403);
    problemOf(await captain("patch", "/maps/harbours", { owner: "nobody" }), 400);
    await captain("patch", "/maps/harbours", { owner: "bob", title: null }).expect(303);
    const { body } = await bob("get", "/maps/harbours").expect(200);
    assert.deepEqual([body.owner, body.title, body.may_change], ["bob", null, true]);
    problemOf(await ann("delete", "/maps/harbours"), 403);
    await bob("delete", "/maps/harbours").expect(204);
    problemOf(await bob("get", "/maps/harbours"), 404);
  });

  it("are not written over what somebody else has saved since", async () => {
    await ann("post", "/maps", HARBOURS).expect(201);
    const { version } = (await ann("get", "/maps/harbours")).body as { version: number };
    await captain("patch", "/maps/harbours", { title: "Ports", version }).expect(303);
    assert.match(problemOf(await ann("patch", "/maps/harbours", { title: "Quays", version }), 409), /since/);
    assert.equal((await ann("get", "/maps/harbours")).body.title, "Ports");
    await ann("patch", "/maps/harbours", { title: "Quays", version: version + 1 }).expect(303);
  });

  it("are forgotten with an account: neither its maps nor what was shared with it reach a later one of its name", async () => {
    await captain("post", "/users", { name: "eve", password: "a long secret" }).expect(201);
    const eve = await requestsAs(gateway, "eve");
    await eve("post", "/maps", { ...HARBOURS, name: "hers" }).expect(201);
    await ann("post", "/maps", { ...HARBOURS, shared: ["eve", "bob"] }).expect(201);
    await captain("delete", "/users/eve").expect(204);
    await captain("post", "/users", { name: "eve", password: "a long secret" }).expect(201);
    assert.deepEqual((await (await requestsAs(gateway, "eve"))("get", "/maps")).body, []);
    assert.deepEqual((await captain("get", "/maps/harbours")).body.shared, ["bob"]);
    assert.equal((await captain("get", "/maps/hers")).body.owner, "captain"); // who removed the account
  });

  it("refuse what is wrong, and say where", async () => {
    for (const [body, where] of [
      [{ name: "Harbours" }, /name/],
      [{ name: "a".repeat(61) }, /name/],
      ...[200, 999, -181, 1e300].map(
        (longitude) => [{ view: { center: [longitude, 0], zoom: 1 } }, /^view.center/] as const,
      ),
      [{ view: { center: [0, 1e300], zoom: 1 } }, /^view.center/],
      [{ view: { center: [0, 0], zoom: 25 } }, /view/],
      [{ view: { center: [0, 0], zoom: 1, time: "yesterday" } }, /view/],
      [{ layers: [{ land: true }, { collection: "cities" }] }, /layers/],
      [{ layers: [{ land: true, basemap: "osm" }] }, /layers/],
      [{ layers: [{ collection: "world.cities", opacity: 2 }] }, /layers/],
      [{ layers: [{ land: true, colour: "red" }] }, /layers/],
      [{ layers: [{ land: true, style: "print" }] }, /style/],
      [{ layers: [{ land: true, color: "#0072b2" }] }, /color/],
      [{ layers: [{ collection: "world.cities", color: "red" }] }, /color/],
      [{ layers: [{ collection: "world.cities", style: [] }] }, /style/],
      [{ layers: [{ collection: "world.cities", style: [{ color: "red" }] }] }, /style/],
      [{ layers: [{ collection: "world.cities", style: [{ name: "x".repeat(17_000) }] }] }, /16384 bytes/],
      [{ shared: ["nobody"] }, /no account or group "nobody"/],
      [{ shared: ["anonymous"] }, /everybody/],
    ] as const)
      assert.match(problemOf(await ann("post", "/maps", { name: "bad", ...body }), 400), where);
    assert.deepEqual(await rows("select from portolan.maps"), []);
    await ann("post", "/maps", HARBOURS).expect(201);
    problemOf(await ann("post", "/maps", HARBOURS), 409);
    problemOf(await bob("post", "/maps", HARBOURS), 409);
    for (const text of INJECTIONS) problemOf(await ann("get", `/maps/${encodeURIComponent(text)}`), 404);
    await ann("patch", "/maps/harbours", { title: "<script>alert(1)</script>\u202e" }).expect(303);
  });

  it("are checked in SQL as over REST", async () => {
    const refused = async (view: string, layers: string) =>
      (await rows(`select portolan.map_problem('${view}', '${layers}') as problem`))[0]![
        "problem"
      ] as unknown as string;
    for (const [view, layers, problem] of [
      ["null", "{}", /^layers: must be a list/],
      ["[]", "[]", /^view: must be an object/],
      ['{"zoom": 1}', "[]", /^view\.center/],
      ['{"center": [0, 0], "zoom": "1"}', "[]", /^view\.zoom/],
      ['{"center": [0, 0], "zoom": 1, "more": 1}', "[]", /^view\.more/],
      ['{"center": [0, 0], "zoom": 1, "time": "now"}', "[]", /^view\.time/],
      ["null", "[1]", /^layers\[0\]: must be an object/],
      ["null", '[{"land": true}, {}]', /^layers\[1\]: must have one of/],
      ["null", '[{"land": false}]', /^layers\[0\]\.land/],
      ["null", '[{"collection": "a.b", "show": "much"}]', /^layers\[0\]\.show/],
      ["null", '[{"collection": "a.b", "filter": 1}]', /^layers\[0\]\.filter/],
      ["null", '[{"basemap": "a", "filter": "x = 1"}]', /^layers\[0\]\.filter/],
      ["null", '[{"basemap": "A"}]', /^layers\[0\]\.basemap/],
      ["null", '[{"land": true, "visible": 1}]', /^layers\[0\]\.visible/],
      ["null", '[{"land": true, "title": 1}]', /^layers\[0\]\.title/],
      ["null", '[{"land": true, "color": "#0072b2"}]', /^layers\[0\]\.color/],
      ["null", '[{"collection": "a.b", "color": "red"}]', /^layers\[0\]\.color/],
    ] as const)
      assert.match(await refused(view, layers), problem);
    await assert.rejects(rows("select portolan.create_map('A')"), /name/);
    await rows("select portolan.create_map('of-the-operator', layers => '[{\"land\": true}]', shared => '{guest}')");
    const { body } = await guest("get", "/maps/of-the-operator").expect(200);
    assert.deepEqual([body.owner, body.may_change], [null, false]);
  });

  it("are in the audit and in the configuration, from where they are made again", async () => {
    await ann("post", "/maps", { ...HARBOURS, shared: ["crew"] }).expect(201);
    await ann("patch", "/maps/harbours", { title: "Ports" }).expect(303);
    const audit = (await captain("get", "/audit?event=map").expect(200)).body as {
      event: string;
      details: { by: string; before: unknown; after: unknown };
    }[];
    const [changed, created] = audit;
    assert.deepEqual([changed?.event, created?.event], ["map.changed", "map.created"]);
    assert.deepEqual(
      [changed?.details.by, changed?.details.before, changed?.details.after],
      ["ann", { title: "Harbours of the world" }, { title: "Ports" }],
    );
    const { maps } = (await captain("get", "/configuration").expect(200)).body as { maps: Record<string, object> };
    const { name: _, ...members } = { ...HARBOURS, title: "Ports", shared: ["crew"], owner: "ann" };
    assert.deepEqual(maps, { harbours: members });
    await ann("patch", "/maps/harbours", { layers: [] }).expect(303);
    const apply = async () => (await captain("post", "/configuration?dry=false", { maps }).expect(200)).body;
    assert.deepEqual(
      ((await apply()) as { action: string }[]).map(({ action }) => action),
      ["change"],
    );
    assert.deepEqual((await ann("get", "/maps/harbours")).body.layers, HARBOURS.layers);
    await ann("delete", "/maps/harbours").expect(204);
    await apply();
    assert.equal((await ann("get", "/maps/harbours")).body.owner, "ann");
    assert.deepEqual(await apply(), []);
  });

  it("are made by nobody who has not signed in", async () => {
    await gateway.http.post("/api/v4/maps").send(HARBOURS).expect(401);
    await assert.rejects(
      rows(`begin; set local role "anonymous@${gateway.database.name}"; select portolan.create_map('mine')`),
      /permission denied|row-level security/,
    );
    await rows("rollback");
  });
});
