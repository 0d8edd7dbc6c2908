import assert from "node:assert/strict";
import type pg from "pg";
import { sql } from "postgraphile/pg-sql2";
import { toSqlValue } from "../../server/filter/values.ts";
import { testDatabase } from "../support/databases.ts";
import { arrayOf, assertRefused, evaluate, geometry, makeTypes, sqlName, TYPES, type TypeName } from "./fixtures.ts";
import type { ColumnType } from "../../server/types/columnType.ts";

/** [type, JSON, the same value as PostgreSQL reads it]. */
const ACCEPTED: readonly (readonly [TypeName, unknown, string])[] = [
  ["int2", -32768, "-32768"],
  ["int4", 7, "7"],
  ["int4", " +7 ", "7"],
  ["int4", -0, "0"],
  ["int8", "9223372036854775807", "9223372036854775807"],
  ["int8", 9007199254740991, "9007199254740991"],
  ["numeric", "123456789012345678901234567890.5", "123456789012345678901234567890.5"],
  ["numeric", 1e21, "1000000000000000000000"],
  ["numeric", "NaN", "NaN"],
  ["numeric", "-Infinity", "-Infinity"],
  ["money", "$1,000.50", "1000.50"],
  ["money", 12.5, "12.5"],
  ["float8", 1e-7, "1e-7"],
  ["float8", "1e3", "1000"],
  ["float8", "-inf", "-Infinity"],
  ["float4", 0.1, "0.1"],
  ["bool", true, "true"],
  ["bool", "f", "false"],
  ["bool", "ON", "true"],
  ["text", "", ""],
  ["text", "null", "null"],
  ["varchar", "ä€😀", "ä€😀"],
  ["bpchar", "ab", "ab"],
  ["uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
  ["inet", "10.0.0.0/8", "10.0.0.0/8"],
  ["mood", "so-so", "so-so"],
  ["citext", "Abc", "Abc"],
  ["bytea", "", ""],
  ["bytea", "AAH+", "\\x0001fe"],
  ["bytea", "/w==", "\\xff"],
  ["bytea", "/w", "\\xff"],
  ["date", "January 8, 1999", "1999-01-08"],
  ["date", "infinity", "infinity"],
  ["date", "20240213", "2024-02-13"],
  ["date", "13/02/2024", "2024-02-13"],
  ["date", "13.2.2024", "2024-02-13"],
  ["date", "31-12-2024", "2024-12-31"],
  ["date", "2024-W07-2", "2024-02-13"],
  ["date", "2024W072", "2024-02-13"],
  ["date", "2020-W53-7", "2021-01-03"],
  ["date", "2019-W01-1", "2018-12-31"],
  ["date", "2024-044", "2024-02-13"],
  ["date", "2024-366", "2024-12-31"],
  ["date", "06.05.2024", "2024-06-05"], // by the DateStyle of the database: the month first
  ["timestamptz", "2024-W07-2T12:30:00+01", "2024-02-13 11:30:00+00"],
  ["timestamptz", "13/02/2024 12:30 UTC", "2024-02-13 12:30:00+00"],
  ["timestamptz", 1700000000, "2023-11-14 22:13:20+00"],
  ["timestamptz", 1700000000.25, "2023-11-14 22:13:20.25+00"],
  ["timestamptz", -0.5, "1969-12-31 23:59:59.5+00"],
  ["timestamptz", 253402300800, "10000-01-01 00:00:00+00"],
  ["time", "04:05 PM", "16:05"],
  ["timestamptz", "2024-01-01T00:00:00+02", "2023-12-31 22:00:00+00"],
  ["interval", "P1Y2M", "1 year 2 mons"],
  [
    "interval",
    { years: 1, months: -2, days: 3, hours: 4, minutes: 5, seconds: 6.789 },
    "1 year -2 mons 3 days 04:05:06.789",
  ],
  ["interval", { seconds: 1e-6 }, "0.000001 seconds"],
  ["interval", { days: 2, hours: null }, "2 days"],
  ["interval", {}, "0"],
  ["json", "text", `"text"`],
  ["json", `{"a":1}`, `"{\\"a\\":1}"`],
  ["jsonb", { a: [1, null, "x"] }, `{"a": [1, null, "x"]}`],
  ["jsonb", 5, "5"],
  ["jsonb", false, "false"],
  ["jsonb", [], "[]"],
  ["point", { x: 1.5, y: -2e-7 }, "(1.5,-2e-7)"],
  ["point", "(1,2)", "(1,2)"],
  ["line", { A: 1, B: -1, C: 0 }, "{1,-1,0}"],
  ["point", { x: "300000000000000000000", y: " 1.5 " }, "(3e+20,1.5)"],
  ["lseg", { start: { x: 0, y: 0 }, end: { x: 1, y: 2 } }, "[(0,0),(1,2)]"],
  ["box", { start: { x: 0, y: 0 }, end: { x: 1, y: 2 } }, "(1,2),(0,0)"],
  ["circle", { center: { x: 1, y: 2 }, radius: 3 }, "<(1,2),3>"],
  [
    "path",
    {
      points: [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
      ],
    },
    "[(0,0),(1,1)]",
  ],
  [
    "path",
    {
      closed: true,
      points: [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
      ],
    },
    "((0,0),(1,1))",
  ],
  [
    "polygon",
    {
      points: [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
        { x: 1, y: 0 },
      ],
    },
    "((0,0),(1,1),(1,0))",
  ],
  ["int4range", { lower: 1, upper: 5 }, "[1,5)"],
  ["int4range", { lower: "1", upper: 5, lowerInclusive: false, upperInclusive: true }, "[2,6)"],
  ["int4range", { lower: null }, "(,)"],
  ["int4range", { upper: 3, upperInclusive: null }, "(,3)"],
  ["int4range", { empty: true }, "empty"],
  ["int4range", "[1,2]", "[1,3)"],
  ["numrange", { lower: "1.10", upper: 2.5 }, "[1.10,2.5)"],
  ["tstzrange", { lower: "2024-01-01 00:00+00", upper: "infinity" }, "[2024-01-01 00:00+00,infinity)"],
  ["textrange", { lower: `a"\\,`, upper: "z" }, `["a""\\\\,",z)`],
  ["textrange", { lower: "", upper: "z" }, `["",z)`],
  ["int4multirange", [{ lower: 1, upper: 2 }, "[5,6)"], "{[1,2),[5,6)}"],
  ["int4multirange", [], "{}"],
  ["int4multirange", "{[1,3)}", "{[1,3)}"],
  ["int4s", [1, "2", null], "{1,2,NULL}"],
  [
    "int4s",
    [
      [1, 2],
      [3, 4],
    ],
    "{{1,2},{3,4}}",
  ],
  ["int4s", [], "{}"],
  ["int4s", "{1,2}", "{1,2}"],
  ["int4s", "[0:1]={1,2}", "[0:1]={1,2}"],
  ["texts", ["NULL", null, "", `"`, "\\", "a,b", "{}", " x "], `{"NULL",NULL,"","\\"","\\\\","a,b","{}"," x "}`],
  ["jsonbs", [[1, 2], { a: 1 }, "x", null], `{"[1, 2]","{\\"a\\": 1}","\\"x\\"",NULL}`],
  ["points", [{ x: 1, y: 2 }], `{"(1,2)"}`],
  ["boxes", [{ start: { x: 0, y: 0 }, end: { x: 1, y: 1 } }, null, "(3,3),(2,2)"], "{(1,1),(0,0);NULL;(3,3),(2,2)}"],
  ["address", { street: `a "quoted", (one) \\`, number: 5 }, `("a ""quoted"", (one) \\\\",5)`],
  ["address", { street: "" }, `("",)`],
  ["address", {}, "(,)"],
  ["address", "(x,1)", "(x,1)"],
];

/** [type, JSON, message]. */
const REFUSED: readonly (readonly [TypeName, unknown, RegExp])[] = [
  ["int4", 1.5, /^data\.x: expected a whole number, got 1\.5/],
  ["int4", "1.0", /whole number/],
  ["int4", "", /whole number/],
  ["int4", "1; drop table x", /whole number/],
  ["int4", true, /whole number/],
  ["int4", [1], /got a list/],
  ["int4", undefined, /got nothing/],
  ["int4", 2147483648, /out of the range of int4/],
  ["int2", -32769, /out of the range of int2/],
  ["int8", "9223372036854775808", /out of the range of int8/],
  ["int8", "9".repeat(5000), /^data\.x: "9{60}…" is out of the range of int8$/],
  ["int8", 2 ** 53, /send it as a string/],
  ["int4", Number.NaN, /whole number/],
  ["numeric", "1,5", /expected a number/],
  ["numeric", Number.POSITIVE_INFINITY, /expected a number/],
  ["money", {}, /expected a number/],
  ["float8", "abc", /expected a number/],
  ["float8", "1e", /expected a number/],
  ["float8", [], /got an empty list/],
  ["bool", 1, /expected true or false/],
  ["bool", "maybe", /expected true or false/],
  ["bool", "o", /expected true or false/],
  ["text", 5, /expected a string \(text\), got 5/],
  ["text", true, /expected a string/],
  ["text", { a: 1 }, /got an object/],
  ["text", "a\u0000b", /U\+0000/],
  ["text", "a\ud800b", /not valid Unicode/],
  ["uuid", 1, /expected a string \(uuid\)/],
  ["bytea", "###", /base64/],
  ["bytea", "AAAAA", /base64/],
  ["bytea", 5, /base64/],
  ["timestamptz", 1e300, /expected a string \(timestamptz, e\.g\. in ISO 8601, or a number of seconds/],
  ["timestamptz", true, /expected a string \(timestamptz/],
  ["date", 1700000000, /expected a string \(date, e\.g\. in ISO 8601\)/],
  ["interval", 5, /expected an interval/],
  ["interval", { weeks: 1 }, /no member "weeks"/],
  ["interval", { days: "1" }, /data\.x\.days: expected a number/],
  ["point", [1, 2], /expected a point/],
  ["point", { x: 1 }, /data\.x\.y: expected a number, got nothing/],
  ["point", { x: 1, y: 2, z: 3 }, /no member "z"/],
  ["circle", { center: { x: 1, y: 1 }, radius: "one" }, /radius/],
  ["path", { points: [], closed: true }, /at least one point/],
  ["path", { points: [{ x: 1, y: 1 }], closed: 1 }, /expected true or false/],
  ["polygon", { points: { x: 1 } }, /list of points/],
  ["int4range", [1, 2], /expected a range/],
  ["int4range", { lower: "a" }, /data\.x\.lower: expected a whole number/],
  ["int4range", { from: 1 }, /no member "from"/],
  ["int4range", { lower: 1, lowerInclusive: "yes" }, /lowerInclusive: expected true or false/],
  ["int4multirange", { lower: 1 }, /expected a list of ranges/],
  ["int4multirange", [1], /data\.x\[0\]: expected a range/],
  ["int4s", 1, /expected a list, got 1/],
  ["int4s", JSON.parse("[".repeat(90_000) + "]".repeat(90_000)), /at most 6 dimensions/],
  ["int4s", [1, "a"], /data\.x\[1\]: expected a whole number/],
  ["texts", ["a", 1], /data\.x\[1\]: expected a string/],
  ["address", { city: "x" }, /no attribute "city"/],
  ["address", { number: "x" }, /data\.x\.number: expected a whole number/],
  ["address", { ["x".repeat(500)]: 1 }, /no attribute "x{60}…"/],
  ["address", 5, /expected an object of address \(street, number\)/],
  ["address", JSON.parse(`{"__proto__": 1}`), /no attribute "__proto__"/],
];

/** As JSON, shortened; for a value too deep for JSON.stringify, its kind. */
function label(json: unknown): string {
  return Array.isArray(json) && Array.isArray(json[0]) ? "a deep list" : String(JSON.stringify(json)).slice(0, 60);
}

describe("values", () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;
  before(async () => {
    database = await testDatabase();
    ({ client } = database);
    await makeTypes(client);
  });
  after(() => database.drop());

  for (const [name, json, literal] of ACCEPTED) {
    it(`${name} takes ${JSON.stringify(json)}`, async () => {
      const type = TYPES[name];
      const { rows } = await client.query(`select $1::${sqlName(type)}::text as value`, [literal]);
      assert.equal(await evaluate(client, toSqlValue(json, type, "data.x")), rows[0].value);
    });
  }

  for (const [name, json, message] of REFUSED) {
    it(`${name} refuses ${label(json)} with ${message}`, () => {
      assertRefused(() => toSqlValue(json, TYPES[name], "data.x"), message);
    });
  }

  it("the table judges the check of a domain", async () => {
    assert.equal(await evaluate(client, toSqlValue(-1, TYPES.positive, "x")), "-1");
  });

  it("null is NULL of every type, and all but geometries are one parameter", async () => {
    for (const type of Object.values(TYPES)) {
      assert.equal(await evaluate(client, toSqlValue(null, type, "x")), null);
    }
    for (const [name, json] of ACCEPTED) {
      assert.equal(sql.compile(toSqlValue(json, TYPES[name], "x")).values.length, 1);
    }
  });

  it("JSON nested too deeply to be written is the caller's error", () => {
    const deep: unknown = JSON.parse("[".repeat(200_000) + "]".repeat(200_000));
    assertRefused(() => toSqlValue(deep, TYPES.jsonb, "x"), /nested too deeply/);
  });

  it("a megabyte of base64 is read", async () => {
    const bytes = Buffer.alloc(3_000_000, 7);
    const value = toSqlValue(bytes.toString("base64"), TYPES.bytea, "x");
    assert.equal(await evaluate(client, sql`pg_catalog.length(${value})`), "3000000");
  });

  describe("geometry", () => {
    const point = { type: "Point", coordinates: [9, 48] };
    const ewkt = (json: unknown, type: ColumnType): Promise<string | null> =>
      evaluate(client, sql`public.st_asewkt(${toSqlValue(json, type, "x")})`);

    it("GeoJSON is transformed to the column's SRID", async () => {
      assert.equal(await ewkt(point, geometry(4326)), "SRID=4326;POINT(9 48)");
      const transformed = sql`public.st_transform('SRID=4326;POINT(9 48)'::public.geometry, 25832)`;
      assert.equal(await ewkt(point, geometry(25832)), await evaluate(client, sql`public.st_asewkt(${transformed})`));
    });
    it("GeoJSON has a system of its own, also in a column without SRID; WKT is taken as it is", async () => {
      assert.equal(await ewkt(point, geometry(0)), "SRID=4326;POINT(9 48)");
      assert.equal(await ewkt("POINT(900 480)", geometry(0)), "POINT(900 480)");
      assert.equal(await ewkt("SRID=25832;POINT(1 2)", geometry(0)), "SRID=25832;POINT(1 2)");
    });
    it("WKT is in the column's SRID, EWKT in its own", async () => {
      assert.equal(await ewkt("POINT(1 2)", geometry(25832)), "SRID=25832;POINT(1 2)");
      assert.equal(await ewkt("srid = 25832 ; point(1 2)", geometry(25832)), "SRID=25832;POINT(1 2)");
      assert.match((await ewkt("SRID=4326;POINT(9 48)", geometry(3857)))!, /^SRID=3857;POINT\(1001875\.4/);
    });
    it("geography takes the same", async () => {
      const type = geometry(4326, "geography");
      assert.equal(await ewkt(point, type), "SRID=4326;POINT(9 48)");
      assert.equal(await ewkt("POINT(9 48)", type), "SRID=4326;POINT(9 48)");
      assert.match((await ewkt("SRID=3857;POINT(0 0)", type))!, /^SRID=4326;POINT\(0 -?[\d.e-]+\)$/);
    });
    it("in lists and composites, transformed if necessary", async () => {
      const list = arrayOf(geometry(25832));
      const value = toSqlValue([point, null, "POINT(1 2)", "SRID=3857;POINT(1001875 6106854)"], list, "x");
      assert.equal(sql.compile(value).values.length, 1);
      const srids = sql`array(select public.st_srid(g) from pg_catalog.unnest(${value}) g)`;
      const shown = await evaluate(client, srids);
      assert.equal(shown, "{25832,NULL,25832,25832}");
      assert.equal(
        await evaluate(client, sql`pg_catalog.cardinality(${toSqlValue(["POINT(1 2)", null], list, "x")})`),
        "2",
      );
      assert.equal(await evaluate(client, sql`pg_catalog.cardinality(${toSqlValue([], list, "x")})`), "0");
      const located = toSqlValue({ spot: { x: 1, y: 2 }, place: point }, TYPES.located, "x");
      assert.equal(await evaluate(client, sql`public.st_srid((${located}).place)`), "25832");
      const several = toSqlValue([{ place: point }, { place: "POINT(1 2)" }], arrayOf(TYPES.located), "x");
      assert.equal(await evaluate(client, sql`pg_catalog.cardinality(${several})`), "2");
    });
    it("a list of geometries cannot be text, nor nested", () => {
      assertRefused(() => toSqlValue("{}", arrayOf(geometry(0)), "x"), /list of geometries/);
      assertRefused(() => toSqlValue([[point]], arrayOf(geometry(0)), "x"), /x\[0\]: expected a GeoJSON/);
    });
  });
});
