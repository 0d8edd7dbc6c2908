import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { findPostgres } from "../../server/setup/programs.mjs";
import { testDatabase } from "../support/databases.ts";
import { SCHEMA_FILE, dumpSchema } from "../support/schemaDump.ts";

const committed = readFileSync(SCHEMA_FILE, "utf8");
const version = /on PostgreSQL (\d+)/.exec(committed)?.[1];
const here = String(findPostgres()?.major);

describe("sql/schema.sql", () => {
  const name = "is what the migrations make (npm run schema:dump)";
  if (version !== here) return it.skip(`${name}: dumped by PostgreSQL ${version}, here is ${here}`);
  it(name, async () => {
    const database = await testDatabase();
    try {
      assert.equal(await dumpSchema(database), committed);
    } finally {
      await database.drop();
    }
  });
});
