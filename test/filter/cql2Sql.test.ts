/**
 * The operators of CQL2 over rows with and without nulls, each against plain SQL. The tables have the shape of those that
 * the abstract tests of OGC 21-065r2 (annex A) use: countries as polygons, cities as points, rivers as lines.
 */
import assert from "node:assert/strict";
import type pg from "pg";
import { sql } from "postgraphile/pg-sql2";
import { badInput } from "../../server/ground/errors.ts";
import { parseCql2, type Cql2Options } from "../../server/filter/cql2/parse.ts";
import { parseFes } from "../../server/filter/fes/parse.ts";
import { Budget, or } from "../../server/filter/nodes.ts";
import { parseXml } from "../../server/types/xml.ts";
import { BAD_FES, FES } from "./fes.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Filter, Shape } from "../../server/filter/tree.ts";
import { cities, citiesDatabase, cityColumns, countries, kept, rivers } from "./cities.ts";
import { kindOf } from "../../server/filter/cql2/terms.ts";

/** [filter, the same in SQL], by conformance class of OGC 21-065r2. */
const CITIES: Readonly<Record<string, readonly (readonly [cql2: string, plain: string])[]>> = {
  "basic-cql2": [
    ["name = 'Luxembourg'", "name = 'Luxembourg'"],
    ["name >= 'L'", `name >= 'L'`],
    ["pop_other <= 0 AND pop_other <> -5", "pop_other <= 0 and pop_other <> -5"],
    ["pop_other > 0.5", "pop_other > 0.5"],
    ["pop_other < 99999999999", "pop_other < 99999999999"],
    ["big = 9007199254740993", "big = 9007199254740993"],
    ["big > 9007199254740992", "big > 9007199254740992"],
    ["price = 1.50", "price = 1.5"],
    ["price > 12345678901234567890.12", "price > 12345678901234567890.12"],
    ["share = 0.1", "share = 0.1"],
    ["share > 1e299", "share > 1e299"],
    ["fee >= 2.5", "fee::numeric >= 2.5"],
    ["open = TRUE", "open"],
    ["open <> TRUE", "not open"],
    ["NOT open", "not open"],
    ["open IS NULL OR name IS NOT NULL AND pop_other > 0", "open is null or (name is not null and pop_other > 0)"],
    ["NOT (open = TRUE AND pop_other > 5)", "not (open and pop_other > 5)"],
    ["date > DATE('2021-04-15')", "date > '2021-04-15'"],
    ["start = TIMESTAMP('2021-04-15T10:00:00Z')", "start = '2021-04-15T10:00:00Z'"],
    ["local = TIMESTAMP('2021-04-15T10:00:00Z')", "local = '2021-04-15T10:00:00'"],
    ["start >= DATE('2021-05-01')", "start >= '2021-05-01T00:00:00Z'"],
    ["date < TIMESTAMP('2021-04-15T00:00:01Z')", "date <= '2021-04-15'"],
    ["kind = 'sad' OR kind > 'so-so'", "kind in ('sad', 'happy')"],
    ["kind IS NULL", "kind is null"],
    ["1 = 1 AND 'a' < 'b'", "true"],
    ["FALSE", "false"],
    ["TRUE OR pop_other = 1", "true"],
    ["span = '[1,5)'", "span = '[1,5)'"],
  ],
  "advanced-comparison-operators": [
    ["name LIKE 'B%s'", "name like 'B%s'"],
    [String.raw`name LIKE 'per\%cent\_%'`, String.raw`name like 'per\%cent\_%'`],
    [String.raw`name LIKE '%\\'`, String.raw`name like '%\\'`],
    ["name NOT LIKE '%u%'", "name not like '%u%'"],
    ["kind LIKE 's%'", "kind::text like 's%'"],
    ["pop_other BETWEEN 0 AND 106219", "pop_other between 0 and 106219"],
    ["pop_other NOT BETWEEN 0 AND 106219.5", "pop_other not between 0 and 106219.5"],
    ["share BETWEEN price AND 4", "share between price and 4"],
    ["date BETWEEN DATE('2021-01-01') AND DATE('2021-12-31')", "date between '2021-01-01' and '2021-12-31'"],
    ["name IN ('Luxembourg', 'Bruxelles')", "name in ('Luxembourg', 'Bruxelles')"],
    ["name NOT IN ('Luxembourg')", "name not in ('Luxembourg')"],
    ["pop_other IN (7, 0.5, price)", "pop_other in (7, 0.5, price)"],
    ["pop_other + 1 IN (8, 1)", "pop_other::numeric + 1 in (8, 1)"],
    ["open IN (TRUE)", "open in (true)"],
  ],
  "case-insensitive-comparison": [
    ["CASEI(name) = CASEI('LUXEMBOURG')", "id = 1"],
    ["CASEI(name) = casei('STRASSE')", "id = 3"],
    ["casei(alias) = casei(name)", "id in (3, 6)"],
    ["casei(name) LIKE casei('B%')", "id = 2"],
    ["casei(name) IN (casei('KØBENHAVN'), 'luxembourg')", "id in (1, 4)"],
    ["casei(name) IS NULL", "id = 5"],
    ["NOT casei(name) = 'x'", "id <> 5"],
  ],
  "accent-insensitive-comparison": [
    ["ACCENTI(alias) = 'Letzebuerg'", "id = 1"],
    ["accenti(casei(alias)) LIKE accenti(casei('BRÜS%'))", "id = 2"],
    ["accenti(name) = accenti(alias)", "id = 4"],
  ],
  "basic-spatial-functions": [
    ["S_INTERSECTS(geom, BBOX(0,40,10,50))", "st_intersects(geom, st_makeenvelope(0,40,10,50,4326))"],
    ["S_INTERSECTS(geom, POINT(9 50))", "id = 3"],
    ["s_intersects(BBOX(0,40,0,10,50,5), geom)", "st_intersects(geom, st_makeenvelope(0,40,10,50,4326))"],
    ["S_INTERSECTS(geom, BBOX(179,-20,-179,-10))", "id = 6"],
    ["s_intersects(utm, BBOX(8.5,49.5,9.5,50.5))", "id = 3"],
    ["s_intersects(sphere, BBOX(8.5,49.5,9.5,50.5))", "id = 3"],
    ["NOT S_INTERSECTS(geom, BBOX(0,40,10,50))", "not st_intersects(geom, st_makeenvelope(0,40,10,50,4326))"],
  ],
  "basic-spatial-functions-plus": [
    ["S_INTERSECTS(geom, POLYGON((0 40, 10 40, 10 50, 0 50, 0 40)))", "id in (1, 3, 7)"],
    ["S_INTERSECTS(geom, MULTIPOINT((9 50), (8 49)))", "id in (3, 7)"],
    ["S_INTERSECTS(geom, GEOMETRYCOLLECTION(POINT(9 50), LINESTRING(7 49, 9 49)))", "id in (3, 7)"],
    ["S_INTERSECTS(utm, POLYGON((8.9 49.9, 9.1 49.9, 9.1 50.1, 8.9 49.9)))", "id = 3"],
    ['S_INTERSECTS("any", LINESTRING(8 50, 10 50))', "id = 3"],
  ],
  "spatial-functions": [
    ["S_WITHIN(geom, POLYGON((5 49, 10 49, 10 51, 5 51, 5 49)))", "id in (1, 3)"],
    ["S_WITHIN(utm, POLYGON((5 49.2, 10 49.2, 10 51, 5 51, 5 49.2)))", "id in (1, 3)"],
    ["S_WITHIN(sphere, POLYGON((5 49.2, 10 49.2, 10 51, 5 51, 5 49.2)))", "id in (1, 3)"],
    ['S_WITHIN("any", POLYGON((5 49.2, 10 49.2, 10 51, 5 51, 5 49.2)))', "id in (1, 3)"],
    ["S_CONTAINS(POLYGON((5 49.2, 10 49.2, 10 51, 5 51, 5 49.2)), geom)", "id in (1, 3)"],
    ["S_DISJOINT(geom, BBOX(0,40,10,60))", "id in (4, 6)"],
    ["S_EQUALS(geom, POINT(9 50))", "id = 3"],
    ['S_EQUALS(geom, "any")', "geom is not null"],
    ["S_EQUALS(geom, sphere)", "geom is not null"],
    ["s_intersects(geom, buffer(POINT(9 50), 1000))", "id = 3"],
    ["S_TOUCHES(geom, BBOX(8,49,10,51))", "id = 7"],
    ["S_CONTAINS(BBOX(0,0,1,1), POINT(0.5 0.5))", "true"],
    ["S_WITHIN(geom, BBOX(170,-20,-170,-10))", "id = 6"],
  ],
  "temporal-functions": [
    ["T_AFTER(date, DATE('2021-04-15'))", "date > '2021-04-15'"],
    ["T_BEFORE(start, TIMESTAMP('2021-05-01T00:00:00Z'))", "start < '2021-05-01T00:00:00Z'"],
    [
      "T_CONTAINS(INTERVAL('2021-01-01', '2021-12-31'), INTERVAL(date, until))",
      "'2021-01-01' < date and '2021-12-31' > until",
    ],
    ["T_DISJOINT(INTERVAL(start, end), INTERVAL('2021-04-15T09:30:00Z', '..'))", `"end" < '2021-04-15T09:30:00Z'`],
    ["T_DURING(date, INTERVAL('2021-04-01', '2021-04-30'))", "date > '2021-04-01' and date < '2021-04-30'"],
    [
      "T_DURING(INTERVAL(start, end), INTERVAL('2021-04-15', '2021-04-15'))",
      "start > '2021-04-15T00:00:00Z' and \"end\" < '2021-04-16T00:00:00Z'",
    ],
    ["T_EQUALS(date, DATE('2021-04-15'))", "date = '2021-04-15'"],
    ["T_EQUALS(INTERVAL(start, end), INTERVAL('2021-04-15T08:00:00Z', '2021-04-15T10:00:00Z'))", "id = 1"],
    ["T_FINISHEDBY(INTERVAL(start, end), INTERVAL('2021-05-15T00:00:00Z', '2021-06-01T00:00:00Z'))", "id = 2"],
    ["T_FINISHES(INTERVAL(start, end), INTERVAL('2021-04-01T00:00:00Z', '2021-06-01T00:00:00Z'))", "id = 2"],
    ["T_INTERSECTS(date, INTERVAL('..', '2021-04-30'))", "date <= '2021-04-30'"],
    ["T_INTERSECTS(start, DATE('2021-04-15'))", "start >= '2021-04-15T00:00:00Z' and start < '2021-04-16T00:00:00Z'"],
    [
      "T_INTERSECTS(local, INTERVAL('2021-04-15T08:00:00Z', '2021-04-15T09:00:00Z'))",
      "local between '2021-04-15T08:00:00' and '2021-04-15T09:00:00'",
    ],
    ["T_INTERSECTS(local, start)", "start is not null"],
    ["T_MEETS(INTERVAL(start, end), INTERVAL('2021-04-15T10:00:00Z', '..'))", "id in (1, 6)"],
    ["T_METBY(INTERVAL(start, end), INTERVAL('..', '2021-04-15T10:00:00Z'))", "id = 6"],
    ["T_OVERLAPPEDBY(INTERVAL(start, end), INTERVAL('2021-04-01T00:00:00Z', '2021-05-15T00:00:00Z'))", "id = 2"],
    ["T_OVERLAPS(INTERVAL(start, end), INTERVAL('2021-05-15T00:00:00Z', '2021-07-01T00:00:00Z'))", "id = 2"],
    ["T_STARTEDBY(INTERVAL(start, end), INTERVAL('2021-04-15T08:00:00Z', '2021-04-15T09:00:00Z'))", "id = 1"],
    ["T_STARTS(INTERVAL(start, end), INTERVAL('2021-04-15T08:00:00Z', '2021-04-16T00:00:00Z'))", "id = 1"],
    ["T_INTERSECTS(INTERVAL('..', '..'), date)", "date is not null"],
    ["T_BEFORE(date, today())", "date is not null"],
    ["T_AFTER(now(), start)", "start is not null"],
  ],
  "array-functions": [
    ["A_CONTAINS(tags, ('a'))", "tags @> '{a}'"],
    ["A_CONTAINEDBY(tags, ('a','b','c'))", "tags <@ '{a,b,c}'"],
    ["A_EQUALS(tags, ('b','a'))", "id = 1"],
    ["A_EQUALS(tags, other_tags)", "id in (1, 7)"],
    ["A_OVERLAPS(tags, other_tags)", "tags && other_tags::text[]"],
    ["A_OVERLAPS(('c','x''y'), tags)", "tags && array['c', 'x''y']"],
    ["NOT A_OVERLAPS(tags, ('a'))", "not tags && '{a}'"],
    ["A_CONTAINS(numbers, (1,2))", "numbers @> '{1,2}'"],
    ["A_CONTAINEDBY((1,2), numbers)", "numbers @> '{1,2}'"],
    ["A_EQUALS((1,2), (2,1.0))", "true"],
    ["A_CONTAINS(tags, ())", "tags is not null"],
  ],
  "property-property": [
    ["name = alias", "false"],
    ["alias <> name", "name is not null"],
    ["pop_other > rank", "pop_other > rank"],
    ["price = share", "price = share"],
    ["share > price", "share > price"],
    ["fee > rank", "fee::numeric > rank"],
    ["date = until", "date = until"],
    ["start < date", "start < date::timestamp at time zone 'UTC'"],
    ["local = start", "start is not null"],
    ["alias LIKE name", "false"],
    ["kind = kind", "kind is not null"],
    ["open = open", "open is not null"],
  ],
  functions: [
    ["lower(name) = 'luxembourg'", "lower(name) = 'luxembourg'"],
    ["char_length(name) > 9", "length(name) > 9"],
    [
      "year(start) = 2021 AND month(date) = 4",
      "extract(year from start at time zone 'UTC') = 2021 and extract(month from date) = 4",
    ],
    ["abs(pop_other) = 5", "abs(pop_other) = 5"],
    ["round(price) = 2", "round(price) = 2"],
    ["dwithin(geom, POINT(9 50), 1000)", "id = 3"],
    ["dwithin(utm, POINT(9 50), 1000) = TRUE", "id = 3"],
    ["dwithin(geom, POINT(9 50), 1000) = FALSE", "id <> 3 and geom is not null"],
    ["distance(geom, POINT(9 50)) < 1000", "id = 3"],
    ["distance(utm, geom) < 1", "geom is not null"],
    ["startsWith(name, 'Lux')", "id = 1"],
    ["endsWith(name, 'ourg')", "id = 1"],
    ["search(name, 'luxembourg or bruxelles')", "id in (1, 2)"],
    ["contains(span, 4)", "span @> 4"],
    ["contains(tags, 'a')", "tags @> '{a}'"],
    ["containedBy(span, '[3,9)')", "span <@ '[3,9)'"],
    ["containedBy(tags, ('a', 'b'))", "tags <@ '{a,b}'"],
    ["overlaps(span, '[3,6)')", "span && '[3,6)'"],
    ["\"country.name\" = 'Germany'", "country_id = 3"],
    ['"country.pop_est" > 1000000 AND pop_other > 0', "country_id in (2, 3) and pop_other > 0"],
    ['s_within("country.geom", BBOX(0,45,6,52))', "country_id = 2"],
    ['area("country.geom") > 2e11', "country_id = 3"],
  ],
  arithmetic: [
    ["pop_other + 1 = 106220", "id = 1"],
    ["pop_other / 2 = -2.5", "id = 3"],
    ["pop_other div 2 = -2", "id = 3"],
    ["pop_other % 4 = 3", "pop_other % 4 = 3"],
    ["rank ^ 2 = 9", "rank = 3"],
    ["-pop_other > 4", "id = 3"],
    ["pop_other - ( - (1)) = 1", "id = 4"],
    ["2 + 3 * 2 = 8 AND (2 + 3) * 2 = 10", "true"],
    ["-2 ^ 2 = 4", "true"],
    ["share * 2 > price", "share * 2 > price"],
    ["big + 1 > 9223372036854775807", "big::numeric + 1 > 9223372036854775807"],
    ["pop_other > 2147483646 + 0", "id = 7"],
  ],
};

const COUNTRIES: readonly (readonly [string, string])[] = [
  ["S_CROSSES(LINESTRING(2 50, 20 50), geom)", "id in (1, 2, 3)"],
  ["S_CROSSES(geom, LINESTRING(2 50, 20 50))", "st_crosses(geom, 'srid=4326;linestring(2 50, 20 50)')"],
  ["S_OVERLAPS(geom, BBOX(5,49,6,50))", "id in (1, 2)"],
  ["S_TOUCHES(geom, POLYGON((6.5 49.4, 7 49.4, 7 50, 6.5 49.4)))", "id = 1"],
  ["S_CONTAINS(geom, POINT(6 50))", "id = 1"],
  ["S_DISJOINT(geom, BBOX(0,0,20,60))", "id in (4, 6)"],
  ["S_EQUALS(geom, POLYGON EMPTY)", "id = 6"],
  ["S_INTERSECTS(geom, BBOX(179,-20,-179.5,-10))", "id = 4"],
  ["area(geom) < 1e10 AND area(geom) > 0", "id = 1"],
  ["s_intersects(centroid(geom), BBOX(6,49,7,51))", "id = 1"],
];
const RIVERS: readonly (readonly [string, string])[] = [
  ["S_CROSSES(geom, LINESTRING(8.5 49, 7.5 49))", "id = 1"],
  ["length(geom) > 100000", "id = 1"],
  ["name = 'Sûre' AND S_INTERSECTS(geom, POLYGON((5.7 49.4, 6.5 49.4, 6.5 50.2, 5.7 50.2, 5.7 49.4)))", "id = 2"],
];

describe("CQL2 in PostgreSQL", () => {
  let client: pg.Client;
  let drop: () => Promise<void>;

  before(async () => ({ client, drop } = await citiesDatabase()));
  after(() => drop());

  async function assertSame(
    source: string | Filter | undefined,
    plain: string,
    shape: Shape,
    options?: Cql2Options,
  ): Promise<void> {
    const { rows } = await client.query<{ id: number }>(
      `select id from geo.${shape.relation} where ${plain.replaceAll(/\bst_\w+\(/g, "public.$&").replaceAll("'srid", "public.geometry 'srid")} order by 1`,
    );
    assert.deepEqual(
      await kept(client, source, shape, options),
      rows.map(({ id }) => id),
    );
  }

  for (const [name, cases] of Object.entries(CITIES))
    describe(`conf/${name}`, () => {
      for (const [source, plain] of cases) it(source, () => assertSame(source, plain, cities));
    });
  describe("of polygons and lines", () => {
    for (const [source, plain] of COUNTRIES) it(source, () => assertSame(source, plain, countries));
    for (const [source, plain] of RIVERS) it(source, () => assertSame(source, plain, rivers));
  });

  it("takes geometries in another system", async () => {
    const mercator = { axes: { srid: 3857, flipped: false, geographic: false } };
    await assertSame("S_INTERSECTS(geom, BBOX(1001875,6446275,1001876,6446276.5))", "id = 3", cities, mercator);
    await assertSame("S_WITHIN(utm, BBOX(1000000,6440000,1003000,6450000))", "id = 3", cities, mercator);
    const latitudeFirst = { axes: { srid: 4326, flipped: true, geographic: true } };
    await assertSame("S_INTERSECTS(geom, POINT(50 9))", "id = 3", cities, latitudeFirst);
    await assertSame("S_INTERSECTS(sphere, BBOX(49.5,8.5,50.5,9.5))", "id = 3", cities, latitudeFirst);
  });

  it("takes cql-text as GDAL writes it", async () => {
    const gdal = { language: "cql-text" } as const;
    await assertSame("((\"date\" >= '2021/05/01') AND (name ILIKE 'b%'))", "id = 2", cities, gdal);
    await assertSame("\"start\" = '2021-04-15T10:00:00Z'", "id = 6", cities, gdal);
    await assertSame("\"date\" = '2021-05-01T'", "id = 2", cities, gdal);
    await assertSame("\"start\" = '2022-01-01T' OR \"start\" = '2021/04/15 08:00:00.5'", "id in (3, 7)", cities, gdal);
    await assertSame("local = '2022-01-01T'", "id = 3", cities, gdal);
    await assertSame("open = 1 AND NOT (open = 0) AND id < 7", "id in (1, 4)", cities, gdal);
    await assertSame("pop_other = '7'", "id = 6", cities, gdal);
  });

  describe("and in XML", () => {
    const parse = (content: string): Filter | undefined =>
      parseFes(
        parseXml(
          `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0" xmlns="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:p="urn:p">${content}</fes:Filter>`,
        ),
        cities,
        {
          nameOf: (text) =>
            /^(p:cities\/)?(p:)?[\w.]+$/.test(text) ? text.replace(/^.*:/, "") : badInput(`${text} is no path`),
          geometry: "geom",
          axesOf(srsName = "urn:ogc:def:crs:EPSG::4326") {
            const srid = Number(/\d+$/.exec(srsName)?.[0]);
            if (srid === 1) badInput("there is no system EPSG:1");
            return { srid, flipped: srsName.startsWith("urn"), geographic: srid === 4326 };
          },
          ofIds: (ids) => or(ids.flatMap((id) => (id.startsWith("cities.") ? [idIs(id.slice(7))] : []))),
        },
      );
    const idIs = (text: string): Filter => new Budget({}).compare(cities.column("id")!, "eq", text, "id");
    it("means the same", async () => {
      for (const [source, plain] of FES) await assertSame(parse(source), plain, cities).catch((error: unknown) => assert.fail(`${source}: ${String(error)}`)); // oxfmt-ignore
    });
    it("is refused in words where it is wrong, however deep it is", () => {
      for (const [source, fault] of BAD_FES)
        assert.throws(() => parse(source), { message: fault }, source.slice(0, 300));
      for (const [xml, fault] of [
        ["<!DOCTYPE f [<!ENTITY a 'b'>]><f>&a;</f>", /document type, which is not allowed/],
        ["<!DOCTYPE f SYSTEM 'http://127.0.0.1/f.dtd'><f/>", /document type/],
        ["<f>&a;</f>", /is not well-formed/],
        ["<f><g></f>", /is not well-formed/],
        ["<f/><f/>", /is not well-formed/],
        ["", /is not well-formed|is empty/],
        ["<?xml version='1.0' encoding='UTF-16'?><f/>", /"UTF-16"; it must be in UTF-8/],
        ["<p:f/>", /is not well-formed/],
      ] as const)
        assert.throws(() => parseXml(xml), { message: fault }, xml);
    });
  });

  it("fails as the caller's error if a value cannot be calculated", async () => {
    for (const [source, state] of [
      ["pop_other / 0 = 1", "22012"],
      ["pop_other % 0 = 1", "22012"],
      ["share ^ 1000 > 1", "22003"],
      ["0 ^ -1 = pop_other", "2201F"],
      ["share > 1e400", "22003"],
    ] as const)
      await assert.rejects(kept(client, source, cities), { code: state }, source);
  });

  it("uses the index of a geometry", async () => {
    await client.query("create index on geo.cities using gist (geom); set enable_seqscan to off");
    for (const source of [
      "S_WITHIN(geom, POLYGON((5 49, 10 49, 10 51, 5 51, 5 49)))",
      "S_INTERSECTS(geom, BBOX(0,40,10,50))",
    ]) {
      const alias = sql.identifier(Symbol("t"));
      const { text, values } = sql.compile(
        sql`explain select from geo.cities ${alias} where ${filterToSql(parseCql2(source, cities)!, alias)}`,
      );
      const { rows } = await client.query<{ "QUERY PLAN": string }>(text, values);
      assert.match(rows.map((row) => row["QUERY PLAN"]).join("\n"), /Index (Only )?Scan/, source);
    }
    await client.query("reset enable_seqscan");
  });

  describe("compares every value of every type with every other, and with null", () => {
    /** A value as CQL2 and as SQL; undefined if CQL2 cannot write it. */
    const literals: Readonly<Record<string, (text: string) => string | undefined>> = {
      number: (text) => (/^-?[\d.]+(e\+?\d+)?$/.test(text) ? text : undefined),
      text: (text) => `'${text.replaceAll("'", "''")}'`,
      boolean: (text) => text,
      date: (text) => `DATE('${text}')`,
      timestamp: (text) => `TIMESTAMP('${new Date(/[+-]\d\d$/.test(text) ? `${text}:00` : `${text}Z`).toISOString()}')`,
    };
    const symbols = ["=", "<>", "<", "<=", ">", ">="];
    for (const { name, type } of cityColumns) {
      const write = literals[kindOf(type)];
      if (!write || name === "fee") continue;
      it(name, async () => {
        const { rows } = await client.query<{ value: string }>(
          `select distinct "${name}"::text as value from geo.cities where "${name}" is not null`,
        );
        assert.ok(rows.length > 1);
        const given = `(select "${name}" from geo.cities where "${name}"::text = $1 limit 1)`;
        for (const { value } of rows) {
          const literal: string | undefined = write(value);
          // a backslash before the last quote would hide it
          if (literal === undefined || value.endsWith("\\")) continue;
          for (const symbol of symbols) {
            const pairs: [source: string, plain: string][] = [
              [`"${name}" ${symbol} ${literal}`, `"${name}" ${symbol} ${given}`],
              [`NOT ${literal} ${symbol} "${name}"`, `not ${given} ${symbol} "${name}"`],
              [
                `("${name}" ${symbol} ${literal}) = FALSE OR "${name}" IS NULL`,
                `not "${name}" ${symbol} ${given} or "${name}" is null`,
              ],
            ];
            for (const [source, plain] of pairs) {
              const statement = `select id from geo.cities where ${plain} order by 1`;
              const expected: { rows: { id: number }[] } = await client.query<{ id: number }>(statement, [value]);
              assert.deepEqual(
                await kept(client, source, cities),
                expected.rows.map(({ id }) => id),
                source,
              );
            }
          }
        }
      });
    }
  });
});
