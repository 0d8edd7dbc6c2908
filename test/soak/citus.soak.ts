/** A table grows from one server to a cluster of Citus while it is used, and the cluster has faults. Prints its figures. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../server/operate/migrate.ts";
import { bareNode, citusSettings, hasCitus, urlAt, type CitusNode } from "../support/citusCluster.ts";
import { GATEWAY_LOGIN } from "../support/databases.ts";
import { Follower } from "../support/follower.ts";
import { tokenFor } from "../support/gateway.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { GatewayProcess } from "../support/process.ts";
import { programEnv } from "../support/programEnv.ts";
import { RowHistory, type RowWrite } from "../support/rowHistory.ts";
import { until } from "../support/until.ts";

const ROWS = Number(process.env["SOAK_CITUS_ROWS"] ?? 10_000_000);
const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");
const TENANTS = 1000;
const WRITERS = 4;
const PATIENCE_MS = 120_000;

const tell = (what: string, figure: string): void => console.log(`    ${what}: ${figure}`);

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")(`a table of ${ROWS} rows`, function () {
  this.timeout(3_600_000);
  const parent = mkdtempSync(join(tmpdir(), "portolan-growth-"));
  const nodes: CitusNode[] = [];
  let gateway: GatewayProcess;
  let token: string;
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
create table app.spots (tenant int, id int, v int, name text, kind int references app.kinds, primary key (tenant, id));
insert into app.kinds select i, 'kind ' || i from generate_series(1, 10) i;
select portolan.create_user('ann', null), portolan.set_privilege('app.kinds', 'ann', 'read'),
  portolan.set_privilege('app.spots', 'ann', 'write')`);
    await db0.client.query(
      "insert into app.spots select i % $2, i, 0, 'spot ' || i, i % 10 + 1 from generate_series(1, $1) i",
      [ROWS, TENANTS],
    );
    await db0.client.query("vacuum analyze app.spots");
    const {
      rows: [size],
    } = await db0.client.query<{ size: string }>("select pg_size_pretty(pg_total_relation_size('app.spots')) as size");
    tell("the table", `${ROWS.toLocaleString("en")} rows, ${size!.size}`);
    gateway = await GatewayProcess.start({
      DATABASE_URL: urlAt(db0.port, "gateway"),
      OWNER_DATABASE_URL: urlAt(db0.port, "owner"),
      PORT: "0",
      LOG_LEVEL: "warn",
    });
    token = await tokenFor({ name: "town", url: urlAt(db0.port, "owner") }, gateway.baseUrl, "ann");
  });
  after(async () => {
    await follower?.stop();
    await gateway?.stop();
    for (const { client } of nodes) await client.end().catch(() => undefined); // it may have ended
    await Promise.all(nodes.map(({ cluster }) => cluster.stop()));
    rmSync(parent, { recursive: true, force: true });
  });

  async function ask(query: string): Promise<{ data?: Record<string, unknown[]>; errors?: unknown[] }> {
    const response = await fetch(`${gateway.baseUrl}/api/graphql/schema/app`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return (await response.json()) as { data?: Record<string, unknown[]>; errors?: unknown[] };
  }
  async function write({ kind, tenant, id, v }: RowWrite): Promise<boolean> {
    const where = `where: {tenant: {eq: ${tenant}}, id: {eq: ${id}}}`;
    const text = {
      insert: `w: insertSpots(data: {tenant: ${tenant}, id: ${id}, v: ${v}, kind: 1})`,
      update: `w: updateSpots(${where}, data: {v: ${v}})`,
      delete: `w: deleteSpots(${where})`,
    }[kind];
    const { data, errors } = await ask(`mutation { ${text} { id } }`);
    if (errors)
      refusals.set(JSON.stringify(errors).slice(0, 300), (refusals.get(JSON.stringify(errors).slice(0, 300)) ?? 0) + 1);
    return !errors && data?.["w"]?.length === 1;
  }
  const refusals = new Map<string, number>();
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
    const history = new RowHistory({ write, writers: WRITERS, tenants: TENANTS, from: ROWS + 1, pauseMs: 10 });
    follower = new Follower({
      url: () => gateway.baseUrl.replace(/^http/, "ws"),
      token: () => Promise.resolve(token),
      schema: "app",
      relation: "spots",
      take: (rows) => history.take(rows),
      onGap: () => history.gap(),
    });
    await until(() => follower.isLive, PATIENCE_MS);
    let [reads, failed, goes] = [0, 0, true];
    const reading = (async () => {
      for (; goes; await sleep(20)) {
        const { data, errors } = await ask(
          `{ getSpots(where: {tenant: {eq: ${reads % TENANTS}}}, orderBy: [{id: "asc"}], limit: 20) { id name kinds { name } } }`,
        ).catch(() => ({ data: undefined, errors: [] }));
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
      for (const [text, count] of refusals) tell(`  ${count} x`, text);
      refusals.clear();
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
          async () => ((await ask("{ getKinds { id } }").catch(() => ({}))) as { data?: unknown }).data !== undefined,
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
      tell(
        "gateway",
        gateway.stderr
          .split("\n")
          .filter((line) => line.includes("INTERNAL"))
          .join("\n")
          .slice(0, 6000),
      );
    }
    await until(() => history.isComplete, PATIENCE_MS).catch(() => undefined); // the report says what is missing
    const { rows } = await db0.client.query<{ id: number; v: number }>("select id, v from app.spots where id > $1", [
      ROWS,
    ]);
    const report = history.report(new Map(rows.map(({ id, v }) => [id, v])));
    tell(
      "report",
      JSON.stringify({ ...report, problems: report.problems.slice(0, 10), count: report.problems.length }),
    );
    assert.deepEqual(report.problems.slice(0, 10), []);
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
