import assert from "node:assert/strict";
import { tileAt, tileGateway, type TileGateway } from "./fixture.ts";

const at = (collection: string, zoom = 7, longitude = 10.5, latitude = 50.5): string =>
  `/collections/gis.${collection}/tiles/${tileAt(zoom, longitude, latitude)}`;

const TABLES = `
create table gis.tagged as select * from gis.squares;
alter table gis.tagged add primary key (id);
comment on table gis.tagged is '@tile kind, tags,note order by height desc cache';
select portolan.set_authentication('gis.tagged', 'None');
create table gis.small (id int primary key, geom geometry(Geometry, 4326));
insert into gis.small values (1, st_makeenvelope(10, 50, 10.000001, 50.000001, 4326)),
  (2, 'srid=4326;linestring(10 50, 10.000001 50)'), (3, 'srid=4326;point(10 50)');
select portolan.set_authentication('gis.small', 'None')`;

describe("a vector tile", () => {
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({
      prepare: ({ client }) => client.query(TABLES),
      config: {
        ogc: {
          tileMatrixSets: { utm32: { crs: 25832, bounds: [400_000, 5_400_000, 700_000, 5_700_000], levels: 12 } },
        },
      },
    });
  });
  after(() => gateway.close());

  it("has the features as PostGIS sees them, in units of 4096", async () => {
    const [layer] = await gateway.layers(at("points", 5));
    assert.deepEqual([layer?.name, layer?.version, layer?.extent], ["gis.points", 2, 4096]);
    const found = layer!.features.find(({ id }) => id === 1)!;
    assert.equal(found.type, "Point");
    assert.deepEqual(found.properties, { id: 1, size: 10 });
    const [, zoom, row, column] = tileAt(5, 10.5, 50.5).split("/").map(Number);
    const x = ((10.5 + 180) / 360) * 2 ** zoom! - column!;
    const y = ((1 - Math.asinh(Math.tan((50.5 * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom! - row!;
    const [place] = found.rings[0]!;
    assert.ok(Math.abs(place!.x - x * 4096) <= 1 && Math.abs(place!.y - y * 4096) <= 1, JSON.stringify(place));
  });

  it("has the key as the feature's id if that is a whole number from 0 on, and always as the attribute id", async () => {
    const all = await gateway.features(at("squares", 0));
    assert.deepEqual(all.map(({ id, properties }) => [id, properties["id"]]).sort(), [
      [undefined, -4],
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    const [pair] = await gateway.features(at("pairs"));
    assert.deepEqual([pair?.id, pair?.properties], [undefined, { id: "1,x%2Fy", a: 1, b: "x/y" }]);
    const [keyless] = await gateway.features(at("keyless"));
    assert.deepEqual([keyless?.id, keyless?.properties], [undefined, { name: "one" }]);
    const [clash] = await gateway.features(at("clash"));
    assert.deepEqual([clash?.id, clash?.properties], [7, { id: 7, gid: 7 }]);
  });

  it("has numbers, booleans and texts as attributes, and leaves out composite values", async () => {
    const all = await gateway.features(at("squares"));
    const { properties } = all.find(({ id }) => id === 1)!;
    assert.deepEqual(properties, {
      id: 1,
      kind: "park",
      height: 10,
      price: 1.5,
      open: true,
      made: "2024-05-06",
      seen: "2024-05-06T07:08:09+00:00",
      big: Number(9007199254740993n),
      ratio: 0.5,
      ref: "00000000-0000-4000-8000-000000000001",
    });
    const { properties: empty } = all.find(({ id }) => id === 2)!;
    assert.deepEqual(empty, { id: 2, kind: "lake", height: 20, price: 2.5, open: false });
  });

  it("@tile names the attributes, and properties chooses among all columns", async () => {
    const of = async (query: string) => {
      const found = await gateway.features(`${at("tagged")}${query}`);
      return found.find(({ id }) => id === 1)?.properties;
    };
    assert.deepEqual(await of(""), { id: 1, kind: "park", tags: '["x","y"]', note: '{"a": 1}' });
    assert.deepEqual(await of("?properties=height,span"), {
      id: 1,
      height: 10,
      span: '{"lower" : 1, "upper" : 5, "lowerInclusive" : true, "upperInclusive" : false}',
    });
    assert.deepEqual(await of("?exclude-properties=kind,note"), { id: 1, tags: '["x","y"]' });
    const wrong = await gateway.ask(`${at("tagged")}?properties=nothing`);
    assert.deepEqual([wrong.status, ((await wrong.json()) as { code: string }).code], [400, "INVALID_PARAMETER"]);
  });

  it("takes a filter as items do, and gives the position of an error", async () => {
    const filtered = await gateway.features(
      `${at("squares")}?filter=${encodeURIComponent("height > 15 and kind = 'lake'")}`,
    );
    assert.deepEqual(
      filtered.map(({ id }) => id),
      [2],
    );
    const tagged = await gateway.features(
      `${at("squares")}?filter=${encodeURIComponent("containedBy(span, '[1,9)') AND containedBy(tags, ('x', 'y', 'z'))")}`,
    );
    assert.deepEqual(
      tagged.map(({ id }) => id),
      [1],
    );
    for (const filter of ["height > ", "containedBy(span)", "containedBy(height, (1))", "containedBy(tags, 3)"]) {
      const wrong = await gateway.ask(`${at("squares")}?filter=${encodeURIComponent(filter)}`);
      assert.equal(wrong.status, 400, filter);
      assert.equal(typeof ((await wrong.json()) as { position: unknown }).position, "number", filter);
    }
    // MapLibre reads the tileset first, and does not show the answer of a tile
    const tileset = "/collections/gis.squares/tiles/WebMercatorQuad";
    for (const wrong of [
      `${tileset}?f=tilejson&filter=nothing%3D1`,
      `${tileset}?f=json&properties=nothing`,
      `/collections/gis.squares/styles/default?f=mbs&filter=nothing%3D1`,
      `/tiles/WebMercatorQuad?f=tilejson&collections=gis.squares,gis.points&filter=price%3D1`,
    ]) {
      const response = await gateway.ask(wrong);
      assert.equal(response.status, 400, wrong);
      assert.equal(((await response.json()) as { code: string }).code, "INVALID_PARAMETER", wrong);
    }
    for (const name of ["precision", "skipGeometry"])
      assert.equal((await gateway.ask(`${at("squares")}?${name}=1`)).status, 400, name);
  });

  it("is the same whatever the system of the storage is", async () => {
    const placesOf = async (name: string) =>
      (await gateway.features(at(name, 4))).map(({ rings }) => [rings[0]![0]!.x, rings[0]![0]!.y]).sort();
    const points = await placesOf("points");
    assert.equal(points.length, 2);
    assert.deepEqual(await placesOf("mercator"), points);
    assert.deepEqual(await placesOf("sphere"), points);
    const mixed = await placesOf("mixed");
    assert.equal(mixed.length, 3);
    for (const place of points)
      assert.ok(
        mixed.some(([x, y]) => Math.abs(x! - place[0]!) <= 1 && Math.abs(y! - place[1]!) <= 1),
        JSON.stringify({ place, mixed }),
      );
    assert.equal((await gateway.features(at("utm", 6, 9.5, 50))).length, 1);
    assert.deepEqual((await gateway.features(at("parks", 4))).map(({ id }) => id).sort(), [1, 3]);
  });

  it("shows shapes that reach a pole as far as Mercator goes", async () => {
    const all = await gateway.features("/collections/gis.poles/tiles/WebMercatorQuad/0/0/0");
    assert.deepEqual(all.map(({ id }) => id).sort(), [1, 4]);
    const degrees = await gateway.features("/collections/gis.poles/tiles/WorldCRS84Quad/0/0/0");
    assert.deepEqual(degrees.map(({ id }) => id).sort(), [1, 2, 3]);
    const ellipsoidal = await gateway.features("/collections/gis.poles/tiles/WorldMercatorWGS84Quad/0/0/0");
    assert.deepEqual(ellipsoidal.map(({ id }) => id).sort(), [1, 4]);
  });

  it("is cut in configured sets too", async () => {
    const response = await gateway.ask("/tileMatrixSets/utm32");
    const set = (await response.json()) as {
      crs: string;
      tileMatrices: { cellSize: number; pointOfOrigin: number[] }[];
    };
    assert.equal(set.crs, "http://www.opengis.net/def/crs/EPSG/0/25832");
    assert.deepEqual(set.tileMatrices[0]!.pointOfOrigin, [400_000, 5_700_000]);
    const [square] = await gateway.features("/collections/gis.utm/tiles/utm32/0/0/0");
    const xs = square!.rings[0]!.map(({ x }) => x);
    assert.deepEqual([Math.min(...xs), Math.max(...xs)], [Math.round(4096 / 3), Math.round((2 * 4096) / 3)]);
  });

  it("has a buffer of 64 units, and no features beyond that", async () => {
    // 10.5° east is at most 64 units west of a tile's edge in the tiles beside it
    const zoom = 7;
    const [, , row, column] = tileAt(zoom, 11.5, 50.5).split("/").map(Number);
    for (const { rings } of await gateway.features(
      `/collections/gis.squares/tiles/WebMercatorQuad/${zoom}/${row}/${column}`,
    ))
      for (const { x, y } of rings.flat())
        assert.ok(x >= -64 && x <= 4096 + 64 && y >= -64 && y <= 4096 + 64, `${x} ${y}`);
  });

  it("drops lines and polygons that are smaller than a cell, and never points", async () => {
    assert.deepEqual(
      (await gateway.features("/collections/gis.small/tiles/WebMercatorQuad/0/0/0")).map(({ id }) => id),
      [3],
    );
    const smaller = await gateway.ask("/collections/gis.small/tiles/WebMercatorQuad/0/0/0?filter=id%3C3");
    assert.equal(smaller.status, 204);
    assert.deepEqual((await gateway.features(at("small", 24, 10, 50))).map(({ id }) => id).sort(), [1, 2, 3]);
  });

  it("is 204 without features, and 404 beyond the limits of its tileset and of its set", async () => {
    const status = async (path: string) => (await gateway.ask(path)).status;
    // a hole within the extent
    assert.equal(await status(`${at("points", 10, 11, 51)}`), 204);
    assert.equal(await status(at("points", 10, -60, 51)), 404);
    assert.equal(await status("/collections/gis.nothing/tiles/WebMercatorQuad/0/0/0"), 204);
    const tiles = "/collections/gis.points/tiles";
    for (const tile of [
      ...["WebMercatorQuad/0/0/1", "WebMercatorQuad/0/1/0", "WebMercatorQuad/25/0/0", "WebMercatorQuad/30/0/0"],
      ...["WebMercatorQuad/0/-1/0", "WebMercatorQuad/1/2/0", "WebMercatorQuad/a/0/0", "WebMercatorQuad/00/0/0"],
      ...["WebMercatorQuad/0/0/1e0", "WebMercatorQuad/0/0.5/0", "WebMercatorQuad/99999999999999999999/0/0"],
      ...["WorldCRS84Quad/0/0/2", "WorldCRS84Quad/18/0/0", "NoSuchQuad/0/0/0", "constructor/0/0/0"],
    ]) {
      const response = await gateway.ask(`${tiles}/${tile}`);
      assert.equal(response.status, 404, tile);
      assert.equal(response.headers.get("content-type"), "application/problem+json; charset=utf-8", tile);
    }
    assert.equal(await status("/collections/gis.points/tiles/WebMercatorQuad/0/0/0?nonsense=1"), 400);
    assert.equal(await status("/collections/gis.unknown/tiles/WebMercatorQuad/0/0/0"), 404);
  });

  it("exists in every corner of each set, at its first and last levels, and nowhere beyond", async () => {
    for (const set of ["WebMercatorQuad", "WorldCRS84Quad", "WorldMercatorWGS84Quad"]) {
      const { tileMatrices } = (await (await gateway.ask(`/tileMatrixSets/${set}?f=json`)).json()) as {
        tileMatrices: { id: string; matrixWidth: number; matrixHeight: number }[];
      };
      const statuses = (id: string, places: readonly (readonly [row: number, column: number])[]) =>
        Promise.all(
          places.map(async ([row, column]) => {
            const response = await gateway.ask(`/collections/gis.poles/tiles/${set}/${id}/${row}/${column}`);
            await response.arrayBuffer();
            return response.status;
          }),
        );
      for (const { id, matrixWidth: width, matrixHeight: height } of [
        ...tileMatrices.slice(0, 2),
        ...tileMatrices.slice(-2),
      ]) {
        const [right, bottom] = [width - 1, height - 1];
        const corners = [
          [0, 0],
          [0, right],
          [bottom, 0],
          [bottom, right],
        ] as const;
        const there = await statuses(id, corners);
        assert.ok(
          there.every((status) => status === 200 || status === 204),
          `${set}/${id}: ${there.join()}`,
        );
        const beyond = [
          [-1, 0],
          [0, -1],
          [height, 0],
          [0, width],
          [bottom, width],
          [2 ** 31, 2 ** 31],
          [2 ** 53, 0],
        ] as const;
        assert.deepEqual(new Set(await statuses(id, beyond)), new Set([404]), `${set}/${id}`);
      }
      assert.deepEqual(await statuses(String(tileMatrices.length), [[0, 0]]), [404], set);
    }
  });

  it("has an ETag, and is public only for requests without credentials", async () => {
    const path = at("points", 5);
    const first = await gateway.ask(path);
    const etag = first.headers.get("etag")!;
    assert.match(etag, /^W\/"[\w-]+"$/);
    assert.equal(first.headers.get("cache-control"), "public, max-age=0");
    assert.match(first.headers.get("vary") ?? "", /Authorization.*Accept.*Accept-Encoding/);
    const again = await gateway.ask(path, { headers: { "if-none-match": etag } });
    assert.deepEqual([again.status, await again.text()], [304, ""]);
    await gateway.client.query("update gis.points set size = size + 1");
    const changed = await gateway.ask(path, { headers: { "if-none-match": etag } });
    assert.equal(changed.status, 200);
    const own = await gateway.ask(path, { as: "captain" });
    assert.equal(own.headers.get("cache-control"), "private, no-cache");
    const empty = await gateway.ask(at("points", 10, 11, 51));
    const nothing = await gateway.ask(at("points", 10, 11, 51), {
      headers: { "if-none-match": empty.headers.get("etag")! },
    });
    assert.equal(nothing.status, 304);
  });

  it("has a layer for each requested collection, in their order", async () => {
    const tile = tileAt(5, 10.5, 50.5);
    const layers = await gateway.layers(`/tiles/${tile}?collections=gis.points,gis.squares`);
    assert.deepEqual(
      layers.map(({ name }) => name),
      ["gis.points", "gis.squares"],
    );
    const all = await gateway.layers(`/tiles/${tile}`);
    assert.ok(all.length > 5 && !all.some(({ name }) => name === "gis.hidden"));
    const hidden = await gateway.ask(`/tiles/${tile}?collections=gis.points,gis.hidden`);
    assert.equal(hidden.status, 401);
    const filtered = await gateway.ask(`/tiles/${tile}?collections=gis.points,gis.squares&filter=size%3E1`);
    assert.equal(filtered.status, 400);
  });

  it("is refused to an account that may not read, as features are", async () => {
    assert.equal((await gateway.ask(at("hidden"))).status, 401);
    assert.equal((await gateway.ask(at("hidden"), { as: "guest" })).status, 403);
    assert.equal((await gateway.features(at("hidden"), "captain")).length, 1);
  });
});

describe("a vector tile with more features than it has room for", () => {
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({
      config: { ogc: { tileFeatureLimit: 3 } },
      prepare: ({ client }) =>
        client.query(`create table gis.many (id int primary key, rank int, geom geometry(Point, 4326));
insert into gis.many select i, 100 - i, st_setsrid(st_makepoint(10 + i / 100.0, 50), 4326) from generate_series(1, 10) i;
create table gis.ranked as select * from gis.many;
alter table gis.ranked add primary key (id);
comment on table gis.ranked is '@tile rank order by rank';
create table gis.areas (id int primary key, geom geometry(Polygon, 4326));
insert into gis.areas select i, st_makeenvelope(10, 50, 10 + i / 10.0, 50 + i / 10.0, 4326) from generate_series(1, 6) i;
select portolan.set_authentication(t::regclass, 'None') from unnest('{gis.many,gis.ranked,gis.areas}'::text[]) t`),
    });
  });
  after(() => gateway.close());

  it("has the most important ones, and reports that", async () => {
    const of = async (name: string) => {
      const response = await gateway.ask(`/collections/gis.${name}/tiles/WebMercatorQuad/4/5/8`);
      const features = await gateway.features(`/collections/gis.${name}/tiles/WebMercatorQuad/4/5/8`);
      return [response.headers.get("portolan-truncated"), features.map(({ id }) => id).sort()];
    };
    assert.deepEqual(await of("many"), ["true", [1, 2, 3]]);
    assert.deepEqual(await of("ranked"), ["true", [10, 8, 9]]);
    assert.deepEqual(await of("areas"), ["true", [4, 5, 6]]);
    assert.deepEqual(await of("points"), [null, [1, 2]]);
  });
});
