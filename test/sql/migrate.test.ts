import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync, appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MigrationError, migrate } from "../../server/kernel/migrate.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

describe("migrations", () => {
  let database: TestDatabase;
  let directory: string;

  beforeEach(async () => {
    database = await testDatabase();
    directory = join(mkdtempSync(join(tmpdir(), "portolan-sql-")), "sql");
    cpSync(join(import.meta.dirname, "../../sql"), directory, { recursive: true });
  });

  afterEach(async () => {
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  const run = () => migrate({ ownerUrl: database.url, directory });

  it("install the schema; a second run does nothing", async () => {
    const first = await run();
    assert.ok(first.migrations.includes("000001"));
    assert.ok(first.code.includes("accounts/create_user.sql"));
    assert.deepEqual(await run(), { migrations: [], code: [] });
  });

  it("run once when ten processes start at once", async () => {
    const results = await Promise.all(Array.from({ length: 10 }, run));
    assert.equal(results.filter(({ migrations }) => migrations.length > 0).length, 1);
    const { rows } = await database.client.query("select count(*)::int from portolan.signing_keys");
    assert.equal(rows[0].count, 1);
  });

  it("apply a changed function again, and only that one", async () => {
    await run();
    appendFileSync(
      join(directory, "accounts/role_name.sql"),
      "\ncomment on function portolan.role_name(text) is 'changed';\n",
    );
    assert.deepEqual(await run(), { migrations: [], code: ["accounts/role_name.sql"] });
    const { rows } = await database.client.query(
      "select obj_description('portolan.role_name(text)'::regprocedure) as text",
    );
    assert.equal(rows[0].text, "changed");
  });

  it("refuse a released migration that was edited", async () => {
    await run();
    appendFileSync(join(directory, "migrations/000001.sql"), "\n-- edited\n");
    await assert.rejects(
      run(),
      (error) => error instanceof MigrationError && /000001 was applied with another text/.test(error.message),
    );
  });

  it("refuse a database of a newer version", async () => {
    await run();
    await database.client.query("insert into portolan.migrations (id, hash) values ('999999', 'x')");
    await assert.rejects(run(), /migrations of a newer Portolan: 999999/);
  });

  it("leave nothing behind when one of them fails", async () => {
    await run();
    writeFileSync(join(directory, "migrations/000100.sql"), "create table portolan.half (id int);");
    writeFileSync(join(directory, "migrations/000101.sql"), "select 1 / 0;");
    await assert.rejects(run(), /sql\/migrations\/000101\.sql: division by zero/);
    const { rows } = await database.client.query("select to_regclass('portolan.half') as half");
    assert.equal(rows[0].half, null);
  });
});
