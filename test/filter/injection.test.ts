import assert from "node:assert/strict";
import type pg from "pg";
import { sql } from "postgraphile/pg-sql2";
import { GatewayError } from "../../server/ground/errors.ts";
import { operatorsOf } from "../../server/filter/operators.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import { testDatabase } from "../support/databases.ts";
import { evaluate, geometry, makeTypes, shapeOf, TYPES } from "./fixtures.ts";
import { toSqlValue } from "../../server/filter/values.ts";
import type { ColumnType } from "../../server/types/columnType.ts";

const ATTACKS = [
  `'; drop table shop.target; --`,
  `' or '1'='1`,
  `\\'; drop table shop.target; --`,
  `"; drop table shop.target; --`,
  `$$; drop table shop.target; --`,
  `$1`,
  `1); drop table shop.target; --`,
  `{"a"}'); drop table shop.target; --`,
  `"),("`,
  `\\"}`,
  `[1,2]'::int4range); drop table shop.target; --`,
  `POINT(0 0)'); drop table shop.target; --`,
  `SRID=4326;POINT(0 0); drop table shop.target; --`,
  `SRID=4326'; drop table shop.target; --;POINT(0 0)`,
  `1 year'; drop table shop.target; --`,
  "\u2019; drop table shop.target; --",
  `%' escape 'x`,
  `\n/* */ -- `,
];

/** Every place in a value of some kind that can hold a string. */
function placements(attack: string): unknown[] {
  return [
    attack,
    [attack],
    [[attack]],
    { [attack]: attack },
    { lower: attack, upper: attack },
    [{ lower: attack }],
    { street: attack },
    { x: attack, y: attack },
    { start: attack, end: attack },
    { points: attack },
    { years: attack },
    { type: attack, coordinates: attack },
    { type: "Point", coordinates: [attack, attack] },
    { type: "Point", coordinates: [0, 0], crs: { properties: { name: attack } } },
    { geometry: attack, distance: 1 },
    { geometry: "POINT(0 0)", distance: attack },
    [attack, attack, attack, attack],
    { eq: attack },
    { empty: attack },
  ];
}

const ALL_TYPES: readonly ColumnType[] = [
  ...Object.values(TYPES),
  geometry(0),
  geometry(4326),
  geometry(25832),
  geometry(4326, "geography"),
];
const columns = ALL_TYPES.map((type, index) => ({ name: `c${index}`, type }));
const target = shapeOf("shop", "target", columns);

describe("strings of callers never become SQL", () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;
  before(async () => {
    database = await testDatabase();
    ({ client } = database);
    await makeTypes(client);
    await client.query("create table shop.target ()");
    await client.query("set search_path to ''");
  });
  after(() => database.drop());

  it("the texts of statements are the same whatever the strings", () => {
    const textOf = (attack: string, type: ColumnType, index: number): (string | undefined)[] =>
      placements(attack).flatMap((value) =>
        operatorsOf(type).map((operator) => {
          try {
            const filter = parseFilter({ [columns[index]!.name]: { [operator]: value } }, target);
            const { text, values } = sql.compile(filterToSql(filter!, sql`t`));
            assert.ok(values.every((each) => typeof each === "string"));
            return text;
          } catch (error) {
            if (error instanceof GatewayError) return undefined;
            throw error;
          }
        }),
      );
    let compiled = 0;
    ALL_TYPES.forEach((type, index) => {
      const harmless = new Set(
        ["a", "{}", "[a,b)", "1", "{[1,2)}", "POINT(0 0)", "$ < 2"].flatMap((s) => textOf(s, type, index)),
      );
      for (const attack of ATTACKS) {
        for (const text of textOf(attack, type, index)) {
          assert.ok(harmless.has(text), text);
          if (text !== undefined) compiled++;
        }
      }
    });
    assert.ok(compiled > 2000, `only ${compiled} statements`);
  });

  it("values are used as they are, or PostgreSQL refuses them, and nothing else happens", async () => {
    for (const type of ALL_TYPES) {
      for (const attack of ATTACKS) {
        for (const placement of placements(attack)) {
          try {
            await evaluate(client, toSqlValue(placement, type, "x"));
          } catch (error) {
            const state = (error as { code?: string }).code ?? "";
            assert.ok(
              error instanceof GatewayError || state.startsWith("22"),
              `${String(error)} (${state}) for ${attack}`,
            );
          }
        }
      }
    }
    await client.query("select from shop.target");
  });

  it("text is returned unchanged", async () => {
    for (const attack of ATTACKS) {
      assert.equal(await evaluate(client, toSqlValue(attack, TYPES.text, "x")), attack);
      const list = sql`(${toSqlValue([attack], TYPES.texts, "x")})[1]`;
      assert.equal(await evaluate(client, list), attack);
      const street = sql`(${toSqlValue({ street: attack }, TYPES.address, "x")}).street`;
      assert.equal(await evaluate(client, street), attack);
    }
  });
});
