import assert from "node:assert/strict";
import type { Axes } from "../../server/types/axes.ts";
import { parseGeometry } from "../../server/types/geometry.ts";
import { plainGeometry } from "../../server/types/plainGeometry.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

const RING = [
  [8, 49],
  [9.123456789012345, 49.5],
  [-0, 1e-7],
  [8, 49],
];
const HOLE = [
  [1, 1],
  [2, 1],
  [2, 2],
  [1, 1],
];
const [A, B, HIGH, HIGHER] = [
  [8.5, 49],
  [-179.999999999, 90],
  [8.5, 49, 117.25],
  [9, 50, -0.5],
];
/** In one way or another not plain, or wrong. */
const OTHERS: readonly unknown[] = [
  null,
  "POINT(1 2)",
  { type: "Point" },
  { type: "Point", coordinates: [] },
  { type: "Point", coordinates: [1] },
  { type: "Point", coordinates: [1, 2, 3, 4] },
  { type: "Point", coordinates: ["1", 2] },
  { type: "Point", coordinates: [1, null] },
  { type: "Point", coordinates: [1, 91] },
  { type: "Point", coordinates: [A] },
  { type: "Point", coordinates: A, crs: { type: "name", properties: { name: "EPSG:3857" } } },
  { type: "LineString", coordinates: [A] },
  { type: "LineString", coordinates: [A, HIGH] },
  { type: "LineString", coordinates: [A, [B]] },
  { type: "Polygon", coordinates: [] },
  { type: "Polygon", coordinates: RING },
  { type: "Polygon", coordinates: [RING.slice(1)] },
  { type: "Polygon", coordinates: [RING.slice(2)] },
  { type: "Polygon", coordinates: [RING, []] },
  { type: "MultiPoint", coordinates: [A, []] },
  { type: "MultiPolygon", coordinates: [[]] },
  { type: "GeometryCollection", geometries: [] },
  { type: "Circle", coordinates: A },
];

describe("a plain geometry", () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.drop());

  const PLAIN: readonly (readonly [type: string, coordinates: unknown])[] = [
    ["Point", A],
    ["Point", HIGH],
    ["LineString", [A, B]],
    ["LineString", [HIGH, HIGHER, HIGH]],
    ["Polygon", [RING]],
    ["Polygon", [RING, HOLE, HOLE]],
    ["MultiPoint", [A, B, A]],
    ["MultiPoint", [HIGH]],
    [
      "MultiLineString",
      [
        [A, B],
        [B, A, B],
      ],
    ],
    ["MultiPolygon", [[RING, HOLE], [RING]]],
    // more than there is room for at first
    ["LineString", Array.from({ length: 20_000 }, (_, i) => [i / 1000, i / 1e7])],
  ];
  for (const axes of [undefined, { srid: 4326, flipped: true }, { srid: 3857, flipped: false }] as (Axes | undefined)[])
    it(`is the geometry, with the bounds, that its WKT is, in ${JSON.stringify(axes ?? "longitude and latitude")}`, async () => {
      for (const [type, coordinates] of PLAIN) {
        const json = { type, coordinates };
        const plain = plainGeometry(json, axes)!;
        const read = parseGeometry(json, "geometry", axes);
        assert.deepEqual([plain.srid, plain.bounds], [read.srid, read.bounds], type);
        const { rows } = await database.client.query<{ same: boolean }>(
          "select st_asewkb($1::geometry) = st_asewkb($2::geometry) as same",
          [`SRID=${plain.srid};${plain.wkt}`, `SRID=${read.srid};${read.wkt}`],
        );
        assert.equal(rows[0]!.same, true, `${type} ${plain.wkt.slice(0, 200)}`);
      }
    });

  it("is not a wrong geometry, an empty one, or one with its own system", () => {
    for (const json of OTHERS) assert.equal(plainGeometry(json), undefined, JSON.stringify(json));
  });
});
