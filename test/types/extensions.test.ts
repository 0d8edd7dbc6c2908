import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs } from "../support/webSocket.ts";

const TAGS = { name: 'é "x" \\ => ,', "a b": null, "": "NULL", n: "1.50" };

describe("types of extensions", () => {
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
create extension ltree schema tools;
create domain osm.trail as tools.ltree;
create table osm.trees (id int primary key, name text, path tools.ltree, trail osm.trail, many tools.ltree[], geom public.geometry(Point, 4326));
insert into osm.trees select id, path, path::tools.ltree, path::tools.ltree, array[path::tools.ltree, 'Other']
  from (values (1, 'Top'), (2, 'Top.Science'), (3, 'Top.Science.Astronomy'), (4, 'Top.Hobbies'), (5, null)) v (id, path);
create table osm.loose (tags tools.hstore, geom public.geometry(Point, 4326));
select portolan.enable_events('osm.ways');
select portolan.enable_events('osm.trees');`),
    });
    const { data, errors } = await ask(`mutation ($row: JSON) { insertWays(data: $row) { id tags labels many } }`, {
      row: { id: 1, tags: TAGS, labels: { a: "b" }, many: [TAGS, null, {}], geom: "POINT(1 2)" },
    });
    assert.deepEqual(errors, undefined);
    assert.deepEqual(data.insertWays, [{ id: "1", tags: TAGS, labels: { a: "b" }, many: [TAGS, null, {}] }]);
  });
  after(() => gateway.close());

  it("hstore is an object of strings and nulls in GraphQL, read plainly and planned, and as filters", async () => {
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
    assert.deepEqual(await ids({ tags: { hasKey: "a b" } }), [1]);
    assert.deepEqual(await ids({ labels: { contains: { a: "b" } } }), [1]);
    assert.deepEqual(await ids({ tags: { isNull: false } }), [1, 2]);
  });

  it("and nothing else is taken for an hstore", async () => {
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

  it("hstore in methods, in and out, whichever row it is", async () => {
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

  it("hstore in the OGC API, with a schema that says so", async () => {
    const root = `/api/v4/ogc/database/${gateway.database.name}`;
    const get = async (path: string) =>
      gateway.http.get(root + path).set("Authorization", `Bearer ${await gateway.token("captain")}`);
    const { properties } = JSON.parse((await get("/collections/osm.ways/items/1")).text);
    assert.deepEqual(properties, { id: 1, tags: TAGS, labels: { a: "b" }, many: [TAGS, null, {}] });
    assert.match((await get("/api?f=json")).text, /"tags":\{"type":"object","additionalProperties":\{"type":"string"/);
    const found = await get(`/collections/osm.ways/items?f=json&filter=${encodeURIComponent("hasKey(tags, 'a b')")}`);
    assert.deepEqual(found.body.features.map(({ id }: { id: number }) => id), [1]); // oxfmt-ignore
    assert.equal((await get("/collections/osm.loose/items")).status, 200); // no key, and no order to take instead
  });

  it("hstore in change events, with and without GraphQL", async () => {
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

  const UP_AND_DOWN: readonly (readonly [where: Readonly<Record<string, string>>, ids: readonly number[]])[] = [
    [{ containedBy: "Top.Science" }, [2, 3]],
    [{ contains: "Top.Science" }, [1, 2]],
    [{ contains: "Top.Science.Chemistry" }, [1, 2]],
    [{ containedBy: "Sciences" }, []],
    [{ contains: "" }, []],
    [{ containedBy: "" }, [1, 2, 3, 4]],
  ];

  it("ltree is filtered up and down the tree by contains and containedBy, in GraphQL and in files of rows", async () => {
    for (const [given, ids] of UP_AND_DOWN)
      for (const column of ["path", "trail"]) {
        const where = { [column]: given };
        for (const fields of ["id", "id @include(if: true)"]) {
          const query = `query ($where: JSON) { getTrees(where: $where, orderBy: {id: ASC}) { ${fields} } }`;
          const { data, errors } = await ask(query, { where });
          assert.deepEqual(errors, undefined);
          assert.deepEqual(data.getTrees.map(({ id }: { id: string }) => Number(id)), ids, JSON.stringify(where)); // oxfmt-ignore
        }
        const rows = await gateway.http
          .get(
            `/api/v4/schemas/osm/tables/trees/rows?columns=["id"]&where=${encodeURIComponent(JSON.stringify(where))}`,
          )
          .set("Authorization", `Bearer ${await gateway.token("captain")}`);
        assert.deepEqual(JSON.parse(rows.text).map(({ id }: { id: number }) => id), ids, rows.text); // oxfmt-ignore
      }
    const { data } = await ask(`{ getTrees(where: {many: {contains: ["Top.Hobbies"]}}) { id path } }`);
    assert.deepEqual(data.getTrees, [{ id: "4", path: "Top.Hobbies" }]); // a list contains its elements
  });

  it("ltree that is no path, and contains for a text, are bad input; a subscription refuses both operators", async () => {
    for (const [where, expected] of [
      [`{path: {containedBy: "Top..Science"}}`, /syntax|label/],
      [`{path: {contains: null}}`, /where\.path\.contains: expected a value, got null/],
      [`{path: {contains: ["Top"]}}`, /where\.path\.contains: expected a string \(ltree\), got a list/],
      [`{name: {contains: "Top"}}`, /where\.name\.contains: the column does not take this operator; text takes eq/],
      [`{path: {overlaps: "Top"}}`, /ltree takes eq.* contains, containedBy$/],
    ] as const) {
      const { errors } = await ask(`{ getTrees(where: ${where}) { id } }`);
      assert.equal(errors?.[0].extensions.code, "BAD_USER_INPUT", `${where}: ${JSON.stringify(errors)}`);
      assert.match(errors[0].message, expected);
    }
    const socket = await connectAs(gateway, "captain");
    const refused = await socket.ask({ type: "subscription", id: "t", schema: "osm", rel: "trees", where: { path: { containedBy: "Top" } } }); // oxfmt-ignore
    assert.match(JSON.stringify(refused), /where\.path.*subscription/i);
    socket.close();
  });

  it("ltree in CQL2, and in the schema of the OGC API a string", async () => {
    const root = `/api/v4/ogc/database/${gateway.database.name}/collections/osm.trees`;
    const get = async (path: string) =>
      gateway.http.get(root + path).set("Authorization", `Bearer ${await gateway.token("captain")}`);
    for (const [given, ids] of UP_AND_DOWN) {
      const [[operator, path]] = Object.entries(given) as [[string, string]];
      const { body, text } = await get(`/items?f=json&filter=${encodeURIComponent(`${operator}(path, '${path}')`)}`);
      assert.deepEqual(body.features?.map(({ id }: { id: number }) => id), ids, text); // oxfmt-ignore
    }
    const bad = await get(`/items?f=json&filter=${encodeURIComponent("contains(name, 'Top')")}`);
    assert.equal(bad.status, 400);
    assert.match(bad.text, /does not take this operator/);
    const { properties } = (await get("/queryables?f=json")).body;
    assert.equal(properties.path.type, "string");
  });
});
