import assert from "node:assert/strict";
import { makeConfig } from "../../server/kernel/config.ts";
import { openDatabase, type Database } from "../../server/kernel/database/database.ts";
import { executeGraphql } from "../../server/graphql/execute.ts";
import { createSchemaRegistry, type SchemaRegistry } from "../../server/graphql/build/schemaRegistry.ts";
import { createLog } from "../../server/ground/log.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

describe("graphql: many rows", () => {
  let testing: TestDatabase;
  let database: Database;
  let registry: SchemaRegistry;

  before(async () => {
    testing = await testDatabase();
    await testing.client.query(`
      create schema app;
      create table app.parents (id int primary key, name text);
      create table app.things (id int primary key, parent_id int references app.parents, name text, at timestamptz, data jsonb, spot geometry(point, 25832));
      insert into app.parents select i, 'p' || i from generate_series(0, 99) i`);
    database = openDatabase({
      name: "test",
      url: testing.url,
      poolSize: 2,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 30_000,
    });
    registry = createSchemaRegistry({ config: makeConfig(), log: createLog("silent") });
  });

  after(async () => {
    await registry.close();
    await database.close();
    await testing.drop();
  });

  async function run<Data>(query: string, variables?: Record<string, unknown>): Promise<Data> {
    const identity = { database: "test", name: "postgres", role: "postgres", roleMade: false, claims: {} };
    const served = await registry.schemaFor(database, "app");
    const { text } = await executeGraphql(registry, served, { query, variables }, { identity });
    const { data, errors } = JSON.parse(text) as { data: Data; errors?: unknown };
    assert.equal(errors, undefined);
    return data;
  }

  it("are inserted with more values than a statement has parameters, and come back in their order", async () => {
    const objects = Array.from({ length: 15_000 }, (_, index) => ({
      id: (index * 7919) % 15_000,
      parent_id: index % 100,
      name: `thing ${index}`,
      at: "2024-01-01T00:00:00Z",
      data: { index },
      ...(index % 2 ? { spot: { type: "Point", coordinates: [9, 55] } } : {}),
    }));
    const { insertThings } = await run<{ insertThings: { id: string; parents: { name: string } }[] }>(
      "mutation($objects: [JSON]) { insertThings(objects: $objects) { id parents { name } } }",
      { objects },
    );
    assert.deepEqual(
      insertThings.map(({ id }) => Number(id)),
      objects.map(({ id }) => id),
    );
    assert.equal(insertThings[42]?.parents.name, "p42");
  });

  it("are the same as one row alone, for any type", async () => {
    await testing.client.query(`
      create schema kinds; create type kinds.mood as enum ('sad, or', 'glad'); create domain kinds.rank as int check (value > 0);
      create type kinds.pair as (a int, b text); create table kinds.paired (id int primary key, pair kinds.pair);
      create table kinds.all (id int primary key, i8 bigint, n numeric(8, 2), f float8, b bool, t text, c char(5), v varchar(20),
        u uuid, bytes bytea, d date, ts timestamptz(0), iv interval, j json, jb jsonb, x xml, inet inet, box box, p point,
        r int4range, mr int4multirange, mood kinds.mood, rank kinds.rank, bits bit(3), geom public.geometry(Point, 4326), nothing text)`);
    const row = {
      ...{ i8: "9007199254740993", n: "1.005", f: 0.1, b: true, t: 'a "b", {c} \\ \nNULL', c: "ab", v: "null" },
      ...{
        u: "00000000-0000-0000-0000-000000000001",
        bytes: "Af8=",
        d: "13/02/2024",
        ts: 1_700_000_000.6,
        iv: { days: 1 },
      },
      ...{ j: { a: [1, null] }, jb: '"', x: "<a>,</a>", inet: "10.0.0.1", box: "(2,2),(1,1)", p: { x: 1, y: 2 } },
      ...{
        r: { lower: 1, upper: 3 },
        mr: [{ lower: 1, upper: 3 }],
        mood: "sad, or",
        rank: 3,
      },
      ...{ bits: "101", geom: { type: "Point", coordinates: [1, 2] }, nothing: null },
    };
    await registry.refresh(database);
    const served = await registry.schemaFor(database, "kinds");
    const identity = { database: "test", name: "postgres", role: "postgres", roleMade: false, claims: {} };
    for (const objects of [[1], [2, 3]].map((ids) => ids.map((id) => ({ id, ...row })))) {
      const query = "mutation ($objects: [JSON]) { insertAll(objects: $objects) { id } }";
      const { text } = await executeGraphql(registry, served, { query, variables: { objects } }, { identity });
      assert.deepEqual(JSON.parse(text), { data: { insertAll: objects.map(({ id }) => ({ id: String(id) })) } });
    }
    const pairs = `mutation { insertPaired(objects: [{id: 1, pair: {a: 1, b: "x"}}, {id: 2, pair: {a: 2, b: "y"}}]) { id pair { a b } } }`;
    const { text: paired } = await executeGraphql(registry, served, { query: pairs }, { identity });
    assert.deepEqual(JSON.parse(paired), {
      data: {
        insertPaired: [
          { id: "1", pair: { a: 1, b: "x" } },
          { id: "2", pair: { a: 2, b: "y" } },
        ],
      },
    });
    const { rows } = await testing.client.query<{ row: string }>(
      "select distinct array_to_string(array(select value from json_each_text(to_json(a) ) where key <> 'id'), '|') as row from kinds.all a",
    );
    assert.equal(rows.length, 1, rows.map((each) => each.row).join("\n"));
  });

  it("are updated, read and deleted at once", async () => {
    const { updateThings } = await run<{ updateThings: unknown[] }>(
      'mutation { updateThings(where: { id: { lt: 12000 } }, data: { name: "new" }) { id } }',
    );
    assert.equal(updateThings.length, 12_000);
    const { getThings, countThings } = await run<{ getThings: { name: string }[]; countThings: number }>(
      '{ getThings(limit: 10000, where: { name: "new" }) { name } countThings(where: { name: "new" }) }',
    );
    assert.equal(getThings.length, 10_000);
    assert.equal(countThings, 12_000);
    const { deleteThings } = await run<{ deleteThings: unknown[] }>(
      "mutation { deleteThings(where: { id: { gte: 0 } }) { id } }",
    );
    assert.equal(deleteThings.length, 15_000);
  });

  it("are read by a long list", async () => {
    const ids = Array.from({ length: 5000 }, (_, index) => index);
    const { getParents } = await run<{ getParents: unknown[] }>(
      "query($ids: JSON) { getParents(where: { id: { in: $ids } }) { id } }",
      { ids },
    );
    assert.equal(getParents.length, 100);
  });
});
