import assert from "node:assert/strict";
import { pictureAt, ask, queryOf } from "../ows/support.ts";
import type { Picture } from "../maps/pixels.ts";
import { until } from "../support/until.ts";
import { hrefOf, idsOf, ogcGateway, type Answer, type OgcGateway } from "./support.ts";

const FUNCTIONS = `
create function geo.sized(low int, most int default 95, kinds text[] default null) returns setof geo.places
  language sql stable as $$
    select * from geo.places where size between low and most and (kinds is null or kind = any (kinds)) order by size $$;
comment on function geo.sized is E'@ogc\\n@title Sized places\\n@primaryKey id\\nPlaces by their size.';
create function geo.ring(x float8, y float8, metres float8 default 1000)
  returns table (name text, geom geometry) language sql immutable
  as $$ select 'ring', st_buffer(st_setsrid(st_makepoint(x, y), 4326)::geography, metres)::geometry $$;
comment on function geo.ring is '@ogc';
create function geo.grown(factor int default 2) returns table (id int, label text) language sql stable
  as $$ select i, 'n' || i * factor from generate_series(1, 3) i $$;
comment on function geo.grown is E'@ogc\\n@primaryKey id';
create function geo.closed() returns setof geo.places language sql stable as 'select * from geo.places';
comment on function geo.closed is '@ogc';
create function geo.through(low int) returns setof geo.secret language sql stable as 'select * from geo.secret where id >= low';
comment on function geo.through is E'@ogc\\n@primaryKey id';
create function geo.unmarked() returns setof geo.places language sql stable as 'select * from geo.places';
-- what cannot be a collection
create function geo.twice(a int) returns setof geo.places language sql stable as 'select * from geo.places';
create function geo.twice(a text) returns setof geo.places language sql stable as 'select * from geo.places';
comment on function geo.twice(int) is '@ogc';
create function geo.standard("limit" int) returns setof geo.places language sql stable as 'select * from geo.places';
comment on function geo.standard is '@ogc';
create function geo.lonlat(a int) returns setof geo.places language sql stable as 'select * from geo.places';
comment on function geo.lonlat is '@ogc';
create function geo.changing(a int) returns setof geo.places language sql volatile as 'select * from geo.places';
comment on function geo.changing is '@ogc';
create function geo.nameless(int) returns setof geo.places language sql stable as 'select * from geo.places';
comment on function geo.nameless is '@ogc';
create function geo.single(a int) returns int language sql stable as 'select 1';
comment on function geo.single is '@ogc';
create function geo.many(variadic a int[]) returns setof geo.places language sql stable as 'select * from geo.places';
comment on function geo.many is '@ogc';
grant execute on all functions in schema geo to anonymous;
revoke execute on function geo.closed from public, anonymous;`;

const sizeOf = ({ properties }: { properties: Record<string, unknown> }): unknown => properties["size"];

/** Whether nothing is drawn. */
const isBlank = ({ width, height, count }: Picture): boolean => count("#00000000") === width * height;

describe("functions as collections", () => {
  let gateway: OgcGateway;
  const collection = (id: string): string => `/collections/geo.${id}`;
  const wordsOf = ({ json }: Answer): string => JSON.stringify(json);

  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client, name }) => client.query(FUNCTIONS.replaceAll("anonymous", `"anonymous@${name}"`)),
    });
  });
  after(() => gateway.close());

  it("are listed with their parameters, without those that cannot be called", async () => {
    const { json } = await gateway.get("/collections?limit=1000");
    const found = new Map<string, Record<string, unknown>>(
      json.collections.map((each: { id: string }) => [each.id, each]),
    );
    assert.deepEqual(
      [...found.keys()]
        .filter((id) =>
          /sized|ring|grown|closed|through|unmarked|twice|standard|changing|nameless|single|many/.test(id),
        )
        .sort(),
      ["geo.grown", "geo.ring", "geo.sized", "geo.through"],
    );
    const sized = found.get("geo.sized")!;
    assert.equal(sized["title"], "Sized places");
    assert.deepEqual(sized["parameters"], [
      { name: "low", required: true, schema: { type: "integer", format: "int32" } },
      { name: "most", required: false, schema: { type: "integer", format: "int32" } },
      { name: "kinds", required: false, schema: { type: "array", items: { type: "string" } } },
    ]);
    assert.equal((await gateway.get(collection("lonlat"))).json.parameters, undefined, "the table keeps its name");
  });

  it("give the rows of a call", async () => {
    const items = `${collection("sized")}/items`;
    const all = await gateway.get(`${items}?low=10&most=12`);
    assert.deepEqual([all.json.numberMatched, all.json.features.map(sizeOf)], [3, [10, 11, 12]]);
    assert.equal(all.json.features[0].geometry.type, "Point");
    const inns = await gateway.get(`${items}?low=1&most=9&kinds=inn`);
    assert.equal(inns.json.numberMatched, 3);
    const both = await gateway.get(`${items}?low=1&most=9&kinds=${encodeURIComponent('["inn","mill"]')}`);
    assert.equal(both.json.numberMatched, 9);
    const filtered = await gateway.get(`${items}?low=1&filter=size%3C4&sortby=-size`);
    assert.deepEqual(filtered.json.features.map(sizeOf), [3, 2, 1]);
    const boxed = await gateway.get(`${items}?low=1&bbox=0.5,-1,2.5,0.5`);
    assert.deepEqual(boxed.json.features.map(sizeOf), [1, 2]);
    for (const f of ["csv", "fgb", "html", "ndjson"])
      assert.equal((await gateway.get(`${items}?low=90&f=${f}`)).status, 200, f);
    assert.equal((await gateway.get(`${collection("grown")}/items`)).json.features[2].properties.label, "n6");
    assert.equal((await gateway.get(`${collection("grown")}/items?factor=5`)).json.features[2].properties.label, "n15");
  });

  it("keep the values of the call in links and addresses of features", async () => {
    const first = await gateway.get(`${collection("sized")}/items?low=90&limit=2`);
    const second = await gateway.get(hrefOf(first.json.links, "next"));
    assert.deepEqual(second.json.features.map(sizeOf), [92, 93]);
    const [id] = idsOf(second);
    const one = await gateway.get(`${collection("sized")}/items/${id}?low=90`);
    assert.equal(one.json.properties.size, 92);
    assert.match(hrefOf(one.json.links, "self"), /low=90/);
    assert.equal((await gateway.get(`${collection("sized")}/items/${id}?low=94`)).status, 404);
    const page = await gateway.get(`${collection("sized")}/items?low=90&f=html`);
    assert.match(page.text, /items\/90\?low=90/);
  });

  it("have features without id and address where no key is named", async () => {
    const { json } = await gateway.get(`${collection("ring")}/items?x=8&y=50`);
    assert.equal(json.features[0].id, undefined);
    assert.equal(json.features[0].geometry.type, "Polygon");
    assert.equal((await gateway.get(`${collection("ring")}/items/1?x=8&y=50`)).status, 404);
  });

  it("are there at once when they are made", async () => {
    const { client, name } = gateway.database;
    const statuses: number[] = [];
    for (let number = 0; number < 5; number++) {
      await client.query(`
create function geo.made${number}() returns setof geo.places language sql stable as 'select * from geo.places';
comment on function geo.made${number} is '@ogc';
grant execute on function geo.made${number} to "anonymous@${name}"`);
      statuses.push((await gateway.get(`${collection(`made${number}`)}/items?limit=1`)).status);
      await client.query(`drop function geo.made${number}`);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
  });

  it("refuse values that are missing, given twice, unknown or none of their type", async () => {
    for (const [query, code, words] of [
      ["", "INVALID_PARAMETER", /low: is needed/],
      ["?low=x", "INVALID_PARAMETER", /low/],
      ["?low=1&low=2", "INVALID_PARAMETER", /twice/],
      ["?low=99999999999", "INVALID_PARAMETER", /low/],
      ["?low=", "INVALID_PARAMETER", /low/],
      ["?low=1&Most=2", "UNKNOWN_PARAMETER", /Most/],
      ["?low=1&size=2;drop", "INVALID_PARAMETER", /size/],
      ["?low=1&kinds=%00", "INVALID_PARAMETER", /kinds/],
    ] as const)
      for (const path of ["items", "map", "tiles/WebMercatorQuad/0/0/0"]) {
        if (path !== "items" && query.includes("size")) continue;
        const answer = await gateway.get(`${collection("sized")}/${path}${query}`);
        assert.equal(answer.status, 400, `${path}${query}: ${answer.text}`);
        assert.equal(answer.json.code, code, `${path}${query}`);
        assert.match(wordsOf(answer), words);
        assert.doesNotMatch(wordsOf(answer), /input syntax|22P02/);
      }
  });

  it("are drawn and cut into tiles", async () => {
    const query = { x: 8, y: 50, metres: 100_000, bbox: "4,46,12,54", width: 64, height: 64, f: "png" };
    const map = await pictureAt(`${gateway.root}${collection("ring")}/map?${queryOf(query)}`);
    assert.ok(!isBlank(map.picture));
    const far = await pictureAt(`${gateway.root}${collection("ring")}/map?${queryOf({ ...query, x: 100 })}`);
    assert.ok(isBlank(far.picture));
    const tile = `${gateway.root}${collection("ring")}/tiles/WebMercatorQuad/4/5/8`;
    const drawn = await fetch(`${tile}?x=8&y=50&metres=100000`);
    assert.equal(drawn.status, 200);
    assert.equal((await fetch(`${tile}?x=100&y=50&metres=1000`)).status, 204);
    const picture = await fetch(
      `${gateway.root}${collection("ring")}/map/tiles/WebMercatorQuad/4/5/8?x=8&y=50&metres=100000&f=png`,
    );
    assert.equal(picture.status, 200);
    const tileset = await gateway.get(`${collection("ring")}/tiles/WebMercatorQuad?x=8&y=50`);
    assert.match(JSON.stringify(tileset.json.links), /x=8&y=50/);
  });

  it("are under the rights to call them, and under those of what they read", async () => {
    assert.equal((await gateway.get(`${collection("closed")}/items`)).status, 401);
    const through = await gateway.get(`${collection("through")}/items?low=0`);
    assert.equal(through.status, 401);
    assert.equal((await gateway.get(`${collection("through")}/tiles/WebMercatorQuad/0/0/0?low=0`)).status, 401);
    assert.equal((await gateway.get(`${collection("sized")}/items?low=1`)).status, 200);
    const { client, name } = gateway.database;
    await client.query(`revoke execute on function geo.sized from public, "anonymous@${name}"`);
    assert.equal((await gateway.get(`${collection("sized")}/items?low=1`)).status, 401);
    assert.equal((await gateway.get(`${collection("sized")}/tiles/WebMercatorQuad/0/0/0?low=1`)).status, 401);
    await client.query(`grant execute on function geo.sized to "anonymous@${name}"`);
    assert.equal((await gateway.get(`${collection("sized")}/items?low=1`)).status, 200);
  });

  it("are in no map, tile or classic service of several collections, and are never written", async () => {
    assert.match((await gateway.get("/map?collections=geo.ring")).text, /is a function/);
    assert.match((await gateway.get("/tiles?collections=geo.ring")).text, /is a function/);
    const address = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    for (const service of ["WMS", "WFS", "WMTS"])
      assert.doesNotMatch((await ask(`${address}?service=${service}&request=GetCapabilities`)).text, /geo\.ring/);
    const { status } = await fetch(`${gateway.root}${collection("sized")}/items?low=1`, {
      method: "POST",
      body: "{}",
    });
    assert.equal(status, 405);
  });

  it("stand in the OpenAPI document, with what a call needs", async () => {
    const { json } = await gateway.get("/api?f=json");
    const { parameters } = json.paths["/collections/geo.sized/items"].get;
    const low = parameters.find(({ name }: { name: string }) => name === "low");
    assert.deepEqual([low.in, low.required], ["query", true]);
  });

  it("are named by doctor where they cannot be collections", async () => {
    await gateway.database.client.query("select portolan.create_user('chief', null, superuser => true)");
    const response = await fetch(`${gateway.baseUrl}/api/v4/doctor`, {
      headers: { authorization: `Bearer ${await gateway.token("chief")}` },
    });
    const findings = (await response.json()) as { finding: string; ok: boolean }[];
    const about = findings.filter(({ finding, ok }) => !ok && /cannot be a collection/.test(finding));
    assert.deepEqual(
      about.map(({ finding }) => /function geo\.(\w+) cannot be a collection: (.*)/.exec(finding)?.slice(1)),
      [
        ["changing", "it is volatile: only a stable or immutable function can be read"],
        ["lonlat", "a table has its name"],
        ["many", "it has a parameter that takes any number of values, or any type"],
        ["nameless", "it has a parameter without a name"],
        ["single", "it returns no set of rows"],
        ["standard", 'its parameter "limit" has the name of one of the standards'],
        ["twice", "there are several functions of its name"],
      ],
    );
  });

  it("follow a function that is replaced, and one that is dropped", async () => {
    const { client } = gateway.database;
    await client.query(
      "create function geo.late(a int default 1) returns table (id int, n int) language sql stable as 'select 1, a'",
    );
    await client.query(
      `comment on function geo.late is '@ogc'; grant execute on function geo.late to "anonymous@${gateway.database.name}"`,
    );
    const items = `${collection("late")}/items`;
    await until(async () => (await gateway.get(`${items}?a=7`)).status === 200);
    assert.equal((await gateway.get(`${items}?a=7`)).json.features[0].properties.n, 7);
    await client.query("drop function geo.late");
    assert.equal((await gateway.get(items)).status, 404);
  });
});
