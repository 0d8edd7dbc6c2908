/** The history of a row has one version at each instant, whatever writers do at once, at any isolation level. */
import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { writeVersions } from "../support/versionWriters.ts";

const ROUNDS = 100;

describe("the history of rows", function () {
  this.timeout(ROUNDS * 20_000);
  let database: TestDatabase;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await database.client.query("create schema town");
  });

  after(() => database.drop());

  it(`has one version of a row at each instant, ${ROUNDS} times`, async () => {
    for (let i = 0; i < ROUNDS; i++) {
      const round = { partitioned: i % 2 === 1, clockSetBack: i % 4 === 2, inPortions: i % 4 === 3 };
      const { faults, kept } = await writeVersions(database.url, `round_${i}`, round);
      assert.deepEqual(faults, [], JSON.stringify(round));
      assert.ok(kept > 50, `only ${kept} transactions were kept`);
    }
  });
});
