import assert from "node:assert/strict";
import { epsg, hrefOf, idsOf, ogcGateway, type Json, type OgcGateway } from "./support.ts";
import { onlyIf } from "../support/onlyIf.ts";
import { HAS_SECURITY_INVOKER, SECURITY_INVOKER } from "../support/postgres.ts";
import { until } from "../support/until.ts";

describe("the parts of a feature", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client }) =>
        client.query(`
create schema vals;
create type vals.mood as enum ('calm', 'rough');
create type vals.pair as (a int, b text);
create domain vals.depth as numeric check (value > 0);
create domain vals.berth as bigint check (value > 0);
create table vals.berths (id vals.berth primary key, geom geometry(Point, 4326));
insert into vals.berths values (7, 'srid=4326;point(1 1)');
create table vals.all_types (
  id bigint primary key, flag boolean, small smallint, big bigint, exact numeric, cash money, single real, double double precision,
  words text, fixed char(5), var varchar(10), bytes bytea, day date, clock time, zoned_clock timetz, moment timestamp, instant timestamptz,
  span interval, doc json, docb jsonb, uid uuid, net inet, mood vals.mood, pair vals.pair, depth vals.depth,
  ints int[], grid int[][], texts text[], spans interval[], ranges int4range[], r int4range, nr numrange, tr tstzrange, mr int4multirange,
  p point, l line, ls lseg, b box, pa path, po polygon, c circle, x xml, bits bit(3), other geometry(Point, 25832),
  geom geometry(Point, 4326), "odd ""name" int, "Ünïcode" text);
set timezone to 'UTC';
insert into vals.all_types values (
  9007199254740993, true, 1, 9223372036854775807, 12345678901234567890.123, 12.5, 1.5, 2.5,
  E'a "quoted" \\\\ line\\nbreak \\t <é> 🚀', 'ab', 'abc', '\\x0001ff', '2026-01-31', '12:30:00', '12:30:00+02', '2026-01-31 12:30:00.123456', '2026-01-31 12:30:00+00',
  '1 year 2 days 03:04:05', '{"a": {"b": [1, null, "x"]}}', '{"n": 1.10}', '7f3e4f4e-1111-2222-3333-444455556666', '10.0.0.0/8', 'rough', (1, 'x'), 3.5,
  '{1,2,null}', '{{1,2},{3,4}}', '{a,NULL}', '{1 day}', '{"[1,3)"}', '[1,5)', '(,2.5]', '[2026-01-01 00:00+00,)', '{[1,3)}',
  '(1,2)', '{1,2,3}', '[(1,2),(3,4)]', '(3,4),(1,2)', '[(1,2),(3,4)]', '((1,2),(3,4),(5,6))', '<(1,2),3>', '<a>b</a>', '101', st_transform('srid=4326;point(9 50)'::geometry, 25832),
  'srid=4326;point(9 50)', 7, 'ü');
insert into vals.all_types (id, single, double, exact, p, r, geom) values (2, 'NaN', '-Infinity', 'NaN', '(Infinity,NaN)', 'empty', null);
insert into vals.all_types (id, geom) values (3, 'srid=4326;point(1 1)');
create table vals.alone (geom geometry(Point, 4326));
insert into vals.alone values ('srid=4326;point(1 1)');
create type vals.reading as (at float8, many float4[], how text);
create type vals.inner_reading as (deep vals.reading, whole numeric(4,0));
create domain vals.share as float8 check (value >= 0);
create domain vals.own_reading as vals.reading;
create type vals.floats as range (subtype = float8);
create table vals.numbers (
  id int primary key, f8 float8, f4 float4, share vals.share, many float8[], grid float8[][], f vals.floats,
  reading vals.inner_reading, own vals.own_reading, readings vals.reading[], free numeric, two numeric(10,2), whole numeric(10), wholes numeric(10,0)[],
  doc jsonb, text json, p point, c circle, l line, po polygon, geom geometry(Point, 4326));
insert into vals.numbers (id, f8, f4, many) select i, v, v, array[v, null, 1.5, 'NaN', '-Infinity']
from unnest(array[1, 1.5, 1e20, 1e-7, '-0', 123456789, 1e15, -3, 999999, 0.1, 1e-300, 1e300]::float8[]) with ordinality v (v, i)
where abs(v) < 1e30 and (v = 0 or abs(v) > 1e-30);
insert into vals.numbers (id, f8) values (101, 1e300), (102, 1e-300);
insert into vals.numbers values (100, 2, 2, 2, '{2}', '{{1,2.5},{NaN,-4}}', '[1,2.5)', row(row(1, '{1,2}', 'by "hand", 7'), 3),
  row('NaN', null, null), array[row(5, '{}', null)::vals.reading, null], 3, 3, 3, '{3,4}', '{"a": 1, "b": 1.50}', '{"a":1}',
  '(1,2)', '<(1,2),3>', '{1,2,3}', '((1,2),(3,4),(5,6))', 'srid=4326;point(1 1)');
create table vals.spans (id int primary key, span interval, geom geometry);
insert into vals.spans select i, '1 year 2 days 03:04:05', st_setsrid(st_makepoint(i % 10, case i when 15 then 95 else 1 end), 4326)
from generate_series(1, 1200) i;
select portolan.set_authentication('vals.spans', 'None'), portolan.set_authentication('vals.all_types', 'None'), portolan.set_authentication('vals.berths', 'None'), portolan.set_authentication('vals.alone', 'None'),
  portolan.set_authentication('vals.numbers', 'None')`),
    });
  });
  after(() => gateway.close());

  it("has a number as its id if that is a whole number, of a domain too", async () => {
    const { json } = await gateway.get("/collections/vals.berths/items/7");
    assert.equal(json["id"], 7);
  });

  it("has a property for every column of every type", async () => {
    const { json, text } = await gateway.get("/collections/vals.all_types.geom/items/9007199254740993");
    assert.match(text, /"big":9223372036854775807[,}]/);
    assert.match(text, /"exact":12345678901234567890\.123[,}]/);
    const { big: _big, exact: _exact, id: _id, ...properties } = json.properties;
    assert.equal(json.id, "9007199254740993");
    assert.deepEqual(properties, {
      flag: true,
      small: 1,
      cash: 12.5,
      single: 1.5,
      double: 2.5,
      words: 'a "quoted" \\ line\nbreak \t <é> 🚀',
      fixed: "ab   ",
      var: "abc",
      bytes: "AAH/",
      day: "2026-01-31",
      clock: "12:30:00",
      zoned_clock: "12:30:00+02",
      moment: "2026-01-31T12:30:00.123456",
      instant: "2026-01-31T12:30:00+00:00",
      span: "P1Y2DT3H4M5S",
      doc: { a: { b: [1, null, "x"] } },
      docb: { n: 1.1 },
      uid: "7f3e4f4e-1111-2222-3333-444455556666",
      net: "10.0.0.0/8",
      mood: "rough",
      pair: { a: 1, b: "x" },
      depth: 3.5,
      ints: [1, 2, null],
      grid: [
        [1, 2],
        [3, 4],
      ],
      texts: ["a", null],
      spans: ["P1D"],
      ranges: [{ lower: 1, upper: 3, lowerInclusive: true, upperInclusive: false }],
      r: { lower: 1, upper: 5, lowerInclusive: true, upperInclusive: false },
      nr: { lower: null, upper: 2.5, lowerInclusive: false, upperInclusive: true },
      tr: { lower: "2026-01-01T00:00:00+00:00", upper: null, lowerInclusive: true, upperInclusive: false },
      mr: "{[1,3)}",
      p: { x: 1, y: 2 },
      l: { A: 1, B: 2, C: 3 },
      ls: { start: { x: 1, y: 2 }, end: { x: 3, y: 4 } },
      b: { start: { x: 3, y: 4 }, end: { x: 1, y: 2 } },
      pa: {
        closed: false,
        points: [
          { x: 1, y: 2 },
          { x: 3, y: 4 },
        ],
      },
      po: {
        points: [
          { x: 1, y: 2 },
          { x: 3, y: 4 },
          { x: 5, y: 6 },
        ],
      },
      c: { center: { x: 1, y: 2 }, radius: 3 },
      x: "<a>b</a>",
      bits: "101",
      other: { type: "Point", coordinates: [9, 50] },
      'odd "name': 7,
      Ünïcode: "ü",
    });
  });

  it("has an interval as a duration of ISO 8601, in however many steps the page is read", async () => {
    // more features in the box than one batch, and one that cannot be transformed
    const mercator = encodeURIComponent(epsg(3857));
    for (const query of ["bbox=0,0,10,10&limit=2", `limit=30&crs=${mercator}`, `limit=30&crs=${mercator}&f=csv`]) {
      const { text } = await gateway.get(`/collections/vals.spans/items?${query}`);
      assert.match(text, /P1Y2DT3H4M5S/, query);
      assert.doesNotMatch(text, /1 year/, query);
    }
  });

  it("has null for null and for numbers that JSON lacks", async () => {
    const { json } = await gateway.get("/collections/vals.all_types.geom/items/2");
    assert.equal(json.id, 2);
    assert.equal(json.geometry, null);
    assert.deepEqual([json.properties.single, json.properties.double, json.properties.exact], [null, null, null]);
    assert.deepEqual(json.properties.p, { x: "Infinity", y: "NaN" });
    assert.deepEqual(json.properties.r, { lower: null, upper: null, lowerInclusive: false, upperInclusive: false });
    assert.ok(
      Object.values((await gateway.get("/collections/vals.all_types.geom/items/3")).json.properties).filter(
        (value) => value !== null,
      ).length === 1,
    );
  });

  it("a float has a point or an exponent, so that its column is not taken for one of whole numbers", async () => {
    const list = await gateway.get("/collections/vals.numbers/items?limit=100");
    const listed = new Map(list.text.split("\n").map((line) => [/"properties":\{"id":(\d+)/.exec(line)?.[1], line]));
    const { rows } = await gateway.database.client.query<{ id: number; f8: string; f4: string | null }>(
      "select id, f8::text, f4::text from vals.numbers where id <> 100 order by id",
    );
    assert.equal(rows.length, 12);
    for (const { id, f8, f4 } of rows) {
      const one = await gateway.get(`/collections/vals.numbers/items/${id}`);
      for (const text of [one.text, listed.get(String(id)) ?? ""]) {
        const written = (name: string) => new RegExp(`"${name}":([^,}]*)`).exec(text)?.[1];
        for (const [name, exact] of [
          ["f8", f8],
          ["f4", f4],
        ] as const) {
          if (exact === null) continue;
          const json = written(name) ?? "";
          assert.match(json, /^-?[0-9]+(\.[0-9]+(e[+-][0-9]+)?|e[+-][0-9]+)$/, `${name} ${exact}`);
          assert.ok(Object.is(Number(json), Number(exact)), `${name} ${exact} is ${json}`);
          if (name === "f8" && f4 !== null)
            assert.ok(text.includes(`"many":[${json},null,1.5,null,null]`), `${text} has ${json}`);
        }
      }
    }
  });

  it("so does every float within another value, and a numeric that may have decimals; JSON is as stored", async () => {
    const { text } = await gateway.get("/collections/vals.numbers/items/100");
    const members = [
      `"f8":2.0,"f4":2.0,"share":2.0,"many":[2.0],"grid":[[1.0,2.5],[null,-4.0]]`,
      `"f":{"lower" : 1.0, "upper" : 2.5, "lowerInclusive" : true, "upperInclusive" : false}`,
      `"reading":{"deep":{"at":1.0,"many":[1.0,2.0],"how":"by \\"hand\\", 7"},"whole":3`,
      `"own":{"at":null,"many":null,"how":null},"readings":[{"at":5.0,"many":[],"how":null}, null]`,
      `"free":3.0,"two":3.00,"whole":3,"wholes":[3, 4],"doc":{"a": 1, "b": 1.50},"text":{"a":1}`,
      `"p":{"x" : 1.0, "y" : 2.0},"c":{"center" : {"x" : 1.0, "y" : 2.0}, "radius" : 3.0},"l":{"A" : 1.0, "B" : 2.0, "C" : 3.0}`,
      `"po":{"points" : [{"x" : 1.0, "y" : 2.0}, {"x" : 3.0, "y" : 4.0}, {"x" : 5.0, "y" : 6.0}]}`,
    ];
    for (const each of members) assert.ok(text.includes(each), `${each} is not in ${text}`);
  });

  it("a table of a geometry alone has features without id and properties", async () => {
    const { json } = await gateway.get("/collections/vals.alone/items");
    assert.deepEqual(json.features, [
      { type: "Feature", geometry: { type: "Point", coordinates: [1, 1] }, properties: {} },
    ]);
  });

  it("gives every kind of geometry as GeoJSON: arcs as lines, surfaces as polygons, empty as null", async () => {
    const { json } = await gateway.get("/collections/geo.kinds/items?limit=100");
    const types = Object.fromEntries(
      json.features.map(({ properties, geometry }: Json) => [properties.kind, geometry?.type ?? null]),
    );
    assert.deepEqual(types, {
      point: "Point",
      linestring: "LineString",
      "polygon with a hole": "Polygon",
      multipoint: "MultiPoint",
      multilinestring: "MultiLineString",
      multipolygon: "MultiPolygon",
      collection: "GeometryCollection",
      "point z": "Point",
      "point m": "Point",
      "point zm": "Point",
      null: null,
      empty: null,
      circularstring: "LineString",
      curvepolygon: "Polygon",
      "invalid polygon": "Polygon",
      polyhedralsurface: "MultiPolygon",
      tin: "MultiPolygon",
      "north pole": "Point",
      "south pole": "Point",
    });
    const of = (kind: string) =>
      json.features.find(({ properties }: Json) => properties.kind === kind).geometry.coordinates;
    assert.deepEqual(
      [of("point z"), of("point m"), of("point zm")],
      [
        [5, 6, 700],
        [5, 7],
        [5, 8, 70],
      ],
    );
    assert.ok(of("circularstring").length > 30);
    assert.equal(of("polygon with a hole").length, 2);
  });

  it("a composite key is one text, which finds its feature again, whatever its values", async () => {
    const { json } = await gateway.get("/collections/geo.composite/items");
    assert.deepEqual(
      json.features.map(({ id }: Json) => id),
      ["1,x%2Fy", "1,%C3%A9%2C%25", "2,"],
    );
    for (const { id, properties } of json.features) {
      const one = await gateway.get(`/collections/geo.composite/items/${encodeURIComponent(id)}`);
      assert.deepEqual([one.status, one.json.id, one.json.properties], [200, id, properties]);
      assert.equal((await gateway.get(hrefOf(one.json.links, "self"))).json.id, id);
    }
  });

  it("views have their key by @primaryKey, and stored views too", async () => {
    assert.equal((await gateway.get("/collections/geo.seen/items/7")).json.properties.name, "place 7");
    assert.equal((await gateway.get("/collections/geo.seen/items/21")).status, 404);
    assert.equal((await gateway.get("/collections/geo.stored/items/1")).status, 200);
    assert.equal((await gateway.get("/collections/geo.seen")).json.title, "Seen places");
  });

  it("each geometry column is a collection; the others are properties of it in longitude and latitude", async () => {
    const first = (await gateway.get("/collections/geo.two/items/1")).json;
    assert.equal(first.geometry.type, "Point");
    assert.deepEqual(first.properties["shape.of"].coordinates[0][1].map(Math.round), [9, 49]);
    const id = encodeURIComponent("geo.two.shape%2Eof");
    const second = (await gateway.get(`/collections/${id}/items/1?crs=${epsg(25832)}`)).json;
    assert.equal(second.geometry.type, "Polygon");
    assert.ok(second.geometry.coordinates[0][0][0] > 400_000);
    assert.deepEqual(second.properties.geom, { type: "Point", coordinates: [1, 1] });
  });

  it("a relation without key is read by offset, each row once", async () => {
    const names: string[] = [];
    let path = "/collections/geo.keyless/items?limit=10";
    for (;;) {
      const { json } = await gateway.get(path);
      assert.equal(json.numberMatched, 25);
      names.push(...json.features.map(({ properties }: Json) => properties.name));
      const next = json.links.find(({ rel }: Json) => rel === "next");
      if (!next) break;
      assert.match(next.href, /offset=/);
      path = next.href;
    }
    assert.equal(new Set(names).size, 25);
    assert.equal(names.length, 25);
  });

  it("names with points, commas and percent signs are ids that work", async () => {
    const id = encodeURIComponent("geo.odd%2Ename%2C %25");
    assert.equal((await gateway.get(`/collections/${id}/items`)).json.numberMatched, 1);
    assert.equal((await gateway.get(`/collections/${id}`)).json.id, "geo.odd%2Ename%2C %25");
  });

  it("DDL shows within a second: a new table, a new column, one that is gone", async () => {
    const { client } = gateway.database;
    await client.query(`
create table geo.fresh (id int primary key, geom geometry(Point, 4326));
insert into geo.fresh values (1, 'srid=4326;point(1 1)');
select portolan.set_authentication('geo.fresh', 'None')`);
    await until(async () => (await gateway.get("/collections/geo.fresh/items")).status === 200);
    await client.query("alter table geo.fresh add column name text default 'x'");
    await until(async () => (await gateway.get("/collections/geo.fresh/items/1")).json.properties.name === "x");
    await client.query("alter table geo.fresh rename column name to title");
    // never an error in between, however soon the changes follow each other
    for (const [from, to] of [
      ["title", "name"],
      ["name", "heading"],
      ["heading", "title"],
    ] as const) {
      assert.equal((await gateway.get("/collections/geo.fresh/items")).status, 200);
      await client.query(`alter table geo.fresh rename column ${from} to ${to}`);
    }
    assert.equal((await gateway.get("/collections/geo.fresh/items/1")).json.properties.title, "x");
    await client.query("comment on table geo.fresh is '@title Newer'");
    await until(async () => (await gateway.get("/collections/geo.fresh")).json.title === "Newer");
    await client.query("drop table geo.fresh");
    assert.equal((await gateway.get("/collections/geo.fresh/items")).status, 404);
  });

  it("DDL shows at once to a request for a new table, or a write that was forbidden, however soon they follow each other", async () => {
    const { client } = gateway.database;
    const write = async (path: string): Promise<number> =>
      (await fetch(gateway.root + path, { method: "POST", body: "{}" })).status;
    for (let n = 1; n <= 8; n++) {
      const path = `/collections/geo.new${n}/items`;
      await client.query(`create table geo.new${n} (id int primary key, geom geometry(Point, 4326))`);
      assert.equal((await gateway.get(path)).status, 401, path);
      assert.equal(await write(path), 405, path);
      await client.query(`comment on table geo.new${n} is '@ogc write'`);
      assert.equal(await write(path), 401, path);
    }
    await client.query(`drop table ${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `geo.new${n}`).join(", ")}`);
  });

  it("an extent follows the data", async () => {
    const { client } = gateway.database;
    const extent = async () => (await gateway.get("/collections/geo.nothing")).json.extent?.spatial.bbox[0];
    const becomes = (expected: unknown) =>
      until(async () => JSON.stringify(await extent()) === JSON.stringify(expected));
    assert.equal(await extent(), undefined);
    await client.query("insert into geo.nothing values (1, 'srid=4326;point(1 2)'), (2, 'srid=4326;point(3 4)')");
    await becomes([1, 2, 3, 4]);
    await client.query("delete from geo.nothing where id = 2");
    await becomes([1, 2, 1, 2]);
    await client.query("truncate geo.nothing");
    await becomes(undefined);
  });

  it("an extent contains everything with coordinates, and nothing beyond the world", async () => {
    assert.deepEqual((await gateway.get("/collections/geo.bad")).json.extent.spatial.bbox, [[1, 1, 4, 90]]);
  });

  it("an extent of the globe reaches to the pole that a polygon goes round", async () => {
    const { client } = gateway.database;
    await client.query(`
create table geo.arctic (id int primary key, geom geography(Polygon, 4326));
insert into geo.arctic values (1, 'polygon((0 80, 90 80, 180 80, -90 80, 0 80))'), (2, 'polygon((0 70, 1 70, 1 71, 0 70))');
create table geo.antarctic (id int primary key, geom geography);
insert into geo.antarctic values (1, 'multipolygon(empty, ((0 -80, -90 -80, 180 -80, 90 -80, 0 -80)))'), (2, 'point(1 5)');
create table geo.temperate (id int primary key, geom geography(Polygon, 4326));
insert into geo.temperate values (1, 'polygon((0 70, 1 70, 1 71, 0 70))');
select portolan.set_authentication(t, 'None') from unnest('{geo.arctic,geo.antarctic,geo.temperate}'::regclass[]) t`);
    for (const [name, extent] of [
      ["arctic", [-180, 70, 180, 90]],
      ["antarctic", [-180, -90, 180, 5]],
      ["temperate", [0, 70, 1, 71]],
    ] as const) {
      await until(async () => (await gateway.get(`/collections/geo.${name}`)).status === 200);
      assert.deepEqual((await gateway.get(`/collections/geo.${name}`)).json.extent.spatial.bbox, [extent]);
    }
    await client.query("drop table geo.arctic, geo.antarctic, geo.temperate");
  });

  it("an extent has at most seven decimals, and still contains its points", async () => {
    const { client } = gateway.database;
    await client.query(`
create table geo.fine (id int primary key, geom geometry(Point, 4326));
insert into geo.fine values (1, 'srid=4326;point(-0.123456749 -89.99999999)'), (2, 'srid=4326;point(9.123456711 49.999999951)');
create table geo.tidy (id int primary key, geom geometry(Point, 4326));
insert into geo.tidy values (1, 'srid=4326;point(-8.6 -0.1)'), (2, 'srid=4326;point(8.6 1.0000001)');
select portolan.set_authentication('geo.fine', 'None'), portolan.set_authentication('geo.tidy', 'None')`);
    const end = Date.now() + 10_000;
    for (const name of ["fine", "tidy"])
      while ((await gateway.get(`/collections/geo.${name}`)).status === 404) assert.ok(Date.now() < end, name);
    const extentOf = async (name: string) => (await gateway.get(`/collections/geo.${name}`)).json.extent.spatial.bbox;
    assert.deepEqual(await extentOf("fine"), [[-0.1234568, -90, 9.1234568, 50]]);
    assert.deepEqual(await extentOf("tidy"), [[-8.6, -0.1, 8.6, 1.0000001]]);
    for (const { id, extent } of (await gateway.get("/collections?limit=1000")).json.collections)
      for (const side of extent?.spatial.bbox[0] ?? [])
        assert.match(JSON.stringify(side), /^-?[0-9]+(\.[0-9]{1,7})?$|^-?[0-9.]+e-[67]$/, id);
    await client.query("drop table geo.fine, geo.tidy");
  });

  onlyIf(HAS_SECURITY_INVOKER, "PostgreSQL 15")(
    "an extent that cannot be found out is left out, and takes no other along",
    async () => {
      const { client } = gateway.database;
      await client.query(`
create view geo.raising as select id, st_translate(geom, 1 / (id - id), 0)::geometry(Point, 4326) as geom from geo.lonlat;
create table geo.beneath (id int primary key, geom geometry(Point, 4326));
create view geo.asking ${SECURITY_INVOKER} as select id, geom from geo.beneath;
select portolan.set_authentication('geo.raising', 'None'), portolan.set_authentication('geo.asking', 'None');
select portolan.set_authentication('geo.beneath', 'Read/write');`);
      const end = Date.now() + 10_000;
      for (const name of ["raising", "asking"])
        while ((await gateway.get(`/collections/geo.${name}/items`)).status === 404) assert.ok(Date.now() < end, name);
      const { status, json } = await gateway.get("/collections?limit=1000");
      assert.equal(status, 200);
      const extents = new Map(json.collections.map(({ id, extent }: Json) => [id, extent?.spatial.bbox[0]]));
      assert.ok(extents.has("geo.raising") && extents.has("geo.asking"));
      assert.equal(extents.get("geo.raising"), undefined);
      assert.equal(extents.get("geo.asking"), undefined);
      assert.deepEqual(extents.get("geo.lonlat"), [8.6, 49.4, 8.6, 49.4]);
      const one = await gateway.get("/collections/geo.raising");
      assert.deepEqual([one.status, one.json.extent], [200, undefined]);
      assert.equal((await gateway.get("/collections/geo.asking")).status, 401);
      await client.query("drop view geo.raising, geo.asking; drop table geo.beneath");
    },
  );

  it("asks for rows in the order of the key", async () => {
    assert.deepEqual(idsOf(await gateway.get("/collections/geo.places/items?limit=3")), [1, 2, 3]);
  });
});
