import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostgres } from "../../server/setup/programs.mjs";
import { command } from "../support/commands.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { programEnv } from "../support/programEnv.ts";
import { until } from "../support/until.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");
const BIN = findPostgres()?.bin ?? "";

describe("portolan backup check", () => {
  let database: TestDatabase;
  let folder: string;
  const file = (name: string): string => join(folder, name);
  const env = (): Record<string, string> => ({
    ...programEnv(),
    DATABASE_URL: database.gatewayUrl,
    OWNER_DATABASE_URL: database.url,
  });
  const check = (name: string, ...args: string[]) => command(["backup", "check", file(name), ...args], { env: env() });
  const dump = (name: string, ...args: string[]): void =>
    void execFileSync(join(BIN, "pg_dump"), [...args, "-f", file(name), database.url]);
  const leftovers = async (): Promise<unknown[]> =>
    (
      await database.client.query(
        "select datname from pg_database where datname like 'check\\_%' union all select rolname from pg_roles where rolname like '%@check\\_%'",
      )
    ).rows;

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    folder = mkdtempSync(join(tmpdir(), "portolan-backup-"));
    chmodSync(folder, 0o755);
    dump("archive", "-Fc");
    dump("plain.sql");
    dump("folder", "-Fd");
  });
  after(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => assert.deepEqual(await leftovers(), []));

  for (const name of ["archive", "plain.sql", "folder"])
    it(`finds a whole dump good: ${name}`, () => {
      const { status, stdout, stderr } = check(name);
      assert.equal(status, 0, stdout + stderr);
      assert.match(stdout, /^restored: 3 accounts, 0 rules, 0 methods, \d+ tables, \d+ megabytes\n/);
      assert.match(stdout, /^done the database was restored or copied, and its roles/m);
      assert.match(stdout, /\nthe backup is good\n$/);
    });

  it("says it in JSON, with what was repaired", () => {
    const { status, stdout } = check("archive", "--json");
    assert.equal(status, 0, stdout);
    const [result] = JSON.parse(stdout) as {
      errors: unknown[];
      left: unknown[];
      repaired: unknown[];
      migrated: number;
    }[];
    assert.deepEqual([result?.errors, result?.left, result?.migrated], [[], [], 0]);
    assert.ok((result?.repaired.length ?? 0) > 0);
  });

  it("names damage that no repair can fix, with its SQL", async () => {
    await database.client.query(`
create table world.asleep (id integer primary key);
create policy sleeps on world.asleep using (false);`);
    dump("sleeping", "-Fc");
    const { stdout } = check("sleeping");
    assert.match(stdout, /^FIX  .*world\.asleep.*\n {7}alter table world\.asleep enable row level security/m);
    await database.client.query("drop table world.asleep");
  });

  it("refuses a file that is not a dump, a truncated one, one without rows, one of a newer PostgreSQL, or one without Portolan", () => {
    writeFileSync(file("text"), "hello");
    writeFileSync(file("half.sql"), readFileSync(file("plain.sql")).subarray(0, 100_000));
    const newer = readFileSync(file("archive"));
    newer[6] = 99; // the minor version of the format
    writeFileSync(file("newer"), newer);
    writeFileSync(file("stub"), readFileSync(file("archive")).subarray(0, 2000));
    execFileSync(join(BIN, "pg_dump"), ["-Fc", "-n", "world", "-f", file("world"), database.url]);
    execFileSync(join(BIN, "pg_dump"), ["-Fc", "-s", "-f", file("definitions"), database.url]);
    for (const [name, message] of [
      ["missing", /^portolan: there is no \S+missing\n$/],
      ["text", /^portolan: \S+text is not a dump of pg_dump\n$/],
      ["half.sql", /is not complete: it lacks the last line of a dump\n$/],
      ["newer", /cannot be read\. pg_restore: error: unsupported version \(1\.99\) in file header\n$/],
      ["stub", /cannot be read\. pg_restore: error: could not read from input file: end of file\n$/],
      ["world", /world holds no schema portolan\n/],
      ["definitions", /has lost its rows, as where only definitions were dumped\. It was restored only in part/],
    ] as const) {
      const { status, stdout, stderr } = check(name);
      assert.deepEqual([status, stdout], [1, ""], name);
      assert.match(stderr, message);
    }
  });

  it("says what is missing in an archive whose data ends early", () => {
    writeFileSync(file("cut"), readFileSync(file("archive")));
    truncateSync(file("cut"), readFileSync(file("archive")).length - 20_000);
    const { status, stdout, stderr } = check("cut");
    assert.equal(status, 1, stdout);
    assert.match(stdout + stderr, /could not read from input file: end of file/);
  });

  it("drops its scratch database when it is interrupted", async () => {
    const child = spawn(process.execPath, [CLI, "backup", "check", file("archive")], { env: env(), detached: true });
    const ended = once(child, "close") as Promise<[number | null]>;
    await until(async () => (await leftovers()).length > 0);
    process.kill(-child.pid!, "SIGINT"); // as a terminal does: to the command and to pg_restore
    assert.notEqual((await ended)[0], 0);
  });

  it("leaves the served database unchanged", async () => {
    const stamp = async (): Promise<unknown> =>
      (
        await database.client.query(
          "select (select array_agg(u order by u.name) from portolan.users u)::text as users, (select array_agg(l.role order by 1) from portolan.logins l)::text as logins",
        )
      ).rows;
    const before = await stamp();
    check("archive");
    assert.deepEqual(await stamp(), before);
  });
});
