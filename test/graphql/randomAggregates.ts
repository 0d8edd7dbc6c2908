/**
 * Random aggregates over random tables, against SQL that is written differently: the groups by `select distinct`, and
 * each result by a separate subquery over the rows that are not distinct from the group.
 */
import assert from "node:assert/strict";
import type pg from "pg";
import { Random } from "../support/random.ts";

interface Type {
  readonly sql: string;
  readonly results: readonly string[];
  /** The values with which a filter may compare results. */
  readonly value: (random: Random) => string;
  /** Whether values of one group may differ in their text. */
  readonly float?: boolean;
  readonly periods?: readonly string[];
}

const NUMBER = ["sum", "avg", "min", "max", "stddev", "variance", "countDistinct"];
const ORDERED = ["min", "max", "countDistinct"];
const instant = (random: Random): string =>
  `timestamp '2023-11-01' + interval '1 hour' * ${random.below(4000)} + interval '1 minute' * ${random.below(60)}`;
const TYPES: Readonly<Record<string, Type>> = {
  int2: { sql: "int2", results: NUMBER, value: (random) => `${random.below(9) - 4}` },
  int4: { sql: "int4", results: NUMBER, value: (random) => `${random.below(7) * 300_000_000}` },
  int8: { sql: "int8", results: NUMBER, value: (random) => `9007199254740${random.below(900) + 99}` },
  numeric: { sql: "numeric", results: NUMBER, value: (random) => `${random.below(40) / 10}` },
  float8: { sql: "float8", results: NUMBER, value: (random) => `${random.below(40) / 4}`, float: true },
  float4: { sql: "float4", results: NUMBER, value: (random) => `${random.below(8) / 4}`, float: true },
  text: { sql: "text", results: ORDERED, value: (random) => `'${random.of(["a", "B", "ø", "", "Z z"])}'` },
  bool: {
    sql: "bool",
    results: ["boolAnd", "boolOr", "countDistinct"],
    value: (random) => random.of(["true", "false"]),
  },
  date: {
    sql: "date",
    results: ORDERED,
    value: (random) => `(${instant(random)})::date`,
    periods: ["year", "quarter", "month", "week", "day"],
  },
  timestamp: {
    sql: "timestamp",
    results: ORDERED,
    value: (random) => instant(random),
    periods: ["year", "quarter", "month", "week", "day", "hour"],
  },
  timestamptz: {
    sql: "timestamptz",
    results: ORDERED,
    value: (random) => `(${instant(random)}) at time zone 'UTC'`,
    periods: ["year", "quarter", "month", "week", "day"],
  },
  uuid: {
    sql: "uuid",
    results: ["countDistinct"],
    value: (random) => `'00000000-0000-0000-0000-00000000000${random.below(5)}'`,
  },
};

interface RandomColumn {
  readonly name: string;
  readonly type: Type;
}

export interface RandomTable {
  readonly name: string;
  readonly columns: readonly RandomColumn[];
}

/** Makes `app.things` and its parents, `app.kinds`, with random columns and rows. */
export async function makeTables(client: pg.Client, random: Random): Promise<RandomTable[]> {
  await client.query("drop table if exists app.things, app.kinds");
  const tables: RandomTable[] = [];
  for (const [name, rows] of [
    ["kinds", 4],
    ["things", 5 + random.below(60)],
  ] as const) {
    const columns = Array.from({ length: 3 + random.below(5) }, (_, index) => ({
      name: `c${index}`,
      type: random.of(Object.values(TYPES)),
    }));
    const declared = columns.map((column) => `${column.name} ${column.type.sql}`).join(", ");
    const key = name === "things" ? ", kind int references app.kinds" : "";
    await client.query(`create table app.${name} (id int primary key, ${declared}${key})`);
    const tuples = Array.from({ length: rows }, (_, id) => {
      const values = columns.map(({ type }) => (random.next() < 0.15 ? "null" : type.value(random)));
      const parent = name === "things" ? [random.next() < 0.2 ? "null" : String(random.below(4))] : [];
      return `(${[String(id), ...values, ...parent].join(", ")})`;
    });
    await client.query(`insert into app.${name} values ${tuples.join(", ")}`);
    tables.push({ name, columns });
  }
  return tables;
}

const FUNCTIONS: Readonly<Record<string, (value: string) => string>> = {
  sum: (value) => `sum(${value})`,
  avg: (value) => `avg(${value})`,
  min: (value) => `min(${value})`,
  max: (value) => `max(${value})`,
  stddev: (value) => `stddev(${value})`,
  variance: (value) => `variance(${value})`,
  boolAnd: (value) => `every(${value})`,
  boolOr: (value) => `not every(not ${value})`,
};

interface Grouping {
  /** As written in `groupBy`. */
  readonly groupBy: unknown;
  /** As named in `having` and `orderBy`. */
  readonly name: string;
  readonly selection: string;
  /** The value in the selection of one group. */
  readonly read: (by: Record<string, unknown>) => unknown;
  readonly sql: string;
  readonly type: Type;
}

function groupingOf(random: Random, [kinds, things]: readonly RandomTable[], zone: string): Grouping {
  const ofParent = random.next() < 0.3;
  const column = random.of((ofParent ? kinds : things)!.columns);
  const value = `${ofParent ? "p" : "t"}.${column.name}`;
  const period = column.type.periods && random.next() < 0.7 ? random.of(column.type.periods) : undefined;
  const path = ofParent ? `kinds.${column.name}` : column.name;
  const field = period ? `${column.name}(unit: ${period})` : column.name;
  const alias = `g_${ofParent ? "p" : "t"}_${column.name}_${period ?? "all"}`;
  const cut =
    column.type.sql === "timestamptz"
      ? `date_trunc('${period}', ${value} at time zone '${zone}') at time zone '${zone}'`
      : `date_trunc('${period}', ${value}::timestamp)::${column.type.sql}`;
  return {
    groupBy: period ? { [path]: random.next() < 0.5 ? period : period.toUpperCase() } : path,
    name: period ? `${path}.${period}` : path,
    selection: ofParent ? `kinds { ${alias}: ${field} }` : `${alias}: ${field}`,
    read: (by) => (ofParent ? (by["kinds"] as Record<string, unknown>)[alias] : by[alias]),
    sql: period ? cut : value,
    type: column.type,
  };
}

interface RandomAggregate {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly oracle: string;
  /** The values of each group to compare, in the order of the oracle's columns. */
  readonly read: (group: Record<string, Record<string, unknown>>) => unknown[];
}

function makeAggregate(random: Random, tables: readonly RandomTable[]): RandomAggregate {
  const things = tables[1]!;
  const zone = random.of(["UTC", "Europe/Oslo", "Asia/Kathmandu", "America/St_Johns"]);
  const groupings = [
    ...new Map(
      Array.from({ length: random.below(4) }, () => groupingOf(random, tables, zone)).map((each) => [each.name, each]),
    ).values(),
  ];
  const wanted = random.some(
    things.columns.flatMap((column) => column.type.results.map((operation) => ({ column, operation }))),
    5,
  );
  const where = random.next() < 0.4 ? { id: { gt: random.below(30) } } : undefined;
  const keys = groupings.map(({ sql }, index) => `${sql} as k${index}`);
  const rows = `select t.*${keys.map((key) => `, ${key}`).join("")} from app.things t left join app.kinds p on p.id = t.kind${where ? ` where t.id > ${where.id.gt}` : ""}`;
  const groups =
    groupings.length > 0
      ? `select distinct ${groupings.map((_, index) => `k${index}`).join(", ")} from rows`
      : "select 1";
  const same = groupings.map((_, index) => `r.k${index} is not distinct from g.k${index}`).join(" and ") || "true";
  const results = wanted.map(({ column, operation }, index) =>
    operation === "countDistinct"
      ? `(select count(*) from (select distinct r.${column.name} from rows r where ${same} and r.${column.name} is not null) d) as v${index}`
      : `(select ${FUNCTIONS[operation]!(`r.${column.name}`)} from rows r where ${same}) as v${index}`,
  );
  const having = havingOf(random, wanted, groupings);
  const orders = [
    ...random.some(
      wanted.flatMap(({ column, operation }, index) =>
        isExact(column, operation) ? [{ name: `${operation}.${column.name}`, sql: `v${index}` }] : [],
      ),
      2,
    ),
    ...random.some(
      groupings.map(({ name }, index) => ({ name, sql: `k${index}` })),
      1,
    ),
  ].map((order) => ({ ...order, direction: random.of(["asc", "desc", "desc_nulls_last", "asc_nulls_first"]) }));
  const terms = [
    ...orders.map(({ sql, direction }) => `results.${sql} ${direction.replaceAll("_", " ")}`),
    ...groupings.map((_, index) => `results.k${index}`),
  ];
  const limit = 1 + random.below(20);
  const offset = random.next() < 0.3 ? random.below(3) : null;
  const selected = [...groupings.map((_, index) => `k${index}`), "n", ...wanted.map((_, index) => `v${index}`)];
  return {
    query: `query ($where: JSON, $groupBy: JSON, $having: JSON, $orderBy: JSON, $limit: Int, $offset: Int, $zone: String) {
  aggregateThings(where: $where, groupBy: $groupBy, having: $having, orderBy: $orderBy, limit: $limit, offset: $offset, timeZone: $zone) {
    count ${groupings.length > 0 ? `by { ${groupings.map(({ selection }) => selection).join(" ")} }` : ""}
    ${wanted.map(({ column, operation }) => `${operation} { ${column.name} }`).join(" ")}
  }
}`,
    variables: {
      where,
      groupBy: groupings.map(({ groupBy }) => groupBy),
      having: having?.json,
      orderBy: orders.map(({ name, direction }) => ({ [name]: direction })),
      limit,
      offset,
      zone,
    },
    oracle: `with rows as (${rows}), groups as (${groups}),
results as (select g.*, (select count(*) from rows r where ${same}) as n${results.map((each) => `, ${each}`).join("")} from groups g)
select ${selected.map((name) => `to_json(${name}) #>> '{}' as ${name}`).join(", ")} from results${having ? ` where ${having.sql}` : ""}${
      terms.length > 0 ? ` order by ${terms.join(", ")}` : ""
    } limit ${limit} offset ${offset ?? 0}`,
    read: (group) => [
      ...groupings.map(({ read }) => read(group["by"]!)),
      group["count"],
      ...wanted.map(({ column, operation }) => group[operation]![column.name]),
    ],
  };
}

/** Whether a result does not depend on the order of the rows. The last digits of the spread of floats do. */
function isExact({ type }: RandomColumn, operation: string): boolean {
  return !type.float || !["stddev", "variance"].includes(operation);
}

function havingOf(
  random: Random,
  wanted: readonly { readonly column: RandomColumn; readonly operation: string }[],
  groupings: readonly Grouping[],
): { json: unknown; sql: string } | undefined {
  const choices: { json: unknown; sql: string }[] = [{ json: { count: { gte: 2 } }, sql: "n >= 2" }];
  wanted.forEach(({ column, operation }, index) => {
    const name = `${operation}.${column.name}`;
    choices.push({ json: { [name]: { isNull: false } }, sql: `v${index} is not null` });
    if (operation === "countDistinct") choices.push({ json: { not: { [name]: { lt: 2 } } }, sql: `not v${index} < 2` });
    if (operation === "sum") choices.push({ json: { [name]: { gt: 3 } }, sql: `v${index} > 3` });
  });
  groupings.forEach(({ name }, index) => choices.push({ json: { [name]: null }, sql: `k${index} is null` }));
  if (random.next() < 0.5) return undefined;
  const [one, other] = [random.of(choices), random.of(choices)];
  return { json: { or: [one.json, other.json] }, sql: `(${one.sql} or ${other.sql})` };
}

/** One form for values that are written in several ways: whole numbers exactly, others to nine digits. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const text = String(value);
  return /^-?\d+(\.\d+([eE][-+]?\d+)?|[eE][-+]?\d+)$/.test(text)
    ? Number(Number(text).toPrecision(9)).toString()
    : text;
}

/** Runs a query as a user who may read everything; `plain` and `planned` are the two ways to answer it. */
export type Run = (query: string, variables: Record<string, unknown>) => Promise<string>;

/** Runs `count` aggregates, ten over each pair of tables. `reload` announces new tables to the runner. */
export async function checkAggregates(
  client: pg.Client,
  ways: readonly Run[],
  { seed, count, reload }: { readonly seed: number; readonly count: number; readonly reload: () => Promise<unknown> },
): Promise<number> {
  const random = new Random(seed);
  let groups = 0;
  let tables: RandomTable[] = [];
  for (let index = 0; index < count; index++) {
    if (index % 10 === 0) {
      tables = await makeTables(client, random);
      await reload();
    }
    const { query, variables, oracle, read } = makeAggregate(random, tables);
    const { rows } = await client.query<unknown[]>({ text: oracle, rowMode: "array" });
    const expected = rows.map((row) => row.map(plain));
    for (const way of ways) {
      const text = await way(query, variables);
      const { data, errors } = JSON.parse(text) as {
        data?: { aggregateThings: Record<string, Record<string, unknown>>[] };
        errors?: unknown;
      };
      const told = `seed ${seed}, aggregate ${index}: ${query} ${JSON.stringify(variables)}\n${oracle}`;
      assert.equal(errors, undefined, `${told}\n${text}`);
      assert.deepEqual(
        data!.aggregateThings.map((group) => read(group).map(plain)),
        expected,
        told,
      );
    }
    groups += expected.length;
  }
  return groups;
}
