/** Every base type of a database, with domains, arrays, composites, ranges and enums over it, through every door. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { propertyJson } from "../../ogc/features/propertyJson.ts";
import { filterSchema, propertySchema } from "../../ogc/features/propertySchema.ts";
import { jsonValueOf } from "../../plugins/tables/jsonValue.ts";
import { comparable, comparisonOf, hasDefaultEquality } from "../../server/filter/comparison.ts";
import { operatorIn } from "../../server/filter/sqlTypes.ts";
import { toTextValue } from "../../server/filter/values.ts";
import { plainJsonOf as graphqlJsonOf } from "../../server/graphql/live/eventSelection.ts";
import { inputOf } from "../../server/methods/values/input.ts";
import { parseMessage } from "../../server/methods/run/envelope.ts";
import { jsonOf } from "../../server/methods/values/jsonRows.ts";
import { outputOf } from "../../server/methods/values/output.ts";
import { declarations, typescriptOf } from "../../server/methods/typescript.ts";
import { plainJsonOf as eventJsonOf, selectJson } from "../../server/socket/rowColumns.ts";
import { readType, type CatalogueType } from "../../server/types/catalogue.ts";
import { holdsGeometry, type ColumnType } from "../../server/types/columnType.ts";
import { arrayLiteral } from "../../server/types/literals.ts";
import { delimiterOf, FOREIGN, rowOf, scalarType, TYPE_NAMES } from "../../server/types/table.ts";
import { compile } from "../support/compile.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

/** Each type gets the first of these that it reads as different values. */
const TEXTS: readonly string[] = [
  ...[
    "1",
    "-7",
    "32767",
    "9223372036854775807",
    "12345678901234567890.1230",
    "1.5",
    "1e300",
    "NaN",
    "Infinity",
    "-Infinity",
  ],
  ...["t", "f", "abc", 'a"b\\c {},()é🚀\n', "", "NULL", "c  ", "$12.50", "-$1,234.50"],
  ...[
    "2024-05-06",
    "0044-03-15 BC",
    "12:34:56.789",
    "12:34:56+02",
    "2024-05-06 07:08:09.5+02",
    "0044-03-15 10:00:00 BC",
    "infinity",
  ],
  ...["1 year 2 mons -3 days 04:05:06.7", "-04:00:00.5", "00:00:00"],
  ...['{"a": [1.10, null, "x"], "é": "\\""}', "[]", "null", '"s"'],
  ...["(1,2)", "(1.5,NaN)", "{1,2,3}", "[(1,2),(3,4)]", "((1,2),(3,4),(5,6.5))", "(3,4),(1,2)", "<(1,2),3>"],
  ...[
    "10.0.0.0/8",
    "10.0.0.1",
    "::1",
    "08:00:2b:01:02:03",
    "08:00:2b:01:02:03:04:05",
    "7f3e4f4e-1111-2222-3333-444455556666",
  ],
  ...["\\x0001ff", "101", "<a>b</a>", "1:2:", "10:20:10,14", "$.a[*]", "'a' & !'b'", "'a':1A 'b':2", "0/1A", "(0,1)"],
  ...[
    "postgres=r/postgres",
    "pg_class",
    "int4",
    "pg_catalog",
    "english",
    "simple",
    "now()",
    "now",
    "+",
    "+(integer,integer)",
    "C",
    "1 2",
  ],
  ...[
    "POINT(1 2)",
    "SRID=25832;POINT(500000 5000000)",
    "LINESTRING Z (1 2 3,4 5 6)",
    "POLYGON EMPTY",
    "BOX(1 2,3 4)",
    "BOX3D(1 2 3,4 5 6)",
  ],
  ...['"a"=>"1", "é \\"x\\\\"=>NULL', "Top.Science", "calm", 'rough "sea"'],
];
const MOST = 6;
/** Numbers that neither JavaScript nor JSON can hold. */
const LOST = /\d{17}|NaN|Infinity/;
/** Types that no format of JSON Schema describes. */
const UNUSUAL = /infinity|BC/;

interface Sample {
  readonly sqlName: string;
  readonly texts: readonly string[];
  /** Their values in methods: GeoJSON for a geometry. */
  readonly shown: readonly string[];
  readonly type: ColumnType;
  readonly domain: ColumnType;
  readonly list: ColumnType;
  readonly domainOfList: ColumnType;
  readonly composite: ColumnType;
  /** Undefined if the values have no order. */
  readonly range: ColumnType | undefined;
  readonly multirange: ColumnType | undefined;
}

const PREPARE = `
create extension if not exists hstore;
create extension if not exists citext;
create extension if not exists ltree;
create schema portolan;
create schema every;
create type every.mood as enum ('calm', 'rough "sea"');
create function every.read(given text, name text) returns text language plpgsql as $$
declare v text;
begin
  execute format('select format(''%%s'', %L::%s)', given, name) into v; -- as it is given out, which a cast to text is not
  return v;
exception when others then return null;
end $$;
set timezone to 'UTC';
set intervalstyle to 'postgres';
set lc_monetary to 'C';
`;

/** Types that read no text, or none that a test could know. */
const WITHOUT_TEXT = ["pg_brin_bloom_summary", "pg_brin_minmax_multi_summary", "pg_dependencies", "pg_mcv_list", "pg_ndistinct", "pg_node_tree", "gtsvector", "ghstore", "ltree_gist", "gidx", "box2df", "spheroid"]; // oxfmt-ignore

/** JSON with its numbers as they are written. */
const exact = (json: string): unknown =>
  JSON.parse(json, ((_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === "number" ? { number: source } : value) as (key: string, value: unknown) => unknown);

const code = (name: string): string => readFileSync(new URL(`../../sql/${name}.sql`, import.meta.url), "utf8");

describe("every type", () => {
  let database: TestDatabase;
  const samples: Sample[] = [];

  before(async () => {
    database = await testDatabase();
    const { client } = database;
    await client.query([PREPARE, ...["catalogue/type_catalogue", "maps/straight_geometry"].map(code)].join("\n"));
    const { rows: found } = await client.query<{ name: string; texts: string[] }>(
      `select t.oid::regtype::text as name, array(
         select d.text from (
           select distinct on (r.text) r.text, c.i
           from unnest($1::text[]) with ordinality c (text, i), every.read(c.text, t.oid::regtype::text) r (text)
           where r.text is not null order by r.text, c.i) d
         order by d.i limit $2) as texts
       from pg_type t
       where t.typtype in ('b', 'e') and t.typisdefined
         and not exists (select from pg_type e where e.typarray = t.oid)
       order by 1`,
      [TEXTS, MOST],
    );
    assert.ok(found.length > 75);
    const unread = found.filter(({ texts }) => texts.length === 0).map(({ name }) => name.replace(/.*\./, ""));
    assert.deepEqual(
      unread.filter((name) => !WITHOUT_TEXT.includes(name)),
      [],
    );
    const read = found
      .filter(({ texts }) => texts.length > 0)
      .map((each, n) => ({ ...each, own: names(each.name, n) }));
    await client.query(read.map(({ name, own }) => made(name, own)).join(";"));
    const bases = await typesOf(database, read.map(({ name }) => name)); // oxfmt-ignore
    const ordered = read.filter(({ name }) => {
      const type = bases.get(name)!;
      return comparisonOf(type).isOrdered && rowOf(type) !== FOREIGN;
    });
    await client.query(ordered.map(({ name, own }) => madeRange(name, own)).join(";"));
    const types = await typesOf(
      database,
      read.flatMap(({ own }) => Object.values(own)),
    );
    for (const { name: sqlName, texts, own } of read) {
      const type = bases.get(sqlName)!;
      const isGeometry = type.kind === "geometry";
      const shown = isGeometry ? await written({ type }, texts, (value) => selectJson(value, type)) : texts;
      const of = (kind: keyof typeof own): ColumnType | undefined => types.get(own[kind]);
      const [domain, list, domainOfList, composite] = [
        of("domain")!,
        of("list")!,
        of("domainOfList")!,
        of("composite")!,
      ];
      const [range, multirange] = [of("range"), of("multirange")];
      samples.push({ sqlName, texts, shown, type, domain, list, domainOfList, composite, range, multirange });
    }
  });

  after(() => database.drop());

  /** The JSON that PostgreSQL writes for each text as a value of the type. */
  async function written(
    { type }: Pick<Sample, "type">,
    texts: readonly (string | null)[],
    toSql: (value: SQL) => SQL,
  ): Promise<string[]> {
    const list = sql.value(arrayLiteral(texts, delimiterOf(type)));
    const { text, values } = sql.compile(
      sql`select pg_catalog.row_to_json(r)::text as json from unnest(${list}::${nameOf(type)}[]) with ordinality v (v, i)
        cross join lateral (select ${toSql(sql`v.v`)} as j) r order by v.i`,
    );
    const { rows } = await database.client.query<{ json: string }>(text, values);
    return rows.map(({ json }) => json.slice('{"j":'.length, -1));
  }

  /** Runs `check` for each type; reports all errors. */
  async function each(
    check: (sample: Sample, wrong: (what: string, got: unknown, expected: unknown) => void) => Promise<void> | void,
  ) {
    const problems: string[] = [];
    for (const sample of samples) {
      const note = (what: string): void => void problems.push(`${sample.sqlName}: ${what}`);
      try {
        await check(sample, (what, got, expected) => {
          try {
            assert.deepEqual(got, expected);
          } catch {
            note(`${what}: ${JSON.stringify(got)} is not ${JSON.stringify(expected)}`);
          }
        });
      } catch (error) {
        note(String(error));
      }
    }
    assert.deepEqual(problems, []);
  }

  const json = ({ type, shown }: Sample): string[] => shown.map(outputOf(type).json);

  it("is found, with its own row or as text", () => {
    assert.ok(samples.length > 65, String(samples.length));
    const found = new Set(samples.map(({ type }) => type.name));
    assert.deepEqual(
      TYPE_NAMES.filter((name) => !found.has(name) && !WITHOUT_TEXT.includes(name)),
      [],
    );
    assert.deepEqual(samples.find(({ sqlName }) => sqlName === "every.mood")?.type.labels, ["calm", 'rough "sea"']);
  });

  it("looks in methods as PostgreSQL writes it, where PostgreSQL is asked for the row", () =>
    each(async (sample, wrong) => {
      const own = json(sample).map(exact);
      wrong("a domain of it", sample.shown.map(outputOf(sample.domain).json).map(exact), own);
      for (const one of [sample, { type: sample.domain }]) {
        const toSql = jsonOf(one.type);
        if (toSql)
          wrong("from SQL", (await written(one, sample.texts, (value) => toSql(value, one.type))).map(exact), own);
      }
    }));

  it("looks in methods the same in arrays, composites and ranges", () =>
    each(async (sample, wrong) => {
      if (holdsGeometry(sample.type)) return; // another statement makes it GeoJSON, wherever it is
      const own = json(sample).map(exact);
      const { client } = database;
      const text = async (value: string, values: unknown[]): Promise<string> => {
        const { rows } = await client.query<[string]>({
          text: `select ${value} as v`,
          values,
          rowMode: "array",
          types: { getTypeParser: () => (given: string) => given },
        });
        return rows[0]![0];
      };
      const list = await text(`$1::${sample.sqlName}[]`, [
        arrayLiteral([...sample.texts, null], delimiterOf(sample.type)),
      ]);
      for (const type of [sample.list, sample.domainOfList])
        wrong("array", exact(outputOf(type).json(list)), [...own, null]);
      const toSql = jsonOf(sample.list);
      if (toSql)
        wrong(
          "array from SQL",
          (await written(sample, sample.texts, (value) => toSql(sql`array[${value}, null]`, sample.list))).map(exact),
          own.map((value) => [value, null]),
        );
      const composite = await text(`row($1::${sample.sqlName}, $2)::${name(sample.composite)}`, [
        sample.texts[0],
        null,
      ]);
      wrong("composite", exact(outputOf(sample.composite).json(composite)), { a: own[0], 'b "c': null });
      if (sample.range && sample.multirange) {
        const range = await text(`${name(sample.range)}($1::${sample.sqlName}, null, '[]')`, [sample.texts[0]]);
        const expected = { lower: own[0], upper: null, lowerInclusive: true, upperInclusive: false };
        wrong("range", exact(outputOf(sample.range).json(range)), expected);
        wrong("multirange", exact(outputOf(sample.multirange).json(`{${range}}`)), [expected]);
      }
    }));

  it("is read by methods as they wrote it", () =>
    each(async (sample, wrong) => {
      if (sample.sqlName === "geometry") return; // GeoJSON does not name its original system
      const backs = json(sample).map((value) => inputOf(parseMessage(value), sample.type, "x"));
      const again = await written(sample, backs, (value) => sql`${value}::text`);
      wrong("back", again, await written(sample, sample.texts, (value) => sql`${value}::text`));
    }));

  it("looks in GraphQL the same, however it is read", () =>
    each(async (sample, wrong) => {
      const { texts, type, list } = sample;
      const { toText = (value: SQL) => sql`${value}::text`, fromText = (text: string) => text } = rowOf(type).value;
      const selected = await written(sample, texts, (value) => toText(value, type));
      const planned = selected.map((text) => JSON.stringify(fromText(JSON.parse(text) as string)));
      const own = planned.map((text) => JSON.parse(text) as unknown);
      const toSql = jsonValueOf(type, false);
      const parsed = (all: readonly string[]): unknown[] => all.map((text) => JSON.parse(text) as unknown);
      if (toSql) wrong("from SQL", parsed(await written(sample, texts, (value) => toSql(value, type))), own);
      const toJson = graphqlJsonOf(type, false);
      if (toJson) wrong("from text", parsed(texts.map(toJson)), own);
      const listToSql = jsonValueOf(list, false);
      if (listToSql)
        wrong("array", parsed((await written(sample, texts, (value) => listToSql(sql`array[${value}]`, list)))), own.map((value) => [value])); // oxfmt-ignore
      const asId = graphqlJsonOf(type, true);
      const idToSql = jsonValueOf(type, true);
      if (asId && idToSql) wrong("as ID", parsed(texts.map(asId)), parsed(await written(sample, texts, (value) => idToSql(value, type)))); // oxfmt-ignore
      const kept = own.flatMap((value, index) =>
        value === null || LOST.test(texts[index]!) ? [] : [[value, texts[index]!] as const],
      );
      const backs = kept.map(([value]) => toTextValue(value, type, "x"));
      const expected = await written(
        sample,
        kept.map(([, text]) => text),
        (value) => toText(value, type),
      );
      wrong("back", await written(sample, backs, (value) => toText(value, type)), expected);
    }));

  it("looks in events as PostgreSQL's to_json has it", () =>
    each(async (sample, wrong) => {
      const { texts, type, domain } = sample;
      const own = (await written(sample, texts, (value) => selectJson(value, type))).map(exact);
      if (type.kind !== "geometry") wrong("from SQL", own, (await written(sample, texts, (value) => sql`to_json(${value})`)).map(exact)); // oxfmt-ignore
      for (const each of [type, domain]) {
        const toJson = eventJsonOf(each);
        if (toJson) wrong("from text", texts.map(toJson).map(exact), own);
      }
    }));

  it("looks in the OGC API as its schema says, alone, in arrays, composites and ranges", async () => {
    const ajv = formats.default(new Ajv({ strict: false, logger: false }), {
      mode: "fast",
      formats: ["date", "date-time", "uuid", "byte", "int32", "int64", "float", "double"],
    });
    await database.client.query("set intervalstyle to 'iso_8601'");
    await each(async (sample, wrong) => {
      const { texts, type } = sample;
      const own = (await written(sample, texts, (value) => propertyJson(value, type))).map(exact);
      const values = (await written(sample, texts, (value) => propertyJson(value, type))).map((text) => JSON.parse(text) as unknown); // oxfmt-ignore
      const column = {
        number: 1,
        name: "x",
        type,
        notNull: true,
        title: undefined,
        description: undefined,
        filterable: true,
        queryable: true,
      };
      const nullable = type.kind === "geometry"; // an empty one
      const validate = ajv.compile({ ...propertySchema({ ...column, notNull: !nullable }) });
      for (const value of values)
        if (!UNUSUAL.test(String(value)) && !validate(value)) wrong("schema", value, validate.errors);
      assert.ok(filterSchema(column)["type"]);
      const of = (to: ColumnType, value: (v: SQL) => SQL) => written(sample, texts, (v) => propertyJson(value(v), to));
      wrong(
        "array",
        (await of(sample.list, (v) => sql`array[${v}]`)).map(exact),
        own.map((value) => [value]),
      );
      const composite = await of(sample.composite, (v) => sql`row(${v}, null)::${nameOf(sample.composite)}`);
      wrong(
        "composite",
        composite.map(exact),
        own.map((a) => ({ a, 'b "c': null })),
      );
      const { range } = sample;
      if (range) {
        const ranges = await of(range, (v) => sql`${nameOf(range)}(${v}, null)`);
        wrong(
          "range",
          ranges.map(exact).map((value) => (value as { lower: unknown }).lower),
          own,
        );
      }
    });
    await database.client.query("set intervalstyle to 'postgres'");
  });

  it("compares as the filter language says", () =>
    each(async (sample, wrong) => {
      const { texts, type } = sample;
      if (rowOf(type) === FOREIGN) return;
      const comparison = comparisonOf(type);
      const compare = (symbol: "=" | "<=" | "~=") => (value: SQL) =>
        sql`${comparable(value, comparison)} ${operatorIn(comparison.schema, symbol)} ${comparable(value, comparison)}`;
      const yes = texts.map(() => "true");
      const finite = texts.filter((text) => !text.includes("NaN") || type.kind !== "geometric"); // which is not equal to itself
      wrong(
        "equality",
        await written(sample, finite, compare(comparison.equality as "=")),
        finite.map(() => "true"),
      );
      if (comparison.isOrdered) wrong("order", await written(sample, texts, compare("<=")), yes);
      if (hasDefaultEquality(type)) wrong("in arrays", await written(sample, texts, (value) => sql`array[${value}] = array[${value}]`), yes); // oxfmt-ignore
      const scalar = scalarType(type);
      if (!scalar) return;
      for (const text of texts) {
        const value = scalar.read(text);
        if (value === undefined) wrong("in process", text, "a value");
        else wrong("in process", scalar.compare(value as never, value as never), 0);
      }
    }));

  it("has in TypeScript the type that methods give", () => {
    const shown = samples.map((sample) => ({ name: `x${samples.indexOf(sample)}`, ...sample }));
    const outputSchema = Object.fromEntries(
      shown.map(({ name, type }) => [name, { type: type.name, array: false, typescript: typescriptOf(type) }]),
    );
    const method = { method: "m", description: null, outputFormat: "json", parameters: [] } as const;
    const module = declarations([{ ...method, inputSchema: {}, outputSchema }]);
    const fields = shown.map((sample) => `${sample.name}: [${json(sample).join(", ")}]`);
    const check = `import type { Methods } from "./methods.ts";
type Row = Awaited<ReturnType<Methods["m"]>>[number];
export const values: { [name in keyof Row]: Row[name][] } = { ${fields.join(",\n")} };`;
    assert.equal(compile({ "methods.ts": module, "values.ts": check }), "");
  });
});

function name({ schema, name: own }: ColumnType): string {
  return `${schema}.${own}`;
}

function nameOf({ schema, name: own }: ColumnType): SQL {
  return sql.identifier(schema, own);
}

/** What the types over the n-th one are called. */
function names(sqlName: string, n: number) {
  return {
    domain: `every.domain${n}`,
    list: `${sqlName}[]`,
    domainOfList: `every.list${n}`,
    composite: `every.composite${n}`,
    range: `every.range${n}`,
    multirange: `every.multirange${n}`,
  };
}

function made(sqlName: string, own: ReturnType<typeof names>): string {
  return `create domain ${own.domain} as ${sqlName}; create domain ${own.domainOfList} as ${sqlName}[];
create type ${own.composite} as (a ${sqlName}, "b ""c" ${own.domain})`;
}

function madeRange(sqlName: string, { range, multirange }: ReturnType<typeof names>): string {
  return `create type ${range} as range (subtype = ${sqlName}, multirange_type_name = ${multirange})`;
}

/** The types of these names that there are. */
async function typesOf({ client }: TestDatabase, sqlNames: readonly string[]): Promise<Map<string, ColumnType>> {
  const { rows: given } = await client.query<{ name: string; oid: number }>(
    "select n as name, to_regtype(n)::oid as oid from unnest($1::text[]) n where to_regtype(n) is not null",
    [sqlNames],
  );
  const { rows } = await client.query<CatalogueType>("select * from portolan.type_catalogue($1::oid[])", [
    given.map(({ oid }) => oid),
  ]);
  const known = new Map(rows.map((row) => [row.oid, row]));
  return new Map(given.map(({ name, oid }) => [name, readType(oid, (wanted) => known.get(wanted))]));
}
