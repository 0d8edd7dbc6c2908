import assert from "node:assert/strict";
import { CRS84, EPSG, mapGateway, type MapGateway } from "./fixture.ts";

const RED = "#ff0000ff";
const NOTHING = "#00000000";
const STYLE = [{ name: "All", styles: [{ color: "#ff0000" }] }];

/** The square below in a custom system: UTM zone 32 with another origin. */
const LOCAL = `
insert into public.spatial_ref_sys (srid, auth_name, auth_srid, proj4text) values (990001, 'town', 1,
  '+proj=tmerc +lat_0=0 +lon_0=9 +k=0.9996 +x_0=0 +y_0=-5000000 +ellps=GRS80 +units=m +no_defs');
create table gis.local (id integer primary key, geom geometry(Polygon, 990001));
insert into gis.local values (1, st_makeenvelope(0, 500000, 100000, 600000, 990001))`;

/** One square of 100 km in UTM zone 32, whose sides are straight there and nowhere else. */
describe('ogc.mapCrs: "storage"', () => {
  let gateway: MapGateway;
  const answer = async (path: string) => {
    const response = await gateway.ask(path, "captain");
    assert.equal(response.status, 200, path);
    await response.arrayBuffer();
    return {
      crs: response.headers.get("content-crs"),
      bbox: (response.headers.get("content-bbox") ?? "").split(",").map(Number),
    };
  };

  before(async () => {
    gateway = await mapGateway({
      config: { ogc: { mapCrs: "storage" } },
      prepare: async ({ client }) => {
        await client.query(LOCAL);
        await client.query("select portolan.set_style('gis.local', $1::jsonb)", [JSON.stringify(STYLE)]);
      },
      styled: { utm_red: { of: "utm", style: STYLE }, red: { of: "squares", style: STYLE } },
    });
  });
  after(() => gateway.close());

  it("maps are in the system of the collection, around its extent there", async () => {
    const { crs, bbox } = await answer("/collections/gis.utm_red/map");
    assert.equal(crs, `${EPSG}/25832`);
    const [minx = 0, miny = 0, maxx = 0, maxy = 0] = bbox;
    // around the extent in longitude and latitude, so that it is a little larger
    assert.ok(minx <= 500_000 && minx > 490_000 && miny <= 5_500_000 && miny > 5_490_000, String(bbox));
    assert.ok(maxx >= 600_000 && maxx < 610_000 && maxy >= 5_600_000 && maxy < 5_610_000, String(bbox));
    const map = await gateway.map("/collections/gis.utm_red/map?width=200");
    assert.equal(map.at(100, Math.round(map.height / 2)), RED);
    assert.ok(Math.abs(map.height - (200 * (maxy - miny)) / (maxx - minx)) <= 1, String(map.height));
  });

  it("a box is still in CRS84, and may be in the storage's", async () => {
    const box = "bbox=400000,5400000,600000,5600000";
    const map = await gateway.map(`/collections/gis.utm_red/map?${box}&bbox-crs=${EPSG}/25832&width=200`);
    assert.deepEqual([map.width, map.height], [200, 200]);
    assert.deepEqual([map.at(150, 50), map.at(104, 96), map.at(195, 4)], [RED, RED, RED]);
    assert.deepEqual([map.at(96, 50), map.at(150, 104), map.at(50, 150)], [NOTHING, NOTHING, NOTHING]);
    const { crs, bbox } = await answer("/collections/gis.utm_red/map?bbox=9,49,10,50");
    assert.equal(crs, `${EPSG}/25832`);
    assert.ok(Math.abs(bbox[0]! - 500_000) < 1000, String(bbox));
  });

  it("geographic storage is latitude before longitude", async () => {
    const { crs, bbox } = await answer("/collections/gis.red/map");
    assert.equal(crs, `${EPSG}/4326`);
    assert.deepEqual(bbox, [50, 10, 52, 12]);
  });

  it("a map of several is in their common system, or else in CRS84; crs counts more", async () => {
    assert.equal((await answer("/map?collections=gis.utm_red,gis.utm")).crs, `${EPSG}/25832`);
    assert.equal((await answer("/map?collections=gis.utm_red,gis.red")).crs, CRS84);
    assert.equal((await answer("/map?collections=gis.red,gis.utm_red")).crs, CRS84);
    assert.equal((await answer("/map")).crs, CRS84);
    assert.equal((await answer(`/collections/gis.utm_red/map?crs=${CRS84}`)).crs, CRS84);
  });

  it("a table in a system without an EPSG code is drawn in systems of EPSG", async () => {
    const path = "/collections/gis.local/map";
    assert.equal((await answer(path)).crs, CRS84);
    const map = await gateway.map(`${path}?bbox=9,49.7,10,50.2&width=200`);
    // its corner is at 9 E, 49.65 N; the north side at 50.55 N
    assert.equal(map.at(100, 50), RED);
    const west = await gateway.map(`${path}?bbox=8,49,10,51&width=200`);
    assert.deepEqual([west.at(104, 100), west.at(96, 100)], [RED, NOTHING]);
    const refused = await gateway.ask(`${path}?crs=${EPSG}/990001`, "captain");
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /INVALID_CRS/);
  });
});
