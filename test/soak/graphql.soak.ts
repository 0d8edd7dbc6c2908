import assert from "node:assert/strict";
import { executeGraphql } from "../../server/graphql/execute.ts";
import { createSchemaRegistry, type SchemaRegistry } from "../../server/graphql/build/schemaRegistry.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { openDatabase, type Database } from "../../server/kernel/database/database.ts";
import { createLog } from "../../server/ground/log.ts";
import { checkAggregates, type Run } from "../graphql/randomAggregates.ts";
import { checkPages } from "../graphql/randomPages.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

/** The numbers of aggregates and of pages; `SOAK_COUNT` and `SOAK_SEED` run a part of them. */
const COUNT = Number(process.env["SOAK_COUNT"] ?? 5000);
const SEED = Number(process.env["SOAK_SEED"] ?? Date.now() % 1_000_000);
const identity = { database: "test", name: "postgres", role: "postgres", roleMade: false, claims: {} };

describe("aggregates and pages, many of them", () => {
  let testing: TestDatabase;
  let database: Database;
  let all: SchemaRegistry[] = [];

  before(async () => {
    testing = await testDatabase();
    await testing.client.query("create schema app");
    database = openDatabase({
      name: "test",
      url: testing.url,
      poolSize: 2,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 600_000,
    });
  });
  after(async () => {
    await close();
    await database.close();
    await testing.drop();
  });

  async function close(): Promise<void> {
    await Promise.all(all.map((instances) => instances.close()));
    all = [];
  }

  async function open(): Promise<void> {
    await close();
    const options = { config: makeConfig(), log: createLog("silent") };
    all = [createSchemaRegistry(options), createSchemaRegistry({ ...options, plainReads: false })];
  }

  const ways: Run[] = [0, 1].map((index) => async (query, variables) => {
    const instances = all[index]!;
    const instance = await instances.schemaFor(database, "app");
    return (await executeGraphql(instances, instance, { query, variables }, { identity })).text;
  });

  it(`${COUNT} random ones are what other SQL says`, async function () {
    this.timeout(3_600_000);
    const groups = await checkAggregates(testing.client, ways, { seed: SEED, count: COUNT, reload: open });
    assert.ok(groups > COUNT, `${groups} groups`);
  });

  it(`${COUNT} random pages are slices of what other SQL puts in order`, async function () {
    this.timeout(3_600_000);
    assert.ok((await checkPages(testing.client, ways, { seed: SEED, count: COUNT, reload: open })) >= COUNT);
  });

  it("ten million groups are as many as the limit says, and the gateway's memory stays flat", async function () {
    this.timeout(600_000);
    await testing.client.query("create view app.numbers as select i as id from generate_series(1, 10000000) i");
    await open();
    const before = process.memoryUsage().rss;
    for (const way of ways) {
      const { data } = JSON.parse(
        await way(`{ aggregateNumbers(groupBy: "id", limit: 10000) { by { id } count } }`, {}),
      ) as {
        data: { aggregateNumbers: object[] };
      };
      assert.equal(data.aggregateNumbers.length, 10_000);
    }
    assert.ok(process.memoryUsage().rss - before < 150_000_000, `${process.memoryUsage().rss - before} bytes more`);
  });
});
