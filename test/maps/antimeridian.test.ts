import assert from "node:assert/strict";
import { CRS84, EPSG, mapGateway, type MapGateway } from "./fixture.ts";

const RED = "#ff0000ff";
const NOTHING = "#00000000";
const STYLE = JSON.stringify([{ name: "All", styles: [{ color: "#ff0000" }] }]);

/**
 * Rows west of the antimeridian at 178° to 179°, east of it at -179° to -178°, one row with both, and many around
 * Greenwich.
 */
const TABLES = `
create table gis.sides (id integer primary key, geom geometry(MultiPolygon, 4326));
insert into gis.sides values
  (1, st_multi(st_makeenvelope(178, -18, 179, -17, 4326))), (2, st_multi(st_makeenvelope(-179, -18, -178, -17, 4326))),
  (3, st_multi(st_makeenvelope(-20, -19, 20, -16, 4326)));
create index on gis.sides using gist (geom);
create table gis.one (id integer primary key, geom geometry(MultiPolygon, 4326));
insert into gis.one select 1, st_multi(st_union(geom)) from gis.sides;
create table gis.mercator (id integer primary key, geom geometry(MultiPolygon, 3857));
insert into gis.mercator select id, st_transform(geom, 3857) from gis.sides;
create table gis.any_kind (id integer primary key, geom geometry(Geometry, 4326));
insert into gis.any_kind select id, geom from gis.sides;
create table gis.globe (id integer primary key, geom geography(MultiPolygon, 4326));
insert into gis.globe select id, geom::geography from gis.sides where id < 3;
create table gis.fiji (id integer primary key, geom geometry(MultiPolygon, 32760));
insert into gis.fiji select id, st_transform(geom, 32760) from gis.sides where id < 3;
select portolan.set_style(r, '${STYLE}')
from unnest(array['sides', 'one', 'mercator', 'any_kind', 'globe', 'fiji']) n, lateral (select ('gis.' || n)::regclass as r) x;
`;

describe("maps over the antimeridian", () => {
  let gateway: MapGateway;
  /** 177° east to 177° west in 120 columns, 19° to 16° south in 60 rows. */
  const box = `bbox=177,-19,-177,-16&bbox-crs=${CRS84}&width=120&height=60`;

  before(async () => {
    gateway = await mapGateway({
      config: { ogc: { antimeridian: "split" } },
      prepare: ({ client }) => client.query(TABLES),
    });
  });
  after(() => gateway.close());

  async function assertBothSides(path: string): Promise<void> {
    const map = await gateway.map(path);
    for (const [column, row, colour] of [
      [30, 30, RED], // 178.5°
      [90, 30, RED], // -178.5°
      [10, 30, NOTHING], // 177.5°
      [60, 30, NOTHING], // 180°
      [110, 30, NOTHING], // -177.5°
      [30, 10, NOTHING],
      [90, 50, NOTHING],
    ] as const)
      assert.equal(map.at(column, row), colour, `${path} at ${column}, ${row}`);
  }

  for (const table of ["sides", "one", "mercator", "any_kind", "globe", "fiji"])
    for (const [name, crs] of Object.entries({ CRS84, "EPSG:4326": `${EPSG}/4326`, "EPSG:3857": `${EPSG}/3857` }))
      it(`draw both sides of ${table} in ${name}`, () =>
        assertBothSides(`/collections/gis.${table}/map?${box}&crs=${crs}`));

  it("take the box in latitude and longitude, and several collections", async () => {
    await assertBothSides(`/collections/gis.sides/map?bbox=-19,177,-16,-177&bbox-crs=${EPSG}/4326&width=120&height=60`);
    await assertBothSides(`/map?collections=gis.sides,gis.mercator&${box}`);
  });

  it("are plain maps in a system that is continuous there", async () => {
    const map = await gateway.map(
      `/collections/gis.fiji/map?bbox=178,-18,-178,-17&bbox-crs=${CRS84}&crs=${EPSG}/32760&width=100&height=100`,
    );
    assert.deepEqual([map.at(10, 50), map.at(50, 50), map.at(90, 50)], [RED, NOTHING, RED]);
  });

  it("give their box as it was requested, and have its shape", async () => {
    const bbox = async (crs: string): Promise<number[]> => {
      const response = await gateway.ask(
        `/collections/gis.sides/map?bbox=177,-19,-177,-16&bbox-crs=${CRS84}&crs=${crs}&width=120`,
        "captain",
      );
      assert.equal(response.status, 200);
      await response.arrayBuffer();
      return (response.headers.get("content-bbox") ?? "").split(",").map((side) => Math.round(Number(side)));
    };
    assert.deepEqual(await bbox(CRS84), [177, -19, -177, -16]);
    assert.deepEqual(await bbox(`${EPSG}/4326`), [-19, 177, -16, -177]);
    const [minx = 0, , maxx = 0] = await bbox(`${EPSG}/3857`);
    assert.deepEqual([minx, maxx], [19_703_550, -19_703_550]);
    const { width, height } = await gateway.map(`/collections/gis.sides/map?${box.replace("&height=60", "")}`);
    assert.deepEqual([width, height], [120, 60]);
  });

  it("need an area, and the option", async () => {
    for (const bbox of ["177,-16,-177,-19", "177,-19,177,-16", "177,-19,-177,-19"])
      assert.equal((await gateway.ask(`/collections/gis.sides/map?bbox=${bbox}`, "captain")).status, 400, bbox);
    const plain = await mapGateway({ prepare: ({ client }) => client.query(TABLES) });
    try {
      const response = await plain.ask(`/collections/gis.sides/map?${box}`, "captain");
      assert.equal(response.status, 400);
      assert.equal((await response.json()).code, "INVALID_PARAMETER");
    } finally {
      await plain.close();
    }
  });
});
