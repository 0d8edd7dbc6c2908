import assert from "node:assert/strict";
import { findMapserv } from "../../server/setup/programs.mjs";
import { onlyIf } from "../support/onlyIf.ts";
import { tileGateway, type TileGateway } from "./fixture.ts";
import { isIdle, storm, walkPyramid } from "./pyramid.ts";

const POINTS = 200;
const TABLES = `
create table gis.spots (id int primary key, geom geometry(Point, 4326));
insert into gis.spots select i, st_setsrid(st_makepoint(9 + (i * 37 % 101) / 50.0, 50 + (i * 53 % 103) / 60.0), 4326)
  from generate_series(1, ${POINTS}) i;
insert into gis.spots values (0, 'srid=4326;point(11.25 50)');
create table gis.fields (id int primary key, geom geometry(Polygon, 4326));
insert into gis.fields select i, st_buffer(geom, 0.5, 3) from gis.spots s (i, geom);
select portolan.set_authentication(t::regclass, 'None') from unnest('{gis.spots,gis.fields}'::text[]) t`;

describe("a pyramid of tiles", () => {
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({ prepare: ({ client }) => client.query(TABLES) });
  });
  after(() => gateway.close());

  it("has at each level every feature of the table, and each point in one tile", async () => {
    const expected = Array.from({ length: POINTS + 1 }, (_, id) => id);
    const levels = await walkPyramid(gateway, "gis.spots", 8);
    assert.ok(levels.at(-1)!.tiles > 4);
    for (const [zoom, { ids, points }] of levels.entries()) {
      assert.deepEqual(
        [...ids].sort((a, b) => a - b),
        expected,
        `level ${zoom}`,
      );
      assert.ok(
        expected.every((id) => points.get(id) === 1),
        `level ${zoom}`,
      );
    }
    const areas = await walkPyramid(gateway, "gis.fields", 8);
    for (const [zoom, { ids }] of areas.entries())
      assert.deepEqual(
        [...ids].sort((a, b) => a - b),
        expected,
        `level ${zoom}`,
      );
  });

  it("answers many requests at once completely, and works afterwards", async () => {
    const paths = Array.from({ length: 400 }, (_, n) => {
      const kind = n % 4 === 0 && findMapserv() !== undefined ? "map/tiles" : "tiles";
      return `/collections/gis.${n % 2 ? "spots" : "fields"}/${kind}/WebMercatorQuad/6/21/${33 + (n % 2)}`;
    });
    const statuses = await storm(gateway, paths, 100);
    assert.deepEqual(
      Object.keys(statuses).filter((status) => !["200", "204", "404"].includes(status)),
      [],
    );
    assert.ok(statuses[200]! > 200);
    await isIdle(gateway);
  });
});

describe("tiles beyond the limits of a service", () => {
  it("are 429 with the time to wait", async () => {
    const gateway = await tileGateway({ config: { rateLimit: 60 } });
    const path = "/collections/gis.points/tiles/WebMercatorQuad/0/0/0";
    const statuses = await storm(gateway, Array<string>(150).fill(path), 50);
    assert.deepEqual(Object.keys(statuses).sort(), ["200", "429"]);
    assert.ok(statuses[429]! >= 80, JSON.stringify(statuses));
    await gateway.close();
  });

  onlyIf(findMapserv() !== undefined, "MapServer")("are 503 if MapServer has no turn for them in time", async () => {
    const gateway = await tileGateway({ config: { mapWorkers: 1, mapQueueTimeoutMs: 1, ogc: { tileCacheBytes: 0 } } });
    const path = "/collections/gis.squares/map/tiles/WebMercatorQuad/0/0/0";
    const statuses = await storm(gateway, Array<string>(60).fill(path), 60);
    assert.ok(statuses[503]! > 0 && statuses[200]! > 0, JSON.stringify(statuses));
    await isIdle(gateway);
    assert.equal((await gateway.ask(path)).status, 200);
    await gateway.close();
  });
});
