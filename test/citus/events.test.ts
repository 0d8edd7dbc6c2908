import assert from "node:assert/strict";
import { hasCitus } from "../support/citusCluster.ts";
import { Follower } from "../support/follower.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { startTown, type Town } from "./town.ts";

const PATIENCE_MS = 60_000;

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")("events of tables of a Citus cluster", function () {
  this.timeout(300_000);
  let town: Town;
  const followers: Follower[] = [];
  const query = (text: string, values?: unknown[]) => town.query(text, values);

  interface Seen {
    readonly follower: Follower;
    readonly rows: Readonly<Record<string, unknown>>[];
    readonly counts: { INSERT: number; UPDATE: number; DELETE: number };
  }
  async function follow(account: string, schema: string, relation: string): Promise<Seen> {
    const rows: Readonly<Record<string, unknown>>[] = [];
    const counts = { INSERT: 0, UPDATE: 0, DELETE: 0 };
    const token = await town.token(account);
    const follower = new Follower({
      url: () => town.gateway.baseUrl.replace(/^http/, "ws"),
      token: () => Promise.resolve(token),
      schema,
      relation,
      take: (some, operations) => {
        rows.push(...some);
        for (const name of ["INSERT", "UPDATE", "DELETE"] as const) counts[name] += operations[name];
      },
    });
    followers.push(follower);
    await until(() => follower.isLive, PATIENCE_MS);
    return { follower, rows, counts };
  }
  /** What is written from here on is told. */
  const isFollowed = () =>
    until(
      async () =>
        (await query("select from portolan.shard_positions where upto > '0/0'")).length ===
        1 + town.cluster.workers.length,
      PATIENCE_MS,
    );

  before(async () => {
    town = await startTown({
      settings: { wal_level: "logical", "citus.enable_change_data_capture": "on", max_wal_senders: "20" },
    });
    for (const table of ["app.points", "app.kinds", "app.tenants", "s1.things"])
      await query("select portolan.enable_events($1)", [table]);
    await isFollowed();
  });
  afterEach(async () => {
    await Promise.all(followers.splice(0).map((follower) => follower.stop()));
    await query("delete from portolan.rules");
  });
  after(() => town.close());

  it("come from distributed, reference and schema-sharded tables, in the order of each row", async () => {
    const [points, kinds, things] = [
      await follow("ann", "app", "points"),
      await follow("ann", "app", "kinds"),
      await follow("ann", "s1", "things"),
    ];
    await query(
      `insert into app.points (tenant_id, id, name, geom) values (1, 1001, 'a, "b" \\ é', st_setsrid(st_point(1, 2), 4326)), (2, 1002, null, null), (3, 1003, '', null)`,
    );
    await query("update app.points set name = 'new' where tenant_id = 1 and id = 1001");
    await query("delete from app.points where tenant_id = 3 and id = 1003");
    await query("update app.kinds set name = 'oak' where id = 1");
    await query("insert into s1.things (id, name) values (500, 'thing')");
    await query("delete from s1.things where id = 500");
    await until(() => points.rows.length === 5 && kinds.rows.length === 1 && things.rows.length === 2, PATIENCE_MS);
    assert.deepEqual(points.counts, { INSERT: 3, UPDATE: 1, DELETE: 1 });
    const of = (id: number) => points.rows.filter((row) => row["id"] === id).map(({ name }) => name);
    assert.deepEqual([of(1001), of(1002), of(1003)], [['a, "b" \\ é', "new"], [null], ["", ""]]);
    assert.deepEqual(points.rows.find(({ id }) => id === 1001)?.["geom"], { type: "Point", coordinates: [1, 2] });
    assert.deepEqual(kinds.rows, [{ id: 1, name: "oak" }]);
    assert.deepEqual(things.counts, { INSERT: 1, UPDATE: 0, DELETE: 1 });
    for (const { follower } of [points, kinds, things]) assert.equal(follower.gaps, 0);
    await query("delete from app.points where id > 1000");
  });

  it("reach only those who may see the row", async () => {
    await query(
      `select portolan.create_rule('{"schema": "app", "table": "points", "username": "ann", "access": "limit", "filter": "kind_id = 1"}')`,
    );
    const [ann, bob] = [await follow("ann", "app", "points"), await follow("bob", "app", "points")];
    await query("insert into app.points (tenant_id, id, kind_id) values (1, 1001, 1), (2, 1002, 2)");
    await query("insert into app.points (tenant_id, id, kind_id) values (3, 1003, 1)");
    await until(() => ann.rows.some(({ id }) => id === 1003) && bob.rows.length === 3, PATIENCE_MS);
    assert.deepEqual(ann.rows.map(({ id }) => id).sort(), [1001, 1003]);
    await query("delete from app.points where id > 1000");
  });

  it("go on over a shard that moves while rows are written: none is lost, none comes twice", async () => {
    const { rows, follower } = await follow("ann", "app", "points");
    let goes = true;
    let written = 0;
    const writing = (async () => {
      for (; goes; written++)
        await town.cluster.coordinator.client.query("insert into app.points (tenant_id, id) values (1, $1)", [
          5000 + written,
        ]);
    })();
    const admin = town.cluster.workers[0]!;
    try {
      await until(() => rows.length > 10, PATIENCE_MS);
      const [shard] = await moverQuery<{ shardid: string; nodeport: number; groupid: number }>(
        "select s.shardid, n.nodeport, n.groupid from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid) where s.shardid = get_shard_id_for_distribution_column('app.points', 1)",
      );
      const other = town.cluster.workers.find(({ port }) => port !== shard!.nodeport) ?? admin;
      await moverQuery(
        `select citus_move_shard_placement(${shard!.shardid}, '127.0.0.1', ${shard!.nodeport}, '127.0.0.1', ${other.port}, 'force_logical')`,
      );
      const at = written;
      await until(() => written > at + 10, PATIENCE_MS);
    } finally {
      goes = false;
      await writing;
    }
    await until(() => rows.length >= written, PATIENCE_MS);
    assert.deepEqual(
      rows.map(({ id }) => id),
      Array.from({ length: written }, (_, index) => 5000 + index),
    );
    assert.equal(follower.gaps, 0);
    await query("delete from app.points where id >= 5000");
  });

  it("TRUNCATE, and a slot that is gone, are a gap", async () => {
    await query("create table app.marks (tenant_id int primary key, name text)");
    await query("select create_distributed_table('app.marks', 'tenant_id')");
    await query("select portolan.set_privilege('app.marks', 'ann', 'read'), portolan.enable_events('app.marks')");
    const { rows, follower } = await follow("ann", "app", "marks");
    await query("insert into app.marks values (1, 'a'), (2, 'b')");
    await until(() => rows.length === 2, PATIENCE_MS);
    const before = follower.gaps;
    await query("truncate app.marks");
    await until(() => follower.gaps > before, PATIENCE_MS);
    const after = follower.gaps;
    assert.deepEqual(await query("select finding from portolan.cluster_findings()"), []);
    await town.cluster.workers[0]!.client.query(
      "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name like 'portolan_events%'",
    );
    await until(
      async () =>
        (
          await town.cluster.workers[0]!.client.query(
            "select from pg_replication_slots where slot_name like 'portolan_events%' and confirmed_flush_lsn is not null",
          )
        ).rows.length === 1,
      PATIENCE_MS,
    );
    await until(() => follower.gaps > after, PATIENCE_MS);
    await query("insert into app.marks values (3, 'c'), (4, 'd'), (5, 'e')");
    await until(() => rows.length === 5, PATIENCE_MS);
    await query("alter table app.marks add column more int");
    await query("insert into app.marks values (6, 'f', 6)");
    await until(() => rows.some(({ more }) => more === 6), PATIENCE_MS);
    await query("select portolan.disable_events('app.marks')");
    assert.deepEqual(await query("select relreplident from pg_class where oid = 'app.marks'::regclass"), [
      { relreplident: "d" },
    ]);
  });

  it("of 10,000 rows and more are told in a short time", async () => {
    const { rows } = await follow("ann", "app", "points");
    const count = sized(20_000, 200_000);
    const startedAtMs = performance.now();
    await query("insert into app.points (tenant_id, id) select i % 10 + 1, 100000 + i from generate_series(1, $1) i", [
      count,
    ]);
    const writtenMs = performance.now() - startedAtMs;
    await until(() => rows.length >= count, PATIENCE_MS);
    const toldMs = performance.now() - startedAtMs;
    console.log(
      `      ${count} rows were written in ${Math.round(writtenMs)} ms, and told ${Math.round(toldMs - writtenMs)} ms later`,
    );
    assert.equal(new Set(rows.map(({ id }) => id)).size, count);
  });

  it("go on when a worker that was down is back", async () => {
    const { rows, follower } = await follow("ann", "app", "tenants");
    await query("insert into app.tenants select n, 'x' from generate_series(2001, 2020) n");
    const worker = town.cluster.workers[1]!;
    await worker.restart();
    await until(
      async () =>
        (
          await query("insert into app.tenants select n, 'y' from generate_series(2021, 2040) n returning 1").catch(
            () => [],
          )
        ).length === 20,
      PATIENCE_MS,
    );
    await until(() => rows.length === 40, PATIENCE_MS);
    assert.equal(new Set(rows.map(({ id }) => id)).size, 40);
    assert.equal(follower.gaps, 0);
  });

  /** On a connection of its own, beside the writer's. */
  async function moverQuery<Row>(text: string): Promise<Row[]> {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: town.cluster.database.url });
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }
});
