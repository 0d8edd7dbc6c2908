/** The abstract tests of OGC API Features Part 2 (OGC 18-058, annex A), in our own words, and the order of axes. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { CRS84, epsg, hrefOf, ogcGateway, type Json, type OgcGateway } from "./support.ts";
import { until } from "../support/until.ts";

const GOLDEN = new URL("axisOrder.json", import.meta.url);
const COLLECTIONS = ["lonlat", "etrs", "utm", "mercator", "sphere"];

describe("OGC API Features Part 2: Coordinate Reference Systems by Reference", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway({ config: { ogc: { crs: [25832, 4258] } } });
  });
  after(() => gateway.close());

  it("/conf/crs/crs-uri, fc-md-crs-list-A, fc-md-storageCrs: each collection lists its systems, its own among them", async () => {
    const described = async (id: string) => (await gateway.get(`/collections/geo.${id}`)).json;
    const all = [CRS84, ...[4326, 3857].map(epsg)];
    assert.deepEqual((await described("lonlat")).crs, [...all, ...[25832, 4258].map(epsg)]);
    assert.deepEqual((await described("utm")).crs, [...all, ...[25832, 4258].map(epsg)]);
    for (const [id, code] of [
      ["lonlat", 4326],
      ["etrs", 4258],
      ["utm", 25832],
      ["mercator", 3857],
      ["sphere", 4326],
    ] as const)
      assert.equal((await described(id)).storageCrs, epsg(code), id);
    assert.equal((await described("mixed")).storageCrs, undefined);
  });

  it("/conf/crs/fc-crs-default-value, fc-bbox-crs-default-value: longitude, latitude", async () => {
    const { json, headers } = await gateway.get("/collections/geo.utm/items?bbox=8,49,9,50");
    assert.equal(json.numberMatched, 1);
    assert.equal(headers.get("content-crs"), `<${CRS84}>`);
    assert.ok(json.features[0].geometry.coordinates[0] < json.features[0].geometry.coordinates[1]);
  });

  it("/conf/crs/fc-crs-valid-value, fc-bbox-crs-valid-value, ogc-crs-header, geojson: every listed system, echoed in Content-Crs", async () => {
    for (const id of COLLECTIONS)
      for (const crs of (await gateway.get(`/collections/geo.${id}`)).json.crs) {
        for (const path of ["items", "items/1"]) {
          const { status, headers } = await gateway.get(
            `/collections/geo.${id}/${path}?crs=${encodeURIComponent(crs)}`,
          );
          assert.deepEqual([status, headers.get("content-crs")], [200, `<${crs}>`]);
        }
        const none = await gateway.get(`/collections/geo.${id}/items?bbox=0,0,1,1&bbox-crs=${crs}`);
        assert.deepEqual([none.status, none.json.numberMatched], [200, 0], `${id} ${crs}`);
      }
  });

  it("/conf/crs/fc-crs-invalid-value, fc-bbox-crs-invalid-value: anything else is 400 INVALID_CRS", async () => {
    for (const value of [
      "EPSG:4326",
      "4326",
      epsg(2000),
      "",
      "http://www.opengis.net/def/crs/EPSG/0/4326%20",
      "urn:ogc:def:crs:EPSG::4326",
      "http://www.opengis.net/def/crs/OGC/1.3/crs84",
      "https://www.opengis.net/def/crs/EPSG/0/4326",
      "';--",
    ])
      for (const query of [`crs=${encodeURIComponent(value)}`, `bbox=0,0,1,1&bbox-crs=${encodeURIComponent(value)}`]) {
        const { status, json } = await gateway.get(`/collections/geo.places/items?${query}`);
        assert.deepEqual([status, json.code], [400, "INVALID_CRS"], query);
      }
    assert.equal((await gateway.get("/collections/geo.places/items/1?crs=4326")).json.code, "INVALID_CRS");
  });

  it("/conf/crs/fc-bbox-crs-action: a box is understood in its own system, and the same features are found in each", async () => {
    const boxes: Record<string, string> = {
      [CRS84]: "8.5,49.3,8.7,49.5",
      [epsg(4326)]: "49.3,8.5,49.5,8.7",
      [epsg(4258)]: "49.3,8.5,49.5,8.7",
      [epsg(3857)]: "950000,6340000,965000,6350000",
      [epsg(25832)]: "470000,5471000,472000,5473000",
    };
    for (const id of COLLECTIONS)
      for (const [crs, box] of Object.entries(boxes)) {
        const { json } = await gateway.get(`/collections/geo.${id}/items?bbox=${box}&bbox-crs=${crs}`);
        assert.equal(json.numberMatched, 1, `${id} ${crs}`);
      }
  });

  it("the links of a page keep the system", async () => {
    const first = await gateway.get(
      `/collections/geo.places/items?limit=1&crs=${epsg(4326)}&bbox=0,0,9,9&bbox-crs=${CRS84}`,
    );
    const next = await gateway.get(hrefOf(first.json.links, "next"));
    assert.equal(next.headers.get("content-crs"), `<${epsg(4326)}>`);
    assert.deepEqual(next.json.features[0].geometry.coordinates, [0, 2]);
    assert.match(hrefOf(next.json.links, "self"), new RegExp(`crs=${epsg(4326)}`));
  });

  it("gives coordinates in the order of axes of the golden file", async () => {
    const found: Record<string, Record<string, number[]>> = {};
    for (const id of COLLECTIONS)
      for (const crs of (await gateway.get(`/collections/geo.${id}`)).json.crs) {
        const { json } = await gateway.get(`/collections/geo.${id}/items/1?crs=${crs}`);
        const digits = /4326|4258|CRS84/.test(crs) ? 7 : 3;
        (found[`geo.${id}`] ??= {})[crs] = json.geometry.coordinates.map((value: number) =>
          Number(value.toFixed(digits)),
        );
      }
    if (process.env["UPDATE_SNAPSHOTS"]) writeFileSync(GOLDEN, `${JSON.stringify(found, null, 2)}\n`);
    assert.deepEqual(found, JSON.parse(readFileSync(GOLDEN, "utf8")));
  });

  it("gives heights after the flipped axes", async () => {
    const { json } = await gateway.get(`/collections/geo.kinds/items/8?crs=${epsg(4326)}`);
    assert.deepEqual(json.geometry.coordinates, [6, 5, 700]);
  });

  it("a view whose geometries have several systems gives them all in the requested one", async () => {
    for (const crs of [CRS84, epsg(4326), epsg(3857), epsg(25832)]) {
      const { json } = await gateway.get(`/collections/geo.mixed/items?crs=${crs}`);
      const [first, ...others] = json.features.map(({ geometry }: Json) => geometry.coordinates);
      for (const other of others)
        for (const [index, value] of other.entries()) assert.ok(Math.abs(value - first[index]) < 1e-3, crs);
    }
  });

  it("names the geometry that cannot be given in a system, and gives all others", async () => {
    const { json, status } = await gateway.get(`/collections/geo.bad/items?crs=${epsg(3857)}`);
    assert.equal(status, 200);
    assert.deepEqual(
      json.features.map(({ id, geometry }: Json) => [id, geometry === null]),
      [
        [1, false],
        [2, true],
        [3, true],
        [4, false],
      ],
    );
    assert.deepEqual(
      json.problems.map(({ id }: Json) => id),
      ["2", "3"],
    );
    assert.match(json.problems[0].message, /3857/);
    const one = await gateway.get(`/collections/geo.bad/items/2?crs=${epsg(3857)}`);
    assert.deepEqual([one.status, one.json.geometry], [200, null]);
    assert.match(one.json.problem, /3857/);
    const page = await gateway.get(`/collections/geo.bad/items?crs=${epsg(3857)}&f=html`);
    assert.match(page.text, /<b>2<\/b>: The geometry cannot be given/);
    assert.equal((await gateway.get("/collections/geo.bad/items/2")).json.geometry.coordinates[1], 95);
  });

  it("skipGeometry=true reads no geometry: one that cannot be given is no problem", async () => {
    const { json, status } = await gateway.get(`/collections/geo.bad/items?crs=${epsg(3857)}&skipGeometry=true`);
    assert.equal(status, 200);
    assert.deepEqual(
      json.features.map(({ id, geometry, problem }: Json) => [id, geometry, problem]),
      [1, 2, 3, 4].map((id) => [id, null, undefined]),
    );
    assert.equal(json.problems, undefined);
  });

  it("continues after one that cannot be transformed in the middle of a large answer", async () => {
    await gateway.database.client.query(`
create table geo.many (id int primary key, geom geometry(Point, 4326));
insert into geo.many select i, st_setsrid(st_makepoint(1, case when i % 1500 = 0 then 95 else 1 end), 4326) from generate_series(1, 5000) i;
select portolan.set_authentication('geo.many', 'None')`);
    await until(async () => (await gateway.get("/collections/geo.many")).status === 200);
    const { json } = await gateway.get(`/collections/geo.many/items?limit=10000&crs=${epsg(3857)}`);
    assert.deepEqual(
      json.problems.map(({ id }: Json) => id),
      ["1500", "3000", "4500"],
    );
    assert.deepEqual(
      json.features.map(({ id }: Json) => id),
      Array.from({ length: 5000 }, (_, index) => index + 1),
    );
    assert.deepEqual([json.numberMatched, json.numberReturned], [5000, 5000]);
  });
});

describe("boxes over the antimeridian", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({ config: { ogc: { antimeridian: "split" } } });
  });
  after(() => gateway.close());

  it("are 400 by default", async () => {
    const plain = await ogcGateway();
    try {
      for (const query of ["bbox=177,-19,-179,-16", `bbox=-19,177,-16,-179&bbox-crs=${epsg(4326)}`]) {
        const { status, json } = await plain.get(`/collections/geo.fiji/items?${query}`);
        assert.deepEqual([status, json.code], [400, "INVALID_PARAMETER"]);
      }
    } finally {
      await plain.close();
    }
  });

  it("are taken as the standard says with ogc.antimeridian: split", async () => {
    for (const query of [
      "bbox=177,-19,-179,-16",
      "bbox=179.5,-20,-179.5,-15",
      `bbox=-19,177,-16,-179&bbox-crs=${epsg(4326)}`,
    ]) {
      const { json } = await gateway.get(`/collections/geo.fiji/items?${query}`);
      assert.deepEqual(
        json.features.map(({ id }: Json) => id),
        [1],
        query,
      );
    }
    assert.equal((await gateway.get("/collections/geo.fiji/items?bbox=178,10,-178,-10")).status, 400);
  });
});
