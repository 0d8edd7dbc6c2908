import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs } from "../support/webSocket.ts";

const BOX = { xmin: -1.5, ymin: 2, xmax: 3e20, ymax: 4.25 };
const OTHER = { xmin: 0, ymin: 0, xmax: 1, ymax: 1 };

describe("box2d is an object of its four sides", () => {
  let gateway: TestGateway;
  const ask = async (query: string, variables: object = {}) =>
    (await gateway.graphql("captain", "osm", query, variables)).body;
  const sql = async (body: object) => {
    const token = await gateway.token("captain");
    return gateway.http.post("/api/v4/sql").set("Authorization", `Bearer ${token}`).send(body);
  };

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create schema osm;
create domain osm.frame as public.box2d;
create table osm.sheets (id int primary key, extent public.box2d, frame osm.frame, many public.box2d[],
  geom public.geometry(Point, 4326));
select portolan.enable_events('osm.sheets');`),
    });
    const row = { id: 1, extent: BOX, frame: OTHER, many: [BOX, null, OTHER], geom: "POINT(1 2)" };
    const { data, errors } = await ask(
      `mutation ($row: JSON) { insertSheets(data: $row) { id extent frame many } }`,
      { row }, // oxfmt-ignore
    );
    assert.deepEqual(errors, undefined);
    assert.deepEqual(data.insertSheets, [{ id: "1", extent: BOX, frame: OTHER, many: [BOX, null, OTHER] }]);
  });
  after(() => gateway.close());

  it("in GraphQL, read plainly and planned, and as filters", async () => {
    await ask(`mutation { insertSheets(data: {id: 2, extent: "BOX(0 0,1 1)"}) { id } }`);
    for (const fields of ["id extent frame many", "id @include(if: true) extent frame many"]) {
      const { data } = await ask(`{ getSheets(id: 1) { ${fields} } }`);
      assert.deepEqual(data.getSheets, [{ id: "1", extent: BOX, frame: OTHER, many: [BOX, null, OTHER] }]);
    }
    const ids = async (where: object) => {
      const { data, errors } = await ask(
        `query ($where: JSON) { getSheets(where: $where, orderBy: {id: ASC}) { id } }`,
        { where },
      );
      assert.equal(errors, undefined, JSON.stringify(errors));
      return data.getSheets.map(({ id }: { id: string }) => Number(id));
    };
    assert.deepEqual(await ids({ extent: BOX }), [1]);
    assert.deepEqual(await ids({ extent: { neq: BOX } }), [2]);
    assert.deepEqual(await ids({ extent: { in: [OTHER, BOX] } }), [1, 2]);
    assert.deepEqual(await ids({ frame: { eq: OTHER } }), [1]);
    assert.deepEqual(await ids({ frame: null }), [2]);
  });

  it("and nothing else is taken for one", async () => {
    for (const [extent, expected] of [
      [{ xmin: 1 }, /data\.extent\.ymin: expected a number, got nothing/],
      [{ ...BOX, xmax: "east" }, /data\.extent\.xmax: expected a number, got "east"/],
      [{ ...BOX, zmin: 1 }, /data\.extent: expected a box .*; it has no member "zmin"/],
      [[1, 2, 3, 4], /data\.extent: expected a box \{"xmin", "ymin", "xmax", "ymax"\}, got a list/],
      [7, /data\.extent: expected a box .*, got 7/],
      ["elsewhere", /data\.extent: expected a box .*, got "elsewhere"/],
      ["BOX(1 2)", /data\.extent: expected a box/],
    ] as const) {
      const { errors } = await ask(`mutation ($row: JSON) { insertSheets(data: $row) { id } }`, {
        row: { id: 9, extent },
      });
      assert.match(errors[0].message, expected);
      assert.equal(errors[0].extensions.code, "BAD_USER_INPUT");
    }
    for (const operator of ["gt", "contains", "like"]) {
      const { errors } = await ask(`query ($where: JSON) { getSheets(where: $where) { id } }`, {
        where: { extent: { [operator]: BOX } },
      });
      assert.match(errors[0].message, /box2d takes eq, neq, in, nin, isNull/);
    }
  });

  it("in methods, in and out, as st_extent makes it", async () => {
    const q =
      "select s.extent, s.many, :given::box2d as given, (select st_extent(x.geom) from osm.sheets x) as whole from osm.sheets s where id = 1";
    for (let n = 0; n < 3; n++) {
      const { body, text } = await sql({ q, params: { given: OTHER } });
      const whole = { xmin: 1, ymin: 2, xmax: 1, ymax: 2 };
      assert.deepEqual(body.data, [{ extent: BOX, many: [BOX, null, OTHER], given: OTHER, whole }], text);
      assert.equal(body.schema.whole.type, "box2d");
    }
    const refused = await sql({ q, params: { given: { xmin: 1 } } });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /ymin: expected a number/);
    const far = await sql({ q: "select :b::box2d as b", params: { b: { ...OTHER, xmax: "Infinity" } } });
    assert.deepEqual(far.body.data, [{ b: { ...OTHER, xmax: "Infinity" } }], far.text);
  });

  it("in the OGC API, with a schema that says so", async () => {
    const root = `/api/v4/ogc/database/${gateway.database.name}`;
    const get = async (path: string) =>
      gateway.http.get(root + path).set("Authorization", `Bearer ${await gateway.token("captain")}`);
    const { properties } = JSON.parse((await get("/collections/osm.sheets/items/1")).text);
    assert.deepEqual(properties, { id: 1, extent: BOX, frame: OTHER, many: [BOX, null, OTHER] });
    assert.match((await get("/collections/osm.sheets/items?f=csv")).text, /""xmin"" ?: ?-1.5,/);
    assert.equal((await get("/collections/osm.sheets/items?filter=extent=1")).status, 400);
    assert.match((await get("/collections/osm.sheets/schema")).text, /"extent":\{"title":"extent","type":"object"/);
  });

  it("in change events as PostgreSQL's JSON has it, of GraphQL as GraphQL has it", async () => {
    const socket = await connectAs(gateway, "captain");
    await socket.ask({ type: "subscription", id: "r", schema: "osm", rel: "sheets", columns: "id,extent" });
    const query = "subscription { SheetsMessageAdded { id extent } }";
    await socket.ask({ type: "subscribe", id: "g", schema: "osm", query });
    await gateway.database.client.query(`insert into osm.sheets (id, extent) values (3, 'BOX(0 0,1 1)')`);
    const raw = JSON.stringify(await socket.take({ type: "batch", id: "r" }));
    assert.match(raw, /"full_data":\[\{"id":3,"extent":"BOX\(0 0,1 1\)"\}\]/);
    const added = await socket.take({ type: "subscription", id: "g" });
    assert.deepEqual(added["data"], { SheetsMessageAdded: [{ id: "3", extent: OTHER }] });
    socket.close();
  });
});
