import assert from "node:assert/strict";
import { sql } from "postgraphile/pg-sql2";
import { beyond, placeTexts, placeToText, reversed, type KeysetTerm, type Place } from "../../server/filter/keyset.ts";
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

  it("of a key of several columns are found by its index", async () => {
    const terms = [{ column: { ...COLUMNS[0]!, notNull: true } }, { column: ID }];
    const { text } = sql.compile(beyond(terms, { values: ["1", "2"] }, alias));
    assert.match(text, /^\("t"\."rank", "t"\."id"\) operator\("pg_catalog"\.>\) \(/);
  });
});
