import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import {
  ClusterError,
  type LocalCluster,
  localDirectory,
  runningLocalCluster,
  startLocalCluster,
} from "../../server/demo/cluster/localCluster.ts";
import { mountsTmpfs, onlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";

const isRoot = process.getuid?.() === 0;
const mayMount = isRoot && mountsTmpfs();

describe("local cluster", () => {
  let root: string;
  let started: LocalCluster[];
  let owners: ChildProcess[];
  let made: string;

  before(async () => {
    made = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "portolan-made-")));
    fs.chmodSync(made, 0o755);
    await (await startLocalCluster({ directory: path.join(made, "local"), durable: false })).stop();
  });
  after(() => fs.rmSync(made, { recursive: true, force: true }));

  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "portolan-cluster-")));
    fs.chmodSync(root, 0o755);
    started = [];
    owners = [];
  });

  afterEach(async () => {
    for (const owner of owners) owner.kill("SIGKILL");
    await Promise.all(started.map((cluster) => cluster.stop()));
    await until(() => !runningLocalCluster(path.join(root, "local")));
    fs.rmSync(root, { recursive: true, force: true });
  });

  /** As if it had been started here before: most of what a first start costs is initdb. */
  function makeBefore(directory = path.join(root, "local")): void {
    fs.mkdirSync(path.dirname(directory), { recursive: true });
    execFileSync("cp", ["-a", path.join(made, "local"), directory]); // with owners and rights
  }

  async function start(directory = path.join(root, "local")): Promise<LocalCluster> {
    const cluster = await startLocalCluster({ directory, durable: false });
    started.push(cluster);
    return cluster;
  }

  /** Another process that starts a cluster; `answer` is its result. With `stays` it lives until it is killed. */
  function startElsewhere({ stays = true, directory = path.join(root, "local") } = {}) {
    const module = new URL("../../server/demo/cluster/localCluster.ts", import.meta.url).href;
    const script = `
      import { startLocalCluster } from ${JSON.stringify(module)};
      process.on("SIGINT", () => {});
      try {
        const cluster = await startLocalCluster({ directory: ${JSON.stringify(directory)}, durable: false });
        console.log(JSON.stringify({ pid: cluster.pid, url: cluster.url("postgres"), fresh: cluster.fresh }));
        if (${stays}) setInterval(() => {}, 1000);
      } catch (error) {
        console.log(JSON.stringify({ name: error.name, message: error.message }));
      }`;
    const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    owners.push(owner);
    const answer = new Promise<{ pid: number; url: string; fresh: boolean; name?: string; message: string }>(
      (resolve) => createInterface({ input: owner.stdout! }).once("line", (line) => resolve(JSON.parse(line))),
    );
    return { owner, answer };
  }

  it("makes the data at the first start and finds it again at the second", async () => {
    const first = await start();
    assert.equal(first.fresh, true);
    assert.match(first.version, /^\d+/);
    await query(first.url("postgres"), "create table kept as select 42 as answer");
    await first.stop();

    const second = await start();
    assert.equal(second.fresh, false);
    assert.deepEqual(await query(second.url("postgres"), "select answer from kept"), [{ answer: 42 }]);
  });

  it("gives a connection string that node-postgres and psql both read, for any role, password and database", async () => {
    makeBefore();
    const cluster = await start();
    await query(cluster.url("postgres"), `create role "anna@demo" login password 'p/w %?#@:é'`);
    await query(cluster.url("postgres"), `create database "my data é"`);
    const who = "select concat_ws(' ', current_user, 'in', current_database()) as who";
    for (const [url, expected] of [
      [cluster.url("postgres"), "postgres in postgres"],
      [cluster.url("my data é", "anna@demo", "p/w %?#@:é"), "anna@demo in my data é"],
    ] as const) {
      assert.deepEqual(await query(url, who), [{ who: expected }]);
      assert.equal(execFileSync("psql", [url, "-XAtc", who], { encoding: "utf8" }).trim(), expected);
      assert.equal(decodeURIComponent(new URL(url).hostname), path.join(cluster.directory, "socket"));
    }
  });

  it("is UTF-8, ready for logical decoding, and listens on no address", async () => {
    makeBefore();
    const cluster = await start();
    const [settings] = await query(
      cluster.url("postgres"),
      "select current_setting('server_encoding') as encoding, current_setting('wal_level') as wal, current_setting('listen_addresses') as addresses",
    );
    assert.deepEqual(settings, { encoding: "UTF8", wal: "logical", addresses: "" });
  });

  it("refuses a wrong password, and none", async () => {
    makeBefore();
    const cluster = await start();
    await assert.rejects(query(cluster.url("postgres", "postgres", "wrong"), "select 1"), { code: "28P01" });
    await assert.rejects(query(cluster.url("postgres", "postgres", ""), "select 1"), /password/);
  });

  it("keeps the password where only its user may read it, and the socket in a closed folder", async () => {
    makeBefore();
    const cluster = await start();
    const mode = (file: string) => (fs.statSync(path.join(cluster.directory, file)).mode & 0o777).toString(8);
    assert.equal(mode("cluster/password"), "600");
    assert.equal(mode("socket"), process.getuid?.() === 0 ? "711" : "700");
    assert.equal(mode("postgres.log"), "600");
  });

  it("gives the lines of the server's log", async () => {
    const lines: string[] = [];
    const directory = path.join(root, "local");
    makeBefore(directory);
    const cluster = await startLocalCluster({ directory, durable: false, onLog: (line) => lines.push(line) });
    started.push(cluster);
    await assert.rejects(query(cluster.url("postgres"), "select 'secret' from nowhere"));
    await until(() => lines.some((line) => line.includes('relation "nowhere" does not exist')));
    assert.ok(!lines.join().includes("secret"));
  });

  it("stop leaves no process and no socket, and may be called twice", async () => {
    makeBefore();
    const cluster = await start();
    const client = new pg.Client(cluster.url("postgres"));
    client.on("error", () => {}); // The server ends this session.
    await client.connect();
    assert.notDeepEqual(processesOf(cluster.pid), []);
    await Promise.all([cluster.stop(), cluster.stop()]);
    assert.deepEqual(processesOf(cluster.pid), []);
    assert.deepEqual(fs.readdirSync(path.join(cluster.directory, "socket")), []);
    assert.equal(runningLocalCluster(cluster.directory), undefined);
    assert.deepEqual(fs.readdirSync(cluster.directory).sort(), ["cluster", "postgres.log", "socket"]);
  });

  it("says so when the server ends by itself", async () => {
    makeBefore();
    const cluster = await start();
    process.kill(cluster.pid, "SIGKILL");
    assert.match(await cluster.exited, /ended by itself \(signal SIGKILL\)/);
    await cluster.stop();
    await until(() => processesOf(cluster.pid).length === 0);
    assert.equal((await start()).fresh, false);
  });

  it("kill -9 of the owner leaves no server behind, and the next start works", async () => {
    makeBefore();
    const { owner, answer } = startElsewhere();
    const { pid, url } = await answer;
    await query(url, "create table kept ()");
    owner.kill("SIGKILL");
    const next = await start(); // At once: it waits for the old server.
    assert.equal(next.fresh, false);
    assert.deepEqual(await query(next.url("postgres"), "select count(*)::int as n from kept"), [{ n: 0 }]);
    await until(() => processesOf(pid).length === 0);
  });

  it("kill -9 of the owner in the middle of its first start leaves nothing half made", async () => {
    const { owner } = startElsewhere();
    await until(() => draftsIn(path.join(root, "local")).length > 0);
    owner.kill("SIGKILL");
    await new Promise((resolve) => owner.once("exit", resolve));
    const first = await start();
    assert.equal(first.fresh, true);
    // initdb may have outlived its owner by a moment; the next start removes what it wrote then
    await first.stop();
    await start();
    assert.deepEqual(draftsIn(path.join(root, "local")), []);
  });

  it("does not keep an otherwise finished process alive", async () => {
    makeBefore();
    const { owner, answer } = startElsewhere({ stays: false });
    const ended = new Promise((resolve) => owner.once("exit", resolve));
    const { pid } = await answer;
    assert.equal(await ended, 0);
    await until(() => processesOf(pid).length === 0);
  });

  it("outlives a Ctrl-C in the terminal of its owner", async () => {
    makeBefore();
    const { owner, answer } = startElsewhere();
    const { pid, url } = await answer;
    const loaded = async () => JSON.stringify(await query(url, "select pg_conf_load_time()"));
    const before = await loaded();
    process.kill(-owner.pid!, "SIGINT"); // To the whole foreground process group, as a terminal does.
    process.kill(pid, "SIGHUP"); // A server that got only the first signal would have ended, or would refuse connections, by the second.
    await until(async () => (await loaded()) !== before);
  });

  it("of two first starts at once on one folder one wins, and the other names the holder", async () => {
    const answers = await Promise.all([startElsewhere().answer, startElsewhere().answer]);
    const winners = answers.filter(({ url }) => url);
    assert.equal(winners.length, 1);
    const loser = answers.find(({ message }) => message)!;
    assert.equal(loser.name, "ClusterError");
    assert.match(loser.message, new RegExp(`is in use by process ${winners[0]!.pid}.*Stop that one first`));
    assert.deepEqual(await query(winners[0]!.url, "select 1 as alive"), [{ alive: 1 }]);
    assert.deepEqual(draftsIn(path.join(root, "local")), []);
  });

  it("shows the cluster that another process runs", async () => {
    assert.equal(runningLocalCluster(path.join(root, "local")), undefined);
    makeBefore();
    const { pid, url } = await startElsewhere().answer;
    const running = runningLocalCluster(path.join(root, "local"));
    assert.equal(running?.pid, pid);
    assert.equal(running?.url("postgres"), url);
  });

  it("starts after a crash although the old process id now belongs to another program", async () => {
    makeBefore();
    const cluster = await start();
    const pidFile = path.join(cluster.directory, "cluster/data/postmaster.pid");
    const left = fs.readFileSync(pidFile, "utf8").replace(/^\d+/, String(process.pid));
    await cluster.stop();
    fs.writeFileSync(pidFile, left);
    assert.equal(runningLocalCluster(cluster.directory), undefined);
    if (isRoot) assert.equal((await start()).fresh, false); // Otherwise that program might be one of Portolan's servers.
  });

  it("refuses data of a version that is not installed, and says what to do", async () => {
    const data = path.join(root, "local/cluster/data");
    fs.mkdirSync(data, { recursive: true });
    fs.writeFileSync(path.join(data, "PG_VERSION"), "9\n");
    await assert.rejects(start(), (error: Error) => {
      assert.ok(error instanceof ClusterError);
      assert.match(error.message, /made by PostgreSQL 9, which is not installed; this system has PostgreSQL \d+/);
      assert.match(error.message, /Install PostgreSQL 9 .*dump.*move .* away/);
      return true;
    });
  });

  it("refuses a folder of something else", async () => {
    fs.mkdirSync(path.join(root, "local/cluster/holiday"), { recursive: true });
    await assert.rejects(start(), /cluster exists but holds no PostgreSQL data/);
    assert.deepEqual(fs.readdirSync(path.join(root, "local/cluster")), ["holiday"]);
  });

  it("works under a path that is too long for a socket", async () => {
    const cluster = await start(path.join(root, "long ".repeat(20).trim(), "50% off, 'really'"));
    const socketFolder = decodeURIComponent(new URL(cluster.url("postgres")).hostname);
    assert.equal(fs.statSync(socketFolder).mode & 0o777, process.getuid?.() === 0 ? 0o711 : 0o700);
    assert.deepEqual(await query(cluster.url("postgres"), "select 1 as alive"), [{ alive: 1 }]);
    assert.equal(runningLocalCluster(cluster.directory)?.url("postgres"), cluster.url("postgres"));
    await cluster.stop();
    assert.equal(fs.existsSync(socketFolder), false);
  });

  onlyIf(isRoot, "root")("refuses a socket folder that somebody else has put there", async () => {
    const directory = path.join(root, "long".repeat(30));
    makeBefore(directory);
    const cluster = await start(directory);
    const socketFolder = decodeURIComponent(new URL(cluster.url("postgres")).hostname);
    await cluster.stop();
    fs.mkdirSync(socketFolder);
    fs.chownSync(socketFolder, 12345, 12345);
    try {
      await assert.rejects(start(directory), /for PostgreSQL's socket, belongs to another user/);
    } finally {
      fs.rmdirSync(socketFolder);
    }
  });

  for (const megabytes of [12, 56]) {
    onlyIf(mayMount, "the right to mount")(
      `a disk of ${megabytes} MB is a clear error and leaves no data`,
      async () => {
        const disk = path.join(root, "disk");
        fs.mkdirSync(disk);
        execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", disk]);
        try {
          if (megabytes > 40) fs.writeFileSync(path.join(disk, "filler"), Buffer.alloc(35 * 1024 * 1024));
          await assert.rejects(start(path.join(disk, "local")), (error: Error) => {
            assert.ok(error instanceof ClusterError);
            assert.match(error.message, /There is no room for PostgreSQL's data in .*No space left on device/);
            return true;
          });
          assert.deepEqual(fs.readdirSync(path.join(disk, "local")), []);
        } finally {
          execFileSync("umount", [disk]);
        }
      },
    );
  }

  onlyIf(mayMount, "the right to mount")(
    "a disk that is full at a later start is a clear error, and loses nothing",
    async () => {
      const disk = path.join(root, "disk");
      fs.mkdirSync(disk);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=90m,mode=755", "tmpfs", disk]);
      try {
        await (await start(path.join(disk, "local"))).stop();
        const filler = path.join(disk, "filler");
        spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=64k"], { stdio: "ignore" });
        await assert.rejects(start(path.join(disk, "local")), /There is no room for PostgreSQL's data/);
        fs.rmSync(filler);
        const cluster = await start(path.join(disk, "local"));
        assert.equal(cluster.fresh, false);
        await cluster.stop();
      } finally {
        execFileSync("umount", [disk]);
      }
    },
  );

  it("lives in the checkout", () => {
    assert.equal(localDirectory(root), path.join(root, ".portolan"));
  });

  onlyIf(isRoot, "root")("lives elsewhere when root's checkout is closed to the server's user", async () => {
    fs.chmodSync(root, 0o700);
    assert.match(localDirectory(root), /^\/var\/lib\/portolan\/[0-9a-f]{10}$/);
    await assert.rejects(start(), /cannot be used: .*Permission denied/);
  });

  onlyIf(isRoot, "root")("is reachable although root's umask closes new folders", async () => {
    const before = process.umask(0o077);
    try {
      assert.equal((await start(path.join(root, "a/b"))).fresh, true);
    } finally {
      process.umask(before);
    }
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Command lines of the postmaster, its children and its watchdog. */
function processesOf(pid: number): string[] {
  const lines = execFileSync("ps", ["-eww", "-o", "pid=,ppid=,stat=,command="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => {
    const [, own, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const isWatchdog = command?.endsWith(`portolan-watchdog ${pid}`);
    return !state?.startsWith("Z") && (Number(own) === pid || Number(parent) === pid || isWatchdog);
  });
}

function draftsIn(directory: string): string[] {
  return fs.existsSync(directory) ? fs.readdirSync(directory).filter((name) => name.startsWith(".draft-")) : [];
}
