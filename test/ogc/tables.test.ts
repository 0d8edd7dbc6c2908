import assert from "node:assert/strict";
import { until } from "../support/until.ts";
import { ask, queryOf } from "../ows/support.ts";
import { hrefOf, idsOf, ogcGateway, type OgcGateway } from "./support.ts";

const TABLES = `
create table geo.codes (code text primary key, name text not null, since date);
comment on table geo.codes is E'@ogc write\\n@title Kinds\\n@license CC0 1.0';
insert into geo.codes values ('inn', 'Inn', '1800-01-02'), ('mill', 'Mill', '1900-03-04'), ('fort', 'Fort', null);
create table geo.plain (id int primary key, name text);
create table geo.hidden (id int primary key);
comment on table geo.hidden is '@ogc off';
create view geo.listed as select code, name from geo.codes;
comment on view geo.listed is E'@ogc\\n@primaryKey code';
alter table geo.places add constraint of_kind foreign key (kind) references geo.codes (code) not valid;
create table geo.log (id int primary key, at timestamptz, made timestamp, geom geometry(Point, 4326));
comment on column geo.log.at is '@instant';
insert into geo.log values
  (1, '2024-01-01T10:00:00+02', '2020-01-01', 'srid=4326;point(1 1)'), (2, 'infinity', null, null);
create table geo.empty (id int primary key, day date);
comment on table geo.empty is '@ogc';
select portolan.set_authentication(r::regclass, 'None')
from unnest(array['geo.codes', 'geo.plain', 'geo.listed', 'geo.log', 'geo.empty']) r;`;

describe("tables without geometry as collections", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client, name }) =>
        client.query(`${TABLES}
select portolan.create_user('editor', null);
grant usage on schema geo to "editor@${name}";
grant select, insert, update, delete on geo.codes to "editor@${name}";`),
    });
  });
  after(() => gateway.close());

  it("are there where their comment says @ogc", async () => {
    const { json } = await gateway.get("/collections?limit=1000");
    const ids = json.collections.map(({ id }: { id: string }) => id);
    for (const id of ["geo.codes", "geo.listed", "geo.empty"]) assert.ok(ids.includes(id), id);
    for (const id of ["geo.plain", "geo.hidden"]) {
      assert.ok(!ids.includes(id), id);
      assert.equal((await gateway.get(`/collections/${id}`)).status, 404);
    }
  });

  it("are of features without an extent on the earth, and without maps, tiles and styles", async () => {
    const { json } = await gateway.get("/collections/geo.codes");
    assert.equal(json.title, "Kinds");
    assert.equal(json.itemType, "feature");
    assert.equal(json.extent.spatial, undefined);
    assert.equal(json.storageCrs, undefined);
    assert.deepEqual(
      [...new Set(json.links.map(({ rel }: { rel: string }) => rel))].filter((rel) =>
        /ogc\/1.0\/(map|tile|styles)/.test(String(rel)),
      ),
      [],
    );
    for (const path of [
      "map",
      "tiles",
      "styles",
      "map/tiles",
      "legend",
      "styles/default",
      "tiles/WebMercatorQuad/0/0/0",
    ]) {
      const { status, json: problem } = await gateway.get(`/collections/geo.codes/${path}`);
      assert.equal(status, 400, path);
      assert.match(problem.detail ?? problem.message ?? problem.description, /has no geometry/, path);
    }
    assert.match((await gateway.get("/tiles?collections=geo.codes")).text, /has no geometry/);
    assert.match((await gateway.get("/map?collections=geo.places,geo.codes")).text, /has no geometry/);
  });

  it("give features with the geometry null in every format", async () => {
    const { json } = await gateway.get("/collections/geo.codes/items?sortby=code");
    assert.deepEqual(idsOf({ json } as never), ["fort", "inn", "mill"]);
    assert.equal(json.numberMatched, 3);
    assert.deepEqual(json.features[1], {
      type: "Feature",
      id: "inn",
      geometry: null,
      properties: { code: "inn", name: "Inn", since: "1800-01-02" },
    });
    const one = await gateway.get("/collections/geo.codes/items/mill");
    assert.equal(one.json.geometry, null);
    const csv = await gateway.get("/collections/geo.codes/items?f=csv&sortby=code");
    assert.equal(csv.text, "code,name,since\r\nfort,Fort,\r\ninn,Inn,1800-01-02\r\nmill,Mill,1900-03-04\r\n");
    for (const f of ["ndjson", "geojsonseq", "fgb", "html"])
      assert.equal((await gateway.get(`/collections/geo.codes/items?f=${f}`)).status, 200, f);
    const next = await gateway.get("/collections/geo.codes/items?limit=2");
    assert.deepEqual(idsOf(await gateway.get(hrefOf(next.json.links, "next"))), ["mill"]);
  });

  it("have no feature in a rectangle, and take filters by their columns", async () => {
    assert.equal((await gateway.get("/collections/geo.codes/items?bbox=-180,-90,180,90")).json.numberMatched, 0);
    const filter = encodeURIComponent("since < DATE('1850-01-01')");
    assert.deepEqual(idsOf(await gateway.get(`/collections/geo.codes/items?filter=${filter}`)), ["inn"]);
    const spatial = await gateway.get(
      `/collections/geo.codes/items?filter=${encodeURIComponent("S_INTERSECTS(geom,POINT(1 1))")}`,
    );
    assert.equal(spatial.status, 400);
  });

  it("have schemas, and are what others refer to", async () => {
    const { json } = await gateway.get("/collections/geo.codes/schema");
    assert.deepEqual(Object.keys(json.properties), ["code", "name", "since"]);
    const body = await gateway.get("/collections/geo.codes/schema?type=create");
    assert.deepEqual(body.json.properties.geometry, { enum: [null] });
    const places = await gateway.get("/collections/geo.places/schema");
    assert.equal(places.json.properties.kind["x-ogc-collectionId"], "geo.codes");
  });

  it("are types of WFS, and no layers of WMS and WMTS", async () => {
    const address = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    const wfs = (kvp: object): Promise<{ text: string; status: number }> =>
      ask(`${address}?${queryOf({ service: "WFS", version: "2.0.0", ...kvp })}`);
    assert.match((await wfs({ request: "GetCapabilities" })).text, />[^<]*geo\.codes</);
    const schema = await wfs({ request: "DescribeFeatureType", typenames: "geo.codes" });
    assert.doesNotMatch(schema.text, /gml:\w+PropertyType/);
    const { text } = await wfs({ request: "GetFeature", typenames: "geo.codes", sortby: "code" });
    assert.match(text, /numberMatched="3"/);
    assert.match(text, /gml:id="geo\.codes\.fort"/);
    const boxed = await wfs({ request: "GetFeature", typenames: "geo.codes", bbox: "0,0,1,1" });
    assert.match(boxed.text, /numberMatched="0"/);
    for (const service of ["WMS", "WMTS"])
      assert.doesNotMatch((await ask(`${address}?service=${service}&request=GetCapabilities`)).text, /geo\.codes/);
    const map = { service: "WMS", version: "1.3.0", request: "GetMap", layers: "geo.codes", styles: "", crs: "CRS:84" };
    const drawn = await ask(
      `${address}?${queryOf({ ...map, bbox: "0,0,1,1", width: 9, height: 9, format: "image/png" })}`,
    );
    assert.match(drawn.text, /LayerNotDefined/);
  });

  it("are left out of maps and tiles of all collections", async () => {
    const config = await gateway.get("/tiles?collections=geo.places");
    assert.equal(config.status, 200);
    const tiles = await gateway.get("/tiles");
    assert.doesNotMatch(tiles.text, /geo\.codes/);
  });

  it("are written with the geometry null", async () => {
    const feature = { type: "Feature", geometry: null, properties: { code: "gate", name: "Gate" } };
    const send = async (path: string, method: string, body: unknown): Promise<{ status: number; text: string }> => {
      const response = await fetch(`${gateway.root}/collections/geo.codes/items${path}`, {
        method,
        headers: {
          "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/geo+json",
          authorization: `Bearer ${await gateway.token("editor")}`,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
    assert.equal((await send("", "POST", feature)).status, 201);
    const placed = await send("", "POST", { ...feature, geometry: { type: "Point", coordinates: [1, 1] } });
    assert.equal(placed.status, 400);
    assert.match(placed.text, /geometry: geo\.codes has no geometry, so it must be null/);
    assert.equal((await send("/gate", "PATCH", { properties: { name: "Town gate" } })).status, 204);
    assert.equal((await send("/gate", "PATCH", { name: "Gate of the town" })).status, 204);
    assert.equal((await gateway.get("/collections/geo.codes/items/gate")).json.properties.name, "Gate of the town");
    const page = await gateway.get("/collections/geo.codes/items/gate?f=html", { as: "editor" });
    assert.match(page.text, /id="edit"/);
    assert.doesNotMatch(page.text, /data-kind="geometry"/);
    assert.equal((await send("/gate", "DELETE", undefined)).status, 204);
  });

  it("have a page", async () => {
    const { text } = await gateway.get("/collections/geo.codes?f=html");
    assert.match(text, /Features/);
    assert.doesNotMatch(text, /There are no features|Map tiles/);
    assert.match(text, /1800-01-02T00:00:00Z to 1900-03-04T23:59:59Z/);
  });

  it("tell the time that their column has", async () => {
    assert.deepEqual((await gateway.get("/collections/geo.codes")).json.extent.temporal.interval, [
      ["1800-01-02T00:00:00Z", "1900-03-04T23:59:59Z"],
    ]);
    const log = await gateway.get("/collections/geo.log");
    assert.deepEqual(log.json.extent.temporal.interval, [["2024-01-01T08:00:00.000Z", null]]);
    assert.deepEqual(log.json.extent.spatial.bbox, [[1, 1, 1, 1]]);
    const places = await gateway.get("/collections/geo.places");
    assert.deepEqual(places.json.extent.temporal.interval, [["2020-01-02T00:00:00Z", "2020-04-05T23:59:59Z"]]);
    assert.equal((await gateway.get("/collections/geo.empty")).json.extent, undefined);
    await gateway.database.client.query("insert into geo.codes values ('new', 'New', '2025-05-05')");
    // while others write, an extent is kept for some time
    await until(async () => {
      const { json } = await gateway.get("/collections?limit=1000");
      const codes = json.collections.find(({ id }: { id: string }) => id === "geo.codes");
      return codes.extent.temporal.interval[0][1] === "2025-05-05T23:59:59Z";
    });
    await gateway.database.client.query("delete from geo.codes where code = 'new'");
  });
});
