/** Random filters, each as CQL2 text, as CQL2 JSON and as plain SQL over the table of cities. */
import assert from "node:assert/strict";
import type pg from "pg";
import { sql } from "postgraphile/pg-sql2";
import { parseCql2 } from "../../server/filter/cql2/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Shape } from "../../server/filter/tree.ts";

/** A small generator with a seed, so that a failure can be repeated. */
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
  /** For text: whether it is a value, which takes the collation of the column that it is compared with. */
  readonly isValue?: boolean;
  /** For text: whether it is a column, which has its own collation. */
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

/** SQL of relations of two intervals: `start` to `end`, and $1 to $2. */
const OF_INTERVALS = [
  ["t_after", "start > $2"],
  ["t_before", `"end" < $1`],
  ["t_contains", `start < $1 and "end" > $2`],
  ["t_disjoint", `start > $2 or "end" < $1`],
  ["t_during", `start > $1 and "end" < $2`],
  ["t_equals", `start = $1 and "end" = $2`],
  ["t_finishedBy", `start < $1 and "end" = $2`],
  ["t_finishes", `start > $1 and "end" = $2`],
  ["t_intersects", `start <= $2 and "end" >= $1`],
  ["t_meets", `"end" = $1`],
  ["t_metBy", "start = $2"],
  ["t_overlappedBy", `start > $1 and start < $2 and "end" > $2`],
  ["t_overlaps", `start < $1 and "end" > $1 and "end" < $2`],
  ["t_startedBy", `start = $1 and "end" > $2`],
  ["t_starts", `start = $1 and "end" < $2`],
] as const;

const SPATIAL = ["intersects", "disjoint", "within", "contains", "equals", "touches", "crosses", "overlaps"] as const;

export class FilterGenerator {
  readonly #next: () => number;
  /** The name that filters use for the countries of the cities. */
  readonly #country: string;

  constructor(seed: number, country: string) {
    this.#next = random(seed);
    this.#country = country;
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
      () => this.#spatial(),
      () => this.#array(),
      () => this.#range(),
      () => this.#ending(),
      () => this.#related(),
      () => this.#boolean(),
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
    const choice = this.#below(depth > 2 ? 6 : 9);
    if (choice < 3) return this.#column(NUMBERS);
    if (choice < 5) {
      const value = this.#pick([0, 1, 7, 0.5, -5, 2.25, 106219, 1e10, -0.001]);
      return { text: String(value), json: value, plain: `(${value})::numeric` };
    }
    if (choice < 6) return this.#measured();
    const left = this.#number(depth + 1);
    if (choice < 7) {
      const [symbol, plain] = this.#pick([
        ["/", "a / b"],
        ["%", "a % b"],
        ["div", "pg_catalog.div(a, b)"],
      ] as const);
      const by = this.#pick([2, 7, -3, 0.5]);
      const operands: Readonly<Record<string, string>> = { a: `(${left.plain})::numeric`, b: `(${by})::numeric` };
      return {
        text: `(${left.text} ${symbol} ${by})`,
        json: op(symbol, left.json, by),
        plain: plain.replaceAll(/\b[ab]\b/g, (name) => operands[name]!),
      };
    }
    const symbol = this.#pick(["+", "-", "*"]);
    const right = this.#number(depth + 1);
    return {
      text: `(${left.text} ${symbol} ${right.text})`,
      json: op(symbol, left.json, right.json),
      plain: `(${left.plain})::numeric ${symbol} (${right.plain})::numeric`,
    };
  }

  /** A number that a function computes from a column. */
  #measured(): Generated {
    const [name, of, plain] = this.#pick([
      ["char_length", TEXTS, "pg_catalog.char_length($1)"],
      ["abs", NUMBERS, "pg_catalog.abs($1)"],
      ["year", INSTANTS, "pg_catalog.date_part('year', $1 at time zone 'UTC')"],
      ["day", INSTANTS, "pg_catalog.date_part('day', $1 at time zone 'UTC')"],
    ] as const);
    const only = this.#column(of);
    return { text: `${name}(${only.text})`, json: op(name, only.json), plain: plain.replace("$1", only.plain) };
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
    const [name, made] = this.#pick([
      ["", (each: string) => each],
      ["casei", fold],
      ["accenti", (each: string) => `ext.unaccent(${each})`],
    ] as const);
    return {
      text: `${name}(${text}) LIKE ${name}(${quoted(pattern)})`,
      json: name === "" ? op("like", json, pattern) : op("like", op(name, json), op(name, pattern)),
      plain: `${made(plain)} like ${made(sqlText(pattern))}`,
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
    const [name, plain] = this.#pick(OF_INTERVALS);
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
    const shape = this.#pick([() => this.#area(), () => this.#area(), () => this.#line(), () => this.#point()])();
    if (this.#below(6) === 0) {
      const { text, json, plain } = this.#point();
      const metres = this.#pick([0, 1e5, 4e5, 1e6]);
      return {
        text: `dwithin(geom, ${text}, ${metres})`,
        json: op("dwithin", { property: "geom" }, json, metres),
        plain: `public.st_dwithin(geom::public.geography, ${plain}::public.geography, ${metres})`,
      };
    }
    const name = this.#pick(SPATIAL);
    return {
      text: `S_${name.toUpperCase()}("geom", ${shape.text})`,
      json: op(`s_${name}`, { property: "geom" }, shape.json),
      plain: `public.st_${name}(geom, ${shape.plain})`,
    };
  }

  /** A rectangle, as a box or as a polygon. */
  #area(): Generated {
    const [x, y] = [this.#below(20) - 2, 45 + this.#below(12)];
    const [right, top] = [x + 1 + this.#below(8), y + 1 + this.#below(8)];
    const ring = [
      [x, y],
      [right, y],
      [right, top],
      [x, top],
      [x, y],
    ];
    const wkt = `POLYGON((${ring.map((position) => position.join(" ")).join(",")}))`;
    const plain = `'SRID=4326;${wkt}'::public.geometry`;
    const box = [x, y, right, top];
    return this.#below(3) === 0
      ? { text: `BBOX(${box.join()})`, json: { bbox: box }, plain }
      : { text: wkt, json: { type: "Polygon", coordinates: [ring] }, plain };
  }

  /** Lines and points through places of cities. */
  #line(): Generated {
    const places = [this.#place(), this.#place(), this.#place()];
    const wkt = `LINESTRING(${places.map((position) => position.join(" ")).join(",")})`;
    return {
      text: wkt,
      json: { type: "LineString", coordinates: places },
      plain: `'SRID=4326;${wkt}'::public.geometry`,
    };
  }

  #point(): Generated {
    const place = this.#place();
    const wkt = `POINT(${place.join(" ")})`;
    return { text: wkt, json: { type: "Point", coordinates: place }, plain: `'SRID=4326;${wkt}'::public.geometry` };
  }

  #place(): readonly number[] {
    return this.#pick([
      [6.13, 49.61],
      [9, 50],
      [8, 49],
      [12.5, 55.6],
      [10, 51],
    ]);
  }

  #range(): Generated {
    const [name, symbol] = this.#pick([
      ["contains", "@>"],
      ["containedBy", "<@"],
      ["overlaps", "&&"],
    ] as const);
    const isElement = name === "contains" && this.#below(2) === 0;
    const value = isElement ? this.#below(9) : this.#pick(["[1,5)", "[0,9]", "empty", "(,4)", "[5,5]"]);
    return {
      text: `${name}(span, ${isElement ? value : `'${value}'`})`,
      json: op(name, { property: "span" }, value),
      plain: `span ${symbol} ${isElement ? value : `'${value}'::int4range`}`,
    };
  }

  #ending(): Generated {
    const only = this.#column(TEXTS);
    const value = this.#pick(["", "L", "x'", "e", "ß", "%", "Brüs", "\n"]);
    const [name, plain] = this.#pick([
      ["startsWith", `pg_catalog.left(${only.plain}, ${value.length}) = ${sqlText(value)}`],
      ["endsWith", `pg_catalog.right(${only.plain}, ${value.length}) = ${sqlText(value)}`],
    ] as const);
    return { text: `${name}(${only.text}, ${quoted(value)})`, json: op(name, only.json, value), plain };
  }

  /** A condition on the country: some row of it must meet the condition, so there is no null. */
  #related(): Generated {
    const [name, value] = this.#pick([
      ["name", "Belgium"],
      ["name", "L"],
      ["pop_est", 920938],
      ["pop_est", 0],
    ] as const);
    const symbol = this.#pick(COMPARISONS);
    const property = `${this.#country}.${name}`;
    const literal = typeof value === "string" ? quoted(value) : String(value);
    return {
      text: `"${property}" ${symbol} ${literal}`,
      json: op(symbol, { property }, value),
      plain: `exists (select from geo.countries c where c.id = country_id and c.${name} ${symbol} ${literal})`,
    };
  }

  #boolean(): Generated {
    return this.#pick([
      { text: "open", json: { property: "open" }, plain: "open" },
      { text: "open = TRUE", json: op("=", { property: "open" }, true), plain: "open = true" },
      { text: "open <> TRUE", json: op("<>", { property: "open" }, true), plain: "open <> true" },
      { text: "FALSE", json: false, plain: "false" },
    ]);
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

/**
 * Checks that text and JSON give one tree, and that its rows are those of plain SQL. The filter must refuse whatever
 * plain SQL refuses.
 */
export async function checkGenerated(
  client: pg.Client,
  shape: Shape,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<void> {
  const generator = new FilterGenerator(seed, "country");
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
