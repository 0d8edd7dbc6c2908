/**
 * docs/guides/backup.md as it is written, and the set-up of standbys, on clusters of PostgreSQL that it may stop,
 * restore and upgrade.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { accountFor } from "../../server/demo/cluster/place.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { programEnv } from "../support/programEnv.ts";
import { folderOfCommand, Shell } from "../support/shell.ts";
import { blocksOf } from "./documentBlocks.ts";
import { textOf } from "./documents.ts";

const { bin, major } = findPostgres() ?? { bin: "", major: 0 };
const SECRET = "secret";

describe("the guide to backup, restore and upgrade", function () {
  this.timeout(200_000);
  const page = textOf("docs/guides/backup.md");
  const operating = textOf("docs/guides/operating.md");
  let folder: string;
  let shell: Shell;
  let ports: readonly number[];
  const account = accountFor(tmpdir());
  const data = (name: string): string => join(folder, "var", name);

  /** The page's usual paths, and their places here. The clusters have this machine's version on both sides. */
  function place(text: string): string {
    const [main, second, restored, standby] = ports;
    return text
      .replaceAll("@db1/", `@127.0.0.1:${main}/`)
      .replaceAll("@db2/", `@127.0.0.1:${standby}/`)
      .replaceAll("@localhost:5433/", `@127.0.0.1:${restored}/`)
      .replaceAll("-p 5433", `-p ${restored}`)
      .replaceAll("@localhost/", `@127.0.0.1:${main}/`)
      .replaceAll("@new-host/", `@127.0.0.1:${second}/`)
      .replaceAll("/backup/", `${folder}/backup/`)
      .replaceAll(/\/usr\/lib\/postgresql\/1[58]\/bin/g, bin)
      .replaceAll("/var/lib/postgresql", join(folder, "var"));
  }
  /** Runs the blocks below a heading. */
  async function follow(heading: string, change = (text: string): string => text, of = page): Promise<string> {
    const [, section = ""] = of.split(`\n## ${heading}\n`);
    const blocks = blocksOf(section.split("\n## ")[0] ?? "");
    assert.ok(blocks.length > 0, heading);
    let printed = "";
    for (const { text } of blocks) printed += await shell.run(place(change(text)));
    return printed;
  }
  const asPostgres = (program: string, args: readonly string[]): void =>
    void execFileSync(join(bin, program), [...args], { ...account, cwd: folder, stdio: "ignore" });
  const makeCluster = (name: string, port: number): void => {
    asPostgres("initdb", [
      "-D",
      data(name),
      "-U",
      "postgres",
      "--auth-host=scram-sha-256",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
      `--pwfile=${join(folder, "password")}`,
    ]);
    appendFileSync(
      join(data(name), "postgresql.conf"),
      `port = ${port}\nunix_socket_directories = '${join(folder, "var")}'\nfsync = off\n`,
    );
    asPostgres("pg_ctl", ["-D", data(name), "-w", "-l", `${data(name)}.log`, "start"]);
  };
  async function ask<Row extends object>(port: number, text: string, database = "city"): Promise<Row[]> {
    const client = new pg.Client({ connectionString: `postgres://postgres:${SECRET}@127.0.0.1:${port}/${database}` });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }
  const ships = async (port: number): Promise<string[]> =>
    (await ask<{ name: string }>(port, "select name from app.ships order by name")).map(({ name }) => name);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "portolan-guide-"));
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, "password"), SECRET);
    for (const name of ["backup", "backup/wal", "var", "var/15", "var/18"]) {
      mkdirSync(join(folder, name));
      if (account) chownSync(join(folder, name), account.uid, account.gid);
    }
    if (account) chownSync(folder, account.uid, account.gid);
    const command = folderOfCommand(folder);
    ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    makeCluster("15/main", ports[0]!);
    makeCluster("second", ports[1]!);
    await ask(ports[0]!, `create role city_gateway login noinherit password '${SECRET}'`, "postgres");
    await ask(ports[0]!, "create database city", "postgres");
    await ask(
      ports[0]!,
      "create extension postgis; create schema app; create table app.ships (id int generated always as identity primary key, name text not null, place geometry(Point, 4326))",
    );
    shell = new Shell(
      folder,
      {
        ...programEnv(),
        HOME: folder,
        PATH: `${command}:${bin}:${process.env["PATH"]}`,
        GRAPHILE_ENV: "production",
      },
      account,
    );
    const [first = ""] = blocksOf(page).map(({ text }) => text);
    await shell.run(place(first));
    await shell.run("npx portolan migrate\n");
    await ask(
      ports[0]!,
      `
select portolan.create_user('ann', null);
select portolan.set_privilege('app.ships', 'ann', 'write'), portolan.enable_events('app.ships'), portolan.enable_versioning('app.ships'), portolan.enable_workflow('app.ships');
insert into app.ships (name) values ('Aurora')`,
    );
  });
  after(async () => {
    await shell?.[Symbol.asyncDispose]();
    for (const name of ["15/main", "15/standby", "second", "15/restored", "18/main"])
      spawnSync(join(bin, "pg_ctl"), ["-D", data(name), "-m", "immediate", "stop"], { ...account, cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  });

  it("a standby for reads", async () => {
    const started = (text: string): string => text.replace(" start\n", ` -o "-p ${ports[3]}" start\n`);
    const printed = await follow("Standbys for reads", started, operating);
    assert.match(printed, new RegExp(`ok +city: the standby 127\\.0\\.0\\.1:${ports[3]} answers, and may be read from`));
    const [{ copies } = {}] = await ask<{ copies: number }>(
      ports[0]!,
      "select count(*)::int as copies from pg_stat_replication where state = 'streaming'",
    );
    assert.equal(copies, 1);
    asPostgres("pg_ctl", ["-D", data("15/standby"), "-m", "immediate", "stop"]);
    await shell.run("unset REPLICA_URLS\n");
  });

  it("a dump each night", async () => assert.match(await follow("A dump each night"), /the backup is good/));

  it("restore a dump", async () => {
    const variables = "export KEPT1=$DATABASE_URL KEPT2=$OWNER_DATABASE_URL\n";
    await shell.run(variables);
    const printed = await follow("Restore a dump");
    assert.match(printed, /roles repaired/);
    assert.deepEqual(await ships(ports[1]!), ["Aurora"]);
    const [right] = await ask<{ may: boolean }>(
      ports[1]!,
      "select has_table_privilege('ann@city', 'app.ships', 'update') as may",
    );
    assert.deepEqual(right, { may: true });
    await shell.run("export DATABASE_URL=$KEPT1 OWNER_DATABASE_URL=$KEPT2\n");
  });

  it("a point in time: what was deleted after it is there", async () => {
    let instant = "";
    await follow("A point in time", (text) => {
      if (!text.includes("recovery_target_time")) return text;
      const [base = ""] = readdirSync(join(folder, "backup")).filter((name) => name.startsWith("base-"));
      const psql = (statement: string): string =>
        execFileSync(join(bin, "psql"), ["-XAtc", statement, place("postgres://postgres:secret@localhost/city")], {
          encoding: "utf8",
        }).trim();
      psql("insert into app.ships (name) values ('Borealis')");
      instant = psql("select clock_timestamp()");
      psql("delete from app.ships");
      return text.replace("2026-11-22 12:00:00+00", instant).replace("base-2026-11-20", base);
    });
    assert.deepEqual(await ships(ports[2]!), ["Aurora", "Borealis"]);
    assert.deepEqual(await ships(ports[0]!), []);
    await shell.run("export DATABASE_URL=$KEPT1 OWNER_DATABASE_URL=$KEPT2\n");
  });

  it("upgrade PostgreSQL", async () => {
    await ask(ports[0]!, "delete from app.ships; insert into app.ships (name) values ('Corona')");
    await follow("Upgrade PostgreSQL", (text) =>
      text.replace(
        /^(pg_ctl .*18\/main.*) start$/m,
        `cp ${place("/var/lib/postgresql/15/main/postgresql.conf")} ${place("/var/lib/postgresql/18/main/")}\n$1 start`,
      ),
    );
    assert.deepEqual(await ships(ports[0]!), ["Corona"]);
    const [history] = await ask<{ n: number }>(ports[0]!, "select count(*)::int as n from app__history.ships");
    assert.ok((history?.n ?? 0) > 0);
    await ask(ports[0]!, "update app.ships set name = 'Corona II'");
    assert.ok(readFileSync(join(data("18/main"), "PG_VERSION"), "utf8").startsWith(String(major)));
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
