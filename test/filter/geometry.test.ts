import assert from "node:assert/strict";
import type pg from "pg";
import { parseGeometry } from "../../server/types/geometry.ts";
import { testDatabase } from "../support/databases.ts";
import { assertRefused } from "./fixtures.ts";

const WKT = [
  "POINT(1 2)",
  "point z (1 2 3)",
  "POINTZM(1 2 3 4)",
  "POINT M (1 2 3)",
  "POINT(1 2 3)",
  "POINT EMPTY",
  "POINT Z EMPTY",
  " POINT ( -1.5e-7   2.5E3 ) ",
  "POINT(.5 1.)",
  "POINT(1e21 -1e-21)",
  "LINESTRING(0 0,1 1)",
  "LINESTRING EMPTY",
  "POLYGON((0 0,1 0,1 1,0 0))",
  "POLYGON((0 0,9 0,9 9,0 0),(3 1,4 1,4 2,3 1))",
  "MULTIPOINT(1 2,3 4)",
  "MULTIPOINT((1 2),(3 4))",
  "MULTIPOINT(EMPTY,(3 4))",
  "MULTILINESTRING((0 0,1 1),(2 2,3 3))",
  "MULTIPOLYGON(((0 0,1 0,1 1,0 0)),EMPTY)",
  "GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1),GEOMETRYCOLLECTION(POINT(3 4)))",
  "GEOMETRYCOLLECTION Z (POINT Z (1 2 3))",
  "GEOMETRYCOLLECTION EMPTY",
  "CIRCULARSTRING(0 0,1 1,2 0)",
  "COMPOUNDCURVE((0 0,1 1),CIRCULARSTRING(1 1,2 2,3 1))",
  "CURVEPOLYGON(CIRCULARSTRING(0 0,4 0,4 4,0 4,0 0),(1 1,3 3,3 1,1 1))",
  "MULTICURVE((0 0,5 5),CIRCULARSTRING(4 0,4 4,8 4))",
  "MULTISURFACE(((0 0,1 0,1 1,0 0)),CURVEPOLYGON((0 0,1 0,1 1,0 0)))",
  "TRIANGLE((0 0,1 0,1 1,0 0))",
  "TIN(((0 0,1 0,1 1,0 0)),((0 0,1 0,1 1,0 0)))",
  "POLYHEDRALSURFACE Z(((0 0 0,0 0 1,0 1 1,0 0 0)))",
];

const BAD_TEXT: readonly (readonly [string, RegExp])[] = [
  ["", /a geometry type instead of the end at character 0/],
  ["POINT", /"\(" instead of the end/],
  ["POINT(1 2", /"\)" instead of the end at character 9/],
  ["POINT(1 2))", /the end instead of "\)"/],
  ["POINT(1)", /two to four coordinates instead of "\)"/],
  ["POINT(1 2 3 4 5)", /two to four coordinates/],
  ["POINT(1 a)", /two to four coordinates instead of "A"/],
  ["POINT(1 2; drop)", /instead of ";"/],
  ["POINT(1e999 0)", /finite coordinates/],
  ["POINT(1 2, 3 4)", /expected one position/],
  ["POINTY(1 2)", /a geometry type/],
  ["RING(0 0,1 0,1 1,0 0)", /a geometry type/],
  ["CONSTRUCTOR(0 0)", /a geometry type/],
  ["LINESTRING(0 0)", /at least two positions/],
  ["POLYGON((0 0,1 1,1 0))", /a ring of at least four positions/],
  ["POLYGON((0 0,1 0,1 1,0 1))", /the last equal to the first/],
  ["LINESTRING(0 0,1 1 1)", /same number of coordinates/],
  ["POINT Z (1 2)", /same number of coordinates/],
  ["CIRCULARSTRING(0 0,1 1)", /an odd number/],
  ["MULTIPOLYGON(POLYGON((0 0,1 0,1 1,0 0)))", /"\(" instead of "POLYGON"/],
  ["COMPOUNDCURVE(POINT(1 1))", /a geometry type instead of "POINT"/],
  ["SRID=x;POINT(1 2)", /a geometry type/],
  ["0101000000000000000000F03F0000000000000040", /a geometry type/],
  [`{"type":"Point","coordinates":[1,2]}`, /a geometry type instead of "\{"/],
  [`${"GEOMETRYCOLLECTION(".repeat(5000)}`, /nested too deeply/],
];

const GEOJSON: readonly object[] = [
  { type: "Point", coordinates: [9, 48] },
  { type: "Point", coordinates: [9, 48, 300.5] },
  { type: "Point", coordinates: [] },
  {
    type: "LineString",
    coordinates: [
      [0, 0],
      [1e-7, -1],
    ],
  },
  {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  },
  { type: "Polygon", coordinates: [] },
  {
    type: "MultiPoint",
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  },
  {
    type: "MultiLineString",
    coordinates: [
      [
        [0, 0, 1],
        [1, 1, 1],
      ],
      [
        [2, 2, 1],
        [3, 3, 1],
      ],
    ],
  },
  {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    ],
  },
  {
    type: "GeometryCollection",
    geometries: [
      { type: "Point", coordinates: [1, 2] },
      { type: "MultiPoint", coordinates: [] },
    ],
  },
  { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [1, 2, 3] }] },
  { type: "GeometryCollection", geometries: [] },
  { type: "Point", coordinates: [9, 48], bbox: [9, 48, 9, 48], note: "foreign members are passed over" },
  { type: "Point", coordinates: [9, 48], crs: { type: "name", properties: { name: "urn:ogc:def:crs:OGC:1.3:CRS84" } } },
  { type: "Point", coordinates: [9, 48], crs: null },
];

const nested = (depth: number): object =>
  depth === 0
    ? { type: "Point", coordinates: [0, 0] }
    : { type: "GeometryCollection", geometries: [nested(depth - 1)] };

const BAD_GEOJSON: readonly (readonly [unknown, RegExp])[] = [
  [5, /expected a GeoJSON geometry or EWKT, got 5/],
  [[1, 2], /got a list/],
  [{}, /"type": nothing/],
  [{ type: "point", coordinates: [1, 2] }, /"type": "point"/],
  [{ type: "Feature", geometry: { type: "Point", coordinates: [1, 2] } }, /"type": "Feature"/],
  [{ type: "constructor" }, /"type": "constructor"/],
  [{ type: "Point" }, /where\.g\.coordinates: expected the coordinates of a POINT, got nothing/],
  [{ type: "Point", coordinates: [1] }, /two or three numbers, got 1/],
  [{ type: "Point", coordinates: [1, 2, 3, 4] }, /two or three numbers, got 4/],
  [{ type: "Point", coordinates: ["1", "2"] }, /a position of numbers, got "1"/],
  [{ type: "Point", coordinates: [48, 91] }, /latitude 91 is not between/],
  [{ type: "LineString", coordinates: [[0, 0]] }, /at least two positions/],
  [{ type: "LineString", coordinates: [0, 0] }, /where\.g\.coordinates\[0\]: expected a position/],
  [{ type: "Polygon", coordinates: [[]] }, /a ring of at least four/],
  [
    {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ],
      ],
    },
    /the last equal to the first/,
  ],
  [
    {
      type: "MultiPoint",
      coordinates: [
        [0, 0],
        [1, 1, 1],
      ],
    },
    /same number of coordinates/,
  ],
  [{ type: "GeometryCollection", geometries: [{ type: "Nope" }] }, /where\.g\.geometries\[0\]: .*"Nope"/],
  [{ type: "GeometryCollection" }, /a list of geometries/],
  [
    { type: "Point", coordinates: [1, 2], crs: { type: "name", properties: { name: "EPSG:25832" } } },
    /cannot have another "crs"/,
  ],
  [nested(50), /nested too deeply/],
];

describe("geometries from outside", () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;
  before(async () => {
    database = await testDatabase();
    ({ client } = database);
  });
  after(() => database.drop());

  for (const wkt of WKT) {
    it(`reads ${wkt} as PostGIS does`, async () => {
      const read = parseGeometry(`SRID=4326;${wkt}`, "where.g");
      const { rows } = await client.query(
        `select st_asewkb($1::geometry) = st_asewkb(st_geomfromewkt($2)) as same,
           array[st_xmin($1::geometry), st_ymin($1), st_xmax($1), st_ymax($1)] as bounds, st_hasarc($1) as arcs`,
        [`SRID=${read.srid};${read.wkt}`, `SRID=4326;${wkt}`],
      );
      assert.equal(rows[0].same, true, read.wkt);
      const isBounded = !rows[0].arcs && rows[0].bounds[0] !== null;
      assert.deepEqual(read.bounds, isBounded ? rows[0].bounds : undefined);
    });
  }

  for (const json of GEOJSON) {
    it(`reads ${JSON.stringify(json)} as PostGIS does`, async () => {
      const read = parseGeometry(json, "where.g");
      assert.equal(read.srid, 4326);
      const { rows } = await client.query(
        "select st_asewkt($1::geometry) as ours, st_asewkt(st_geomfromgeojson($2)) as theirs",
        [`SRID=4326;${read.wkt}`, JSON.stringify({ ...json, crs: undefined })],
      );
      assert.equal(rows[0].ours, rows[0].theirs);
    });
  }

  for (const [text, message] of BAD_TEXT) {
    it(`refuses ${text.slice(0, 60)} with ${message}`, () =>
      assertRefused(() => parseGeometry(text, "where.g"), message));
  }

  for (const [json, message] of BAD_GEOJSON) {
    it(`refuses ${JSON.stringify(json).slice(0, 80)} with ${message}`, () =>
      assertRefused(() => parseGeometry(json, "where.g"), message));
  }

  it("a plus sign is read too, which PostGIS refuses", () => {
    assert.equal(parseGeometry("POINT(+1 +2.5E3)", "where.g").wkt, "POINT(1 2500)");
  });

  it("reads a ring of a hundred thousand positions", () => {
    const ring = Array.from({ length: 100_000 }, (_, index) => [index / 1000, Math.sin(index)]);
    const polygon = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
    assert.deepEqual(parseGeometry(polygon, "where.g").bounds?.[2], 99.999);
    const text = `POLYGON((${[...ring, ring[0]!].map((position) => position.join(" ")).join(",")}))`;
    assert.deepEqual(parseGeometry(text, "where.g").bounds?.[2], 99.999);
  });
});
