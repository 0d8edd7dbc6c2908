import assert from "node:assert/strict";
import type pg from "pg";
import { sql } from "postgraphile/pg-sql2";
import { parseFilter } from "../../server/filter/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import { testDatabase } from "../support/databases.ts";
import { assertRefused, geometry, matching, shapeOf, TYPES } from "./fixtures.ts";

/** Lon, lat of the places. Each column holds all of them in its own system, as far as that extends. */
const PLACES = {
  1: [9.99, 48.4], // Ulm
  2: [11.58, 48.14], // Munich
  3: [13.4, 52.52], // Berlin
  4: [-179.9, -16.5], // Fiji, west of the antimeridian
  5: [179.9, -16.5], // Fiji, east of it
  6: [25, 89.9], // near the pole
  7: [0, 0],
  8: [-58.4, -34.6], // Buenos Aires
} as const satisfies Record<number, readonly [number, number]>;

const places = shapeOf("shop", "places", [
  { name: "id", type: TYPES.int4 },
  { name: "wgs84", type: geometry(4326) },
  { name: "mercator", type: geometry(3857) },
  { name: "utm", type: geometry(25832) },
  { name: "feet", type: geometry(2263) },
  { name: "plain", type: geometry(0) },
  { name: "sphere", type: geometry(4326, "geography") },
]);
const COLUMNS = ["wgs84", "mercator", "utm", "sphere"] as const;
const GERMANY = [1, 2, 3];

const point = ([x, y]: readonly [number, number]): object => ({ type: "Point", coordinates: [x, y] });
const within = (place: readonly [number, number], km: number): object => ({
  dwithin: { geometry: point(place), distance: km * 1000 },
});

describe("spatial operators", () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;
  const keeps = async (where: object, ids: readonly number[]): Promise<void> =>
    assert.deepEqual(await matching(client, where, places), ids, JSON.stringify(where));

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    ({ client } = database);
    await client.query(`
      create schema shop;
      create table shop.places (id int4 primary key, wgs84 geometry(Point, 4326), mercator geometry(Point, 3857),
        utm geometry(Point, 25832), feet geometry(Point, 2263), plain geometry, sphere geography(Point, 4326));
      create index on shop.places using gist (sphere);`);
    for (const [id, [x, y]] of Object.entries(PLACES)) {
      await client.query(
        `insert into shop.places select $1::int4, g, st_transform(g, 3857),
           case when $1::int4 <= 3 then st_transform(g, 25832) end, null, st_setsrid(g, 0), g::geography
           from (values (st_setsrid(st_makepoint($2, $3), 4326))) as v(g)`,
        [id, x, y],
      );
    }
    await client.query(`
      update shop.places set feet = st_transform('SRID=4326;POINT(-74 40.7)'::geometry, 2263) where id = 1;
      insert into shop.places (id) values (9);
      set search_path to ''`);
  });
  after(() => database.drop());

  it("bbox keeps rows within degrees of longitude and latitude, in every system", async () => {
    for (const column of COLUMNS) {
      await keeps({ [column]: { bbox: [9, 48, 12, 49] } }, [1, 2]);
      await keeps({ [column]: { bbox: [5, 45, 15, 55] } }, GERMANY);
      await keeps({ [column]: { bbox: [-100, -80, -99, -79] } }, []);
    }
    await keeps({ feet: { bbox: [-75, 40, -73, 41] } }, [1]);
    for (const column of ["wgs84", "sphere"]) {
      await keeps({ [column]: { bbox: [9.99, 48.4, 9.99, 48.4] } }, [1]);
      await keeps({ [column]: { bbox: [9.99, 48, 9.99, 49] } }, [1]);
    }
  });

  it("the whole world is every row with a place", async () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8];
    for (const world of [
      [-180, -90, 180, 90],
      [-900, -90.5, 900, 1000],
    ]) {
      await keeps({ wgs84: { bbox: world } }, all);
      await keeps({ mercator: { bbox: world } }, all);
      await keeps({ sphere: { bbox: world } }, all);
      await keeps({ utm: { bbox: world } }, GERMANY);
      await keeps({ feet: { bbox: world } }, [1]);
    }
  });

  it("a wide bbox is exact in projections that cover less", async () => {
    await keeps({ utm: { bbox: [-170, -80, 11, 85] } }, [1]);
    await keeps({ utm: { bbox: [10, 30, 175, 50] } }, [2]);
    await keeps({ sphere: { bbox: [-170, -80, 11, 85] } }, [1, 7, 8]);
    await keeps({ sphere: { bbox: [0, 0, 170, 0] } }, [7]);
    await keeps({ utm: { bbox: [110, -40, 150, -10] } }, []);
  });

  it("geography: everything along the edges of a wide bbox is found", async () => {
    await client.query(`
      create table public.parallels (id serial, spot public.geography);
      insert into public.parallels (spot)
        select public.st_setsrid(public.st_makepoint(x, y), 4326)::public.geography
        from generate_series(-170, 170, 0.5) as x, unnest(array[-60, 30, 60.0]) as y;
      create index on public.parallels using gist (spot);
      set enable_seqscan to off`);
    const parallels = shapeOf("public", "parallels", [{ name: "spot", type: geometry(4326, "geography") }]);
    assert.equal((await matching(client, { spot: { bbox: [-170, -60, 170, 60] } }, parallels)).length, 681 * 3);
    assert.equal((await matching(client, { spot: { bbox: [-100, 60, 100, 80] } }, parallels)).length, 401);
    assert.equal((await matching(client, { spot: { bbox: [-10.2, 20, 10.2, 60] } }, parallels)).length, 82);
    await client.query("reset enable_seqscan");
  });

  it("a column without SRID takes coordinates as they are", async () => {
    await keeps({ plain: { bbox: [9, 48, 12, 49] } }, [1, 2]);
    await keeps({ plain: { intersects: point(PLACES[1]) } }, [1]);
    await keeps({ plain: { intersects: "POINT(0 0)" } }, [7]);
    await keeps({ plain: { dwithin: { geometry: "POINT(10 48)", distance: 2 } } }, [1, 2]);
    await client.query("update shop.places set plain = public.st_setsrid(plain, 4326) where id = 1");
    await keeps({ plain: { intersects: "POLYGON((9 48,12 48,12 49,9 49,9 48))" } }, [1, 2]);
  });

  it("intersects takes GeoJSON and EWKT in any system", async () => {
    const polygon = [
      [
        [9, 48],
        [12, 48],
        [12, 49],
        [9, 49],
        [9, 48],
      ],
    ];
    for (const column of COLUMNS) {
      await keeps({ [column]: { intersects: { type: "Polygon", coordinates: polygon } } }, [1, 2]);
      await keeps(
        {
          [column]: {
            intersects:
              "SRID=25832;POLYGON((500000 5300000,600000 5300000,600000 5400000,500000 5400000,500000 5300000))",
          },
        },
        [1],
      );
      await keeps({ [column]: { intersects: "POLYGON EMPTY" } }, []);
    }
    await keeps(
      { utm: { intersects: "POLYGON((500000 5300000,600000 5300000,600000 5400000,500000 5400000,500000 5300000))" } },
      [1],
    );
  });

  it("equality is the same coordinates", async () => {
    await keeps({ wgs84: point(PLACES[1]) }, [1]);
    await keeps({ wgs84: { in: [point(PLACES[1]), "POINT(0 0)", null] } }, [1, 7, 9]);
    await keeps({ wgs84: { neq: point(PLACES[1]) } }, [2, 3, 4, 5, 6, 7, 8]);
    await keeps({ sphere: { in: [point(PLACES[1])] } }, [1]);
    await keeps({ sphere: null }, [9]);
    await keeps({ mercator: { in: ["POINT(1 1)", null] } }, [9]);
  });

  it("dwithin measures metres on the earth, in every system", async () => {
    const ulm = PLACES[1]; // Munich is 121 km away, Berlin 520 km
    for (const column of COLUMNS) {
      await keeps({ [column]: within(ulm, 0.01) }, [1]);
      await keeps({ [column]: within(ulm, 120) }, [1]);
      await keeps({ [column]: within(ulm, 123) }, [1, 2]);
      await keeps({ [column]: within(ulm, 530) }, GERMANY);
      await keeps(
        { [column]: { dwithin: { geometry: "SRID=3857;POINT(1112081.7 6174018.5)", distance: 130_000 } } },
        [1, 2],
      );
      await keeps(
        { [column]: { dwithin: { geometry: "SRID=25832;POINT(573247 5361243)", distance: 130_000 } } },
        [1, 2],
      );
      await keeps({ [column]: within(ulm, 30_000) }, column === "utm" ? GERMANY : [1, 2, 3, 4, 5, 6, 7, 8]);
    }
    await keeps({ feet: within([-74, 40.7], 0.001) }, [1]);
    await keeps({ wgs84: within(ulm, 0) }, [1]);
    await keeps({ sphere: within(ulm, 0) }, [1]);
  });

  it("dwithin reaches over the antimeridian and the poles", async () => {
    for (const column of ["wgs84", "mercator", "sphere"]) {
      await keeps({ [column]: within(PLACES[4], 25) }, [4, 5]);
      await keeps({ [column]: within([-155, 89.95], 20) }, [6]);
    }
  });

  it("refuses values that are not a place, a box or a distance", () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ intersects: 5 }, /^where\.wgs84\.intersects: expected a GeoJSON geometry or EWKT, got 5/],
      [{ intersects: null }, /got null/],
      [
        {
          intersects: {
            type: "Polygon",
            coordinates: [
              [
                [0, 0],
                [1, 1],
              ],
            ],
          },
        },
        /intersects: expected a ring/,
      ],
      [{ bbox: [1, 2, 3] }, /^where\.wgs84\.bbox: expected \[minx, miny, maxx, maxy\].*got 3 numbers/],
      [{ bbox: "1,2,3,4" }, /expected \[minx, miny/],
      [{ bbox: [1, 2, 3, "4"] }, /bbox\[3\]: expected a number, got "4"/],
      [{ bbox: [170, 0, -170, 10] }, /the lower corner is above the upper corner/],
      [{ bbox: [190, 0, 200, 1] }, /outside the world/],
      [{ dwithin: 5 }, /expected \{"geometry": GeoJSON or EWKT, "distance": metres\}, got 5/],
      [{ dwithin: { geometry: "POINT(0 0)" } }, /distance: expected a distance, 0 or more, got nothing/],
      [{ dwithin: { geometry: "POINT(0 0)", distance: -1 } }, /distance, 0 or more, got -1/],
      [{ dwithin: { distance: 1 } }, /dwithin\.geometry: expected a GeoJSON/],
      [{ dwithin: { geometry: "POINT(0 0)", distance: 1, units: "m" } }, /no member "units"/],
      [{ gt: "POINT(0 0)" }, /takes eq, neq, in, nin, isNull, intersects, bbox, dwithin/],
    ];
    for (const [condition, message] of cases) {
      assertRefused(() => parseFilter({ wgs84: condition }, places), message);
    }
    assertRefused(() => parseFilter({ id: { bbox: [1, 2, 3, 4] } }, places), /does not take this operator/);
  });

  it("the GiST index is used under row level security", async () => {
    await client.query(`
      set search_path to public, pg_catalog;
      create table shop.spots as
        select n as id, st_setsrid(st_makepoint(mod(n, 300) / 10.0 - 5, n / 6000.0 + 35), 4326) as wgs84
          from generate_series(1, 60000) as n;
      alter table shop.spots add column utm geometry(Point, 25832), add column sphere geography(Point, 4326);
      update shop.spots set utm = st_transform(wgs84, 25832), sphere = wgs84::geography;
      create index on shop.spots using gist (wgs84);
      create index on shop.spots using gist (utm);
      create index on shop.spots using gist (sphere);
      alter table shop.spots enable row level security;
      create role reader;
      grant usage on schema shop to reader;
      grant select on shop.spots to reader;
      create policy readers on shop.spots to reader using (mod(id, 2) = 0);
      alter function geometry_overlaps(geometry, geometry) leakproof;
      alter function geography_overlaps(geography, geography) leakproof;`);
    await client.query("analyze shop.spots");
    await client.query("set role reader; set search_path to ''");
    const spots = shapeOf("shop", "spots", [
      { name: "wgs84", type: geometry(4326) },
      { name: "utm", type: geometry(25832) },
      { name: "sphere", type: geometry(4326, "geography") },
    ]);
    for (const column of ["wgs84", "utm", "sphere"]) {
      for (const condition of [
        { bbox: [9, 40, 9.3, 40.1] },
        {
          intersects: {
            type: "Polygon",
            coordinates: [
              [
                [9, 40],
                [9.3, 40],
                [9.3, 40.1],
                [9, 40],
              ],
            ],
          },
        },
        { intersects: "SRID=25832;POINT(500000 4500000)" },
        { dwithin: { geometry: point([9, 40]), distance: 10_000 } },
        { dwithin: { geometry: "SRID=25832;POINT(500000 4500000)", distance: 10_000 } },
      ]) {
        const filter = filterToSql(parseFilter({ [column]: condition }, spots)!, sql`t`);
        const { text, values } = sql.compile(sql`explain select * from shop.spots as t where ${filter}`);
        const { rows } = await client.query<Record<string, string>>(text, values);
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
        assert.match(plan, /Index/, `${JSON.stringify({ [column]: condition })}\n${plan}`);
      }
    }
    await client.query("reset role");
  });
});
