import assert from "node:assert/strict";
import { appendFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { makeConfig } from "../../server/kernel/config.ts";
import { databaseOf } from "../../server/fleet/discovery.ts";
import { createLog } from "../../server/ground/log.ts";
import { MigrationError, migrate, pendingMigrations } from "../../server/operate/migrate.ts";
import { startGateway } from "../../server/main.ts";
import { GATEWAY_LOGIN, testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";

/** Puts another comment above the function of a file. */
function describeAs(path: string, text: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(/^(--.*\n)+/, `-- ${text}\n`));
}

describe("the client of existing tools", () => {
  const clients = async ({ client }: TestDatabase): Promise<unknown[]> =>
    (
      await client.query("select id from portolan.clients where id in ('gc2-cli', 'portolan-cli') order by id")
    ).rows.map(({ id }) => id as string);

  it("is made in a new database on request, and stays unchanged in others", async () => {
    const [without, with_] = [await testDatabase({ kind: "postgis" }), await testDatabase({ kind: "postgis" })];
    try {
      await migrate({ ownerUrl: without.url, gatewayLogin: GATEWAY_LOGIN });
      assert.deepEqual(await clients(without), ["portolan-cli"]);
      await migrate({ ownerUrl: without.url, gatewayLogin: GATEWAY_LOGIN, legacyClient: true });
      assert.deepEqual(await clients(without), ["portolan-cli"]);
      await migrate({ ownerUrl: with_.url, gatewayLogin: GATEWAY_LOGIN, legacyClient: true });
      assert.deepEqual(await clients(with_), ["gc2-cli", "portolan-cli"]);
      await migrate({ ownerUrl: with_.url, gatewayLogin: GATEWAY_LOGIN, repairRoles: true });
      assert.deepEqual(await clients(with_), ["gc2-cli", "portolan-cli"]);
    } finally {
      await without.drop();
      await with_.drop();
    }
  });

  it("is requested by an option, of each database and of those of a cluster", () => {
    const url = "postgres://gateway@localhost/one";
    const { databases } = makeConfig({ databases: { one: { url } }, legacyClient: true });
    assert.equal(databases[0]?.legacyClient, true);
    const { patterns } = makeConfig({
      databases: { "*": { url: "postgres://gateway@localhost/*" } },
      legacyClient: true,
    });
    assert.equal(databaseOf(patterns[0]!, "two").legacyClient, true);
    assert.equal(makeConfig({ databases: { one: { url } } }).databases[0]?.legacyClient, undefined);
  });
});

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

  it("describe every function and view by the comment above it", async () => {
    await run();
    const { rows } = await database.client.query(`
select oid::regprocedure::text as name from pg_proc
where pronamespace = 'portolan'::regnamespace and obj_description(oid, 'pg_proc') is null
  and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
union all
select oid::regclass::text from pg_class
where relnamespace = 'portolan'::regnamespace and relkind = 'v' and obj_description(oid, 'pg_class') is null`);
    assert.deepEqual(rows, []);
    const { rows: told } = await database.client.query(
      "select obj_description('portolan.events_of(regclass)'::regprocedure) as text",
    );
    assert.deepEqual(told, [{ text: "Whether a table has events now." }]);
    const twice = globSync("*/*.sql", {
      cwd: directory,
      exclude: (name) => ["migrations", "demo"].includes(name),
    }).filter((file) => /^comment on (function|procedure|view) /m.test(readFileSync(join(directory, file), "utf8")));
    assert.deepEqual(twice, [], "a comment of its own beside what stands above it");
  });

  it("run once when ten processes start at once", async () => {
    const results = await Promise.all(Array.from({ length: 10 }, run));
    assert.equal(results.filter(({ migrations }) => migrations.length > 0).length, 1);
    const { rows } = await database.client.query("select count(*)::int from portolan.signing_keys");
    assert.equal(rows[0].count, 2);
  });

  it("wait for a schema owner's open DDL, say so, and let the DDL of others pass", async () => {
    await run();
    const author = new pg.Client({ connectionString: database.url, application_name: "psql" });
    await author.connect();
    try {
      await author.query("create table public.nets (id int); create table public.traps (id int)");
      await author.query("begin; alter table public.nets add column name text");
      describeAs(join(directory, "accounts/role_name.sql"), "It has waited.");
      const told: string[] = [];
      const running = migrate({ ownerUrl: database.url, directory, waits: (text) => void told.push(text) });
      const warnings: (string | undefined)[] = [];
      database.client.on("notice", ({ message }) => warnings.push(message));
      for (let n = 0; told.length === 0; n++)
        await database.client.query(`alter table public.traps add column c${n} int`);
      assert.match(
        told.join(),
        /^The migration waits for a lock of \w+ \(psql, process \d+\) since .* UTC, which has locked public\.nets$/,
      );
      await author.query("rollback");
      assert.deepEqual(await running, { migrations: [], code: ["accounts/role_name.sql"] });
      assert.deepEqual([told.length, warnings], [1, []]);
    } finally {
      await author.end();
    }
  });

  it("apply a changed function again, and only that one", async () => {
    await run();
    describeAs(join(directory, "accounts/role_name.sql"), "It's changed.");
    assert.deepEqual(await run(), { migrations: [], code: ["accounts/role_name.sql"] });
    const { rows } = await database.client.query(
      "select obj_description('portolan.role_name(text)'::regprocedure) as text",
    );
    assert.equal(rows[0].text, "It's changed.");
  });

  it("apply code again that was dropped or changed, and leave no trace of the change", async () => {
    await run();
    await database.client.query(`
drop function portolan.list_sizes();
alter function portolan.existing_account(text) security invoker;
alter table portolan.users disable trigger _800_audit_change;
drop function portolan.changed_own_parts()`);
    const { code } = await pendingMigrations({ ownerUrl: database.url, directory });
    assert.ok(code.includes("catalogue/list_sizes.sql"));
    assert.deepEqual((await run()).code, code);
    const { rows } = await database.client.query("select part, what from portolan.changed_own_parts()");
    assert.deepEqual(rows, []);
    assert.deepEqual(await run(), { migrations: [], code: [] });
  });

  it("apply no code if a part beneath it must come from a backup, and report that", async () => {
    await run();
    await database.client.query("alter table portolan.users drop column email cascade");
    await assert.rejects(run(), /column u\.email does not exist\. Schema portolan was changed by hand: first repair/);
    const { rows } = await database.client.query(
      "select part, remedy from portolan.changed_own_parts() where not is_code and part like 'column %'",
    );
    assert.deepEqual(rows, [
      {
        part: "column portolan.users.email",
        remedy: "alter table portolan.users add column email text;\nrestore what it held: docs/guides/backup.md",
      },
    ]);
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
    await assert.rejects(
      run(),
      /migrations of a newer Portolan: 999999\. Start that version or a later one: nothing was changed\. .*backup/,
    );
  });

  it("are announced beforehand without any change", async () => {
    const pending = () => pendingMigrations({ ownerUrl: database.url, directory });
    const all = await pending();
    assert.ok(all.migrations.includes("000001") && all.code.includes("accounts/create_user.sql"));
    const { rows } = await database.client.query("select to_regnamespace('portolan') as schema");
    assert.equal(rows[0].schema, null);
    await run();
    assert.deepEqual(await pending(), { migrations: [], code: [], newer: undefined });
    writeFileSync(join(directory, "migrations/900000.sql"), "create table portolan.more (id int);");
    appendFileSync(join(directory, "accounts/role_name.sql"), "\n-- other\n");
    assert.deepEqual(await pending(), { migrations: ["900000"], code: ["accounts/role_name.sql"], newer: undefined });
    appendFileSync(join(directory, "migrations/000001.sql"), "\n-- edited\n");
    await assert.rejects(pending(), /000001 was applied with another text/);
  });

  it("of a newer version leave an older one serving beside it, which applies nothing", async () => {
    const gatewayLogin = GATEWAY_LOGIN;
    await migrate({ ownerUrl: database.url, gatewayLogin });
    await database.client.query(`
create schema town;
create table town.parks (id int primary key);
insert into town.parks values (1);
select portolan.create_user('ann', null), portolan.set_privilege('town.parks', 'ann', 'read')`);
    const databases = { [database.name]: { url: database.gatewayUrl, ownerUrl: database.url } };
    const start = () => startGateway(makeConfig({ databases, port: 0 }), createLog("silent"));
    const before = await start();
    writeFileSync(join(directory, "migrations/900000.sql"), "create table portolan.more (id int);");
    describeAs(join(directory, "accounts/role_name.sql"), "It is newer.");
    await migrate({ ownerUrl: database.url, gatewayLogin, directory, version: "99.0.0" });
    const after = await start();
    for (const { baseUrl } of [before, after]) {
      assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
      const token = await tokenFor(database, baseUrl, "ann");
      const answer = await fetch(`${baseUrl}/api/graphql/schema/town`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: '{"query": "{ getParks { id } }"}',
      });
      assert.deepEqual(await answer.json(), { data: { getParks: [{ id: "1" }] } });
    }
    for (const gateway of [before, after]) await gateway.close();
    await assert.rejects(migrate({ ownerUrl: database.url }), /of a newer Portolan: 900000/);
    await database.client.query("delete from portolan.migrations where id = '900000'"); // only newer code
    await assert.rejects(migrate({ ownerUrl: database.url }), /migrated by Portolan 99\.0\.0, .* cannot migrate it/);
    const { newer, code } = await pendingMigrations({ ownerUrl: database.url });
    assert.deepEqual([newer, code], ["99.0.0", []]);
    const { rows } = await database.client.query(
      "select obj_description('portolan.role_name(text)'::regprocedure) as text",
    );
    assert.equal(rows[0].text, "It is newer.");
  });

  it("succeed although a table has lost the columns of its workflow", async () => {
    await run();
    await database.client.query(`
create table public.moles (id int primary key);
select portolan.enable_workflow('public.moles');
alter table public.moles drop column portolan_status cascade`);
    await migrate({ ownerUrl: database.url, directory, repairRoles: true });
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
