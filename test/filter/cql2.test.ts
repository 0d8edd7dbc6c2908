/** CQL2 as text and as JSON: one tree for both, the positions of errors, and the limits. */
import assert from "node:assert/strict";
import { GatewayError } from "../../server/ground/errors.ts";
import { parseCql2, type Cql2Options } from "../../server/filter/cql2/parse.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import type { Column, Relation, Shape } from "../../server/filter/tree.ts";
import { arrayOf, builtIn, geometry, shapeOf, TYPES } from "./fixtures.ts";

const columns: readonly Column[] = [
  { name: "name", type: TYPES.text },
  { name: 'odd "name"', type: TYPES.text },
  { name: "pop", type: TYPES.int4 },
  { name: "area", type: TYPES.float8 },
  { name: "made", type: TYPES.date },
  { name: "seen", type: TYPES.timestamptz },
  { name: "open", type: TYPES.bool },
  { name: "tags", type: arrayOf(TYPES.text) },
  { name: "span", type: TYPES.int4range },
  { name: "geom", type: geometry(4326) },
  { name: "local", type: builtIn("datetime", "timestamp") },
];
const countries = shapeOf("geo", "countries", [
  { name: "code", type: TYPES.text },
  { name: "name", type: TYPES.text },
]);
const toCountry: Relation = { name: "country", target: countries, on: [["code", "code"]] };
const places: Shape = {
  ...shapeOf("geo", "places", columns, () => [toCountry]),
  extensions: { postgis: "public", unaccent: "ext" },
};

const text = (source: string, options?: Cql2Options) => parseCql2(source, places, options);
const json = (value: unknown) => parseCql2(JSON.stringify(value), places, { language: "cql2-json" });

const name = { property: "name" };
const pop = { property: "pop" };
const geom = { property: "geom" };
const op = (operator: string, ...args: unknown[]) => ({ op: operator, args });

/** The same filter, written in both ways. */
const PAIRS: readonly (readonly [text: string, json: unknown])[] = [
  ["name = 'Oslo'", op("=", name, "Oslo")],
  ["'Oslo'=name", op("=", "Oslo", name)],
  [`"odd ""name""" <> 'it''s'`, op("<>", { property: 'odd "name"' }, "it's")],
  [String.raw`name = 'it\'s'`, op("=", name, "it's")],
  [String.raw`name LIKE 'a\\%'`, op("like", name, String.raw`a\\%`)],
  ["pop >= 1.5e3 and POP IS NULL".replace("POP", "pop"), op("and", op(">=", pop, 1500), op("isNull", pop))],
  ["a_overlaps(tags, ('a','b'))", op("a_overlaps", { property: "tags" }, ["a", "b"])],
  ["A_ContainedBy(tags, ())", op("a_containedBy", { property: "tags" }, [])],
  ["name not like 'A%' or not open", op("or", op("not", op("like", name, "A%")), op("not", { property: "open" }))],
  ["pop between 1 and -2", op("between", pop, 1, -2)],
  ["pop not in (1, 2.0, 3)", op("not", op("in", pop, [1, 2, 3]))],
  ["casei(name) in (casei('A'), CaseI('B'))", op("in", op("casei", name), [op("casei", "A"), op("casei", "B")])],
  ["(CASEI(name) LIKE CASEI('x%'))", op("like", op("casei", name), op("casei", "x%"))],
  ["accenti(casei(name)) = 'e'", op("=", op("accenti", op("casei", name)), "e")],
  ["pop > ( - (1))", op(">", pop, -1)],
  [
    "pop + 2 * area ^ 2 = 7 div 2 % 3",
    op("=", op("+", pop, op("*", 2, op("^", { property: "area" }, 2))), op("%", op("div", 7, 2), 3)),
  ],
  ["-pop = 4", op("=", op("*", -1, pop), 4)],
  ["made < DATE('2020-02-29')", op("<", { property: "made" }, { date: "2020-02-29" })],
  [
    "T_DURING(seen, INTERVAL('2020-01-01T00:00:00Z', '..'))",
    op("t_during", { property: "seen" }, { interval: ["2020-01-01T00:00:00Z", ".."] }),
  ],
  [
    "t_finishedBy(interval(made, '2020-01-01'), made)",
    op("t_finishedBy", { interval: [{ property: "made" }, "2020-01-01"] }, { property: "made" }),
  ],
  ["S_INTERSECTS(geom, POINT(1 2))", op("s_intersects", geom, { type: "Point", coordinates: [1, 2] })],
  [
    "s_within(geom, polygon z ((0 0 1, 1 0 1, 1 1 1, 0 0 1)))",
    op("s_within", geom, {
      type: "Polygon",
      coordinates: [
        [
          [0, 0, 1],
          [1, 0, 1],
          [1, 1, 1],
          [0, 0, 1],
        ],
      ],
    }),
  ],
  ["S_INTERSECTS(geom, BBOX(170,-10,-170,10))", op("s_intersects", geom, { bbox: [170, -10, -170, 10] })],
  ["dwithin(geom, POINT(1 2), 500)", op("dwithin", geom, { type: "Point", coordinates: [1, 2] }, 500)],
  ["contains(span, 5)", op("contains", { property: "span" }, 5)],
  [`"country.name" = 'Norway'`, op("=", { property: "country.name" }, "Norway")],
  ["lower(name) = 'oslo' and true", op("and", op("=", op("lower", name), "oslo"), true)],
  ["startsWith(name, 'O') = false", op("=", op("startsWith", name, "O"), false)],
];

/** [filter, position of the error from 1, message]. */
const WRONG: readonly (readonly [text: string, position: number, message: RegExp])[] = [
  ["", 1, /a value, a name/],
  ["name", 1, /expected a condition/],
  ["name = ", 8, /got the end/],
  ["name = 'x", 8, /not closed/],
  ["nam = 'x'", 1, /no property "nam"/],
  ["'é😀' = nam", 8, /no property "nam"/],
  ["pop = 'x'", 7, /number cannot be compared with "x"/],
  ["name = 5", 8, /text cannot be compared with 5/],
  ["made = '2020-01-01'", 8, /date cannot be compared/],
  ["made = DATE('2021-02-29')", 8, /not a date/],
  ["seen = TIMESTAMP('2020-01-01')", 8, /not a timestamp/],
  ["seen = TIMESTAMP('2020-01-01T25:00:00Z')", 8, /not a timestamp/],
  ["t_after(name, DATE('2020-01-01'))", 9, /expected a date/],
  ["t_after(made)", 1, /takes 2 arguments, got 1/],
  ["t_during(made, interval('2021-01-01','2020-01-01'))", 16, /ends before it starts/],
  ["name in 5", 9, /"\("/],
  ["pop between 1", 14, /expected and/],
  ["name = null", 8, /is null/],
  ["name ! 'x'", 6, /unexpected "!"/],
  ["name ilike 'x'", 6, /or the end/],
  ["foo(name) = 1", 1, /no function "foo"/],
  ["casei(pop) = 'a'", 7, /expected text/],
  ["name + 1 = 2", 1, /expected number/],
  ["pop and open", 1, /expected a condition/],
  ["s_intersects(name, POINT(1 2))", 14, /expected geometry/],
  ["s_intersects(geom, POINT(1))", 20, /coordinates/],
  ["s_intersects(geom, POINT(1 95))", 20, /latitude/],
  ["s_intersects(geom, POLYGON((0 0,1 1,1 0,0 1)))", 20, /ring/],
  ["s_intersects(geom, POINT(1 2)", 30, /"\)"/],
  ["s_intersects(geom, BBOX(1,2,3))", 20, /four or six/],
  ["s_intersects(geom, BBOX(1,5,3,2))", 20, /above/],
  ["a_contains(name, ('a'))", 12, /expected an array/],
  ["a_contains(tags, (1))", 19, /expected an element of kind text/],
  ["geom = POINT(1 2)", 8, /geometry cannot be compared/],
  ["(name = 'x'", 12, /"\)"/],
  ["name = 'x')", 11, /or the end/],
  ["(name = 'x') = 5", 2, /a condition cannot be a value/],
  [`"country.nam" = 'x'`, 1, /no property "country.nam"/],
  [`"country.name" = name`, 18, /properties of one table only/],
];

function assertWrong(action: () => unknown, position: number | undefined, message: RegExp, code = "BAD_USER_INPUT") {
  assert.throws(action, (error: unknown) => {
    assert.ok(error instanceof GatewayError, String(error instanceof Error ? error.stack : error));
    assert.match(error.message, message);
    assert.equal(error.code, code, error.message);
    assert.equal(error.members["position"], position, error.message);
    assert.ok(error.message.length < 500);
    return true;
  });
}

/** `action` must end within this time. */
function assertQuick(action: () => unknown): void {
  const begin = process.threadCpuUsage();
  action();
  const { user, system } = process.threadCpuUsage(begin);
  assert.ok(user + system < 2_000_000, "it took more than two seconds of the processor");
}

describe("CQL2 as text and as JSON", () => {
  for (const [source, value] of PAIRS)
    it(`${source} is the same filter in both`, () => {
      const filter = text(source);
      assert.ok(filter);
      assert.deepEqual(json(value), filter);
    });

  it("is the same tree as the equivalent filter of the filter language", () => {
    const own = { and: [{ name: { like: "A%" } }, { pop: { gte: 5 } }, { open: true }, { made: { isNull: true } }] };
    assert.deepEqual(text("name LIKE 'A%' AND pop >= 5 AND open = TRUE AND made IS NULL"), parseFilter(own, places));
  });

  it("is undefined for a filter that every row meets", () => {
    assert.equal(text("TRUE"), undefined);
    assert.equal(json(true), undefined);
  });

  it("is the member cql2 of a filter object", () => {
    assert.deepEqual(parseFilter({ cql2: op("=", name, "Oslo") }, places), text("name = 'Oslo'"));
    assert.deepEqual(
      parseFilter({ pop: 5, not: { cql2: op("=", name, "Oslo") } }, places),
      text("pop = 5 and not name = 'Oslo'"),
    );
    assertWrong(
      () => parseFilter({ cql2: op("=", { property: "nam" }, "x") }, places),
      undefined,
      /^where\.cql2\.args\[0\]: there is no property "nam"/,
    );
  });

  it("takes coordinates in the order of the axes of its system", () => {
    const options = { axes: { srid: 4326, flipped: true, geographic: true } };
    assert.deepEqual(
      text("s_within(geom, LINESTRING(2 1, 4 3))", options),
      text("s_within(geom, LINESTRING(1 2, 3 4))"),
    );
    assert.deepEqual(text("s_within(geom, BBOX(2,1,4,3))", options), text("s_within(geom, BBOX(1,2,3,4))"));
    assertWrong(() => text("s_within(geom, POINT(95 1))", options), 16, /latitude/);
  });

  it("takes ILIKE and text for days and instants only as cql-text", () => {
    const options = { language: "cql-text" } as const;
    assert.deepEqual(text("made >= '2020-01-01'", options), parseFilter({ made: { gte: "2020-01-01" } }, places));
    assert.deepEqual(text("name ILIKE 'o%'", options), parseFilter({ name: { ilike: "o%" } }, places));
    assertWrong(() => text("made >= '2020-01-01'"), 9, /date cannot be compared/);
    assertWrong(() => text("open = 1"), 8, /boolean cannot be compared with 1/);
    assertWrong(() => text("open = 2", options), 8, /boolean cannot be compared with 2/);
    assertWrong(() => text("name = 5", options), 8, /text cannot be compared with 5/);
  });
});

describe("A wrong CQL2 filter", () => {
  for (const [source, position, message] of WRONG)
    it(`${source} is refused at character ${position}`, () => assertWrong(() => text(source), position, message));

  it("as JSON is refused at the character of the error", () => {
    const wrong = (source: string, at: number, message: RegExp) =>
      assertWrong(() => parseCql2(source, places, { language: "cql2-json" }), at, message);
    wrong('{"op": "=", "args": [{"property": "nam"}, 5]}', 22, /no property/);
    wrong('{"op": "=", "args": [{"property": "pop"}, "é"]}', 43, /cannot be compared/);
    wrong('{"op": "and", "args": [true]}', 23, /takes 2 arguments or more/);
    wrong('{"op": "=", "args": [1, ]}', 25, /not JSON/);
    wrong('{"op": "="', 11, /not JSON/);
    wrong('{"property": "name", "x": 1}', 1, /no member "x"/);
    wrong('{"op": "like", "args": [{"property": "name"}, null]}', 47, /expected CQL2 JSON, got null/);
    wrong("[1]", 1, /expected a condition/);
    wrong(
      '{"op": "s_intersects", "args": [{"property": "geom"}, {"type": "Point", "coordinates": [1]}]}',
      55,
      /position/,
    );
    wrong('{"op": "__proto__", "args": []}', 1, /expected a condition/);
    wrong('{"op": "toString", "args": []}', 1, /expected a condition/);
  });

  it("with a text that is not valid Unicode, or contains U+0000, is refused", () => {
    assertWrong(() => text("name = 'a\u0000'"), 8, /U\+0000/);
    assertWrong(() => text("name = 'a\ud800'"), 8, /Unicode/);
    assertWrong(() => text("casei(name) = casei('a\u0000')"), 21, /U\+0000/);
  });
});

describe("The limits of a CQL2 filter", () => {
  const nested = (depth: number): string => "(".repeat(depth) + "open" + ")".repeat(depth);
  const over = (action: () => unknown, message: RegExp): void =>
    assert.throws(action, (error: unknown) => {
      assert.ok(error instanceof GatewayError);
      assert.equal(error.code, "LIMIT_EXCEEDED");
      assert.ok(Number(error.members["position"]) > 0);
      return message.test(error.message);
    });

  it("are 100 levels, however they are made", () => {
    assert.ok(text(nested(100)));
    over(() => text(nested(101)), /nested deeper than 100/);
    assertQuick(() => {
      for (const source of [
        "(".repeat(50_000),
        "not ".repeat(25_000),
        "pop = " + "- ".repeat(50_000),
        "f(".repeat(50_000),
      ])
        assert.throws(() => text(source), GatewayError);
      over(() => text("(".repeat(4000)), /nested deeper/);
      const deep = `${'{"op":"not","args":['.repeat(4000)}true${"]}".repeat(4000)}`;
      over(() => parseCql2(deep, places, { language: "cql2-json" }), /nested deeper/);
      assert.throws(() => parseCql2("[".repeat(100_000), places, { language: "cql2-json" }), GatewayError);
    });
  });

  it("are 5,000 parts, without the numbers of geometries", () => {
    const list = (length: number): string => `pop in (${Array.from({ length }, (_, index) => index).join(",")})`;
    assert.ok(text(list(2000)));
    over(() => text(list(3000)), /more than 5000 parts/);
    over(
      () =>
        json(
          op(
            "in",
            pop,
            Array.from({ length: 6000 }, () => 1),
          ),
        ),
      /more than 5000 parts/,
    );
    assertQuick(() => over(() => text("a=b and ".repeat(12_500)), /more than 5000 parts/));
    const line = Array.from({ length: 9_000 }, (_, index) => `${index / 100} 1`).join(",");
    assert.ok(text(`s_intersects(geom, LINESTRING(${line}))`));
  });

  it("are 10,000 positions in all geometries together", () => {
    const line = (length: number): string =>
      `s_intersects(geom, LINESTRING(${Array.from({ length }, (_, index) => `${index / 100} 1`).join(",")}))`;
    assert.ok(text(`${line(5000)} and ${line(4000)}`));
    over(() => text(`${line(5000)} and ${line(5001)}`), /more than 10000 positions/);
  });

  it("end a long text in time, whatever it contains", () => {
    assertQuick(() => {
      for (const source of [
        "'".repeat(100_000),
        '"'.repeat(100_000),
        "\\'".repeat(50_000),
        " ".repeat(100_000),
        "name='" + "\\'".repeat(50_000),
        "1".repeat(100_000),
        "pop=1e" + "9".repeat(99_000),
        "POINT(".repeat(20_000),
        "a.".repeat(50_000),
      ])
        assert.throws(() => text(source), GatewayError, source.slice(0, 20));
    });
  });
});
