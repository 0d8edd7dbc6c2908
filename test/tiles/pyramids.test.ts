import assert from "node:assert/strict";
import { PMTiles, type RangeResponse, type Source } from "pmtiles";
import { REGISTERED } from "../../ogc/tiles/tileMatrixSet.ts";
import { command } from "../support/commands.ts";
import { until } from "../support/until.ts";
import { ogcGateway, type Json, type OgcGateway } from "../ogc/support.ts";

const SPOTS = 3000;
const LAST = 8;

const FIXTURE = `
create table geo.spots (id int primary key, name text, geom geometry(Point, 4326));
insert into geo.spots
  select n, 'spot ' || n, st_setsrid(st_makepoint((n % 60) * 0.5, 30 + (n / 60) * 0.3), 4326) from generate_series(1, ${SPOTS}) n;
create table geo.unrecorded (id int primary key, geom geometry(Point, 4326));
select portolan.set_authentication('geo.spots', 'None');
select portolan.enable_events('geo.spots')`;

interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

describe("pyramids of vector tiles", () => {
  let gateway: OgcGateway;
  let job: string;
  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client }) => client.query(FIXTURE),
      config: {
        ogc: { tileMatrixSets: { Quarter: { crs: 3857, bounds: [0, 0, 10_000_000, 10_000_000], levels: 4 } } },
      },
    });
  });
  after(() => gateway.close());

  const rows = async (sql: string, values: unknown[] = []): Promise<Json[]> =>
    (await gateway.database.client.query(sql, values)).rows;
  const seed = async (last = LAST): Promise<string> =>
    (await rows("select portolan.seed_tiles('geo.spots', $1) as job", [last]))[0].job;
  const done = (): Promise<void> =>
    until(async () => {
      const [pyramid] = await rows("select state, error, behind::int from portolan.list_pyramids()");
      assert.notEqual(pyramid.state, "failed", String(pyramid.error));
      return pyramid.state === "done" && pyramid.behind === 0;
    });
  const stored = (): Promise<TilePlace[]> =>
    rows("select z::int, x, y from portolan.pyramid_tiles where content <> '' order by z, x, y");
  /** The number of tiles and their bytes, as the list of pyramids has them, and as they are. */
  const counts = (): Promise<Json[]> =>
    rows(`
select p.tiles::int, p.bytes::int from portolan.list_pyramids() p
union all select count(*)::int, sum(octet_length(t.content))::int from portolan.pyramid_tiles t`);
  const tile = async ({ z, x, y }: TilePlace, as?: string): Promise<{ status: number; body: Buffer }> => {
    const response = await fetch(`${gateway.root}/collections/geo.spots/tiles/WebMercatorQuad/${z}/${y}/${x}`, {
      headers: as ? { Authorization: `Bearer ${await gateway.token(as)}` } : {},
    });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  };
  const served = async (): Promise<number> => {
    const text = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    return Number(/portolan_tiles_total\{kind="vector",from="seeded"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  function archive(as?: string): PMTiles {
    const address = `${gateway.root}/collections/geo.spots/tiles/WebMercatorQuad.pmtiles`;
    const source: Source = {
      getKey: () => `${address} ${as}`,
      async getBytes(offset, length, _signal, etag): Promise<RangeResponse> {
        const response = await fetch(address, {
          headers: {
            range: `bytes=${offset}-${offset + length - 1}`,
            ...(as && { authorization: `Bearer ${await gateway.token(as)}` }),
          },
        });
        assert.equal(response.status, 206, await response.clone().text());
        assert.ok(etag === undefined || etag === response.headers.get("etag"));
        return { data: await response.arrayBuffer(), etag: response.headers.get("etag")! };
      },
    };
    return new PMTiles(source);
  }

  it("are made of the tiles that are made when they are asked for", async () => {
    job = await seed();
    await done();
    const all = await stored();
    const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    const made = Number(/^portolan_pyramid_tiles_total (\d+)$/m.exec(metrics)?.[1]);
    assert.ok(made >= all.length, `${made} tiles made of ${all.length}`);
    assert.match(metrics, /^portolan_pyramids_total\{result="done"\} 1$/m);
    assert.ok(all.length > 400, String(all.length));
    const [told, found] = await counts();
    assert.ok(found.tiles >= all.length);
    assert.deepEqual(told, found);
    const some = all.filter((_, index) => index % 40 === 0);
    const before = await served();
    const seeded = await Promise.all(some.map((place) => tile(place)));
    assert.equal((await served()) - before, some.length);
    // a tile with a filter is made when it is asked for
    for (const [index, { z, x, y }] of some.entries()) {
      const made = await fetch(
        `${gateway.root}/collections/geo.spots/tiles/WebMercatorQuad/${z}/${y}/${x}?filter=id%20%3E%200`,
      );
      assert.equal(seeded[index]!.status, 200);
      assert.ok(seeded[index]!.body.equals(Buffer.from(await made.arrayBuffer())), JSON.stringify({ z, x, y }));
    }
  });

  it("come as PMTiles, which its own reader reads by ranges: each tile the same", async () => {
    const file = archive();
    const header = await file.getHeader();
    assert.deepEqual([header.minZoom, header.maxZoom, header.specVersion], [0, LAST, 3]);
    assert.ok(Math.abs(header.maxLon - 29.5) < 1e-5 && Math.abs(header.minLat - 30) < 1e-5);
    const metadata = (await file.getMetadata()) as Json;
    assert.deepEqual(metadata.vector_layers[0], {
      ...{ id: "geo.spots", minzoom: 0, maxzoom: LAST },
      fields: { id: "Number", name: "String" },
    });
    const all = await stored();
    assert.equal(header.numAddressedTiles, all.length);
    for (const place of all.filter((_, index) => index % 25 === 0)) {
      const found = await file.getZxy(place.z, place.x, place.y);
      assert.ok(Buffer.from(found!.data).equals((await tile(place)).body), JSON.stringify(place));
    }
    assert.equal(await file.getZxy(LAST, 0, 0), undefined);
    const whole = await fetch(`${gateway.root}/collections/geo.spots/tiles/WebMercatorQuad.pmtiles`);
    assert.equal(
      Buffer.from(await whole.arrayBuffer())
        .subarray(0, 7)
        .toString(),
      "PMTiles",
    );
  });

  it("are made from the table while another session has locked the pyramid", async () => {
    const place = { z: LAST, x: 128, y: 105 };
    await rows("select pg_current_xact_id()"); // so that the pyramid is looked at again
    const before = await served();
    await rows("begin");
    try {
      await rows("select from portolan.pyramids for update");
      const { status, body } = await tile(place);
      assert.equal(status, 200, body.toString());
    } finally {
      await rows("rollback");
    }
    assert.equal(await served(), before);
    await done();
  });

  it("lose the tiles that a write touches, and no others, and have them again soon", async () => {
    const place = { z: LAST, x: 128, y: 105 };
    const far = { z: LAST, x: 140, y: 95 };
    const [before, otherBefore] = [await tile(place), await tile(far)];
    const version = async ({ z, x, y }: TilePlace): Promise<string> =>
      (await rows("select xmin::text from portolan.pyramid_tiles where (z, x, y) = ($1, $2, $3)", [z, x, y]))[0]?.xmin;
    const versions = [await version(place), await version(far)];
    await rows("insert into geo.spots values (100001, 'new', 'srid=4326;point(0.4 30.2)')");
    const after = await tile(place);
    assert.ok(after.status === 200 && !after.body.equals(before.body));
    assert.match(after.body.toString("latin1"), /new/);
    await done();
    assert.ok((await tile(place)).body.equals(after.body));
    assert.notEqual(await version(place), versions[0]);
    assert.equal(await version(far), versions[1]);
    assert.ok((await tile(far)).body.equals(otherBefore.body));
    await rows("delete from geo.spots where id = 100001");
    await until(async () => (await tile(place)).body.equals(before.body));
    await rows("truncate geo.spots");
    assert.notEqual((await tile(place)).status, 200);
    await rows(
      "insert into geo.spots select n, 'spot ' || n, st_setsrid(st_makepoint((n % 60) * 0.5, 30 + (n / 60) * 0.3), 4326) from generate_series(1, 3000) n",
    );
    await until(async () => (await tile(place)).body.equals(before.body));
    await done();
    const [told, found] = await counts();
    assert.deepEqual(told, found);
  });

  /** Begins a pyramid, and changes the table when its first tiles are made and not stored. */
  async function changedMeanwhile(change: string): Promise<void> {
    await rows("select portolan.drop_pyramid(id) from portolan.list_pyramids()");
    await rows(`create function geo.held() returns trigger language plpgsql security definer as $$ begin perform pg_advisory_xact_lock_shared(42); return null; end $$;
create trigger held before insert on portolan.pyramid_tiles for each statement execute function geo.held();
select pg_advisory_lock(42)`);
    try {
      job = await seed();
      const isHeld =
        "select exists (select from pg_locks where locktype = 'advisory' and objid = 42 and not granted) as held";
      await until(async () => (await rows(isHeld))[0].held);
      await rows(change);
    } finally {
      await rows("select pg_advisory_unlock(42)");
    }
    await done();
    await rows("drop function geo.held cascade");
  }

  it("have a change that comes while they are made", async () => {
    const places = [
      { z: 0, x: 0, y: 0 },
      { z: LAST, x: 128, y: 105 },
    ];
    await changedMeanwhile("insert into geo.spots values (100002, 'meanwhile', 'srid=4326;point(0.4 30.2)')");
    const before = await served();
    for (const place of places) assert.match((await tile(place)).body.toString("latin1"), /meanwhile/, String(place.z));
    assert.equal(await served(), before + places.length);
    await rows("delete from geo.spots where id = 100002");
    await done();
    const [told, found] = await counts();
    assert.deepEqual(told, found);
  });

  it("are made again, in their new form, where the columns of the table change", async () => {
    const whole = { z: 0, x: 0, y: 0 };
    await rows("alter table geo.spots add column added text default 'afterwards'");
    await until(async () => (await tile(whole)).body.includes("afterwards"));
    await done();
    const before = await served();
    assert.match((await tile({ z: LAST, x: 128, y: 105 })).body.toString("latin1"), /afterwards/);
    assert.equal(await served(), before + 1);
    const [told, found] = await counts();
    assert.deepEqual(told, found);
  });

  for (const [what, change] of [
    ["a column is dropped", "alter table geo.spots drop column added"],
    ["a column is added", "alter table geo.spots add column more text default 'and more'"],
    [
      "all rows are replaced",
      "truncate geo.spots; insert into geo.spots (id, name, geom) select n, 'row ' || n, st_setsrid(st_makepoint((n % 60) * 0.5, 30 + (n / 60) * 0.3), 4326) from generate_series(1, 3000) n",
    ],
  ] as const)
    // oxfmt-ignore
    it(`are whole where ${what} while they are made`, async () => {
      await changedMeanwhile(change);
      const before = await served();
      const places = await stored();
      assert.ok(places.length > 100, `${places.length} tiles`);
      const place = { z: LAST, x: 128, y: 105 };
      assert.equal((await tile(place)).status, 200);
      assert.equal(await served(), before + 1);
      assert.equal((await archive().getHeader()).maxZoom, LAST);
    });

  it("end without an error where their pyramid is removed while they are made", async () => {
    await rows("select portolan.drop_pyramid(id) from portolan.list_pyramids()");
    await rows(`create function geo.slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
create trigger slow before insert on portolan.pyramid_tiles for each statement execute function geo.slow()`);
    job = await seed(9);
    await until(async () => (await rows("select count(*)::int as n from portolan.pyramid_tiles"))[0].n > 0);
    await rows("select portolan.drop_pyramid(id) from portolan.list_pyramids()");
    await rows("drop function geo.slow cascade");
    const again = await seed(); // made after the other has ended
    await done();
    assert.deepEqual(
      await rows("select state, error from portolan.jobs where id in ($1, $2) order by id", [job, again]),
      [
        { state: "stopped", error: null },
        { state: "done", error: null },
      ],
    );
    job = again;
  });

  it("go on where they were stopped", async () => {
    await rows("select portolan.drop_pyramid(id) from portolan.list_pyramids()");
    assert.deepEqual(await stored(), []);
    // a quick machine would be done before the job is looked at, each 2 s
    await rows(`create function geo.slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1.5); return null; end $$;
create trigger slow before insert on portolan.pyramid_tiles for each statement execute function geo.slow()`);
    job = await seed(9);
    await until(async () => (await rows("select count(*)::int as n from portolan.pyramid_tiles"))[0].n > 100);
    await rows("select portolan.change_job($1, 'stopped')", [job]);
    await until(async () => {
      const [first] = await rows("select count(*)::int as n from portolan.pyramid_tiles");
      const [{ state }] = await rows("select state from portolan.jobs where id = $1", [job]);
      assert.equal(state, "stopped");
      const [second] = await rows("select pg_sleep(3), count(*)::int as n from portolan.pyramid_tiles"); // it looks each 2 s
      return first.n === second.n;
    });
    await rows("drop trigger slow on portolan.pyramid_tiles");
    const part = await rows("select z, x, y, xmin::text from portolan.pyramid_tiles order by 1, 2, 3");
    const unfinished = await fetch(`${gateway.root}/collections/geo.spots/tiles/WebMercatorQuad.pmtiles`);
    assert.equal(unfinished.status, 503);
    await rows("select portolan.change_job($1, 'queued')", [job]);
    await done();
    const all = await rows("select z, x, y, xmin::text from portolan.pyramid_tiles order by 1, 2, 3");
    assert.ok(all.length > part.length, `${part.length} of ${all.length}`);
    const byPlace = new Map(all.map(({ z, x, y, xmin }) => [`${z} ${x} ${y}`, xmin]));
    for (const { z, x, y, xmin } of part) assert.equal(byPlace.get(`${z} ${x} ${y}`), xmin);
  });

  it("are only for those who may read what their account may", async () => {
    assert.equal((await archive("guest").getHeader()).maxZoom, 9);
    await rows(
      `select portolan.create_rule('{"username": "guest", "schema": "geo", "table": "spots", "access": "limit", "filter": "id < 100"}')`,
    );
    const whole = { z: 0, x: 0, y: 0 };
    await until(async () => (await tile(whole, "guest")).body.length < (await tile(whole)).body.length / 5);
    const token = await gateway.token("guest");
    const file = await fetch(`${gateway.root}/collections/geo.spots/tiles/WebMercatorQuad.pmtiles`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    assert.equal(file.status, 404);
  });

  it("are neither served nor made where a policy may read more than the table", async () => {
    const whole = { z: 0, x: 0, y: 0 };
    const state = async (of: string): Promise<Json> =>
      (await rows("select state, error from portolan.jobs where id = $1", [of]))[0];
    const again = await seed();
    await done();
    await rows("create table geo.released (id int primary key); grant select on geo.released to public");
    await rows("insert into geo.released select id from geo.spots where id <= 100");
    const before = (await tile(whole)).body.length;
    await rows("alter table geo.spots enable row level security");
    await rows("create policy released on geo.spots using (exists (select from geo.released r where r.id = spots.id))");
    await until(async () => (await tile(whole)).body.length < before / 2);
    const path = `${gateway.root}/collections/geo.spots/tiles/WebMercatorQuad.pmtiles`;
    assert.equal((await fetch(path)).status, 404);
    const why = /policy released of geo.spots decides which rows anonymous sees.* would not be served/;
    // as a job that was made before the policy was
    await rows("update portolan.jobs set state = 'queued' where id = $1", [again]);
    await until(async () => (await state(again)).state === "failed");
    assert.match((await state(again)).error, why);
    await assert.rejects(seed(), { code: "PX409", message: why });
    const answer = await fetch(`${gateway.baseUrl}/api/v4/pyramids`, {
      method: "POST",
      headers: { Authorization: `Bearer ${await gateway.token("captain")}`, "content-type": "application/json" },
      body: '{"collection": "geo.spots", "last_zoom": 2}',
    });
    assert.equal(answer.status, 409);
    assert.match(((await answer.json()) as Json).detail, why);
    // the policy does not hold for a member of the table's owner
    await rows(`alter table geo.spots owner to "owner@${gateway.database.name}"`);
    const [{ job: own }] = await rows("select portolan.seed_tiles('geo.spots', 0, account => 'captain') as job");
    await until(async () => (await state(own)).state === "done");
    await rows("alter table geo.spots owner to current_user");
    await rows("select portolan.drop_pyramid(p.id) from portolan.list_pyramids() p where p.account = 'captain'");
    await rows("drop policy released on geo.spots; create policy all_of_them on geo.spots using (true)");
    await rows(
      `select portolan.create_rule('{"schema": "geo", "table": "spots", "access": "limit", "filter": "id > extract(year from now())"}')`,
    );
    await assert.rejects(seed(), {
      code: "PX409",
      message: /a rule of geo.spots has a filter with a function such as now/,
    });
    await rows("select portolan.drop_rule(r.id) from portolan.rules r");
    await seed();
    await done();
    await until(async () => {
      const file = await fetch(path);
      await file.arrayBuffer();
      return file.status === 200; // this policy chooses nothing
    });
    await rows("drop policy all_of_them on geo.spots; alter table geo.spots disable row level security");
  });

  it("are refused in words for zooms, accounts and tables that cannot have them", async () => {
    const refused = async (call: string, message: RegExp): Promise<void> => {
      await assert.rejects(rows(`select portolan.seed_tiles(${call})`), { message });
    };
    await refused("'geo.spots', 30", /zooms must be from 0 to 24/);
    await refused("'geo.spots', 2, 3", /zooms must be from 0 to 24/);
    await refused("'geo.spots', 2, account => 'nobody'", /no account nobody/);
    await refused("'geo.unrecorded', 2", /neither events nor history/);
    const asked = async (account: string, more: object): Promise<Response> =>
      fetch(`${gateway.baseUrl}/api/v4/pyramids`, {
        method: "POST",
        headers: { Authorization: `Bearer ${await gateway.token(account)}`, "content-type": "application/json" },
        body: JSON.stringify({ collection: "geo.spots", last_zoom: 2, ...more }),
      });
    assert.equal((await asked("guest", {})).status, 403);
    // each gateway tells of the sets that its configuration adds
    await until(
      async () => (await rows("select from portolan.gateways g where g.figures ? 'tile_matrix_sets'")).length > 0,
    );
    const ids = ["Quarter", ...REGISTERED.map(({ id }) => id)].toSorted().join(", ");
    const noSet = new RegExp(`there is no tile matrix set "Nowhere"; there are ${ids}`, "i");
    await refused("'geo.spots', 1, tile_matrix_set => 'Nowhere'", noSet);
    const answer = await asked("captain", { tile_matrix_set: "Nowhere" });
    assert.equal(answer.status, 404);
    assert.match(((await answer.json()) as Json).detail, noSet);
    const { url, gatewayUrl } = gateway.database;
    const line = ["tiles", "seed", "geo.spots", "--tms", "Nowhere", "--zoom", "0-1"];
    const told = command(line, { env: { DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url } });
    assert.equal(told.status, 1);
    assert.match(told.stderr, noSet);
    const [{ job: own }] = await rows(
      "select portolan.seed_tiles('geo.spots', 1, tile_matrix_set => 'Quarter') as job",
    );
    await until(async () => (await rows("select state from portolan.jobs where id = $1", [own]))[0].state === "done");
    assert.deepEqual(await rows("select from portolan.pyramids where tile_matrix_set = 'Nowhere'"), []);
  });
});
