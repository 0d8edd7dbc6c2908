/** Filters made at random, each as CQL2 text, as CQL2 JSON and as plain SQL over the table of cities. */
import assert from "node:assert/strict";
import type pg from "pg";
import { sql } from "postgraphile/pg-sql2";
import { parseCql2 } from "../../server/filter/cql2/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Shape } from "../../server/filter/tree.ts";

/** A small generator with a seed, so that a failure can be seen again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

export interface Generated {
  readonly text: string;
  readonly json: unknown;
  readonly plain: string;
  /** Text: whether it is a value, which takes the collation of a column that it is compared with. */
  readonly isValue?: boolean;
  /** Text: whether it is a column, which has a collation of its own. */
  readonly isColumn?: boolean;
}

/** Two columns are compared in the database's collation. */
const collated = ({ plain, isColumn }: Generated, other?: Generated): string =>
  isColumn && !other?.isValue ? `${plain} collate "default"` : plain;

const op = (name: string, ...args: unknown[]) => ({ op: name, args });
const column = (name: string): Generated => ({ text: `"${name}"`, json: { property: name }, plain: `"${name}"` });

const NUMBERS = ["pop_other", "big", "price", "rank", "country_id"];
const TEXTS = ["name", "alias"];
const INSTANTS = ["start", "end"];
const DAYS = ["date", "until"];
const PIECES = [
  "a",
  "B",
  "ß",
  "É",
  "%",
  "_",
  "'",
  "''",
  "\\",
  '"',
  "\n",
  "--",
  "$1",
  "luxembourg",
  "Brux",
  "e",
  "ü",
  "σ",
];
const MOMENTS = ["2021-04-15T08:00:00Z", "2021-04-15T09:30:00.25Z", "2021-04-15T10:00:00Z", "2022-01-01T00:00:00Z"];
const DATES = ["2021-04-15", "2021-04-16", "2021-05-01", "2022-12-31"];
const COMPARISONS = ["=", "<>", "<", "<=", ">", ">="];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const sqlText = (text: string): string => `${quoted(text)}::text`;
const fold = (plain: string): string =>
  `replace(translate(lower(${plain} collate "und-x-icu"), 'ς', 'σ'), 'ß', 'ss') collate "default"`;

export class FilterGenerator {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = random(seed);
  }

  #below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)]!;
  }

  #column(names: readonly string[]): Generated {
    return column(this.#pick(names));
  }

  filter(depth = 0): Generated {
    const choice = this.#below(depth > 3 ? 10 : 14);
    if (choice < 10) return this.#condition();
    if (choice < 11) {
      const part = this.filter(depth + 1);
      return { text: `NOT (${part.text})`, json: op("not", part.json), plain: `not (${part.plain})` };
    }
    const word = this.#pick(["and", "or"]);
    const parts = Array.from({ length: 2 + this.#below(2) }, () => this.filter(depth + 1));
    const join = (key: "text" | "plain"): string => parts.map((part) => `(${part[key]})`).join(` ${word} `);
    return { text: join("text"), json: op(word, ...parts.map(({ json }) => json)), plain: join("plain") };
  }

  #condition(): Generated {
    const make = this.#pick([
      () => this.#compared(this.#number(), this.#number()),
      () => this.#compared(this.#number(), this.#number()),
      () => this.#compared(this.#text(), this.#text()),
      () => this.#compared(this.#instant(), this.#instant()),
      () => this.#compared(this.#day(), this.#day()),
      () => this.#between(),
      () => this.#list(),
      () => this.#like(),
      () => this.#isNull(),
      () => this.#temporal(),
      () => this.#spatial(),
      () => this.#array(),
    ]);
    return make();
  }

  #compared(left: Generated, right: Generated): Generated {
    const symbol = this.#pick(COMPARISONS);
    return {
      text: `${left.text} ${symbol} ${right.text}`,
      json: op(symbol, left.json, right.json),
      plain: `(${collated(left, right)}) ${symbol} (${collated(right, left)})`,
    };
  }

  #number(depth = 0): Generated {
    const choice = this.#below(depth > 2 ? 5 : 7);
    if (choice < 3) return this.#column(NUMBERS);
    if (choice < 5) {
      const value = this.#pick([0, 1, 7, 0.5, -5, 2.25, 106219, 1e10, -0.001]);
      return { text: String(value), json: value, plain: `(${value})::numeric` };
    }
    const symbol = this.#pick(["+", "-", "*"]);
    const [left, right] = [this.#number(depth + 1), this.#number(depth + 1)];
    return {
      text: `(${left.text} ${symbol} ${right.text})`,
      json: op(symbol, left.json, right.json),
      plain: `(${left.plain})::numeric ${symbol} (${right.plain})::numeric`,
    };
  }

  #literal(): string {
    return Array.from({ length: this.#below(4) }, () => this.#pick(PIECES)).join("");
  }

  #text(): Generated {
    if (this.#below(2) === 0) {
      const { text, json, plain } = this.#column(TEXTS);
      const isFolded = this.#below(3) === 0;
      return isFolded
        ? { text: `CASEI(${text})`, json: op("casei", json), plain: fold(plain) }
        : { text, json, plain, isColumn: true };
    }
    // a backslash before a quote or another backslash is an escape in text and none in JSON
    const value = this.#literal().replaceAll("\\", "/");
    return { text: quoted(value), json: value, plain: sqlText(value), isValue: true };
  }

  #instant(): Generated {
    if (this.#below(2) === 0) return this.#column(INSTANTS);
    const value = this.#pick(MOMENTS);
    return { text: `TIMESTAMP('${value}')`, json: { timestamp: value }, plain: `'${value}'::timestamptz` };
  }

  #day(): Generated {
    if (this.#below(2) === 0) return this.#column(DAYS);
    const value = this.#pick(DATES);
    return { text: `DATE('${value}')`, json: { date: value }, plain: `'${value}'::date` };
  }

  #between(): Generated {
    const [only, low, high] = [this.#number(), this.#number(), this.#number()];
    return {
      text: `${only.text} BETWEEN ${low.text} AND ${high.text}`,
      json: op("between", only.json, low.json, high.json),
      plain: `(${only.plain}) between (${low.plain}) and (${high.plain})`,
    };
  }

  #list(): Generated {
    const make = this.#pick([() => this.#number(), () => this.#text()]);
    const only = make();
    const items = Array.from({ length: 1 + this.#below(3) }, make);
    return {
      text: `${only.text} IN (${items.map(({ text }) => `(${text})`).join(", ")})`,
      json: op(
        "in",
        only.json,
        items.map(({ json }) => json),
      ),
      plain: `(${collated(only)}) in (${items.map((item) => `(${collated(item)})`).join(", ")})`,
    };
  }

  #like(): Generated {
    const { text, json, plain } = this.#column(TEXTS);
    const pattern = this.#literal().replaceAll("\\", "") + this.#pick(["", "%"]);
    return {
      text: `${text} LIKE ${quoted(pattern)}`,
      json: op("like", json, pattern),
      plain: `${plain} like ${sqlText(pattern)}`,
    };
  }

  #isNull(): Generated {
    const { text, json, plain } = this.#column([
      ...NUMBERS,
      ...TEXTS,
      ...DAYS,
      ...INSTANTS,
      "tags",
      "geom",
      "open",
      "span",
    ]);
    return { text: `${text} IS NULL`, json: op("isNull", json), plain: `${plain} is null` };
  }

  #temporal(): Generated {
    const [name, plain] = this.#pick([
      ["t_after", "start > $2"],
      ["t_before", `"end" < $1`],
      ["t_disjoint", `start > $2 or "end" < $1`],
      ["t_during", `start > $1 and "end" < $2`],
      ["t_equals", `start = $1 and "end" = $2`],
      ["t_intersects", `start <= $2 and "end" >= $1`],
      ["t_overlaps", `start < $1 and "end" > $1 and "end" < $2`],
      ["t_starts", `start = $1 and "end" < $2`],
      ["t_finishes", `start > $1 and "end" = $2`],
    ] as const);
    const [low, high] = [this.#pick(MOMENTS), this.#pick(MOMENTS)].sort((a, b) => Date.parse(a) - Date.parse(b)) as [
      string,
      string,
    ];
    return {
      text: `${name}(INTERVAL(start, "end"), INTERVAL('${low}', '${high}'))`,
      json: op(name, { interval: [{ property: "start" }, { property: "end" }] }, { interval: [low, high] }),
      plain: plain.replaceAll("$1", `'${low}'::timestamptz`).replaceAll("$2", `'${high}'::timestamptz`),
    };
  }

  #spatial(): Generated {
    const name = this.#pick(["intersects", "disjoint", "within", "equals", "touches"]);
    const [x, y] = [this.#below(20) - 2, 45 + this.#below(12)];
    const [w, h] = [1 + this.#below(8), 1 + this.#below(8)];
    const ring = [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
      [x, y],
    ];
    const wkt = `POLYGON((${ring.map((position) => position.join(" ")).join(",")}))`;
    return {
      text: `S_${name.toUpperCase()}("geom", ${wkt})`,
      json: op(`s_${name}`, { property: "geom" }, { type: "Polygon", coordinates: [ring] }),
      plain: `public.st_${name}(geom, 'SRID=4326;${wkt}'::public.geometry)`,
    };
  }

  #array(): Generated {
    const [name, plain] = this.#pick([
      ["a_contains", "tags @> $1"],
      ["a_containedby", "tags <@ $1"],
      ["a_overlaps", "tags && $1"],
      ["a_equals", "tags @> $1 and tags <@ $1"],
    ] as const);
    const items = Array.from({ length: this.#below(3) }, () => this.#pick(["a", "b", "c", "x'y", "NULL"]));
    return {
      text: `${name}(tags, (${items.map(quoted).join(", ")}))`,
      json: op(name, { property: "tags" }, items),
      plain: plain.replaceAll("$1", `array[${items.map(sqlText).join(", ")}]::text[]`),
    };
  }
}

/** That text and JSON give one tree, whose rows are those of plain SQL. What plain SQL refuses, the filter must refuse too. */
export async function checkGenerated(
  client: pg.Client,
  shape: Shape,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<void> {
  const generator = new FilterGenerator(seed);
  const from = `from geo.${shape.relation}`;
  const run = (statement: string, values: unknown[] = []): Promise<unknown> =>
    client.query<{ id: number }>(statement, values).then(
      ({ rows }) => rows.map(({ id }) => id),
      (error: { code: string }) => error.code,
    );
  let matched = 0;
  for (let index = 0; index < count; index++) {
    const { text, json, plain } = generator.filter();
    const hint = `seed ${seed}, filter ${index}: ${text}`;
    const filter = parseCql2(text, shape);
    assert.deepEqual(parseCql2(JSON.stringify(json), shape, { language: "cql2-json" }), filter, hint);
    const expected = await run(`select id ${from} where ${plain} order by 1`);
    const alias = sql.identifier(Symbol("t"));
    const condition = sql.compile(
      sql`select ${alias}.id from ${sql.identifier(shape.schema, shape.relation)} ${alias} where ${filter ? filterToSql(filter, alias) : sql.true} order by 1`,
    );
    assert.deepEqual(await run(condition.text, condition.values), expected, hint);
    if (Array.isArray(expected) && expected.length > 0) matched++;
  }
  assert.ok(matched > count / 10, `only ${matched} of ${count} filters kept a row`);
}
