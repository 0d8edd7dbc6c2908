/** `ogc.axisOrder`: which of two coordinates comes first, judged by GDAL, which reads GML in the order of EPSG's registry. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CRS84, epsg, ogcGateway, type Json, type OgcGateway } from "./support.ts";

/** Systems, each with a place in it, as longitude and latitude. */
const PLACES: readonly (readonly [code: number, longitude: number, latitude: number])[] = [
  // projected, northing first
  [2044, 106, 15], [2081, -69, -40], [2106, 176, -39], [2176, 15.47, 52.8], [2180, 19.77, 52.47], [2193, 173.27, -40.72],
  [2332, 105.38, 32], [2354, 90.19, 37.87], [2374, 87.19, 38.49], [2377, 96.19, 36.37], [2393, 26.19, 64.92],
  [2401, 75.24, 38.23], [2406, 90.19, 37.87], [2434, 111.19, 31.61], [2443, 129.46, 30.85], [2450, 138.78, 36.56],
  [2513, 135.38, 59.39], [2569, 156.19, 63.11], [2704, 36.19, 57], [2722, 90.19, 65.36], [2936, 44.72, 40.96],
  [3006, 17.98, 62.02], [3034, 9.65, 54.67], [3035, 9.65, 54.67], [3047, 27.38, 72.19], [3300, 25.37, 58.64],
  [3844, 26.53, 45.86], [4526, 114.19, 33.48], [4795, 114.19, 33.48], [5105, 5.42, 60.41], [5256, 36.19, 38.98],
  [31466, 6.78, 51.46], [31467, 9.19, 51.18], [31468, 12.19, 50.99], [31469, 13.69, 48.74], [32661, 22.5, 75], [32761, 22.5, -75],
  // projected, easting first
  [2056, 8.51, 46.81], [2154, 1.53, 46.36], [2824, -74.63, 40.11], [3031, 22.5, -75], [3067, 26.12, 64.47], [3395, 10, 50],
  [3413, 22.5, 75], [3995, 22.5, 75], [5041, 22.5, 75], [5514, 17.98, 49.39], [21780, 8.51, 46.81], [23700, 19.93, 47.16],
  [25832, 9.38, 51.55], [27700, -2.81, 55.38], [28992, 5.46, 52.23], [31370, 4.69, 50.5], [32633, 15.38, 42],
  // geographic
  [4258, 10, 50], [4267, -100, 40], [4269, -100, 40], [4283, 140, -30], [4617, -100, 50], [4674, -50, -20], [4979, 10, 50],
]; // oxfmt-ignore
const CODES = PLACES.map(([code]) => code);
const isNorthFirst = (code: number): boolean => PLACES.findIndex(([each]) => each === code) < 37;

const TABLES = `
create table geo.grid (id int primary key, geom geometry(Point, 4326));
comment on table geo.grid is '@ogc write';
create table geo.north (id int primary key, name text, geom geometry(Point, 3035));
comment on table geo.north is '@ogc write';
insert into geo.north values (1, 'a', st_transform('srid=4326;point(10 52)'::geometry, 3035));
create table geo.south (id int primary key, geom geometry(Point, 2065));
insert into geo.south values (1, st_transform('srid=4326;point(15 50)'::geometry, 2065));
insert into public.spatial_ref_sys (srid, auth_name, auth_srid, srtext, proj4text)
  select 990001, 'custom', 1, srtext, proj4text from public.spatial_ref_sys where srid = 25832;
create table geo.own (id int primary key, geom geometry(Point, 990001));
insert into geo.own values (1, st_transform('srid=4326;point(9 50)'::geometry, 990001));
select portolan.set_authentication(name, 'None')
from unnest(array['geo.grid', 'geo.north', 'geo.south', 'geo.own']::regclass[]) as name;
select portolan.set_privilege('geo.grid', 'ann', 'write'), portolan.set_privilege('geo.north', 'ann', 'write')`;

const TILES = { north: { crs: 3035, bounds: [2_000_000, 1_000_000, 7_000_000, 6_000_000], levels: 3 } };

async function gatewayOf(ogc: object): Promise<OgcGateway> {
  return ogcGateway({
    config: { ogc: { crs: CODES, tileMatrixSets: TILES, ...ogc } },
    prepare: async ({ client }) => {
      await client.query("select portolan.create_user('ann', 'fair wind')");
      await client.query(TABLES);
      for (const [code, longitude, latitude] of PLACES)
        await client.query("insert into geo.grid values ($1, st_setsrid(st_makepoint($2, $3), 4326))", [
          code,
          longitude,
          latitude,
        ]);
    },
  });
}

async function write(
  gateway: OgcGateway,
  path: string,
  { crs, coordinates, method = "PATCH" }: { crs: string; coordinates: readonly number[]; method?: string },
): Promise<{ status: number; json: Json }> {
  const response = await fetch(gateway.root + path, {
    method,
    headers: {
      authorization: `Bearer ${await gateway.token("ann")}`,
      "content-type": method === "POST" ? "application/geo+json" : "application/merge-patch+json",
      "content-crs": `<${crs}>`,
    },
    body: JSON.stringify({
      ...(method === "POST" && { type: "Feature", properties: { id: 9000 } }),
      ...(method !== "POST" && { type: "Feature" }),
      geometry: { type: "Point", coordinates },
    }),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
}

/**
 * The places where GDAL sees these coordinates, each in the order of axes of its system's registry: longitude, latitude
 * by code.
 */
async function byGdal(found: ReadonlyMap<number, readonly number[]>): Promise<Map<number, number[]>> {
  const folder = await mkdtemp(join(tmpdir(), "portolan-axes-"));
  try {
    const members = [...found].map(
      ([code, [first, second]]) =>
        `<p:member><p:c${code} gml:id="f${code}"><p:geom><gml:Point gml:id="g${code}" srsName="${epsg(code)}">` +
        `<gml:pos>${first} ${second}</gml:pos></gml:Point></p:geom></p:c${code}></p:member>`,
    );
    const file = join(folder, "in.gml");
    await writeFile(
      file,
      `<p:all xmlns:p="urn:p" xmlns:gml="http://www.opengis.net/gml/3.2">${members.join("")}</p:all>`,
    );
    const out = join(folder, "out");
    await promisify(execFile)("ogr2ogr", ["-f", "CSV", out, file, "-t_srs", "OGC:CRS84", "-lco", "GEOMETRY=AS_XY"]);
    const rows = [...found.keys()].map(async (code): Promise<[number, number[]]> => {
      const [, row = ""] = (await readFile(join(out, `c${code}.csv`), "utf8")).split("\n");
      return [code, row.split(",").slice(0, 2).map(Number)];
    });
    return new Map(await Promise.all(rows));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const crsOf = (code: number): string => encodeURIComponent(epsg(code));

async function coordinatesOf(gateway: OgcGateway, code: number, collection = "geo.grid", id = code): Promise<number[]> {
  const { status, json, headers } = await gateway.get(`/collections/${collection}/items/${id}?crs=${crsOf(code)}`);
  assert.deepEqual([status, headers.get("content-crs")], [200, `<${epsg(code)}>`]);
  return json.geometry.coordinates;
}

/**
 * Datum shifts differ with the grids that a library finds: by about ten metres, while a swap is a matter of degrees.
 */
const NEAR = 0.005;

async function gdalSees(found: ReadonlyMap<number, readonly number[]>): Promise<void> {
  const places = await byGdal(found);
  for (const [code, longitude, latitude] of PLACES.filter(([each]) => found.has(each))) {
    const [x = NaN, y = NaN] = places.get(code)!;
    assert.ok(Math.abs(x - longitude) < NEAR && Math.abs(y - latitude) < NEAR, `${code}: ${x}, ${y}`);
  }
}

describe("ogc.axisOrder", () => {
  describe('"authority": the order of the registry, in all that is read and written', () => {
    let gateway: OgcGateway;
    const found = new Map<number, number[]>();
    before(async () => {
      gateway = await gatewayOf({ axisOrder: "authority", mapCrs: "storage" });
      for (const code of CODES) found.set(code, await coordinatesOf(gateway, code));
    });
    after(() => gateway.close());

    it("GDAL finds each feature at its place, in all of 60 systems", () => gdalSees(found));

    it("a box and a filter around a read feature find it again", async () => {
      for (const [code, [first = NaN, second = NaN]] of found) {
        const side = Math.abs(first) < 400 && Math.abs(second) < 400 ? 0.01 : 1000;
        const box = [first - side, second - side, first + side, second + side].join(",");
        const byBox = await gateway.get(`/collections/geo.grid/items?limit=100&bbox=${box}&bbox-crs=${crsOf(code)}`);
        const filter = encodeURIComponent(`S_INTERSECTS(geom, BBOX(${box}))`);
        const byFilter = await gateway.get(
          `/collections/geo.grid/items?limit=100&filter=${filter}&filter-crs=${crsOf(code)}`,
        );
        for (const { json } of [byBox, byFilter])
          assert.ok(
            json.features.some(({ id }: Json) => id === code),
            `${code}: ${box}`,
          );
      }
    });

    it("a read feature is written back to the same place", async () => {
      const where = async () =>
        (await gateway.database.client.query("select id, st_x(geom) as x, st_y(geom) as y from geo.grid order by id"))
          .rows;
      for (const [code, coordinates] of found)
        assert.equal(
          (await write(gateway, `/collections/geo.grid/items/${code}`, { crs: epsg(code), coordinates })).status,
          204,
        );
      const places = new Map(PLACES.map(([code, x, y]) => [code, [x, y]] as const));
      for (const { id, x, y } of await where()) {
        const [longitude = NaN, latitude = NaN] = places.get(id)!;
        assert.ok(Math.abs(x - longitude) < 1e-6 && Math.abs(y - latitude) < 1e-6, `${id}: ${x}, ${y}`);
      }
    });

    it("a map gives its rectangle, and takes its center, in that order", async () => {
      for (const code of [3035, 2193, 25832, 3031, 4258]) {
        const [first = NaN, second = NaN] = found.get(code)!;
        const crs = `crs=${crsOf(code)}&center-crs=${crsOf(code)}`;
        const map = await fetch(
          `${gateway.root}/collections/geo.grid/map?${crs}&center=${first},${second}&scale-denominator=100000&width=100&height=100`,
        );
        assert.equal(map.status, 200);
        const box = map.headers.get("content-bbox")!.split(",").map(Number);
        for (const [index, middle] of [first, second].entries())
          assert.ok(box[index]! < middle && middle < box[index + 2]!, `${code}: ${String(box)}`);
      }
    });

    it("such a system is what its table is stored in, and tiles are cut in it", async () => {
      const { storageCrs, extent } = (await gateway.get("/collections/geo.north")).json;
      assert.equal(storageCrs, epsg(3035));
      const [y, x] = extent.spatial.storageCrsBbox[0];
      assert.deepEqual([Math.round(x / 1000), Math.round(y / 1000)], [4321, 3210]);
      const map = await fetch(`${gateway.root}/collections/geo.north/map?width=10`);
      assert.equal(map.headers.get("content-crs"), epsg(3035));
      const set = (await gateway.get("/tileMatrixSets/north")).json;
      assert.deepEqual(set.orderedAxes, ["N", "E"]);
      assert.deepEqual(set.tileMatrices[0].pointOfOrigin, [6_000_000, 2_000_000]);
      assert.deepEqual(set.boundingBox.lowerLeft, [1_000_000, 2_000_000]);
      const tile = await fetch(`${gateway.root}/collections/geo.north/tiles/north/1/1/0`);
      assert.equal(tile.status, 200);
    });
  });

  describe('"xy", the default: projected systems are x first', () => {
    let gateway: OgcGateway;
    before(async () => (gateway = await gatewayOf({ mapCrs: "storage" })));
    after(() => gateway.close());

    it("GDAL finds each feature if that is the order of the registry", async () => {
      const found = new Map<number, number[]>();
      for (const code of CODES.filter((each) => !isNorthFirst(each)))
        found.set(code, await coordinatesOf(gateway, code));
      await gdalSees(found);
    });

    it("those with north before east are the last of the list, and read x first", async () => {
      const { crs } = (await gateway.get("/collections/geo.grid")).json;
      assert.deepEqual(crs.slice(-37), CODES.filter(isNorthFirst).map(epsg));
      const [x, y] = await coordinatesOf(gateway, 3035, "geo.north", 1);
      assert.deepEqual([Math.round(x! / 1000), Math.round(y! / 1000)], [4321, 3210]);
      const box = `bbox=4320000,3209000,4322000,3211000&bbox-crs=${crsOf(3035)}`;
      assert.equal((await gateway.get(`/collections/geo.north/items?${box}`)).json.numberMatched, 1);
    });

    it("no client is told to use one: a table in it says CRS84, in which maps are drawn too", async () => {
      const { storageCrs, extent, crs } = (await gateway.get("/collections/geo.north")).json;
      assert.equal(storageCrs, CRS84);
      assert.deepEqual(extent.spatial.storageCrsBbox, undefined);
      assert.ok(crs.includes(storageCrs));
      const map = await fetch(`${gateway.root}/collections/geo.north/map?width=10`);
      assert.equal(map.headers.get("content-crs"), CRS84);
    });

    it("writes and filters in one are 400 with the name of the option, and nothing is written", async () => {
      const at = { crs: epsg(3035), coordinates: [3_271_029, 4_551_802] };
      for (const answer of [
        await write(gateway, "/collections/geo.north/items/1", at),
        await write(gateway, "/collections/geo.north/items", { ...at, method: "POST" }),
        await gateway.get(
          `/collections/geo.north/items?filter=S_INTERSECTS(geom,POINT(1 1))&filter-crs=${crsOf(3035)}`,
        ),
      ]) {
        assert.deepEqual([answer.status, answer.json.code], [400, "INVALID_CRS"]);
        assert.match(answer.json.message ?? answer.json.description, /ogc\.axisOrder "authority"/);
      }
      const { rows } = await gateway.database.client.query("select st_x(geom) as x from geo.north");
      assert.deepEqual(
        rows.map(({ x }) => Math.round(x)),
        [4_321_000],
      );
    });

    it("tiles are not cut in one, and a start with such tiles reports the reason", async () => {
      const { tileMatrixSets } = (await gateway.get("/tileMatrixSets")).json;
      assert.ok(!tileMatrixSets.some(({ id }: Json) => id === "north"));
      const { status, json } = await gateway.get("/tileMatrixSets/north");
      assert.equal(status, 404);
      assert.match(JSON.stringify(json), /ogc\.axisOrder/);
    });

    it("a system with an axis to the south, or without an EPSG code, is not offered: its table says CRS84", async () => {
      for (const [id, code] of [
        ["geo.south", 2065],
        ["geo.own", 990001],
      ] as const) {
        const { storageCrs, crs } = (await gateway.get(`/collections/${id}`)).json;
        assert.equal(storageCrs, CRS84);
        assert.ok(!crs.includes(epsg(code)));
        const { json } = await gateway.get(`/collections/${id}/items?crs=${crsOf(code)}`);
        assert.equal(json.code, "INVALID_CRS");
        const [x, y] = (await gateway.get(`/collections/${id}/items/1`)).json.geometry.coordinates;
        assert.deepEqual([Math.round(x), Math.round(y)], id === "geo.own" ? [9, 50] : [15, 50]);
      }
    });
  });
});
