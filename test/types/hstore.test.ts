import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs } from "../support/webSocket.ts";

const TAGS = { name: 'é "x" \\ => ,', "a b": null, "": "NULL", n: "1.50" };

describe("hstore is an object of strings and nulls", () => {
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
create schema tools;
grant usage on schema tools to public;
create extension hstore schema tools;
create schema osm;
create domain osm.labels as tools.hstore;
create table osm.ways (id int primary key, tags tools.hstore, labels osm.labels, many tools.hstore[], geom public.geometry(Point, 4326));
create table osm.loose (tags tools.hstore, geom public.geometry(Point, 4326));
select portolan.enable_events('osm.ways');`),
    });
    const { data, errors } = await ask(`mutation ($row: JSON) { insertWays(data: $row) { id tags labels many } }`, {
      row: { id: 1, tags: TAGS, labels: { a: "b" }, many: [TAGS, null, {}], geom: "POINT(1 2)" },
    });
    assert.deepEqual(errors, undefined);
    assert.deepEqual(data.insertWays, [{ id: "1", tags: TAGS, labels: { a: "b" }, many: [TAGS, null, {}] }]);
  });
  after(() => gateway.close());

  it("in GraphQL, read plainly and planned, and as filters", async () => {
    await ask(`mutation { insertWays(data: {id: 2, tags: "x=>1"}) { id } }`);
    for (const fields of ["id tags labels many", "id @include(if: true) tags labels many"]) {
      const { data } = await ask(`{ getWays(id: 1) { ${fields} } }`);
      assert.deepEqual(data.getWays, [{ id: "1", tags: TAGS, labels: { a: "b" }, many: [TAGS, null, {}] }]);
    }
    const ids = async (where: object) =>
      (
        await ask(`query ($where: JSON) { getWays(where: $where, orderBy: {id: ASC}) { id } }`, { where })
      ).data?.getWays.map(({ id }: { id: string }) => Number(id));
    assert.deepEqual(await ids({ tags: { eq: TAGS } }), [1]);
    assert.deepEqual(await ids({ tags: { neq: TAGS } }), [2]);
    assert.deepEqual(await ids({ tags: { in: [{ x: "1" }, TAGS] } }), [1, 2]);
    assert.deepEqual(await ids({ tags: { contains: { "a b": null } } }), [1]);
    assert.deepEqual(await ids({ labels: { contains: { a: "b" } } }), [1]);
    assert.deepEqual(await ids({ tags: { isNull: false } }), [1, 2]);
  });

  it("and nothing else is taken for one", async () => {
    for (const [tags, expected] of [
      [{ n: 1 }, /data\.tags\.n: expected a string or null, got 1/],
      [{ deep: {} }, /data\.tags\.deep: expected a string or null, got an object/],
      [["a"], /data\.tags: expected an object of strings and nulls, got a list/],
      [{ x: "\0" }, /data\.tags\.x: the character U\+0000/],
    ] as const) {
      const { errors } = await ask(`mutation ($row: JSON) { insertWays(data: $row) { id } }`, { row: { id: 9, tags } });
      assert.match(errors[0].message, expected);
      assert.equal(errors[0].extensions.code, "BAD_USER_INPUT");
    }
    const { errors } = await ask(`{ getWays(where: {tags: {gt: {a: "b"}}}) { id } }`);
    assert.equal(errors[0].extensions.code, "BAD_USER_INPUT");
  });

  it("in methods, in and out, whichever row it is", async () => {
    const body = {
      q: "select w.tags, w.many, :given::tools.hstore as given from osm.ways w where id = 1",
      params: { given: TAGS },
    };
    for (let n = 0; n < 3; n++) {
      const { body: answer, text } = await sql(body);
      assert.deepEqual(answer.data, [{ tags: TAGS, many: [TAGS, null, {}], given: TAGS }], text);
      assert.equal(answer.schema.tags.type, "hstore");
    }
    const refused = await sql({ ...body, params: { given: { a: 1 } } });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /expected a string or null/);
  });

  it("in the OGC API, with a schema that says so", async () => {
    const root = `/api/v4/ogc/database/${gateway.database.name}`;
    const get = async (path: string) =>
      gateway.http.get(root + path).set("Authorization", `Bearer ${await gateway.token("captain")}`);
    const { properties } = JSON.parse((await get("/collections/osm.ways/items/1")).text);
    assert.deepEqual(properties, { id: 1, tags: TAGS, labels: { a: "b" }, many: [TAGS, null, {}] });
    assert.match((await get("/api?f=json")).text, /"tags":\{"type":"object","additionalProperties":\{"type":"string"/);
    assert.equal((await get("/collections/osm.loose/items")).status, 200); // no key, and no order to take instead
  });

  it("in change events, with and without GraphQL", async () => {
    const socket = await connectAs(gateway, "captain");
    await socket.ask({ type: "subscription", id: "r", schema: "osm", rel: "ways", columns: "id,tags,labels" });
    const query = "subscription { WaysMessageAdded { id tags } }";
    await socket.ask({ type: "subscribe", id: "g", schema: "osm", query });
    await gateway.database.client.query(`insert into osm.ways (id, tags) values (3, '"a b"=>NULL, x=>1')`);
    const raw = JSON.stringify(await socket.take({ type: "batch", id: "r" }));
    assert.match(raw, /"full_data":\[\{"id":3,"tags":\{"x":"1","a b":null\},"labels":null\}\]/);
    const added = await socket.take({ type: "subscription", id: "g" });
    assert.deepEqual(added["data"], { WaysMessageAdded: [{ id: "3", tags: { x: "1", "a b": null } }] });
    socket.close();
  });
});
