import assert from "node:assert/strict";
import { makeConfig } from "../../server/kernel/config.ts";
import { openDatabase, type Database } from "../../server/kernel/database/database.ts";
import { executeGraphql } from "../../server/graphql/execute.ts";
import { createSchemaRegistry, type SchemaRegistry } from "../../server/graphql/schemaRegistry.ts";
import { createLog } from "../../server/kernel/log.ts";
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

  it("are asked for by a long list", async () => {
    const ids = Array.from({ length: 5000 }, (_, index) => index);
    const { getParents } = await run<{ getParents: unknown[] }>(
      "query($ids: JSON) { getParents(where: { id: { in: $ids } }) { id } }",
      { ids },
    );
    assert.equal(getParents.length, 100);
  });
});
