/** A dump that an earlier version made is restored by this one, as the guide to backups has it, and is then as a new database is. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { diagnose } from "../../server/kernel/doctor.ts";
import { sqlstateOf } from "../../server/kernel/errors.ts";
import { migrate } from "../../server/kernel/migrate.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { GATEWAY_LOGIN, testDatabase, type TestDatabase } from "../support/databases.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { programEnv } from "../support/programEnv.ts";
import { dumpSchema, SCHEMA_FILE } from "../support/schemaDump.ts";

const ROOT = join(import.meta.dirname, "../..");
const BIN = findPostgres()?.bin ?? "";
/** Of the commits that changed SQL, each so-many-th. */
const EVERY = 9;
const UNDEFINED_FUNCTION = "42883";

const git = (...args: string[]): string[] =>
  (spawnSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1e8 }).stdout ?? "").split("\n").filter(Boolean);
/** Before the first of them, a migration was still being written. */
const versions = git("log", "--reverse", "--format=%h", "--", "sql")
  .filter((_, n) => n % EVERY === 0)
  .filter((commit) => git("diff", "--name-only", "--diff-filter=M", commit, "--", "sql/migrations").length === 0);

/** What a team had; a version that has no such function yet leaves it out. */
const HAD = [
  "create schema town; create table town.plans (id integer primary key, t text); insert into town.plans values (1, 'one'), (2, 'two')",
  "select portolan.create_user('ann', 'secret-of-ann', 'ann@example.org')",
  "select portolan.set_privilege('town.plans', 'ann', 'write')",
  "select portolan.create_client('app', 'App', '{https://app.example.org/}')",
  "select portolan.enable_events('town.plans')",
  "select portolan.enable_versioning('town.plans')",
  `select portolan.create_rule('{"username": "ann", "table": "plans", "access": "limit", "filter": "id < 2"}')`,
  "select portolan.create_method('plans', 'select t from town.plans')",
  "update town.plans set t = 'changed' where id = 1",
];

interface PackageJson {
  readonly scripts: { readonly migrate: string };
}

describeOnlyIf(versions.length > 1, "a checkout with its history")("a dump that an earlier version made", function () {
  this.timeout(300_000);
  let cluster: LocalCluster;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "portolan-upgrade-"));
    chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
    cluster = await startLocalCluster({ directory: join(folder, "cluster"), durable: false });
    await ask(cluster.url("postgres"), `create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
  });
  after(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Brings a database up to what that version made of it, by its own code. */
  function migrateAs(version: string, { url, gatewayUrl }: TestDatabase): void {
    const checkout = join(folder, version);
    if (!existsSync(checkout)) {
      mkdirSync(checkout);
      execFileSync("sh", ["-c", 'git archive "$0" | tar -x -C "$1"', version, checkout], { cwd: ROOT });
      symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
    }
    const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as PackageJson;
    const [, ...args] = scripts.migrate.split(" "); // node …
    execFileSync(process.execPath, args, {
      cwd: checkout,
      env: { ...programEnv(), DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url },
    });
  }

  async function dumpOf(version: string): Promise<string> {
    const database = await testDatabase();
    migrateAs(version, database);
    for (const text of HAD)
      await database.client.query(text).catch((error: unknown) => {
        if (sqlstateOf(error) !== UNDEFINED_FUNCTION) throw error;
      });
    const file = join(folder, `${version}.dump`);
    execFileSync(join(BIN, "pg_dump"), ["-Fc", "-f", file, database.url]);
    await database.drop();
    return file;
  }

  for (const version of versions)
    it(`${version}: is restored, migrated, and has nothing left to mend`, async () => {
      const file = await dumpOf(version);
      const name = `of_${version}`;
      await ask(cluster.url("postgres"), `create database ${name}`);
      const ownerUrl = cluster.url(name);
      spawnSync(join(BIN, "pg_restore"), ["-d", ownerUrl, file]); // which complains of roles that are not there
      await migrate({ ownerUrl, gatewayLogin: GATEWAY_LOGIN, repairRoles: true });
      const gatewayUrl = cluster.url(name, GATEWAY_LOGIN, "gateway");
      const findings = await diagnose({ name, url: gatewayUrl, ownerUrl }, undefined);
      assert.deepEqual(
        findings.filter(({ ok }) => !ok).map(({ text }) => text),
        [],
      );
      const rows = await ask(
        ownerUrl,
        `select (select array_agg(t order by id) from town.plans) as plans, (select array_agg(name) from portolan.users where name = 'ann') as users, (select array_agg(id) from portolan.clients where id = 'app') as clients`,
      );
      assert.deepEqual(rows, [{ plans: ["changed", "two"], users: ["ann"], clients: ["app"] }]);
    });

  it("has the schema portolan that a new database has", async () => {
    const database = await testDatabase();
    migrateAs(versions[0]!, database);
    const upgraded = await dumpSchema(database);
    await database.drop();
    // what the gateway's login was once given and needs no longer stays with it
    const withoutLogin = (text: string): string => text.replace(/^(GRANT .* TO gateway;)?\n/gm, "");
    assert.equal(withoutLogin(upgraded), withoutLogin(readFileSync(SCHEMA_FILE, "utf8")));
  });
});
