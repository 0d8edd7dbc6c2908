import assert from "node:assert/strict";
import type pg from "pg";
import { sql } from "postgraphile/pg-sql2";
import { toSqlValue } from "../../server/filter/values.ts";
import { testDatabase } from "../support/databases.ts";
import { makeTypes, sqlName, TYPES, type TypeName } from "./fixtures.ts";

/** A small generator with a seed, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const PIECES = [
  ..."abcXYZ019 \t\n\"'\\{}[](),;:$%_*?!<>&|/-+=.äß€😀",
  "NULL",
  "null",
  "''",
  "$1",
  "--",
  "\\\\",
  '""',
  "/*",
];

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

class Generator {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = random(seed);
  }
  below(count: number): number {
    return Math.floor(this.#next() * count);
  }
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
  list<Item>(make: () => Item, longest = 4): Item[] {
    return Array.from({ length: this.below(longest + 1) }, make);
  }
  text(): string {
    return this.list(() => this.pick(PIECES), 12).join("");
  }
  integer(): number {
    return this.below(2 ** 32) - 2 ** 31;
  }
  double(): number {
    return (this.#next() - 0.5) * 10 ** (this.below(40) - 20);
  }
  orNull<Item>(make: () => Item): Item | null {
    return this.below(6) === 0 ? null : make();
  }
  point(): { x: number; y: number } {
    return { x: this.double(), y: this.double() };
  }
  range<Bound extends Json>(bounds: [Bound, Bound]): { [key: string]: Json } {
    const [lower, upper] = bounds;
    return {
      lower: this.orNull(() => lower),
      upper: this.orNull(() => upper),
      lowerInclusive: this.below(2) === 0,
      upperInclusive: this.below(2) === 0,
    };
  }
  ordered(): [number, number] {
    const [a, b] = [this.below(1000), this.below(1000)];
    return a < b ? [a, b] : [b, a];
  }
  json(depth = 0): Json {
    switch (this.below(depth > 3 ? 4 : 6)) {
      case 0:
        return this.text();
      case 1:
        return this.integer();
      case 2:
        return this.below(2) === 0;
      case 3:
        return this.orNull(() => this.double());
      case 4:
        return this.list(() => this.json(depth + 1));
      default:
        return Object.fromEntries(this.list(() => [this.text(), this.json(depth + 1)] as const));
    }
  }
}

/** For each type: how to make a value, and how PostgreSQL's own constructors make the same; $1 is the JSON. */
const CASES: Partial<Record<TypeName, { make: (g: Generator) => Json; meaning: string }>> = {
  int4: { make: (g) => g.integer(), meaning: "($1::jsonb #>> '{}')::int4" },
  int8: { make: (g) => String(BigInt(g.integer()) * BigInt(g.below(2 ** 31))), meaning: "($1::jsonb #>> '{}')::int8" },
  numeric: { make: (g) => g.double(), meaning: "($1::jsonb #>> '{}')::numeric" },
  float8: { make: (g) => g.double(), meaning: "($1::jsonb #>> '{}')::float8" },
  text: { make: (g) => g.text(), meaning: "$1::jsonb #>> '{}'" },
  citext: { make: (g) => g.text(), meaning: "$1::jsonb #>> '{}'" },
  jsonb: { make: (g) => g.json(), meaning: "case when jsonb_typeof($1::jsonb) <> 'null' then $1::jsonb end" },
  bytea: {
    make: (g) => Buffer.from(g.text()).toString("base64"),
    meaning: "decode($1::jsonb #>> '{}', 'base64')",
  },
  texts: {
    make: (g) => g.list(() => g.orNull(() => g.text())),
    meaning: "array(select e from jsonb_array_elements_text($1) with ordinality as l(e, i) order by i)",
  },
  jsonbs: {
    make: (g) => g.list(() => g.json()),
    meaning:
      "array(select case when jsonb_typeof(e) <> 'null' then e end from jsonb_array_elements($1) with ordinality as l(e, i) order by i)",
  },
  points: {
    make: (g) => g.list(() => g.point()),
    meaning:
      "array(select point((e->>'x')::float8, (e->>'y')::float8) from jsonb_array_elements($1) with ordinality as l(e, i) order by i)",
  },
  box: {
    make: (g) => ({ start: g.point(), end: g.point() }),
    meaning:
      "box(point(($1#>>'{start,x}')::float8, ($1#>>'{start,y}')::float8), point(($1#>>'{end,x}')::float8, ($1#>>'{end,y}')::float8))",
  },
  circle: {
    make: (g) => ({ center: g.point(), radius: Math.abs(g.double()) }),
    meaning: "circle(point(($1#>>'{center,x}')::float8, ($1#>>'{center,y}')::float8), ($1->>'radius')::float8)",
  },
  address: {
    make: (g) => ({ street: g.orNull(() => g.text()), number: g.orNull(() => g.integer()) }),
    meaning: "row($1->>'street', ($1->>'number')::int4)::shop.address",
  },
  int4range: {
    make: (g) => g.range(g.ordered()),
    meaning: `int4range(($1->>'lower')::int4, ($1->>'upper')::int4,
      case when ($1->>'lowerInclusive')::bool then '[' else '(' end || case when ($1->>'upperInclusive')::bool then ']' else ')' end)`,
  },
  textrange: {
    make: (g) => {
      const [a, b] = [g.text(), g.text()];
      return g.range(Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0 ? [a, b] : [b, a]);
    },
    meaning: `shop."text range"(($1->>'lower') collate "C", ($1->>'upper') collate "C",
      case when ($1->>'lowerInclusive')::bool then '[' else '(' end || case when ($1->>'upperInclusive')::bool then ']' else ')' end)`,
  },
  interval: {
    make: (g) => ({ years: g.below(100), months: -g.below(100), days: g.below(999), seconds: g.below(1e9) / 1000 }),
    meaning:
      "make_interval(years => ($1->>'years')::int, months => ($1->>'months')::int, days => ($1->>'days')::int, secs => ($1->>'seconds')::float8)",
  },
};

const ROUNDS = 400;

describe("random values arrive with PostgreSQL's meaning", () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;
  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    ({ client } = database);
    await makeTypes(client);
  });
  after(() => database.drop());

  for (const [name, { make, meaning }] of Object.entries(CASES)) {
    it(`${ROUNDS} of ${name}`, async () => {
      const type = TYPES[name as TypeName];
      const generator = new Generator(name.length * 7919);
      const jsons = Array.from({ length: ROUNDS }, () => make(generator));
      const values = jsons.map((json) => sql`(${toSqlValue(json, type, "x")})::text`);
      const { text, values: parameters } = sql.compile(sql`select array[${sql.join(values, ", ")}] as texts`);
      const { rows } = await client.query<{ texts: (string | null)[] }>(text, parameters);
      const expected = await client.query<{ text: string | null }>(
        `select (${meaning.replaceAll("$1", "(j::jsonb)")})::${sqlName(type)}::text as text
           from unnest($1::text[]) with ordinality as list(j, n) order by n`,
        [jsons.map((json) => JSON.stringify(json))],
      );
      expected.rows.forEach((row, index) =>
        assert.equal(rows[0]!.texts[index], row.text, `seeded value ${index}: ${JSON.stringify(jsons[index])}`),
      );
    });
  }
});
