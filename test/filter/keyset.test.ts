import assert from "node:assert/strict";
import { sql } from "postgraphile/pg-sql2";
import {
  beyond,
  conditionsFrom,
  placeTexts,
  placeToText,
  reversed,
  type KeysetTerm,
  type Place,
} from "../../server/filter/keyset.ts";
import { Random } from "../support/random.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

const alias = sql.identifier("t");
const type = (kind: "integer" | "text" | "datetime" | "float" | "json", name: string) =>
  ({ kind, schema: "pg_catalog", name }) as const;
const ID = { name: "id", type: type("integer", "int4"), notNull: true };
const COLUMNS = [
  { name: "rank", type: type("integer", "int4") },
  { name: "name", type: type("text", "text") },
  { name: "at", type: type("datetime", "timestamptz") },
  { name: "size", type: type("float", "float8") },
  { name: "doc", type: type("json", "jsonb") },
];

describe("keysets", () => {
  let testing: TestDatabase;

  before(async () => {
    testing = await testDatabase();
    await testing.client.query(`
create table t (id int primary key, rank int, name text, at timestamptz, size float8, doc jsonb);
insert into t select i, nullif(i % 4, 0), nullif((array['b', 'a', 'ø', 'B', ''])[i % 5 + 1], ''),
  case when i % 3 > 0 then '2024-03-31 00:30:00.123456+00'::timestamptz + i % 2 * interval '1 hour' when i % 6 = 0 then 'infinity' end,
  (array['NaN', '1.5', '-infinity', '0.1', null])[i % 5 + 1]::float8, case when i % 2 = 0 then jsonb_build_object('a', i % 3) end
from generate_series(1, 40) i;
set datestyle = 'SQL, DMY'; set timezone = 'Europe/Oslo';`);
  });
  after(() => testing.drop());

  const orderBy = (terms: readonly KeysetTerm[]): string =>
    terms
      .map(({ column, direction = "ASC", nulls }) => `${column.name} ${direction}${nulls ? ` nulls ${nulls}` : ""}`)
      .join(", ");

  async function idsBeyond(terms: readonly KeysetTerm[], place: Place): Promise<number[]> {
    const { text, values } = sql.compile(beyond(terms, place, alias));
    const { rows } = await testing.client.query<{ id: number }>(
      `select id from t where ${text} order by ${orderBy(terms)}`,
      values,
    );
    return rows.map(({ id }) => id);
  }

  const directions = ["ASC", "DESC"] as const;
  for (const { name } of COLUMNS)
    for (const direction of directions)
      for (const nulls of [undefined, "FIRST", "LAST"] as const)
        for (const tie of directions)
          it(`of ${name} ${direction} nulls ${nulls ?? "by default"} and the key ${tie} give what lies beyond each row, both ways`, async () => {
            const terms: KeysetTerm[] = [
              { column: COLUMNS.find((each) => each.name === name)!, direction, ...(nulls && { nulls }) },
              { column: ID, direction: tie },
            ];
            const places = sql.compile(placeToText(placeTexts(terms, alias))).text;
            const { rows } = await testing.client.query<{ id: number; place: string }>(
              `select id, ${places} as place from t order by ${orderBy(terms)}`,
            );
            const ids = rows.map(({ id }) => id);
            for (const [index, { place }] of rows.entries()) {
              if (index % 7 > 0) continue;
              const values = JSON.parse(place) as (string | null)[];
              assert.deepEqual(await idsBeyond(terms, { values }), ids.slice(index + 1));
              assert.deepEqual(await idsBeyond(terms, { values, inclusive: true }), ids.slice(index));
              assert.deepEqual(await idsBeyond(reversed(terms), { values }), ids.slice(0, index).reverse());
            }
          });

  const conditionsOf = (
    terms: readonly KeysetTerm[],
    place: Place,
    limit: number,
  ): { text: string; values: unknown[] } => {
    const conditions = conditionsFrom(terms, place, alias, {
      from: sql`t`,
      key: [ID],
      limit: sql.literal(limit),
      conditions: [sql`t.id % 10 > 0`],
    });
    return sql.compile(sql`select id from t where ${sql.join(conditions, " and ")}`);
  };

  it("of any columns give pages that are slices of one list, both ways", async () => {
    const random = new Random(11);
    for (let round = 0; round < 60; round++) {
      const of = (column: KeysetTerm["column"]): KeysetTerm => ({
        column,
        direction: random.of(directions),
        ...(random.next() < 0.5 && { nulls: random.of(["FIRST", "LAST"] as const) }),
      });
      const terms = [...random.some(COLUMNS, 4).map(of), of(ID)];
      const places = sql.compile(placeToText(placeTexts(terms, alias))).text;
      const { rows } = await testing.client.query<{ id: number; place: string }>(
        `select id, ${places} as place from t where id % 10 > 0 order by ${orderBy(terms)}`,
      );
      const ids = rows.map(({ id }) => id);
      const index = random.below(rows.length);
      const [limit, inclusive] = [1 + random.below(12), random.next() < 0.3];
      const place = { values: JSON.parse(rows[index]!.place) as (string | null)[], inclusive };
      const pageOf = async (read: readonly KeysetTerm[]): Promise<number[]> => {
        const { text, values } = conditionsOf(read, place, limit);
        const found = await testing.client.query<{ id: number }>(
          `${text} order by ${orderBy(read)} limit ${limit}`,
          values,
        );
        return found.rows.map(({ id }) => id);
      };
      const told = `${orderBy(terms)} from ${rows[index]!.place}`;
      const from = inclusive ? index : index + 1;
      assert.deepEqual(await pageOf(terms), ids.slice(from, from + limit), told);
      const back = ids.slice(0, inclusive ? index + 1 : index).reverse();
      assert.deepEqual(await pageOf(reversed(terms)), back.slice(0, limit), told);
    }
  });

  it("leave out the rows after a full page", async () => {
    const terms = [{ column: COLUMNS[0]! }, { column: ID }];
    const explain = async (limit: number): Promise<string> => {
      const { text, values } = conditionsOf(terms, { values: ["1", "3"] }, limit);
      const { rows } = await testing.client.query<string[]>({
        text: `explain (analyze, costs off) ${text}`,
        values,
        rowMode: "array",
      });
      return rows.flat().join("\n");
    };
    assert.match(await explain(3), /never executed/);
    assert.doesNotMatch(await explain(100), /never executed/);
  });

  it("are split for no more than a few columns", () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ column: { ...COLUMNS[0]!, name: `c${index}` } }));
    const { text } = conditionsOf(many, { values: many.map(() => "1") }, 5);
    assert.doesNotMatch(text, /materialized/);
  });

  it("of a key of several columns are found by its index", async () => {
    const terms = [{ column: { ...COLUMNS[0]!, notNull: true } }, { column: ID }];
    const { text } = sql.compile(beyond(terms, { values: ["1", "2"] }, alias));
    assert.match(text, /^\("t"\."rank", "t"\."id"\) operator\("pg_catalog"\.>\) \(/);
  });
});
