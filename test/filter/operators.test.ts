import assert from "node:assert/strict";
import type pg from "pg";
import { sql } from "postgraphile/pg-sql2";
import { OPERATORS } from "../../server/filter/tree.ts";
import { operatorsOf } from "../../server/filter/operators.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import { testDatabase } from "../support/databases.ts";
import { builtIn, makeThings, makeTypes, matching, shapeOf, things, TYPES, type TypeName } from "./fixtures.ts";

/** Rows 1, 2 and 3 of `things`, as PostgreSQL's text; row 4 is all NULL. They ascend if the type has an order. */
const ROWS: Record<TypeName, readonly [string, string, string]> = {
  int2: ["1", "2", "3"],
  int4: ["1", "2", "3"],
  int8: ["1", "2", "9223372036854775807"],
  numeric: ["1.00", "2.50", "NaN"],
  money: ["1.00", "2.50", "30.00"],
  float4: ["0.1", "0.2", "Infinity"],
  float8: ["-Infinity", "0.2", "1e300"],
  bool: ["false", "true", "true"],
  text: ["Apfel", "Birne_", "Öl%"],
  varchar: ["a", "b", "c"],
  bpchar: ["a", "b ", "c"],
  uuid: [1, 2, 3].map((n) => `00000000-0000-0000-0000-00000000000${n}`) as [string, string, string],
  inet: ["10.0.0.1", "10.0.0.2", "::1"],
  xml: ["<a/>", "<b/>", "<c/>"],
  bytea: ["\\x00", "\\x01ff", "\\xff"],
  date: ["2024-01-01", "2024-02-29", "infinity"],
  time: ["01:00", "02:00", "03:00"],
  timestamptz: ["2024-01-01 00:00+00", "2024-06-01 00:00+00", "2025-01-01 00:00+00"],
  interval: ["1 day", "30 days", "1 year"],
  json: [`{"a": 1, "b": [1,2]}`, `"text"`, "[1, 2]"],
  jsonb: [`{"a": 1, "b": [1,2]}`, `"text"`, "null"],
  point: ["(1,1)", "(2,2)", "(3,3)"],
  line: ["{1,-1,0}", "{1,0,0}", "{0,1,0}"],
  lseg: ["[(0,0),(1,1)]", "[(0,0),(2,2)]", "[(1,0),(2,1)]"],
  box: ["(2,2),(0,0)", "(5,1),(1,0)", "(4,4),(3,3)"],
  path: ["((0,0),(1,1))", "[(0,0),(1,1)]", "((5,5),(6,6))"],
  polygon: ["((0,0),(1,1),(1,0))", "((0,0),(2,2),(2,0))", "((5,5),(6,6),(6,5))"],
  circle: ["<(0,0),1>", "<(5,5),1>", "<(0,0),2>"],
  int4range: ["empty", "[1,5)", "[5,10)"],
  numrange: ["[1,2)", "[2,3]", "(3,)"],
  tstzrange: ["[2023-01-01,2024-01-01)", "[2024-01-01,2024-06-01)", "[2024-06-01,)"],
  textrange: ["[a,b)", "[b,c)", "[c,d)"],
  int4multirange: ["{}", "{[1,3),[5,7)}", "{[10,20)}"],
  int4s: ["{}", "{1,2}", "{2,3}"],
  texts: ["{}", "{a,NULL}", "{b,c}"],
  jsonbs: ["{}", "{1}", "{true}"],
  points: ["{}", `{"(1,1)"}`, `{"(2,2)"}`],
  boxes: ["{}", "{(1,1),(0,0)}", "{(2,2),(0,0)}"],
  mood: ["sad", "so-so", "happy"],
  feeling: ["sad", "so-so", "happy"],
  citext: ["ABC", "b", "c"],
  positive: ["1", "2", "3"],
  address: [`(,)`, `(a,1)`, `("b c",2)`],
  located: ["(,)", `("(1,1)",)`, `("(2,2)",0101000020E8640000000000000000F03F000000000000F03F)`],
};

/** Row 2 of each type, as JSON. */
const SECOND: Record<TypeName, unknown> = {
  ...(Object.fromEntries(Object.entries(ROWS).map(([name, rows]) => [name, rows[1]])) as Record<TypeName, string>),
  bytea: "Af8=",
  bool: false, // row 1: the two others are the same
  json: "text",
  jsonb: "text",
  box: { start: { x: 1, y: 0 }, end: { x: 5, y: 1 } },
  polygon: {
    points: [
      { x: 0, y: 0 },
      { x: 2, y: 2 },
      { x: 2, y: 0 },
    ],
  },
  numrange: { lower: 2, upper: "3.0", upperInclusive: true },
  int4multirange: [
    { lower: 1, upper: 3 },
    { lower: 5, upper: 7 },
  ],
  int4s: [1, 2],
  texts: ["a", null],
  jsonbs: [1],
  points: [{ x: 1, y: 1 }],
  boxes: [{ start: { x: 0, y: 0 }, end: { x: 1, y: 1 } }],
  address: { street: "a", number: 1 },
  located: { spot: { x: 1, y: 1 } },
};

const NAMES = Object.keys(TYPES) as TypeName[];

/** [where, the rows it keeps]. */
const BEHAVIOURS: readonly (readonly [where: object, ids: number[]])[] = [
  [{ or: [] }, []],
  [{ not: {} }, []],
  [{ not: { or: [] } }, [1, 2, 3, 4]],
  [{ int4: { in: [] } }, []],
  [{ int4: { nin: [] } }, [1, 2, 3, 4]],
  [{ int4: { in: [1, null] } }, [1, 4]],
  [{ int4: { nin: [1, null] } }, [2, 3]],
  [{ int4: { nin: [1] } }, [2, 3]],
  [{ int4: { neq: 1 } }, [2, 3]],
  [{ not: { int4: 1 } }, [2, 3]],
  [{ int4: null }, [4]],
  [{ int4: { neq: null } }, [1, 2, 3]],
  [{ int4: { gt: 1, lt: 3 } }, [2]],
  [{ or: [{ int4: 1 }, { text: "Öl%", not: { int4: 2 } }] }, [1, 3]],
  [{ int8: 9007199254740991 }, []],
  [{ int8: "9223372036854775807" }, [3]],
  [{ numeric: 2.5 }, [2]],
  [{ numeric: "NaN" }, [3]],
  [{ float4: 0.1 }, [1]],
  [{ bool: "t" }, [2, 3]],
  [{ bool: { in: [true, null] } }, [2, 3, 4]],
  [{ bpchar: "b" }, [2]],
  [{ citext: "abc" }, [1]],
  [{ citext: { in: ["aBc", "B"] } }, [1, 2]],
  [{ citext: { gt: "B" } }, [3]],
  [{ citext: { like: "abc" } }, []],
  [{ citext: { ilike: "abc" } }, [1]],
  [{ positive: -5 }, []],
  [{ positive: { in: [-5, 1] } }, [1]],
  [{ mood: { lt: "happy" } }, [1, 2]],
  [{ mood: { like: "%a%" } }, [1, 3]],
  [{ mood: { in: ["sad", "happy"] } }, [1, 3]],
  [{ text: { like: "_irne\\_" } }, [2]],
  [{ text: { like: "B%" } }, [2]],
  [{ text: { like: "b%" } }, []],
  [{ text: { ilike: "b%" } }, [2]],
  [{ text: { ilike: "öL\\%" } }, [3]],
  [{ text: { like: "%" } }, [1, 2, 3]],
  [{ text: { startsWith: "Öl%" } }, [3]],
  [{ text: { startsWith: "%" } }, []],
  [{ text: { startsWith: "Birne_" } }, [2]],
  [{ text: { startsWith: "birne" } }, []],
  [{ text: { StartsWith: "" } }, [1, 2, 3]],
  [{ not: { text: { startsWith: "A" } } }, [2, 3]],
  [{ citext: { startsWith: "ab" } }, []],
  [{ citext: { startsWith: "AB" } }, [1]],
  [{ mood: { startsWith: "s" } }, [1, 2]],
  [{ bpchar: { startsWith: "b " } }, []],
  [{ inet: { startsWith: "10.0.0" } }, [1, 2]],
  [{ text: { endsWith: "%" } }, [3]],
  [{ text: { endsWith: "e_" } }, [2]],
  [{ text: { endsWith: "E_" } }, []],
  [{ text: { endsWith: "xxApfel" } }, []],
  [{ text: { endsWith: "" } }, [1, 2, 3]],
  [{ not: { text: { EndsWith: "l" } } }, [2, 3]],
  [{ citext: { endsWith: "bc" } }, []],
  [{ citext: { endsWith: "BC" } }, [1]],
  [{ mood: { endsWith: "o" } }, [2]],
  [{ bpchar: { endsWith: "b" } }, [2]],
  [{ inet: { endsWith: ".2/32" } }, [2]],
  [{ text: { regex: "^(Ö|A).*[l%]$" } }, [1, 3]],
  [{ text: { regex: "apfel" } }, []],
  [{ text: { iregex: "apfel|ÖL" } }, [1, 3]],
  [{ text: { regex: "" } }, [1, 2, 3]],
  [{ not: { text: { regex: "r" } } }, [1, 3]],
  [{ citext: { regex: "b" } }, [2]],
  [{ mood: { iregex: "^S" } }, [1, 2]],
  [{ uuid: { like: "%2" } }, [2]],
  [{ inet: { like: "10.%" } }, [1, 2]],
  [{ inet: { lt: "10.0.0.2" } }, [1]],
  [{ json: { eq: { b: [1, 2], a: 1 } } }, [1]],
  [{ json: { eq: [1, 2] } }, [3]],
  [{ json: { in: ["text", [1, 2]] } }, [2, 3]],
  [{ json: { contains: { a: 1 } } }, [1]],
  [{ jsonb: { contains: { b: [2] } } }, [1]],
  [{ jsonb: { contains: {} } }, [1]],
  [{ jsonb: { hasKey: "b" } }, [1]],
  [{ json: { hasKey: "a" } }, [1]],
  [{ jsonb: { hasKey: "" } }, []],
  [{ not: { jsonb: { hasKey: "zz" } } }, [1, 2, 3]],
  [{ jsonb: { in: ["text", { a: 1, b: [1, 2] }] } }, [1, 2]],
  [{ jsonb: { isNull: false } }, [1, 2, 3]],
  [
    {
      path: {
        closed: true,
        points: [
          { x: 0, y: 0 },
          { x: 1, y: 1 },
        ],
      },
    },
    [1],
  ],
  [{ path: { in: ["[(0,0),(1,1)]", "((5,5),(6,6))"] } }, [2, 3]],
  [{ circle: { center: { x: 0, y: 0 }, radius: 1 } }, [1]],
  [{ box: "(0,0),(2,2)" }, [1]],
  [{ polygon: { neq: "((0,0),(1,1),(1,0))" } }, [2, 3]],
  [{ point: { in: [{ x: 1, y: 1 }, "(3,3)"] } }, [1, 3]],
  [{ xml: { in: ["<a/>", "<c/>"] } }, [1, 3]],
  [{ interval: { days: 30 } }, [2]],
  [{ interval: { gte: { months: 1 } } }, [2, 3]],
  [{ date: { gt: "2024-02-01" } }, [2, 3]],
  [{ int4range: { contains: 3 } }, [2]],
  [{ int4range: { contains: "3" } }, [2]],
  [{ int4range: { contains: { lower: 2, upper: 4 } } }, [2]],
  [{ int4range: { contains: "[6,7]" } }, [3]],
  [{ int4range: { contains: "empty" } }, [1, 2, 3]],
  [{ int4range: { containedBy: { lower: 1, upper: 6 } } }, [1, 2]],
  [{ int4range: { containedBy: "[5,)" } }, [1, 3]],
  [{ int4range: { overlaps: { lower: 4, upper: 6 } } }, [2, 3]],
  [{ int4range: { overlaps: "[4,4]" } }, [2]],
  [{ int4range: { gt: "[1,5)" } }, [3]],
  [{ tstzrange: { contains: "2024-02-01" } }, [2]],
  [{ textrange: { contains: "bb" } }, [2]],
  [{ textrange: { contains: { lower: "c", upper: "cz" } } }, [3]],
  [{ int4multirange: { contains: 6 } }, [2]],
  [{ int4multirange: { contains: { lower: 11, upper: 12 } } }, [3]],
  [{ int4multirange: { contains: "[11,12)" } }, [3]],
  [{ int4multirange: { contains: "empty" } }, [1, 2, 3]],
  [
    {
      int4multirange: {
        contains: [
          { lower: 1, upper: 2 },
          { lower: 5, upper: 6 },
        ],
      },
    },
    [2],
  ],
  [{ int4multirange: { contains: "{[1,2)}" } }, [2]],
  [{ int4multirange: { containedBy: { lower: 1, upper: 8 } } }, [1, 2]],
  [{ int4multirange: { overlaps: { lower: 6, upper: 11 } } }, [2, 3]],
  [{ int4multirange: { overlaps: [{ lower: 15 }] } }, [3]],
  [{ int4s: { contains: [2] } }, [2, 3]],
  [{ int4s: { contains: 2 } }, [2, 3]],
  [{ int4s: { contains: [] } }, [1, 2, 3]],
  [{ int4s: { containedBy: [1, 2] } }, [1, 2]],
  [{ int4s: { containedBy: "{}" } }, [1]],
  [{ int4s: { overlaps: [1, 3] } }, [2, 3]],
  [{ int4s: { overlaps: "{3,4}" } }, [3]],
  [{ int4s: { gt: [1, 2] } }, [3]],
  [{ int4s: { in: [[], [2, 3], null] } }, [1, 3, 4]],
  [{ int4s: { nin: [[], [2, 3]] } }, [2]],
  [{ texts: { contains: "b" } }, [3]],
  [{ texts: { overlaps: ["a", "c"] } }, [2, 3]],
  [{ jsonbs: { contains: [true] } }, [3]],
  [{ jsonb: { containedBy: {} } }, []],
  [{ points: { in: [[{ x: 1, y: 1 }]] } }, [2]],
  [{ address: null }, [4]],
  [{ address: { isNull: false } }, [1, 2, 3]],
  [{ address: { in: [{ street: "b c", number: 2 }, "(a,1)"] } }, [2, 3]],
  [{ address: { street: "b c", number: 2 } }, [3]],
  [{ code: 5 }, [1]],
  [{ code: { in: [5, "x"] } }, [1, 2]],
  [{ code: { neq: 5 } }, [2, 3]],
];

describe("operators", () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;
  before(async () => {
    database = await testDatabase();
    ({ client } = database);
    await makeTypes(client);
    await makeThings(client);
    for (const [index, code] of [
      [0, "5"],
      [1, "x"],
      [2, "y"],
      [3, null],
    ] as const) {
      await client.query(
        `insert into shop.things values (${index + 1}, $1, ${NAMES.map((_, column) => `$${column + 2}`).join(", ")})`,
        [code, ...NAMES.map((name) => (ROWS[name] as readonly string[])[index] ?? null)],
      );
    }
  });
  after(() => database.drop());

  for (const name of NAMES) {
    it(`${name}: ${operatorsOf(TYPES[name]).join(", ")}`, async () => {
      const value = SECOND[name];
      const second = name === "bool" ? 1 : 2;
      const others = [1, 2, 3].filter((id) => id !== second);
      const is = async (where: object, ids: number[]): Promise<void> =>
        assert.deepEqual(await matching(client, where), ids, JSON.stringify(where));
      await is({ [name]: { eq: value } }, [second]);
      await is({ [name]: { neq: value } }, others);
      await is({ [name]: { in: [value] } }, [second]);
      await is({ [name]: { in: [value, null] } }, [second, 4]);
      await is({ [name]: { nin: [value] } }, others);
      await is({ [name]: { nin: [value, null] } }, others);
      await is({ [name]: null }, [4]);
      await is({ [name]: { isNull: false } }, [1, 2, 3]);
      await is({ not: { [name]: { isNull: true } } }, [1, 2, 3]);
      if (operatorsOf(TYPES[name]).includes("gt")) {
        await is(
          { [name]: { gt: value } },
          [1, 2, 3].filter((id) => id > second),
        );
        await is(
          { [name]: { gte: value } },
          [1, 2, 3].filter((id) => id >= second),
        );
        await is(
          { [name]: { lt: value } },
          [1, 2, 3].filter((id) => id < second),
        );
        await is(
          { [name]: { lte: value } },
          [1, 2, 3].filter((id) => id <= second),
        );
      }
    });
  }

  for (const [where, ids] of BEHAVIOURS) {
    it(`${JSON.stringify(where)} keeps ${ids.join(", ") || "nothing"}`, async () => {
      assert.deepEqual(await matching(client, where), ids);
    });
  }

  it("some type takes every operator", () => {
    const taken = new Set(Object.values(TYPES).flatMap((type) => operatorsOf(type)));
    assert.deepEqual(
      OPERATORS.filter((operator) => !taken.has(operator)),
      ["intersects", "bbox", "dwithin"],
    );
  });

  it("startsWith uses an index if there is one", async () => {
    await client.query(`
begin;
create table shop.words (id int, word text collate "C", name varchar);
insert into shop.words select n, md5(n::text), md5(n::text) from generate_series(1, 5000) n;
create index words_word on shop.words (word);
create index words_name on shop.words using spgist ((name::text));
analyze shop.words;
set local enable_seqscan = off`);
    try {
      const { rows } = await client.query("select current_setting('server_version_num')::int as version");
      const shape = shapeOf("shop", "words", [
        { name: "word", type: TYPES.text },
        { name: "name", type: TYPES.varchar },
      ]);
      const wanted = rows[0].version >= 150000 ? ["word", "name"] : ["name"];
      for (const name of wanted) {
        const filter = parseFilter({ [name]: { startsWith: "abc" } }, shape)!;
        const { text, values } = sql.compile(
          sql`explain select id from shop.words as t where ${filterToSql(filter, sql`t`)}`,
        );
        const plan = (await client.query(text, values)).rows.map((row) => row["QUERY PLAN"]).join("\n");
        assert.match(plan, new RegExp(`words_${name}[^]*Index Cond`), plan);
      }
    } finally {
      await client.query("rollback");
    }
  });

  it("endsWith works on a column with a case-insensitive collation, and compares case by case", async () => {
    await client.query(`
begin;
create collation shop.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create table shop.folded (id int, word text collate shop.any_case);
insert into shop.folded values (1, 'Sea'), (2, 'SEA')`);
    try {
      const filter = parseFilter(
        { word: { endsWith: "ea" } },
        shapeOf("shop", "folded", [{ name: "word", type: TYPES.text }]),
      )!;
      const { text, values } = sql.compile(sql`select id from shop.folded as t where ${filterToSql(filter, sql`t`)}`);
      assert.deepEqual((await client.query(text, values)).rows, [{ id: 1 }]);
    } finally {
      await client.query("rollback");
    }
  });

  for (const [name, index, where] of [
    ["word", "gin (to_tsvector('simple', word))", { search: "abc -def" }],
    ["english", "gin (to_tsvector('english', english))", { search: "running" }],
    ["vector", "gin (vector)", { search: "abc" }],
    ["word", "gin (word ext.gin_trgm_ops)", { similar: "abcdef" }],
    ["word", "gin (word ext.gin_trgm_ops)", { regex: "abcd" }],
    ["word", "gin (word ext.gin_trgm_ops)", { iregex: "ABCD" }],
    ["doc", "gin (doc)", { path: "$.a ? (@ == 5)" }],
    ["doc", "gin (doc jsonb_path_ops)", { path: "$.a == 5" }],
  ] as const)
    it(`${Object.keys(where)[0]} is found by an index: ${index}`, async () => {
      await client.query(`
begin;
create extension if not exists pg_trgm schema ext;
create table shop.texts (id int, word text, english text, vector tsvector, doc jsonb);
insert into shop.texts select n, md5(n::text), md5(n::text), to_tsvector('simple', md5(n::text)), jsonb_build_object('a', n)
from generate_series(1, 2000) n;
create index texts_index on shop.texts using ${index};
analyze shop.texts;
set local enable_seqscan = off`);
      try {
        const shape = shapeOf("shop", "texts", [
          { name: "word", type: TYPES.text, trigrams: "ext" },
          { name: "english", type: TYPES.text, search: "english" },
          { name: "vector", type: builtIn("text", "tsvector") },
          { name: "doc", type: TYPES.jsonb },
        ]);
        const filter = parseFilter({ [name]: where }, shape)!;
        const { text, values } = sql.compile(
          sql`explain select id from shop.texts as t where ${filterToSql(filter, sql`t`)}`,
        );
        const plan = (await client.query(text, values)).rows.map((row) => row["QUERY PLAN"]).join("\n");
        assert.match(plan, /texts_index[^]*Index Cond/, plan);
      } finally {
        await client.query("rollback");
      }
    });

  it("a list of ten thousand is one parameter", async () => {
    const where = { int4: { in: Array.from({ length: 10_000 }, (_, index) => index + 2) } };
    assert.equal(sql.compile(filterToSql(parseFilter(where, things)!, sql`t`)).values.length, 1);
    assert.deepEqual(await matching(client, where), [2, 3]);
  });

  it("foreign operators and types in the search path change nothing", async () => {
    await client.query(`
      create schema trap;
      create function trap.never(text, text) returns bool language sql as 'select false';
      create operator trap.= (leftarg = text, rightarg = text, function = trap.never);
      set search_path to trap, pg_catalog`);
    assert.deepEqual(await matching(client, { text: "Apfel" }), [1]);
    assert.deepEqual(await matching(client, { text: { in: ["Apfel"] } }), [1]);
    await client.query("set search_path to ''");
  });

  it("filters use the indexes of their columns", async () => {
    await client.query(`
      create table shop.many as select n as id, n::text as name, int4range(n, n + 1) as span, array[n] as list,
        to_jsonb(n) as doc, n::text::ext.citext as folded from generate_series(1, 20000) as n;
      create index on shop.many (id);
      create index on shop.many (name);
      create index on shop.many using gist (span);
      create index on shop.many using gin (list);
      create index on shop.many using gin (doc);
      create index on shop.many (folded ext.citext_ops);
      analyze shop.many`);
    const many = shapeOf("shop", "many", [
      { name: "id", type: TYPES.int4 },
      { name: "name", type: TYPES.text },
      { name: "span", type: TYPES.int4range },
      { name: "list", type: TYPES.int4s },
      { name: "doc", type: TYPES.jsonb },
      { name: "folded", type: TYPES.citext },
    ]);
    for (const where of [
      { id: 5 },
      { id: { in: [5, 6] } },
      { id: { gt: 19_990 } },
      { name: "5" },
      { name: { in: ["5", "6"] } },
      { span: { contains: 5 } },
      { span: { containedBy: "[5,6)" } },
      { span: { overlaps: "[5,6)" } },
      { list: { contains: 5 } },
      { list: { containedBy: [5, 6] } },
      { doc: { contains: 5 } },
      { folded: "5" },
    ]) {
      const { text, values } = sql.compile(
        sql`explain select * from shop.many as t where ${filterToSql(parseFilter(where, many)!, sql`t`)}`,
      );
      const { rows } = await client.query<Record<string, string>>(text, values);
      assert.match(rows.map((row) => row["QUERY PLAN"]).join("\n"), /Index/, JSON.stringify(where));
    }
  });
});
