import assert from "node:assert/strict";
import { findMapserv } from "../../server/setup/programs.mjs";
import { tileGateway, type TileGateway } from "../tiles/fixture.ts";
import { isIdle, storm, walkPyramid } from "../tiles/pyramid.ts";

const POINTS = 20_000;
const TILES = 10_000;
const ZOOM = 10;
/** Memory of the gateway's process and of this client. */
const MOST_GROWTH = 60;

const TABLES = `
create table gis.spots (id int primary key, geom geometry(Point, 4326));
insert into gis.spots select i, st_setsrid(st_makepoint(5 + (i::int8 * 7919 % 10007) / 1000.0, 47 + (i::int8 * 104729 % 8009) / 1000.0), 4326)
  from generate_series(1, ${POINTS}) i;
create index on gis.spots using gist (geom);
create table gis.fields (id int primary key, geom geometry(Polygon, 4326));
insert into gis.fields select i, st_buffer(geom, 0.3, 3) from gis.spots s (i, geom) where i <= 2000;
create index on gis.fields using gist (geom);
analyze gis.spots, gis.fields;
select portolan.set_authentication(t::regclass, 'None') from unnest('{gis.spots,gis.fields}'::text[]) t`;

describe("a large pyramid of tiles", function () {
  this.timeout(600_000);
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({ prepare: ({ client }) => client.query(TABLES) });
  });
  after(() => gateway.close());

  for (const [name, count] of [
    ["spots", POINTS],
    ["fields", 2000],
  ] as const)
    it(`has all ${count} ${name} at each level to ${ZOOM}`, async () => {
      const levels = await walkPyramid(gateway, `gis.${name}`, ZOOM);
      for (const [zoom, { ids, points, tiles }] of levels.entries()) {
        process.stdout.write(`level ${zoom}: ${tiles} tiles, ${ids.size} features\n`);
        assert.equal(ids.size, count, `level ${zoom}`);
        if (name === "spots") assert.ok([...points.values()].every((each) => each === 1) && points.size === count);
      }
    });

  it(`${TILES} tiles at once from one client, twice: all come in the end, no worker dies, and memory stays`, async () => {
    const paths = Array.from({ length: TILES }, (_, n) => {
      const kind = n % 20 === 0 && findMapserv() !== undefined ? "map/tiles" : "tiles";
      return `/collections/gis.${n % 2 ? "spots" : "fields"}/${kind}/WebMercatorQuad/9/${165 + (n % 14)}/${263 + (n % 13)}`;
    });
    const megabytes: number[] = [];
    for (let round = 0; round < 2; round++) {
      // 500 wait for ten connections: some wait longer than `connectTimeoutMs`, and are told when to try again
      const statuses = await storm(gateway, paths, 500, 20);
      await isIdle(gateway);
      globalThis.gc?.();
      megabytes.push(Math.round(process.memoryUsage().rss / 2 ** 20));
      process.stdout.write(`${JSON.stringify(statuses)}, ${megabytes.at(-1)} MB\n`);
      assert.deepEqual(
        Object.keys(statuses).filter((status) => !["200", "204", "404", "503"].includes(status)),
        [],
      );
      const { 200: sent = 0, 204: empty = 0, 404: outside = 0 } = statuses;
      assert.equal(sent + empty + outside, TILES, "all come in the end");
      assert.ok(sent > TILES / 2);
    }
    const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    assert.doesNotMatch(metrics, /^portolan_map_worker_ends_total\{reason="(crash|failure|connections)"\} [^0]/m);
    assert.equal((await fetch(`${gateway.baseUrl}/readyz`)).status, 200);
    assert.ok(megabytes[1]! < megabytes[0]! + MOST_GROWTH, megabytes.join(", "));
  });
});
