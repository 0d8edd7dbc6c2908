/** `portolan database move` of a large database under writes. Prints its figures. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { findDatabases } from "../../server/fleet/discovery.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { freePort } from "../support/freePort.ts";
import { GATEWAY_LOGIN, SETTINGS } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { programEnv } from "../support/programEnv.ts";
import { intercept, type Interception } from "../support/intercepted.ts";
import { GatewayProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

/** Of the rows of the table, in 10⁹ bytes. */
const SIZE = Number(process.env["SOAK_MOVE_GB"] ?? 5);
const ROW_BYTES = 1000;
/** Empty tables beside it. */
const TABLES = Number(process.env["SOAK_MOVE_TABLES"] ?? 0);
const WRITES_PER_SECOND = Number(process.env["SOAK_MOVE_WRITES"] ?? 200);
const MOST_REFUSED_MS = 5000;
/** A write that is not answered for so long is written off. */
const PATIENCE_MS = 120_000;
/** The command is killed after each statement of the switch; greater: after each second, third … one. */
const KILL_EACH = Number(process.env["SOAK_MOVE_KILL_EACH"] ?? 1);
const WRITE = "mutation ($name: String) { insertPlaces(data: { name: $name }) { id } }";
const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");

describe(`database move of ${SIZE} GB`, function () {
  this.timeout(4 * 3_600_000);
  const parent = mkdtempSync(join(tmpdir(), "portolan-moves-"));
  let north: LocalCluster;
  let south: LocalCluster;
  let gateway: GatewayProcess | undefined;
  let databases: string;

  const tell = (what: string, figure: string): void => console.log(`    ${what}: ${figure}`);
  async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  const moveSouth = (...more: string[]): ReturnType<typeof run> => run("database", "move", "city", "south", ...more);
  const run = async (...args: string[]): Promise<{ status: number | null; said: string }> => {
    const child = spawn(process.execPath, [CLI, ...args], {
      env: { ...programEnv(), DATABASES: databases },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { status, said };
  };

  beforeEach(async () => {
    chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
    const start = async (name: string): Promise<LocalCluster> => {
      const settings = { ...SETTINGS, wal_level: "logical", max_wal_size: "1GB" };
      const cluster = await startLocalCluster({ directory: join(parent, name), settings });
      await ask(cluster.url("postgres"), `create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
      return cluster;
    };
    north = await start("north");
    south = await start("south");
    const all = (cluster: LocalCluster) => ({
      url: cluster.url("x", GATEWAY_LOGIN, "gateway").replace(/x$/, "*"),
      ownerUrl: cluster.url("x").replace(/x$/, "*"),
    });
    databases = JSON.stringify({ "north/*": all(north), "south/*": all(south) });
    await ask(north.url("postgres"), "create database city");
    await ask(north.url("city"), "create extension postgis");
    await migrate({ ownerUrl: north.url("city"), gatewayLogin: GATEWAY_LOGIN });
    await ask(
      north.url("city"),
      `create schema town; create table town.places (id bigint generated always as identity primary key, name text);
       select portolan.create_user('ann', null), portolan.set_privilege('town.places', 'ann', 'write'), portolan.enable_events('town.places')`,
    );
  });
  afterEach(async () => {
    await gateway?.stop();
    gateway = undefined;
    for (const cluster of [north, south]) await cluster.stop();
    for (const name of ["north", "south"]) rmSync(join(parent, name), { recursive: true, force: true });
  });
  after(() => rmSync(parent, { recursive: true, force: true }));

  it(`under ${WRITES_PER_SECOND} writes a second loses none, and refuses them for at most ${MOST_REFUSED_MS} ms`, async () => {
    for (let at = 0; at < TABLES; at += 50)
      await ask(
        north.url("city"),
        `do $$ begin for i in ${at + 1}..${Math.min(TABLES, at + 50)} loop
           execute format('create table town.t%s (id serial primary key, place bigint references town.places, name text)', i);
         end loop; end $$`,
      );
    await ask(north.url("city"), "alter table town.places disable trigger user");
    const rows = Math.round((SIZE * 1e9) / ROW_BYTES);
    for (let at = 0; at < rows; at += 500_000)
      await ask(
        north.url("city"),
        `insert into town.places (name) select repeat(md5(random()::text), ${Math.round(ROW_BYTES / 32)})
         from generate_series(1, ${Math.min(500_000, rows - at)})`,
      );
    await ask(north.url("city"), "alter table town.places enable trigger user");
    const [{ size }] = (await ask<{ size: string }>(
      north.url("postgres"),
      "select pg_size_pretty(pg_database_size('city')) as size",
    )) as [{ size: string }];
    tell("the database", `${size}, ${rows.toLocaleString("en")} rows`);
    const ports = [await freePort(), await freePort()];
    const baseUrls = ports.map((port) => `http://127.0.0.1:${port}`);
    const [BASE_URL = ""] = baseUrls; // of both, as behind a balancer
    const fleet = ports.map((port) =>
      GatewayProcess.start({ DATABASES: databases, PORT: String(port), BASE_URL, LOG_LEVEL: "fatal" }),
    );
    gateway = await fleet[0];
    await using second = await fleet[1]!;
    assert.notEqual(second, gateway);
    const token = await tokenFor({ name: "city", url: north.url("city") }, BASE_URL, "ann");
    const write = async (at: number): Promise<boolean> => {
      const response = await fetch(`${baseUrls[at % baseUrls.length]}/api/graphql/schema/town`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ query: WRITE, variables: { name: `w${at}` } }),
      });
      const { errors } = (await response.json()) as { errors?: readonly unknown[] };
      return response.ok && !errors;
    };
    const answered: number[] = [];
    const refused = baseUrls.map(() => ({ sinceMs: 0, longestMs: 0 }));
    let [begun, underway, goes] = [0, 0, true];
    /** Refused by a gateway from its first refusal until the next write that it accepts. */
    const one = async (at: number): Promise<void> => {
      const by = refused[at % refused.length]!;
      underway++;
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(100)) {
        if (await write(at).catch(() => false)) {
          answered.push(at);
          if (by.sinceMs > 0) by.longestMs = Math.max(by.longestMs, performance.now() - by.sinceMs);
          by.sinceMs = 0;
          break;
        }
        by.sinceMs ||= performance.now();
      }
      underway--;
    };
    const writing = (async () => {
      const startedAtMs = performance.now();
      while (goes) {
        // those that wait do not pile up beyond two seconds' worth
        while (
          begun < ((performance.now() - startedAtMs) * WRITES_PER_SECOND) / 1000 &&
          underway < 2 * WRITES_PER_SECOND
        )
          void one(begun++);
        await sleep(5);
      }
      while (underway > 0) await sleep(20);
      return (answered.length * 1000) / (performance.now() - startedAtMs);
    })();
    await until(() => answered.length > 3 * WRITES_PER_SECOND, PATIENCE_MS);
    const startedAtMs = performance.now();
    const { status, said } = await moveSouth();
    tell("the move", `${Math.round((performance.now() - startedAtMs) / 1000)} s`);
    const moved = answered.length;
    await until(() => answered.length > moved + 3 * WRITES_PER_SECOND, PATIENCE_MS);
    goes = false;
    const rate = await writing;
    assert.equal(status, 0, said);
    tell(
      "the command",
      said
        .split("\n")
        .filter((line) => !line.includes(" copied"))
        .join("\n      "),
    );
    tell("writes", `${answered.length}, ${Math.round(rate)} a second`);
    const longestMs = Math.max(...refused.map((one) => one.longestMs));
    tell("longest time in which writes were refused by a gateway", `${Math.round(longestMs)} ms`);
    const names = await ask<{ name: string }>(
      south.url("city"),
      "select name from town.places where length(name) < 20",
    );
    const kept = new Set(names.map(({ name }) => name));
    assert.deepEqual(
      answered.filter((at) => !kept.has(`w${at}`)),
      [],
      "writes that were lost",
    );
    assert.equal(kept.size, names.length, "none came twice");
    const [{ count }] = (await ask<{ count: number }>(
      south.url("city"),
      "select count(*)::int as count from town.places",
    )) as [{ count: number }];
    assert.equal(count, rows + names.length);
    assert.ok(longestMs <= MOST_REFUSED_MS, `writes were refused for ${Math.round(longestMs)} ms`);
  });

  it("that never comes near since rows are written faster than they are copied is given up, and taken back", async () => {
    // each row takes 10 ms there, one after the other, and here four writers write at once
    await ask(
      north.url("city"),
      `create function town.slow() returns boolean language plpgsql as 'begin perform pg_sleep(0.01); return true; end';
       alter table town.places add check (town.slow())`,
    );
    let goes = true;
    const writers = Array.from({ length: 4 }, async () => {
      const client = new pg.Client({ connectionString: north.url("city") });
      await client.connect();
      try {
        while (goes)
          await client.query(
            "insert into town.places (name) select string_agg(md5(random()::text), '') from generate_series(1, 600)",
          );
      } finally {
        await client.end();
      }
    });
    try {
      const { status, said } = await moveSouth("--wait", "10");
      assert.equal(status, 1);
      assert.match(
        said,
        /portolan: rows are written faster than they are copied: try again when there are fewer writes/,
      );
      await ask(north.url("city"), "alter table town.places add column more text");
      assert.deepEqual(await ask(north.url("postgres"), "select from pg_replication_slots"), []);
      assert.deepEqual(await ask(south.url("postgres"), "select from pg_database where datname = 'city'"), []);
    } finally {
      goes = false;
      await Promise.all(writers); // none was refused
    }
  });

  it("that is killed after any statement of its switch leaves a database that is whole, and served after the next move", async () => {
    gateway = await GatewayProcess.start({ DATABASES: databases, PORT: "0", LOG_LEVEL: "fatal" });
    const { baseUrl } = gateway;
    const token = await tokenFor({ name: "city", url: north.url("city") }, baseUrl, "ann");
    const write = async (name: string): Promise<boolean> => {
      const response = await fetch(`${baseUrl}/api/graphql/schema/town`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ query: WRITE, variables: { name } }),
      }).catch(() => undefined);
      return response?.ok === true && !((await response.json()) as { errors?: unknown }).errors;
    };
    /** Those whose writes were answered. */
    const answered: string[] = [];
    let goes = true;
    const writing = (async () => {
      for (let at = 0; goes; at++) {
        if (await write(`w${at}`)) answered.push(`w${at}`);
        await sleep(20);
      }
    })();
    /** Counts the statements from the moment when the old side is noted as left. */
    let asked = 0;
    let last = "";
    let onLast: (() => void) | undefined;
    let killAfter = Infinity;
    const interception: Interception = {
      onAsked: (text) => {
        if (asked === 0 && !(text.includes("insert into portolan_fleet.moves") && text.includes("left"))) return;
        if (!/^[PQ]/.test(text)) return;
        asked++;
        last = text.slice(5, 80).replaceAll(/[^ -~]+/g, " ");
      },
      onAnswered: () => {
        if (asked >= killAfter) onLast?.();
      },
    };
    const proxies = [await intercept(north, interception), await intercept(south, interception)];
    const through = databases.replaceAll(/postgresql:[^"]+/g, (url) =>
      proxies.reduce((whole, { through: lead }) => lead(whole), url),
    );
    const writable = async (): Promise<readonly string[]> => {
      const sides: string[] = [];
      for (const [name, cluster] of [
        ["north", north],
        ["south", south],
      ] as const) {
        const found = await findDatabases(
          async <Row>(text: string) => (await ask(cluster.url("postgres"), text)) as unknown as readonly Row[],
        );
        if (found.some((one) => one.name === "city")) sides.push(name);
      }
      return sides;
    };
    try {
      let [here, there] = [north, south];
      let [fromName, toName] = ["north", "south"];
      for (let at = 1, ended = false; !ended; at += KILL_EACH) {
        [asked, killAfter] = [0, at];
        const child = spawn(process.execPath, [CLI, "database", "move", "city", toName], {
          env: { ...programEnv(), DATABASES: through },
          stdio: "ignore",
        });
        onLast = () => child.kill("SIGKILL");
        const code = await new Promise((resolve) => child.once("close", resolve));
        ended = code !== null;
        const sides = await writable();
        console.log(
          `    ${ended ? "not killed" : `killed after ${at}: ${last}`}: served from ${sides.join(" and ") || "none yet"}`,
        );
        assert.ok(sides.length <= 1);
        const { status, said } = await run("database", "move", "city", toName);
        assert.ok(status === 0 || said.includes(`city is in ${toName} already`), said);
        assert.deepEqual(await writable(), [toName]);
        await until(() => write(`after ${at}`));
        answered.push(`after ${at}`);
        await assert.rejects(ask(here.url("city"), "select"), /not currently accepting connections/);
        const before = [...answered];
        const names = await ask<{ name: string }>(there.url("city"), "select name from town.places");
        const kept = new Set(names.map(({ name }) => name));
        assert.deepEqual(
          before.filter((name) => !kept.has(name)),
          [],
          "writes that were lost",
        );
        assert.equal((await run("database", "remove", "city", "--cluster", fromName, "--yes")).status, 0);
        assert.deepEqual(await ask(here.url("postgres"), "select from pg_replication_slots"), []);
        [here, there, fromName, toName] = [there, here, toName, fromName];
      }
    } finally {
      goes = false;
      await writing;
      await Promise.all(proxies.map((proxy) => proxy.close()));
    }
  });
});
