import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("the types that the columns of a file may have in a table", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create table world.narrow (id int primary key, depth int, geom geometry(Point, 4326));
create table world.wide (id bigint primary key, depth bigint, geom geometry(Point, 4326));
insert into world.narrow values (1, 2, 'SRID=4326;POINT(1 2)');
insert into world.wide values (1, 2, 'SRID=4326;POINT(1 2)')`),
    });
  });
  after(() => gateway.close());

  async function typesOf(mediaType: string, body: string | Buffer): Promise<string> {
    const response = await fetch(`${gateway.baseUrl}/api/v4/import/preview`, {
      method: "POST",
      headers: { Authorization: `Bearer ${await gateway.token("guest")}`, "Content-Type": mediaType },
      body: body as BodyInit,
    });
    const answer = (await response.json()) as { columns: readonly { name: string; type: string }[] };
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer.columns.map(({ name, type }) => `${name} ${type}`).join("; ");
  }

  it("geometries in text: their own type, with heights, and a multi-geometry if one of them is", async () => {
    const texts: Readonly<Record<string, readonly string[]>> = {
      "geometry(Point,4326)": ["POINT(1 2)", "point (3 4)"],
      "geometry(PointZ,4326)": ["POINT(1 2)", "POINT Z (1 2 3)", ""],
      "geometry(PointZM,4326)": ["POINT(1 2 3 4)"],
      "geometry(LineStringM,25832)": ["SRID=25832;LINESTRING M (1 2 3, 4 5 6)"],
      "geometry(MultiPolygon,4326)": [
        "POLYGON((0 0,1 0,1 1,0 0))",
        "MULTIPOLYGON(((0 0,1 0,1 1,0 0)))",
        "POLYGON EMPTY",
      ],
      "geometry(Geometry,4326)": ["POINT(1 2)", "LINESTRING(1 2,3 4)"],
      "geometry(Geometry,3857)": ["SRID=3857;GEOMETRYCOLLECTION(POINT(1 2))"],
      // st_ashexewkb(st_point(1, 2)), the same in 3857, and with a height
      "geometry(Point)": ["0101000000000000000000F03F0000000000000040"],
      "geometry(Point,3857)": ["0101000020110F0000000000000000F03F0000000000000040"],
      "geometry(PointZ)": ["0101000080000000000000F03F00000000000000400000000000000840"],
      text: ["POINT(1 2)", "nowhere"],
    };
    for (const [type, values] of Object.entries(texts))
      assert.equal(
        await typesOf("text/csv", `place,n\n${values.map((value) => `"${value}",1\n`).join("")}`),
        `place ${type}; n integer`,
      );
  });

  it("geometries of GeoJSON keep their heights", async () => {
    const feature = (type: string, coordinates: unknown): string =>
      JSON.stringify({ type: "Feature", properties: null, geometry: { type, coordinates } });
    const types = (...features: string[]) => typesOf("application/geo+json-seq", features.join("\n"));
    assert.equal(await types(feature("Point", [1, 2]), feature("Point", [1, 2, 3])), "geometry geometry(PointZ,4326)");
    assert.equal(
      await types(
        feature("LineString", [
          [1, 2],
          [3, 4],
        ]),
        feature("MultiLineString", [
          [
            [1, 2],
            [3, 4],
          ],
        ]),
      ),
      "geometry geometry(MultiLineString,4326)",
    );
    assert.equal(await types(feature("Point", [])), "geometry geometry(Point,4326)");
  });

  it("a GeoPackage names them itself, with the kind of geometry", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-test-types-"));
    // GeoPackageBinary in the system 77 without an envelope, and WKB of ISO
    const geometry = (wkb: string): string => `x'47500001${"4d000000"}${wkb}'`;
    const polygon = geometry("010300000000000000");
    const polygonZ = geometry("01eb0300000000000000".slice(0, 18));
    const multi = geometry("010600000000000000");
    const layer = (declared: string, z: number, values: readonly string[], srs = 77): Promise<string> => {
      const file = join(folder, `${Math.random()}.gpkg`);
      const made = new DatabaseSync(file);
      made.exec(`
create table gpkg_contents (table_name text, data_type text);
create table gpkg_geometry_columns (table_name text, column_name text, geometry_type_name text, srs_id int, z int, m int);
create table gpkg_spatial_ref_sys (srs_id int, organization text, organization_coordsys_id int);
create table zones (
  fid integer primary key, name text(30), is_open boolean, berths mediumint, depth double, day date, at datetime, photo blob,
  other numeric, geom ${declared});
insert into gpkg_contents values ('zones', 'features');
insert into gpkg_geometry_columns values ('zones', 'geom', '${declared}', ${srs}, ${z}, 0);
insert into gpkg_spatial_ref_sys values (77, 'EPSG', 3857);
insert into zones (name, is_open, berths, depth, day, at, photo, other, geom) values
  ${[...values, "null"].map((value) => `('7', 1, 3, 1.5, '2026-01-31', '2026-01-31T12:00:00.000Z', x'00', 12, ${value})`).join(", ")}`);
      made.close();
      return typesOf("application/geopackage+sqlite3", readFileSync(file));
    };
    const others =
      "fid bigint; name text; is_open boolean; berths integer; depth double precision; day date; at timestamp with time zone; photo bytea; other integer; geom";
    try {
      assert.equal(await layer("POLYGON", 0, [polygon]), `${others} geometry(Polygon,3857)`);
      assert.equal(await layer("POLYGON", 0, [polygon, multi]), `${others} geometry(MultiPolygon,3857)`);
      assert.equal(await layer("MULTIPOLYGON", 0, [polygon]), `${others} geometry(MultiPolygon,3857)`);
      assert.equal(await layer("GEOMETRY", 0, [polygon]), `${others} geometry(Polygon,3857)`);
      assert.equal(await layer("GEOMETRY", 1, []), `${others} geometry(GeometryZ,3857)`);
      assert.equal(await layer("POLYGON", 2, [polygon, polygonZ]), `${others} geometry(PolygonZ,3857)`);
      assert.equal(await layer("POINT", 1, [], 0), `${others} geometry(PointZ)`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("a GeoPackage of the service keeps the width of its key, which the standard gives 64 bits", async () => {
    for (const [table, type] of [
      ["narrow", "integer"],
      ["wide", "bigint"],
    ] as const) {
      const path = `/api/v4/ogc/database/${gateway.database.name}/collections/world.${table}/items?f=gpkg`;
      const file = await fetch(gateway.baseUrl + path, {
        headers: { Authorization: `Bearer ${await gateway.token("captain")}` },
      });
      assert.equal(file.status, 200);
      const body = Buffer.from(await file.arrayBuffer());
      assert.equal(
        await typesOf("application/geopackage+sqlite3", body),
        `id ${type}; depth ${type}; geom geometry(Point,4326)`,
      );
    }
  });
});
