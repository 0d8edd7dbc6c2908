/** A table grows from one server to a cluster of Citus while it is used, and the cluster has faults. Prints its figures. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { migrate } from "../../server/operate/migrate.ts";
import {
  bareNode,
  citusCluster,
  citusSettings,
  hasCitus,
  urlAt,
  type CitusCluster,
  type CitusNode,
} from "../support/citusCluster.ts";
import { GATEWAY_LOGIN } from "../support/databases.ts";
import { freePort } from "../support/freePort.ts";
import type { Follower } from "../support/follower.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { programEnv } from "../support/programEnv.ts";
import { RowHistory } from "../support/rowHistory.ts";
import { childrenOf } from "../../bench/support/processes.ts";
import {
  assertWhole,
  Door,
  ENOUGH,
  makeSpots,
  PATIENCE_MS,
  survive,
  tell,
  TENANTS,
  untilFollowed,
  WRITERS,
  writesThrough,
} from "../support/spots.ts";
import { severalServers, startStandby, type Standby } from "../support/standby.ts";
import { until } from "../support/until.ts";

const ROWS = Number(process.env["SOAK_CITUS_ROWS"] ?? 10_000_000);
const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");
const SECONDS = Number(process.env["SOAK_CITUS_SECONDS"] ?? 600);

/** False if the process has ended meanwhile. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/** Opens a gateway for the server at the first port. It may go to the others when that fails. */
function openDoor(...ports: readonly [number, ...number[]]): Promise<Door> {
  return Door.open("town", severalServers(...ports.map((one) => urlAt(one, "gateway"))), urlAt(ports[0], "owner"));
}

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")(`a table of ${ROWS} rows`, function () {
  this.timeout(3_600_000);
  const parent = mkdtempSync(join(tmpdir(), "portolan-growth-"));
  const nodes: CitusNode[] = [];
  let door: Door;
  let follower: Follower;

  before(async () => {
    chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
    nodes.push(await bareNode(join(parent, "db0"), { max_wal_size: "4GB" }));
    const [db0] = nodes as [CitusNode];
    await db0.client.query("create extension postgis");
    await db0.client.query(`create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
    await migrate({ ownerUrl: urlAt(db0.port, "owner"), gatewayLogin: GATEWAY_LOGIN });
    await db0.client.query(`
create schema app;
create table app.kinds (id int primary key, name text);
create table app.spots (tenant int, id int, v int, name text, kind int);
insert into app.kinds select i, 'kind ' || i from generate_series(1, 10) i;
select portolan.create_user('ann', null), portolan.set_privilege('app.kinds', 'ann', 'read'),
  portolan.set_privilege('app.spots', 'ann', 'write')`);
    await db0.client.query(
      "insert into app.spots select i % $2, i, 0, 'spot ' || i, i % 10 + 1 from generate_series(1, $1) i",
      [ROWS, TENANTS],
    );
    await db0.client.query(
      "alter table app.spots add primary key (tenant, id), add foreign key (kind) references app.kinds",
    );
    await db0.client.query("vacuum analyze app.spots");
    const {
      rows: [size],
    } = await db0.client.query<{ size: string }>("select pg_size_pretty(pg_total_relation_size('app.spots')) as size");
    tell("the table", `${ROWS.toLocaleString("en")} rows, ${size!.size}`);
    door = await openDoor(db0.port);
  });
  after(async () => {
    await follower?.stop();
    await door?.gateway.stop();
    for (const { client } of nodes) await client.end().catch(() => undefined); // it may have ended
    await Promise.all(nodes.map(({ cluster }) => cluster.stop()));
    rmSync(parent, { recursive: true, force: true });
  });

  const cli = async (...args: string[]): Promise<string> => {
    const startedMs = performance.now();
    const env = { DATABASE_URL: urlAt(nodes[0]!.port, "gateway"), OWNER_DATABASE_URL: urlAt(nodes[0]!.port, "owner") };
    const child = spawn(process.execPath, [CLI, ...args], { env: { ...programEnv(), ...env } });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    const [status] = (await once(child, "close")) as [number | null];
    tell(`portolan ${args.join(" ")}`, `${((performance.now() - startedMs) / 1000).toFixed(1)} s, ${said}`.trim());
    assert.equal(status, 0, said);
    return said;
  };

  it("grows from one server to three by the guide, while it is read, written and followed", async () => {
    const [db0] = nodes as [CitusNode];
    await cli("events", "enable", "app.spots");
    await until(
      async () => (await db0.client.query("select portolan.events_of('app.spots') as on")).rows[0].on === true,
      PATIENCE_MS,
    );
    const history = new RowHistory({
      write: (one) => door.write(one),
      writers: WRITERS,
      tenants: TENANTS,
      from: ROWS + 1,
      pauseMs: 10,
    });
    follower = door.follow(history);
    await until(() => follower.isLive, PATIENCE_MS);
    let [reads, failed, goes] = [0, 0, true];
    const reading = (async () => {
      for (; goes; await sleep(20)) {
        const { data, errors } = await door
          .ask(
            `{ getSpots(where: {tenant: {eq: ${reads % TENANTS}}}, orderBy: [{id: "asc"}], limit: 20) { id name kinds { name } } }`,
          )
          .catch(() => ({ data: undefined, errors: [] }));
        if (errors || data?.["getSpots"]?.length !== Math.min(20, Math.floor(ROWS / TENANTS))) failed++;
        else reads++;
      }
    })();
    const during = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      history.longestPauseMs = 0;
      const before = [history.acknowledged, history.unanswered, reads, failed, follower.gaps] as const;
      const startedMs = performance.now();
      await work();
      const after = [history.acknowledged, history.unanswered, reads, failed, follower.gaps];
      const [acknowledged, unanswered, read, unread, gaps] = after.map((figure, at) => figure - before[at]!);
      tell(
        what,
        `${((performance.now() - startedMs) / 1000).toFixed(1)} s; ${acknowledged} writes, ${unanswered} refused, longest pause ` +
          `${Math.round(history.longestPauseMs)} ms; ${read} reads, ${unread} refused; ${gaps} gaps; errors ${JSON.stringify([...follower.errors])}`,
      );
      door.tell();
    };
    const settings = {
      ...citusSettings(),
      "citus.shard_count": "32",
      wal_level: "logical",
      "citus.enable_change_data_capture": "on",
      max_wal_size: "4GB",
    };
    try {
      await during("alone", () => sleep(5000));
      await during("restart of the server with Citus", async () => {
        await db0.configure(settings);
        await until(
          async () =>
            ((await door.ask("{ getKinds { id } }").catch(() => ({}))) as { data?: unknown }).data !== undefined,
          PATIENCE_MS,
        );
        await sleep(2000);
      });
      await during("two workers are added", async () => {
        for (const name of ["db1", "db2"]) nodes.push(await bareNode(join(parent, name), settings));
        for (const { client } of nodes) {
          await client.query("create extension citus");
          await client.query("insert into pg_dist_authinfo values (0, 'postgres', 'password=owner')");
        }
        await db0.client.query("select citus_set_coordinator_host('127.0.0.1', $1)", [db0.port]);
        for (const { port } of nodes.slice(1)) await db0.client.query("select citus_add_node('127.0.0.1', $1)", [port]);
      });
      await during("migrate", () => cli("migrate"));
      await during("doctor", () => cli("doctor"));
      await during("kinds becomes a reference table", () => cli("table", "reference", "app.kinds"));
      await during("spots is distributed", () => cli("table", "distribute", "app.spots", "tenant", "--concurrently"));
      await during("afterwards", () => sleep(10_000));
    } finally {
      goes = false;
      await Promise.all([history.stop(), reading]);
    }
    await assertWhole(history, db0.client, ROWS + 1);
    const placed = await db0.client.query<{ nodeport: number; shards: number }>(
      "select nodeport, count(*)::integer as shards from citus_shards where table_name = 'app.spots'::regclass group by 1 order by 1",
    );
    tell("shards", JSON.stringify(placed.rows));
    const [total] = (await db0.client.query<{ count: string }>("select count(*) from app.spots where id <= $1", [ROWS]))
      .rows;
    assert.equal(Number(total!.count), ROWS);
    await cli("doctor");
  });
});

/** For the nodes of a cluster whose events are read. */
const FOLLOWED = {
  wal_level: "logical",
  "citus.enable_change_data_capture": "on",
  max_wal_senders: "20",
  synchronous_commit: "on", // the process is killed, not the machine
};

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")(`a cluster with faults for ${SECONDS} s`, function () {
  this.timeout((SECONDS + 600) * 1000);
  let cluster: CitusCluster;
  let door: Door;
  let follower: Follower;

  before(async () => {
    cluster = await citusCluster({ settings: FOLLOWED });
    await makeSpots(cluster.coordinator.client);
    door = await openDoor(cluster.coordinator.port);
    await untilFollowed(cluster.coordinator.client);
  });
  after(async () => {
    await follower?.stop();
    await door?.gateway.stop();
    await cluster?.stop();
  });

  const moveShard = async (): Promise<void> => {
    const [from, to] = cluster.workers.map(({ port }) => port).sort(() => Math.random() - 0.5);
    const { client } = cluster.coordinator;
    const { rows } = await client.query<{ shardid: string }>(
      `select s.shardid from pg_dist_shard s join pg_dist_placement using (shardid) join pg_dist_node n using (groupid)
       where s.logicalrelid = 'app.spots'::regclass and n.nodeport = $1 order by random() limit 1`,
      [from],
    );
    if (rows[0])
      await client.query("select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')", [
        rows[0].shardid,
        from,
        to,
      ]);
  };
  const worker = (): CitusNode => cluster.workers[Math.floor(Math.random() * cluster.workers.length)]!;
  const FAULTS: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      "a worker is killed, and back after 3 s",
      async () => {
        const up = await worker().crash();
        await sleep(3000);
        await up();
      },
    ],
    [
      "a worker does not answer for 4 s",
      async () => {
        const { pid } = worker().cluster;
        process.kill(pid, "SIGSTOP"); // first, so that it starts no more
        const all = childrenOf(pid).filter((one) => signalled(one, "SIGSTOP"));
        await sleep(4000);
        for (const one of [pid, ...all]) signalled(one, "SIGCONT");
      },
    ],
    [
      "a shard moves",
      () =>
        until(() =>
          moveShard().then(
            () => true,
            () => false,
          ),
        ),
    ], // a worker may be just back
    ["the coordinator is killed, and starts again", () => cluster.coordinator.restart()],
    [
      "a worker is slow to let in for 5 s",
      async () => {
        const { client } = worker();
        await client.query("alter system set post_auth_delay = '2s'");
        await client.query("select pg_reload_conf()");
        await sleep(5000);
        await client.query("alter system reset post_auth_delay");
        await client.query("select pg_reload_conf()");
      },
    ],
  ];

  it("loses no write, tells of none twice, and tells of each row in order", async () => {
    const history = writesThrough([door]);
    follower = door.follow(history);
    await until(() => follower.isLive, PATIENCE_MS);
    const end = performance.now() + SECONDS * 1000;
    try {
      for (let at = 0; performance.now() < end; at++) {
        const [what, fault] = FAULTS[at % FAULTS.length]!;
        await survive(what, fault, [{ history, follower }]);
        door.tell();
      }
    } finally {
      await history.stop();
    }
    await assertWhole(history, cluster.coordinator.client);
  });
});

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")("a coordinator with a standby", function () {
  this.timeout(600_000);
  let cluster: CitusCluster;
  let standby: Standby;
  let standbyPort: number;
  let door: Door;
  let follower: Follower;

  before(async () => {
    cluster = await citusCluster({ settings: FOLLOWED });
    const { client, cluster: server, port } = cluster.coordinator;
    await makeSpots(client);
    standbyPort = await freePort();
    const own = new URL(server.url("postgres"));
    [own.password, own.port] = [new URL(urlAt(port, "owner")).password, String(port)];
    standby = await startStandby(
      server,
      { ...citusSettings(), ...FOLLOWED, listen_addresses: "127.0.0.1", port: String(standbyPort) },
      own.href,
    );
    door = await openDoor(port, standbyPort);
    await untilFollowed(client);
  });
  after(async () => {
    await follower?.stop();
    await door?.gateway.stop();
    await standby?.stop();
    await cluster?.stop();
  });

  it("fails over to it under writes: none is lost or told twice, and what may be missing is told as a gap", async () => {
    const history = writesThrough([door]);
    follower = door.follow(history);
    await until(() => follower.isLive, PATIENCE_MS);
    await until(() => history.acknowledged > ENOUGH, PATIENCE_MS);
    let promoted: pg.Client | undefined;
    try {
      const failOver = async (): Promise<void> => {
        await cluster.coordinator.crash();
        promoted = new pg.Client({ connectionString: urlAt(standbyPort, "owner") });
        await promoted.connect();
        await promoted.query("select pg_promote(true, 30)");
        await promoted.query("select citus_set_coordinator_host('127.0.0.1', $1)", [standbyPort]); // as Patroni does
      };
      await survive("the coordinator fails over", failOver, [{ history, follower }]);
      door.tell();
    } finally {
      await history.stop();
    }
    await assertWhole(history, promoted!);
    await promoted!.end();
  });
});
