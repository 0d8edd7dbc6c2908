/**
 * This version restores a dump of an earlier version, as the guide to backups shows; the result is like a new database.
 * A gateway of an earlier version serves on while this one migrates its database, and beside it.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { diagnose } from "../../server/operate/doctor/doctor.ts";
import { sqlstateOf } from "../../server/ground/errors.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { GATEWAY_LOGIN, testDatabase, type TestDatabase } from "../support/databases.ts";
import { Follower } from "../support/follower.ts";
import { freePort } from "../support/freePort.ts";
import { tokenFor } from "../support/gateway.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { GatewayProcess } from "../support/process.ts";
import { programEnv } from "../support/programEnv.ts";
import { dumpSchema, SCHEMA_FILE } from "../support/schemaDump.ts";
import { until } from "../support/until.ts";

const ROOT = join(import.meta.dirname, "../..");
const BIN = findPostgres()?.bin ?? "";
/** One in this number of the commits that changed SQL is tried. */
const EVERY = 9;
const UNDEFINED_FUNCTION = "42883";
const BASE_URL = "http://portolan.test";
/** The number of rows that each gateway writes once both serve. */
const ENOUGH = 100;
const PATIENCE_MS = 60_000;
const CLI = join(ROOT, "server/setup/portolan.mjs");
/** A client of each new database of earlier versions. It stays, since tools may need it, and the doctor says how to disable it. */
const LEGACY_CLIENT = "gc2-cli";
const LEGACY_FINDING = /^the client gc2-cli takes passwords without a secret.*$/;

const git = (...args: string[]): string[] =>
  (spawnSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1e8 }).stdout ?? "").split("\n").filter(Boolean);
/** The first commit to take: before it, a migration was still being written. */
const versions = git("log", "--reverse", "--format=%h", "--", "sql")
  .filter((_, n) => n % EVERY === 0)
  .filter((commit) => git("diff", "--name-only", "--diff-filter=M", commit, "--", "sql/migrations").length === 0);

/** The objects of a team. A version that lacks such a function leaves it out. */
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

interface Side {
  readonly gateway: GatewayProcess;
  readonly follower: Follower;
  readonly shown: Set<number>;
  /** The number of rows that had been written when it began. */
  readonly from: number;
  written: number;
  stop: () => Promise<void>;
}

/** Writes rows, each of which must be answered, until the returned function is called. */
function keepWriting(side: Side, url: string, token: string, next: () => number): () => Promise<void> {
  let isWriting = true;
  const write = async (): Promise<void> => {
    while (isWriting) {
      const id = String(next());
      const response = await fetch(`${url}/api/graphql/schema/town`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ query: `mutation { insertPlans(data: {id: ${id}}) { id } }` }),
      });
      assert.deepEqual(await response.json(), { data: { insertPlans: [{ id }] } });
      side.written++;
    }
  };
  const writing = write();
  writing.catch(() => undefined); // told when it is stopped
  return () => {
    isWriting = false;
    return writing;
  };
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

  /** Migrates a database with the code of that version. */
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

  /** Runs the commands that a finding of the doctor recommends. */
  function runRemedy(commands: readonly string[], env: Readonly<Record<string, string>>): void {
    for (const command of commands)
      execFileSync("sh", ["-ec", command.replace(/^npx portolan\b/, '"$0" "$1"'), process.execPath, CLI], {
        env: { ...programEnv(), ...env },
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
      spawnSync(join(BIN, "pg_restore"), ["-d", ownerUrl, file]); // which complains about missing roles
      await migrate({ ownerUrl, gatewayLogin: GATEWAY_LOGIN, repairRoles: true });
      const gatewayUrl = cluster.url(name, GATEWAY_LOGIN, "gateway");
      const found = async () =>
        (await diagnose({ name, url: gatewayUrl, ownerUrl }, undefined)).filter(({ ok }) => !ok);
      const findings = await found();
      const texts = findings.map(({ text }) => text.replace(LEGACY_FINDING, LEGACY_CLIENT));
      const had = await ask(ownerUrl, `select id from portolan.clients where id = '${LEGACY_CLIENT}'`);
      assert.deepEqual(
        texts,
        had.map(({ id }) => id),
      );
      for (const { remedy } of findings)
        runRemedy(remedy ?? [], { DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: ownerUrl });
      assert.deepEqual(await found(), []);
      const rows = await ask(
        ownerUrl,
        `select (select array_agg(t order by id) from town.plans) as plans, (select array_agg(name) from portolan.users where name = 'ann') as users, (select array_agg(id) from portolan.clients where id = 'app') as clients`,
      );
      assert.deepEqual(rows, [{ plans: ["changed", "two"], users: ["ann"], clients: ["app"] }]);
    });

  it(`${versions.at(-2)}: answers and delivers while this version migrates its database, and beside it`, async () => {
    const version = versions.at(-2)!; // the last one may be this checkout
    const database = await testDatabase();
    migrateAs(version, database);
    await database.client.query(`
create schema town; create table town.plans (id integer primary key);
select portolan.create_user('ann', null), portolan.set_privilege('town.plans', 'ann', 'write');
select portolan.enable_events('town.plans')`);
    const token = await tokenFor(database, BASE_URL, "ann");
    let next = 0;
    const sides: Side[] = [];
    async function serve(checkout: string, env: Record<string, string>): Promise<void> {
      const port = await freePort();
      const gateway = await GatewayProcess.start(
        { DATABASE_URL: database.gatewayUrl, PORT: String(port), BASE_URL, LOG_LEVEL: "error", ...env },
        { checkout },
      );
      const shown = new Set<number>();
      const follower = new Follower({
        url: () => `ws://127.0.0.1:${port}`,
        token: () => Promise.resolve(token),
        schema: "town",
        relation: "plans",
        take: (rows) => rows.forEach(({ id }) => shown.add(Number(id))),
      });
      await until(() => follower.isLive, PATIENCE_MS);
      const side: Side = { gateway, follower, shown, from: next, written: 0, stop: () => Promise.resolve() };
      sides.push(side);
      side.stop = keepWriting(side, `http://127.0.0.1:${port}`, token, () => ++next);
    }
    try {
      await serve(join(folder, version), {});
      await until(() => next > ENOUGH, PATIENCE_MS);
      await serve(ROOT, { OWNER_DATABASE_URL: database.url });
      await until(() => sides.every(({ written }) => written > ENOUGH), PATIENCE_MS);
      assert.equal(sides.length, 2);
    } finally {
      for (const { stop } of sides) await stop();
    }
    const all = Array.from({ length: next }, (_, index) => index + 1);
    for (const { shown, follower, from } of sides) {
      // a subscriber that began while others wrote may have begun a few rows later than was counted
      const wanted = all.slice(from === 0 ? 0 : Math.min(...shown) - 1);
      await until(() => wanted.every((id) => shown.has(id)), PATIENCE_MS);
      assert.equal(follower.gaps, 0);
      await follower.stop();
    }
    for (const { gateway } of sides) assert.equal(await gateway.stop(), 0);
    await database.drop();
  });

  it("has the schema portolan that a new database has", async () => {
    const database = await testDatabase();
    migrateAs(versions[0]!, database);
    const upgraded = await dumpSchema(database);
    await database.drop();
    // grants that the gateway's login no longer needs stay
    const withoutLogin = (text: string): string => text.replace(/^(GRANT .* TO gateway;)?\n/gm, "");
    assert.equal(withoutLogin(upgraded), withoutLogin(readFileSync(SCHEMA_FILE, "utf8")));
  });
});
