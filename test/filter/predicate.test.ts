import assert from "node:assert/strict";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { parseFilter } from "../../server/filter/parse.ts";
import { parseFilterText } from "../../server/filter/parseText.ts";
import { operatorsOf } from "../../server/filter/operators.ts";
import { filterToPredicate, type Texts } from "../../server/filter/toPredicate.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Column, Filter } from "../../server/filter/tree.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { assertRefused, builtIn, makeTypes, shapeOf, sqlName, TYPES } from "./fixtures.ts";
import type { ColumnType } from "../../server/types/columnType.ts";

const MOOD: ColumnType = { ...TYPES.mood, labels: ["sad", "so-so", "happy"] };

/** Each scalar type, and texts of it. The first texts are those of the rows; callers may use all of them. */
const SAMPLES: Readonly<Record<string, readonly [ColumnType, rows: readonly string[], more: readonly string[]]>> = {
  bool: [TYPES.bool, ["true", "false"], ["t", "F", "yes", "of", "0", "1"]],
  int2: [TYPES.int2, ["-32768", "0", "7", "32767"], ["+7", " 7 "]],
  int4: [TYPES.int4, ["-2147483648", "-1", "0", "1", "2147483647"], ["007"]],
  int8: [TYPES.int8, ["-9223372036854775808", "9007199254740993", "9223372036854775807"], ["9007199254740992", "+0"]],
  numeric: [
    TYPES.numeric,
    [
      "0",
      "1",
      "1.0",
      "1.00000000000000000000000000000000000001",
      "-1.5",
      "-1.05",
      "-15",
      "123456789012345678901234567890.5",
      "-123456789012345678901234567890.5",
      "0.000000000000000000000000000001",
      "NaN",
      "Infinity",
      "-Infinity",
    ],
    [
      "1e0",
      ".5",
      "-1.500",
      "1e400",
      "-1e400",
      "1E-400",
      "1234567890123456789012345678905e-1",
      "-0",
      "inf",
      "nan",
      "10.",
    ],
  ],
  float4: [TYPES.float4, ["0.1", "-0", "16777216", "NaN", "Infinity", "-Infinity"], ["16777217", "1e-10", "nan", ".1"]],
  float8: [TYPES.float8, ["0.1", "-0", "1e300", "-1e-300", "NaN", "Infinity", "-Infinity"], ["0.10", "1e+300", "5."]],
  text: [
    TYPES.text,
    ["", "a", "A", "b ", "Öl", "öl", "100%", "a_b", "a\\b", "it's", "\u{1f600}", "\uffee", "a\nb", "abcabcabd"],
    [
      "a%",
      "%b%",
      "_",
      "__",
      "%a_b%",
      "\\%",
      "100\\%",
      "a\\_b",
      "%\\\\%",
      "ÖL",
      "%",
      "%c%d",
      "\u{1f600}%",
      "abc%abd",
      "_l",
    ],
  ],
  varchar: [builtIn("text", "varchar"), ["", " ", "x", "X", "x ", "ß"], ["x%", "% ", "_"]],
  bpchar: [TYPES.bpchar, ["x", "x ", "x  ", "", "y"], ["x   ", "y%", "x_", "_"]],
  uuid: [
    TYPES.uuid,
    ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "00000000-0000-0000-0000-000000000000"],
    [
      "{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}",
      "a0eebc999c0b4ef8bb6d6bb9bd380a12",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ],
  ],
  inet: [
    TYPES.inet,
    [
      "10.0.0.1",
      "10.0.0.0/8",
      "10.0.0.0/24",
      "10.0.0.1/24",
      "0.0.0.0/0",
      "255.255.255.255",
      "::1",
      "2001:db8::/32",
      "::",
    ],
    ["10.0.0.1/32", "10.1.2.3", "2001:0DB8:0::1", "::ffff:10.0.0.1", "1::", "::/0"],
  ],
  cidr: [builtIn("text", "cidr"), ["10.0.0.0/8", "10.1.0.0/16", "2001:db8::/32"], ["10.0.0.0/9", "0.0.0.0/0", "::/0"]],
  macaddr: [builtIn("text", "macaddr"), ["08:00:2b:01:02:03", "ff:00:00:00:00:00"], ["08-00-2B-01-02-03"]],
  bytea: [TYPES.bytea, ["\\x", "\\x00", "\\x00ff", "\\xff"], ["\\x0000"]],
  mood: [MOOD, ["sad", "so-so", "happy"], []],
  citext: [TYPES.citext, ["ABC", "abd", "b"], ["aBc", "A%", "%B%", "B"]],
  oid: [builtIn("text", "oid"), ["0", "1", "4294967295"], ["20"]],
  date: [
    TYPES.date,
    [
      "2024-02-29",
      "1999-12-31",
      "0001-01-01",
      "0044-03-15 BC",
      "infinity",
      "-infinity",
      "12345-06-07",
      "4713-01-01 BC",
    ],
    ["2024-03-01", "epoch", "1970-01-01", "2024-02-29T23:59:59Z", "0001-12-31 BC", "2024-2-9"],
  ],
  time: [
    builtIn("datetime", "time"),
    ["00:00", "12:34:56.789012", "23:59:59.999999", "24:00:00"],
    ["12:34", "12:34:56.7890124", "12:34:56.78901250", "T01:02:03", "10:00+02"],
  ],
  timetz: [
    builtIn("datetime", "timetz"),
    ["12:00+00", "14:00+02", "10:30-01:30", "00:00+14", "23:59:59.5-12", "12:00:00+05:30:15"],
    ["12:00", "12:00Z", "13:00+0100", "12:00-00"],
  ],
  timestamp: [
    builtIn("datetime", "timestamp"),
    [
      "2024-02-29 12:00",
      "2024-02-29 12:00:00.000001",
      "0044-03-15 01:02:03 BC",
      "infinity",
      "-infinity",
      "99999-01-01 00:00",
    ],
    ["2024-02-29", "2024-02-29T12:00:00.0000014", "2024-02-29 12:00:00+05", "epoch", "1969-12-31 23:59:59.5"],
  ],
  timestamptz: [
    TYPES.timestamptz,
    [
      "2024-02-29 12:00+00",
      "2024-02-29 12:00+02",
      "0044-03-15 01:02:03.5+00 BC",
      "infinity",
      "-infinity",
      "1900-01-01 00:00-08",
    ],
    [
      "2024-02-29T12:00:00Z",
      "2024-02-29T12:00:00.000+02:00",
      "2024-02-29 10:00",
      "2024-02-29 17:30:00+0530",
      "2024-02-29",
      "2024-02-28 24:00:00Z",
      "2024-02-29T12:00:00.9999999Z",
    ],
  ],
  interval: [
    TYPES.interval,
    [
      "0",
      "1 day",
      "24 hours",
      "1 mon",
      "30 days",
      "1 year",
      "360 days",
      "-1 days +24:00:00",
      "1 year 2 mons 3 days 04:05:06.789",
      "-00:00:00.000001",
    ],
    [
      "P1Y2M3DT4H5M6.789S",
      "PT24H",
      "1.5 days",
      "36:00",
      "1.5 months",
      "0.1 years",
      "2 weeks",
      "1 mon ago",
      "P0D",
      "1.5 h",
      "-1 day",
      "@ 1 minute",
    ],
  ],
};

const NAMES = Object.keys(SAMPLES);
const columns: readonly Column[] = NAMES.map((name) => ({ name, type: SAMPLES[name]![0] }));
const shape = shapeOf("shop", "scalars", columns);

/** Numbers that are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = randomNumbers(20_240_229);
const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;

function jsonValue(name: string): unknown {
  const [type, rows, more] = SAMPLES[name]!;
  const text = pick([...rows, ...more]);
  if (type.kind === "bytes") return Buffer.from(text.slice(2), "hex").toString("base64");
  if (type.kind === "boolean" && random(2)) return /^([t1y]|on)/.test(text);
  if (type.kind === "integer" && random(2)) return Number(text);
  return text;
}

const patterns = ["like", "ilike", "startsWith", "endsWith"] as const;
const others = ["eq", "neq", "gt", "gte", "lt", "lte", "in", "nin", "isNull"] as const;

function jsonFilter(depth: number): Record<string, unknown> {
  const form = depth > 0 ? random(5) : 4;
  if (form === 0) return { and: [jsonFilter(depth - 1), jsonFilter(depth - 1)] };
  if (form === 1) return { or: [jsonFilter(depth - 1), jsonFilter(depth - 1)] };
  if (form === 2) return { not: jsonFilter(depth - 1) };
  const name = pick(NAMES);
  const { type } = columns[NAMES.indexOf(name)]!;
  const takes = operatorsOf(type);
  const operator = pick([...others, ...patterns].filter((each) => takes.includes(each)));
  if (operator === "isNull") return { [name]: { isNull: random(2) === 0 } };
  if (operator === "in" || operator === "nin") {
    const list: unknown[] = Array.from({ length: random(4) }, () => jsonValue(name));
    return { [name]: { [operator]: random(5) ? list : [...list, null] } };
  }
  if (operator === "like" || operator === "ilike" || operator === "startsWith" || operator === "endsWith")
    return { [name]: { [operator]: pattern(name) } };
  return { [name]: { [operator]: random(15) ? jsonValue(name) : operator.endsWith("eq") ? null : jsonValue(name) } };
}

function pattern(name: string): string {
  const [, rows, more] = SAMPLES[name]!;
  const text = pick([...rows, ...more]);
  const letters = Array.from(text);
  const part = (from: number, to?: number): string => letters.slice(from, to).join("");
  const pieces = [text, part(0, 2), `${part(0, 3)}%`, `%${part(-3)}`, `%${part(1, 4)}%`, text.replace(/\w/, "_")];
  return pick(pieces.filter((each) => !/(^|[^\\])(\\\\)*\\$/.test(each)));
}

const SYMBOLS: Readonly<Record<string, readonly string[]>> = {
  eq: ["="],
  neq: ["<>", "!="],
  gt: [">"],
  gte: [">="],
  lt: ["<"],
  lte: ["<="],
};

/**
 * The same filter in the other form; undefined if text cannot express it (nulls, empty lists, startsWith and endsWith).
 */
function asText(filter: Filter): string | undefined {
  switch (filter.kind) {
    case "and":
    case "or": {
      const parts = filter.filters.map(asText);
      return parts.length === 0 || parts.includes(undefined)
        ? undefined
        : `(${parts.join(` ${pick([filter.kind, filter.kind.toUpperCase()])} `)})`;
    }
    case "not": {
      const inner = asText(filter.filter);
      return inner && `not (${inner})`;
    }
    case "compare": {
      const { column, operator, value } = filter;
      const name = random(2) ? column.name : `"${column.name}"`;
      if (operator === "isNull") return `${name} is ${value ? "" : "NOT "}null`;
      if (operator === "in" || operator === "nin") {
        const list = (value as unknown[]).map((each) => literal(each, column.type));
        return list.length === 0 ? undefined : `${name} ${operator === "in" ? "In" : "not  in"}(${list.join(", ")})`;
      }
      if (operator === "startsWith" || operator === "endsWith") return undefined;
      return `${name}${SYMBOLS[operator] ? pick(SYMBOLS[operator]) : ` ${operator} `}${literal(value, column.type)}`;
    }
    default:
      return undefined;
  }
}

function literal(value: unknown, type: ColumnType): string {
  if (typeof value !== "string") return String(value);
  const isNumber =
    ["integer", "bigint", "float"].includes(type.kind) && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value);
  return isNumber && random(2) ? value : `'${value.replaceAll("'", "''")}'`;
}

describe("a filter in process", () => {
  let database: TestDatabase;
  let rows: { id: number; texts: Texts }[];

  before(async () => {
    database = await testDatabase();
    const { client } = database;
    await makeTypes(client);
    await client.query(
      "set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex'",
    );
    const defined = columns.map(({ name, type }) => {
      const sqlType = name === "bpchar" ? "char(5)" : sqlName(type);
      return `"${name}" ${sqlType}`; // the cluster's collation goes by code points
    });
    await client.query(`create table shop.scalars (id int, ${defined.join(", ")})`);
    const most = Math.max(...NAMES.map((name) => SAMPLES[name]![1].length));
    for (let id = 0; id < 3 * most; id++) {
      const values = NAMES.map((name) => {
        const samples = SAMPLES[name]![1];
        // each value once, then random ones, some of them null
        return id < most ? (samples[id] ?? null) : random(6) ? pick(samples) : null;
      });
      const places = NAMES.map((name, index) => `$${index + 1}::text::${sqlName(SAMPLES[name]![0])}`);
      await client.query(`insert into shop.scalars values (${id}, ${places.join(", ")})`, values);
    }
    // as in the text of the record, which for some types differs from a cast to text
    const texts = NAMES.map((name) => `to_jsonb(format('%s', "${name}")) || '[]' || to_jsonb("${name}" is null)`);
    const { rows: read } = await client.query<{ id: number; texts: [string, boolean][] }>(
      `select id, jsonb_build_array(${texts.join(", ")}) as texts from shop.scalars order by id`,
    );
    rows = read.map(({ id, texts: list }) => ({
      id,
      texts: Object.fromEntries(NAMES.map((name, index) => [name, list[index]![1] ? null : list[index]![0]])),
    }));
  });
  after(() => database.drop());

  /** For each filter whether PostgreSQL keeps each row. */
  async function answersOf(filters: readonly Filter[]): Promise<boolean[][]> {
    const alias = sql.identifier(Symbol("t"));
    const tests: SQL[] = filters.map((filter) => sql`(${filterToSql(filter, alias)}) is true`);
    const { text, values } = sql.compile(
      sql`select array[${sql.join(tests, ", ")}] as kept from shop.scalars as ${alias} order by id`,
    );
    const { rows: answers } = await database.client.query<{ kept: boolean[] }>(text, values);
    return filters.map((_, index) => answers.map(({ kept }) => kept[index]!));
  }

  it("answers as PostgreSQL does, written as JSON and as text", async function () {
    this.timeout(300_000);
    let judged = 0;
    let written = 0;
    for (let round = 0; round < 40; round++) {
      const sources = Array.from({ length: 100 }, () => jsonFilter(3));
      const parsed = sources.flatMap((source) => {
        const filter = parseFilter(source, shape);
        return filter ? [{ source: JSON.stringify(source), filter }] : [];
      });
      const texts = parsed.flatMap(({ filter }) => {
        const source = asText(filter);
        if (source === undefined) return [];
        const again = parseFilterText(source, shape);
        assert.ok(again, source);
        return [{ source, filter: again }];
      });
      written += texts.length;
      const all = [...parsed, ...texts];
      const answers = await answersOf(all.map(({ filter }) => filter));
      all.forEach(({ source, filter }, index) => {
        const predicate = filterToPredicate(filter);
        rows.forEach(({ id, texts: record }, row) => {
          judged++;
          const kept = predicate.test(record);
          if (kept !== answers[index]![row])
            assert.fail(
              `${source} over row ${id}: ${kept}, PostgreSQL says ${answers[index]![row]}: ${JSON.stringify(record)}`,
            );
        });
      });
    }
    assert.ok(judged > 200_000 && written > 2000, `${judged} judgements, ${written} texts`);
  });

  it("gives equal filters the same key and says which columns it reads", () => {
    const where = { or: [{ int4: 1 }, { text: { like: "a%" } }, { int4: { isNull: true } }] };
    const [one, two] = [where, structuredClone(where)].map((json) => filterToPredicate(parseFilter(json, shape)!));
    assert.equal(one!.key, two!.key);
    assert.deepEqual([...one!.columns].sort(), ["int4", "text"]);
    assert.notEqual(one!.key, filterToPredicate(parseFilter({ int4: 1 }, shape)!).key);
  });
});

describe("a filter in process refuses", () => {
  const odd = shapeOf(
    "shop",
    "odd",
    [
      { name: "shape", type: { kind: "geometry", schema: "public", name: "geometry", srid: 4326 } },
      ...(["jsonb", "int4range", "int4s", "point", "xml", "money", "address", "mood", ...NAMES] as const).map(
        (name) => ({
          name,
          type: name === "mood" ? TYPES.mood : (SAMPLES[name]?.[0] ?? TYPES[name as keyof typeof TYPES]),
        }),
      ),
    ],
    () => [{ name: "others", target: odd, on: [] }],
  );
  const refused = (where: unknown, message: RegExp, code?: string): void =>
    assertRefused(() => filterToPredicate(parseFilter(where, odd)!), message, code);

  it("columns that are not scalars, even if they are only compared with null", () => {
    refused({ jsonb: { eq: {} } }, /where\.jsonb: .*scalar types.* jsonb/);
    refused({ int4range: { contains: 1 } }, /where\.int4range/);
    refused({ int4s: [1] }, /where\.int4s: .*int4\[\]/);
    refused({ xml: "<a/>" }, /where\.xml/);
    refused({ money: "1" }, /where\.money/);
    refused({ shape: null }, /where\.shape: .*geometry/);
    refused({ address: null }, /where\.address/);
    refused({ point: null }, /where\.point/);
    refused({ others: {} }, /where\.others: .*own table/);
  });

  it("values that do not fit the type", () => {
    for (const [name, value] of [
      ["date", "tomorrow"],
      ["date", "2023-02-29"],
      ["date", "0000-01-01"],
      ["timestamp", "2024-01-01 25:00"],
      ["timestamptz", "2024-01-01 10:00 Europe/Berlin"],
      ["timestamptz", "300000-01-01"],
      ["time", "24:00:01"],
      ["timetz", "10:00+16"],
      ["interval", "1 fortnight"],
      ["interval", ""],
      ["uuid", "a0eebc99"],
      ["inet", "10.0.0.256"],
      ["inet", "1:2:3"],
      ["inet", "10.0.0.1/33"],
      ["cidr", "10.0.0.1/8"],
      ["float8", "1e400"],
      ["float8", "1e-400"],
      ["float4", "1e39"],
      ["numeric", "1e999999"],
      ["oid", "-1"],
    ] as const)
      refused({ [name]: value }, new RegExp(`^where\\.${name}\\.eq: expected a value of type`));
    assertRefused(() => filterToPredicate(parseFilter({ mood: "glad" }, shape)!), /where\.mood\.eq/);
  });

  it("patterns that are endless or too long, and an unknown order", () => {
    refused({ text: { like: "a\\" } }, /where\.text\.like: .*backslash/);
    refused({ text: { ilike: "a".repeat(1001) } }, /pattern/, "LIMIT_EXCEEDED");
    refused({ interval: "1".repeat(2000) }, /where\.interval/, "LIMIT_EXCEEDED");
    refused({ mood: { gt: "sad" } }, /order/);
  });

  it("computed values of a row, which an event does not have", () => {
    const computed = { name: "loud", type: TYPES.text, computed: (alias: SQL) => sql`app.loud(${alias})` };
    const shape = { ...odd, computed: (name: string) => (name === "loud" ? computed : undefined) };
    const filter = parseFilter({ or: [{ text: "a" }, { loud: "A" }] }, shape)!;
    assertRefused(() => filterToPredicate(filter), /where\.loud: .*computed/);
  });

  it("no time for a pattern that is made to take long", () => {
    const predicate = filterToPredicate(parseFilter({ text: { like: `${"%a_".repeat(300)}b` } }, odd)!);
    assert.equal(predicate.test({ text: "a".repeat(100_000) }), false);
  });
});
