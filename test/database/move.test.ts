/** `portolan database move`: from one cluster to another, while the database is read, written and followed. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import supertest from "supertest";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { createLog } from "../../server/ground/log.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { commandBeside } from "../support/commands.ts";
import { GATEWAY_LOGIN, SETTINGS, testCluster, testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { mountsTmpfs, onlyIf } from "../support/onlyIf.ts";
import { intercept, type Interception } from "../support/intercepted.ts";
import { programEnv } from "../support/programEnv.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { SocketClient } from "../support/webSocket.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");
/** Writes before, during and after the move. */
const WRITES_AFTER = 20;

/** How many messages after the old database was closed the command is killed: the new one follows it no more then. */
const DEEP = 12;

describe("database move", () => {
  const parent = mkdtempSync(join(tmpdir(), "portolan-move-"));
  let south: LocalCluster;
  let north: LocalCluster;
  let test: TestDatabase;
  let databases: Record<string, { url: string; ownerUrl: string }>;

  async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }
  const startSouth = (): Promise<LocalCluster> =>
    startLocalCluster({ directory: join(parent, "cluster"), durable: false, settings: SETTINGS });
  const cli = async (...args: string[]): Promise<{ code: number | null; said: string }> => {
    const { status, stdout, stderr } = await commandBeside(args, { env: { DATABASES: JSON.stringify(databases) } });
    return { code: status, said: stdout + stderr };
  };

  before(async () => {
    chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
    south = await startSouth();
    await ask(south.url("postgres"), `create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
    north = await testCluster();
    const all = (cluster: LocalCluster) => ({
      url: cluster.url("x", GATEWAY_LOGIN, "gateway").replace(/x$/, "*"),
      ownerUrl: cluster.url("x").replace(/x$/, "*"),
    });
    databases = { "north/*": all(north), "south/*": all(south) };
  });
  beforeEach(async () => {
    test = await testDatabase({ kind: "portolan", keepsOwner: false });
    await test.client.query(`
create schema town;
create table town.places (id integer generated always as identity primary key, name text, geom geometry(Point, 4326));
insert into town.places (name, geom) select 'place ' || i, st_point(i % 180, i % 90, 4326) from generate_series(1, ${sized(2000, 200_000)}) i;
create table town.notes (said text, at timestamptz default now());
create table town.swaps (id integer primary key deferrable); insert into town.swaps values (1), (2);
insert into town.notes values ('one'), ('two');
create materialized view town.counted as select count(*) as places from town.places;
create role ada_${test.name} nologin; create table town.adas (id integer primary key); 
insert into town.adas values (1); alter table town.adas owner to ada_${test.name}; grant usage on schema town to ada_${test.name};
alter table town.adas enable row level security, force row level security;
insert into spatial_ref_sys (srid, auth_name, auth_srid, proj4text, srtext) values (990001, 'town', 1, '+proj=longlat', 'GEOGCS["x"]');
select portolan.create_user('ann', 'Aa1!aaaaaaaa'), portolan.set_privilege('town.places', 'ann', 'write'),
  portolan.enable_events('town.places')`);
  });
  afterEach(async () => {
    await test.client.end();
    const dropped = await ask<{ name: string }>(
      north.url("postgres"),
      `select datname as name from pg_database where datname = '${test.name}'`,
    );
    if (dropped.length > 0) await ask(north.url("postgres"), `drop database ${test.name} with (force)`);
  });
  after(async () => {
    await south.stop();
    rmSync(parent, { recursive: true, force: true });
  });

  it("keeps every row, right, account and token under writes; subscribers get one gap", async () => {
    const gateway: Gateway = await startGateway(
      makeConfig({ databases, port: 0 }),
      createLog(process.env["TEST_LOG_LEVEL"] ?? "silent"),
    );
    const token = await tokenFor({ name: test.name, url: test.url }, gateway.baseUrl, "ann");
    const graphql = (query: string) =>
      supertest(gateway.baseUrl)
        .post("/api/graphql/schema/town")
        .set("Authorization", `Bearer ${token}`)
        .send({ query });
    const written: number[] = [];
    let goes = true;
    let refusedMs = 0;
    /** The events of places, from a position of before where one is given. */
    const follow = async (after?: string): Promise<SocketClient> => {
      const address = gateway.baseUrl.replace(/^http/, "ws");
      const socket = await new SocketClient(`${address}/?token=${encodeURIComponent(token)}`).opened();
      const subscription = { type: "subscription", id: "places", rel: "town.places", ...(after && { after }) };
      assert.equal((await socket.ask(subscription)).type, "subscription_ack");
      return socket;
    };
    const writer = (async () => {
      for (let at = 0; goes; at++) {
        // not after the switch, which ends this connection
        await test.client.query("update town.swaps set id = 3 - id").catch((error: pg.DatabaseError) => {
          if (error.code === "55000") throw error;
        });
        const beganAtMs = performance.now();
        for (;;) {
          const { status, body } = await graphql(`mutation { insertPlaces(data: { name: "w${at}" }) { id } }`);
          if (status === 200 && body.data) {
            written.push(at);
            break;
          }
          assert.ok(status === 503 || body.errors, JSON.stringify(body));
          await sleep(20);
        }
        refusedMs = Math.max(refusedMs, performance.now() - beganAtMs);
      }
    })();
    try {
      await until(() => written.length > 3);
      await test.client.query("delete from town.notes where said = 'two'; insert into town.adas values (2)");
      const socket = await follow();
      const { position } = await socket.take((message) => typeof message["position"] === "string");
      const { code, said } = await cli("database", "move", test.name, "south");
      assert.equal(code, 0, said);
      const moved = written.length;
      await until(() => written.length > moved + WRITES_AFTER);
      assert.equal((await socket.closed).code, 1001);
      const again = await follow(position as string);
      const { type } = await again.take((message) => message["id"] === "places" && message.type !== "subscription_ack");
      assert.equal(type, "gap");
      again.close();
    } finally {
      goes = false;
      await writer;
      await gateway.close();
    }
    const there = south.url(test.name);
    const rows = await ask<{ name: string }>(there, "select name from town.places where name like 'w%'");
    const names = rows.map(({ name }) => name);
    assert.deepEqual(
      written.filter((at) => !names.includes(`w${at}`)),
      [],
      "writes that were lost",
    );
    assert.equal(
      new Set((await ask<{ id: number }>(there, "select id from town.places")).map(({ id }) => id)).size,
      (await ask(there, "select from town.places")).length,
    );
    assert.deepEqual(await ask(there, "select said from town.notes"), [{ said: "one" }]);
    assert.deepEqual(await ask(there, "select srid from spatial_ref_sys where srid = 990001"), [{ srid: 990001 }]);
    assert.ok(((await ask<{ places: number }>(there, "select places from town.counted"))[0]?.places ?? 0) > 0);
    assert.deepEqual(await ask(there, "select tableowner from pg_tables where tablename = 'adas'"), [
      { tableowner: `ada_${test.name}` },
    ]);
    assert.deepEqual(await ask(there, "select id from town.adas order by id"), [{ id: 1 }, { id: 2 }]);
    assert.deepEqual(
      await ask(there, "select relforcerowsecurity as forced from pg_class where oid = 'town.adas'::regclass"),
      [{ forced: true }],
    );
    assert.deepEqual(await ask(there, "select relreplident from pg_class where oid = 'town.notes'::regclass"), [
      { relreplident: "d" },
    ]);
    assert.deepEqual(await ask(there, "select to_regnamespace('portolan_move')::text as rest"), [{ rest: null }]);
    // the soak measures the five seconds that the guide promises; here other tests share the machine
    assert.ok(refusedMs < 30_000, `writes were refused for ${refusedMs} ms`);
    assert.match((await cli("database", "list")).said, new RegExp(`${test.name} +south`));
    const { said, code } = await cli("database", "remove", test.name, "--cluster", "north", "--yes");
    assert.equal(code, 0, said);
    assert.deepEqual(await ask(north.url("postgres"), `select from pg_database where datname = '${test.name}'`), []);
  });

  it("that is killed in the middle leaves the database served and unaltered; the next one begins anew", async () => {
    const env = { ...programEnv(), DATABASES: JSON.stringify(databases) };
    const killed = spawn(process.execPath, [CLI, "database", "move", test.name, "south"], { env, stdio: "ignore" });
    const ended = new Promise((resolve) => killed.once("exit", resolve));
    await until(async () => {
      const { rows } = await test.client.query<{ begun: boolean }>(
        "select exists (select from pg_publication where pubname = 'portolan_move') as begun",
      );
      return rows[0]!.begun;
    });
    killed.kill("SIGKILL");
    await ended;
    await assert.rejects(test.client.query("alter table town.places add column more text"), {
      code: "55006",
      message: "the database is being moved to the cluster south, and cannot be altered until the move ends",
    });
    await assert.rejects(test.client.query("drop table town.notes"), { code: "55006" });
    await test.client.query("create temp table mine (id integer); drop table mine");
    assert.match((await cli("database", "list")).said, new RegExp(`${test.name} +north`));
    await test.client.query("insert into town.places (name) values ('late')");
    const { code, said } = await cli("database", "move", test.name, "south");
    assert.equal(code, 0, said);
    assert.match(said, /an earlier move was interrupted/);
    const there = south.url(test.name);
    assert.deepEqual(await ask(there, "select name from town.places where name = 'late'"), [{ name: "late" }]);
    assert.deepEqual(
      (await cli("database", "move", test.name, "south")).said.trim(),
      `portolan: ${test.name} is in south already`,
    );
  });

  it("that is interrupted is taken back: the database can be altered, and nothing is left in the other cluster", async () => {
    const env = { ...programEnv(), DATABASES: JSON.stringify(databases) };
    const moving = spawn(process.execPath, [CLI, "database", "move", test.name, "south"], { env });
    let said = "";
    moving.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const ended = new Promise((resolve) => moving.once("exit", resolve));
    await until(async () => {
      const { rows } = await test.client.query("select from pg_publication where pubname = 'portolan_move'");
      return rows.length > 0;
    });
    moving.kill("SIGINT");
    assert.equal(await ended, 1);
    assert.equal(said.trim(), `portolan: interrupted: ${test.name} stays in north`);
    await test.client.query("alter table town.places add column more text");
    const { rows } = await test.client.query(`
select to_regnamespace('portolan_move')::text as schema, (select count(*)::integer from pg_replication_slots) as slots,
  (select relreplident from pg_class where oid = 'town.notes'::regclass) as identity`);
    assert.deepEqual(rows, [{ schema: null, slots: 0, identity: "d" }]);
    const rest = await ask(
      south.url("postgres"),
      `select datname as name from pg_database where datname = '${test.name}'
       union all select rolname from pg_roles where right(rolname, length('${test.name}') + 1) = '@${test.name}'`,
    );
    assert.deepEqual(rest, []);
  });

  it("is taken back when the cluster that it leaves dies in the middle: when it is back, the database is served there", async () => {
    const first = await cli("database", "move", test.name, "south");
    assert.equal(first.code, 0, first.said);
    assert.equal((await cli("database", "remove", test.name, "--cluster", "north", "--yes")).code, 0);
    await ask(south.url(test.name), "insert into town.notes values ('before')");
    const env = { ...programEnv(), DATABASES: JSON.stringify(databases) };
    const moving = spawn(process.execPath, [CLI, "database", "move", test.name, "north"], { env });
    let said = "";
    for (const stream of [moving.stdout, moving.stderr])
      stream.setEncoding("utf8").on("data", (text) => (said += text));
    const ended = new Promise((resolve) => moving.once("exit", resolve));
    await until(
      async () =>
        (await ask(south.url(test.name), "select from pg_publication where pubname = 'portolan_move'")).length > 0,
    );
    process.kill(south.pid, "SIGQUIT"); // as if its machine had lost power
    await south.exited;
    await until(() => said.includes("waiting for it"));
    south = await startSouth();
    assert.equal(await ended, 1);
    assert.match(said, /the cluster south does not answer: waiting for it/);
    assert.match(said, new RegExp(`the move is undone: ${test.name} stays in south`));
    assert.match(said, /portolan: the cluster south does not answer: /);
    assert.doesNotMatch(said, /what was begun is still there/);
    await ask(
      south.url(test.name),
      "alter table town.notes add column more text; insert into town.notes values ('after')",
    );
    assert.deepEqual(await ask(south.url(test.name), "select said from town.notes where said in ('before', 'after')"), [
      { said: "before" },
      { said: "after" },
    ]);
    assert.deepEqual(await ask(south.url("postgres"), "select from pg_replication_slots"), []);
    assert.deepEqual(await ask(north.url("postgres"), `select from pg_database where datname = '${test.name}'`), []);
    assert.match((await cli("database", "list")).said, new RegExp(`${test.name} +south`));
  });

  /** A move that goes on while the test does something else. */
  const begin = (...more: string[]): { ended: Promise<unknown>; said: () => string } => {
    const env = { ...programEnv(), DATABASES: JSON.stringify(databases) };
    const moving = spawn(process.execPath, [CLI, "database", "move", test.name, "south", ...more], { env });
    let said = "";
    for (const stream of [moving.stdout, moving.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    return { ended: new Promise((resolve) => moving.once("close", resolve)), said: () => said };
  };
  /** Accounts that can log in, with their groups. */
  const accounts = (cluster: LocalCluster): Promise<{ role: string; groups: string[] }[]> =>
    ask(
      cluster.url("postgres"),
      `select r.rolname as role, r.rolconnlimit as most, array(
         select g.rolname from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid order by 1)::text[] as groups
       from pg_roles r where r.rolname ~ '@${test.name}$' and not r.rolname ~ '^(owner|anonymous)@' order by 1`,
    );

  it("waits for a transaction that writes for long, and brings accounts that were made, altered and removed meanwhile", async () => {
    await test.client.query(
      "select portolan.create_user('bob', null), portolan.create_user('crew', null), portolan.set_privilege('town.places', 'crew', 'read')",
    );
    const { ended, said } = begin();
    await until(
      async () =>
        (await test.client.query("select from pg_publication where pubname = 'portolan_move'")).rows.length > 0,
    );
    const writer = new pg.Client({ connectionString: test.url, application_name: "long import" });
    writer.on("error", () => undefined); // the switch ends its connection
    await writer.connect();
    await writer.query("begin; insert into town.places (name) values ('long')");
    await until(() => said().includes("is in the way"));
    assert.match(
      said(),
      new RegExp(
        `a transaction of \\w+ in ${test.name}, open for \\d+ s \\(process \\d+, long import\\) is in the way: waiting`,
      ),
    );
    assert.deepEqual(await cli("database", "move", test.name, "south"), {
      code: 1,
      said: `portolan: another command is making, moving or removing ${test.name}: try again later\n`,
    });
    await test.client.query(`
select portolan.create_user('zoe', null, null, 'crew'), portolan.drop_user('bob');
alter role "ann@${test.name}" connection limit 7; grant "crew@${test.name}" to "ann@${test.name}"`);
    const wanted = await accounts(north);
    await test.client.query(
      "insert into spatial_ref_sys (srid, auth_name, auth_srid, proj4text, srtext) values (990002, 'late', 2, '+proj=longlat', 'GEOGCS[\"y\"]'); delete from spatial_ref_sys where srid = 990001",
    );
    await writer.query("commit");
    await writer.end().catch(() => undefined);
    assert.equal(await ended, 0, said());
    assert.deepEqual(await accounts(south), wanted);
    const there = south.url(test.name);
    assert.deepEqual(await ask(there, "select name from town.places where name = 'long'"), [{ name: "long" }]);
    assert.deepEqual(
      await ask(there, "select srid, auth_name as of from spatial_ref_sys where srid between 990001 and 990002"),
      [{ srid: 990002, of: "late" }],
    );
    const gateway = await startGateway(makeConfig({ databases, port: 0 }), createLog("silent"));
    try {
      const token = await tokenFor({ name: test.name, url: there }, gateway.baseUrl, "zoe");
      const { body } = await supertest(gateway.baseUrl)
        .post("/api/graphql/schema/town")
        .set("Authorization", `Bearer ${token}`)
        .send({ query: "{ getPlaces(limit: 1) { id } }" });
      assert.equal((body as { data?: { getPlaces?: unknown[] } }).data?.getPlaces?.length, 1, JSON.stringify(body));
    } finally {
      await gateway.close();
    }
  });

  it("is given up where a transaction that writes does not end, and says whose it is", async () => {
    const writer = new pg.Client({ connectionString: test.url, application_name: "endless" });
    await writer.connect();
    try {
      await writer.query("begin; delete from town.notes");
      const { ended, said } = begin("--wait", "1");
      assert.equal(await ended, 1);
      assert.match(
        said(),
        /portolan: a transaction of \w+ in \w+, open for \d+ s \(process \d+, endless\) is in the way, and waiting did not help: end it, or try again later \(--wait\)/,
      );
      await writer.query("commit");
    } finally {
      await writer.end();
    }
    await test.client.query("alter table town.places add column more text");
    assert.deepEqual(await ask(south.url("postgres"), `select from pg_database where datname = '${test.name}'`), []);
    assert.match(
      (await cli("database", "move", test.name, "south", "--wait", "soon")).said,
      /--wait: a number of seconds/,
    );
  });

  onlyIf(mountsTmpfs(), "a system where it may mount")("is taken back when the other cluster is full", async () => {
    await test.client.query(
      "create table town.big (id int primary key, text text); insert into town.big select i, repeat(md5(i::text), 40) from generate_series(1, 40000) i",
    );
    const small = join(parent, "small");
    mkdirSync(small);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=40m", "tmpfs", small]);
    const { uid, gid } = statSync(join(south.directory, "cluster", "data"));
    chownSync(small, uid, gid);
    const set = async (tablespace: string): Promise<void> => {
      await ask(south.url("postgres"), `alter system set default_tablespace = '${tablespace}'`);
      await ask(south.url("postgres"), "select pg_reload_conf()");
    };
    try {
      await ask(south.url("postgres"), `create tablespace small location '${small}'`);
      await set("small");
      const { code, said } = await cli("database", "move", test.name, "south");
      assert.equal(code, 1, said);
      assert.match(said, new RegExp(`the move is undone: ${test.name} stays in north`));
      assert.match(said, /portolan: rows cannot be written there: see the log of that PostgreSQL/);
      await test.client.query("alter table town.places add column more text");
      assert.deepEqual(
        await ask(north.url("postgres"), "select from pg_replication_slots where slot_name like 'portolan_move%'"),
        [],
      );
      assert.deepEqual(await ask(south.url("postgres"), `select from pg_database where datname = '${test.name}'`), []);
    } finally {
      await set("");
      for (const kind of ["table", "index"])
        await ask(south.url("postgres"), `alter ${kind} all in tablespace small set tablespace pg_default`);
      await ask(south.url("postgres"), "drop tablespace small").finally(() =>
        execFileSync("umount", ["--lazy", small]),
      );
    }
  });

  it("to the cluster where it is removes the rest of a move that was killed", async () => {
    const env = { ...programEnv(), DATABASES: JSON.stringify(databases) };
    const killed = spawn(process.execPath, [CLI, "database", "move", test.name, "south"], { env, stdio: "ignore" });
    const ended = new Promise((resolve) => killed.once("exit", resolve));
    await until(
      async () =>
        (await test.client.query("select from pg_publication where pubname = 'portolan_move'")).rows.length > 0,
    );
    killed.kill("SIGKILL");
    await ended;
    const { code, said } = await cli("database", "move", test.name, "north");
    assert.equal(code, 0, said);
    assert.match(said, new RegExp(`${test.name} stays in north: the rest of its move to south is removed`));
    await test.client.query("alter table town.places add column more text");
    assert.deepEqual(
      await ask(
        south.url("postgres"),
        `select rolname from pg_roles where right(rolname, length('${test.name}') + 1) in ('@${test.name}', '_${test.name}')`,
      ),
      [],
    );
    assert.deepEqual(await ask(south.url("postgres"), `select from pg_database where datname = '${test.name}'`), []);
    assert.match((await cli("database", "move", test.name, "north")).said, /is in north already/);
  });

  /** Begins a move, which waits for a writer when most is copied. */
  const beginAndWait = async (): Promise<ReturnType<typeof begin> & { writer: pg.Client }> => {
    const writer = new pg.Client({ connectionString: test.url, application_name: "holds up" });
    writer.on("error", () => undefined); // the move may end its connection
    await writer.connect();
    await writer.query("begin"); // long ago when it writes
    const moving = begin();
    await until(
      async () =>
        (
          await ask(
            south.url("postgres"),
            `select from pg_subscription s join pg_database d on d.oid = s.subdbid where d.datname = '${test.name}'`,
          )
        ).length > 0,
    );
    await writer.query("insert into town.places (name) values ('held up')");
    await until(() => moving.said().includes("holds up) is in the way"));
    return { ...moving, writer };
  };
  const servedFromNorth = async (): Promise<void> => {
    await ask(test.url, "alter table town.places add column more text");
    assert.deepEqual(
      await ask(north.url("postgres"), "select from pg_replication_slots where slot_name like 'portolan_move%'"),
      [],
    );
    assert.match((await cli("database", "list")).said, new RegExp(`${test.name} +north`));
  };

  it("survives a cut connection, and is taken back when the replication slot is lost", async () => {
    const { ended, said, writer } = await beginAndWait();
    try {
      const reader = "select active_pid as pid from pg_replication_slots where slot_name like 'portolan_move%'";
      const [{ pid }] = (await ask(north.url(test.name), reader)) as [{ pid: number }];
      await ask(north.url(test.name), `select pg_terminate_backend(${pid})`);
      await until(async () => {
        const [slot] = (await ask(north.url(test.name), reader)) as { pid: number | null }[];
        return slot?.pid != null && slot.pid !== pid;
      });
      await ask(
        north.url(test.name),
        `do $do$ declare name text := (select slot_name from pg_replication_slots where slot_name like 'portolan_move%'); begin
           perform pg_terminate_backend(active_pid, 5000) from pg_replication_slots where slot_name = name;
           perform pg_drop_replication_slot(name);
         end $do$`,
      );
      assert.equal(await ended, 1);
    } finally {
      await writer.end().catch(() => undefined);
    }
    assert.match(said(), /portolan: north cannot send its changes: the replication slot portolan_move_\d+ is gone/);
    await servedFromNorth();
  });

  it("is taken back when no process of the other cluster copies rows any more", async () => {
    const set = async (value: string): Promise<void> => {
      await ask(south.url("postgres"), `alter system ${value}`);
      await ask(south.url("postgres"), "select pg_reload_conf()");
    };
    const { ended, said, writer } = await beginAndWait();
    try {
      await set("set wal_retrieve_retry_interval = '1h'");
      await ask(
        south.url("postgres"),
        "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'logical replication worker'",
      );
      assert.equal(await ended, 1);
    } finally {
      await set("reset wal_retrieve_retry_interval");
      await writer.end().catch(() => undefined);
    }
    assert.match(said(), /portolan: no process there copies rows: see the log of that PostgreSQL/);
    await servedFromNorth();
  });

  it("is taken back when the other cluster hangs while nobody is served", async () => {
    const { ended, said, writer } = await beginAndWait();
    const holder = new pg.Client({ connectionString: south.url(test.name) });
    holder.on("error", () => undefined); // the move ends its connection
    try {
      await holder.connect();
      await holder.query("begin; select from portolan_move.marker");
      await writer.query("commit");
      assert.equal(await ended, 1);
    } finally {
      await holder.end().catch(() => undefined);
      await writer.end().catch(() => undefined);
    }
    assert.match(said(), /portolan: south did not finish within 30 s, and nobody was served meanwhile/);
    await servedFromNorth();
  });

  it("is taken back when the other cluster dies for good: the database is served, and keeps no log for it", async () => {
    const { ended, said, writer } = await beginAndWait();
    process.kill(south.pid, "SIGQUIT"); // as if its machine had lost power
    await south.exited;
    await writer.end();
    assert.equal(await ended, 1);
    assert.match(said(), /portolan: the cluster south does not answer: /);
    assert.match(said(), new RegExp(`what was begun is still there.*: npx portolan database move ${test.name} north`));
    await test.client.query("alter table town.notes add column more text");
    assert.deepEqual(await ask(north.url("postgres"), "select from pg_replication_slots"), []);
    south = await startSouth();
    assert.equal((await cli("database", "move", test.name, "north")).code, 0);
    assert.deepEqual(await ask(south.url("postgres"), `select from pg_database where datname = '${test.name}'`), []);
    await servedFromNorth();
  });

  it("of a frozen database leaves it frozen", async () => {
    const frozen = await cli("database", "freeze", test.name);
    assert.equal(frozen.code, 0, frozen.said);
    const { code, said } = await cli("database", "move", test.name, "south");
    assert.equal(code, 0, said);
    assert.match((await cli("database", "list")).said, new RegExp(`${test.name} +south +true`));
    assert.equal((await cli("database", "remove", test.name, "--cluster", "north", "--yes")).code, 0);
  });

  it("leaves no slot unseen: doctor tells of one that nobody needs", async () => {
    const slot = `portolan_move_${(await ask<{ oid: number }>(test.url, "select oid::int from pg_database where datname = current_database()"))[0]!.oid}`;
    await test.client.query(`select pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
    const { said } = await cli("doctor");
    assert.match(
      said,
      new RegExp(`the replication slot ${slot} of ${test.name} in north keeps the log there for a move that has ended`),
    );
    assert.match(said, new RegExp(`in north: select pg_drop_replication_slot\\('${slot}'\\);`));
    await test.client.query(`select pg_drop_replication_slot('${slot}')`);
  });

  it("that is killed while nobody is served is told by doctor, keeps both sides, and goes on with the next one", async () => {
    let asked = 0;
    let killed: ReturnType<typeof spawn> | undefined;
    const interception: Interception = {
      onAsked: (text) => {
        if (asked > 0 || text.includes("allow_connections false")) asked++;
      },
      onAnswered: () => {
        if (asked >= DEEP) killed?.kill("SIGKILL");
      },
    };
    const proxies = [await intercept(north, interception), await intercept(south, interception)];
    const through = JSON.stringify(databases).replaceAll(/postgresql:[^"]+/g, (url) =>
      proxies.reduce((whole, proxy) => proxy.through(whole), url),
    );
    try {
      killed = spawn(process.execPath, [CLI, "database", "move", test.name, "south"], {
        env: { ...programEnv(), DATABASES: through },
        stdio: "ignore",
      });
      assert.equal(await new Promise((resolve) => killed!.once("exit", resolve)), null);
    } finally {
      await Promise.all(proxies.map((proxy) => proxy.close()));
    }
    await assert.rejects(ask(north.url(test.name), "select"), /not currently accepting connections/);
    assert.match(
      (await cli("doctor")).said,
      new RegExp(
        `the database ${test.name} moves from north to south, and it is not served; if no command is moving it now, one was interrupted`,
      ),
    );
    for (const cluster of ["north", "south"])
      assert.match(
        (await cli("database", "remove", test.name, "--cluster", cluster, "--yes")).said,
        new RegExp(`the move of ${test.name} from north to south was not finished: npx portolan database move`),
      );
    const { code, said } = await cli("database", "move", test.name, "south");
    assert.equal(code, 0, said);
    assert.deepEqual(await ask(south.url(test.name), "select said from town.notes order by 1"), [
      { said: "one" },
      { said: "two" },
    ]);
    assert.equal((await cli("database", "remove", test.name, "--cluster", "north", "--yes")).code, 0);
  });

  it("is refused with each reason, and changes nothing", async () => {
    await test.client.query(`
select lo_create(0); create table town.texts (doc json);
grant usage, create on schema town to ada_${test.name}; set role ada_${test.name};
create function town.alike(int, int) returns boolean language plpgsql as 'begin return true; end';
create operator town.=== (leftarg = int, rightarg = int, function = town.alike);
create function town.apart(int, int) returns float8 language plpgsql immutable as 'begin return $1 - $2; end';
create type town.span as range (subtype = int, subtype_diff = town.apart);
create function town.fire() returns trigger language plpgsql as 'begin return new; end';
reset role;
create table town.odd (id int primary key check (id operator(town.===) id), s town.span);
create trigger fire before insert on town.odd for each row execute function town.fire();
alter table town.odd enable always trigger fire;
create subscription own connection 'dbname=nowhere' publication none with (connect = false);
revoke insert on town.adas from ada_${test.name}`);
    const { code, said } = await cli("database", "move", test.name, "south");
    assert.equal(code, 1);
    const { rows } = await test.client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    if (rows[0]!.version >= 16_0000)
      assert.match(
        said,
        /south would write the rows of town\.adas as its owner, who may not: grant all on town\.adas to ada_/,
      );
    else
      for (const code of ["alike(integer,integer)", "apart(integer,integer)", "fire()"])
        assert.ok(said.includes(`which would run town.${code} of ada_${test.name} as a super user`), said);
    assert.match(said, /it has large objects, which are not copied/);
    assert.match(said, /it has the subscription own, which would be lost: drop it/);
    assert.match(
      said,
      /the trigger fire on town\.odd fires for rows that are copied too.*: alter table town\.odd enable trigger fire/,
    );
    assert.match(said, /town\.texts has no key, and its column "doc" has a type without equality/);
    await test.client.query("alter subscription own set (slot_name = none); drop subscription own");
    await test.client.query("alter table town.texts add column more text");
    assert.deepEqual(await ask(south.url("postgres"), `select from pg_database where datname = '${test.name}'`), []);
    assert.match((await cli("database", "move", test.name, "west")).said, /--cluster: choose one of north, south/);
    assert.match(
      (await cli("database", "move", "nobodys", "south")).said,
      /no other cluster has a database nobodys of Portolan/,
    );
  });
});
