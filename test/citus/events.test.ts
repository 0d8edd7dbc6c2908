import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createLog } from "../../server/ground/log.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { startGateway } from "../../server/main.ts";
import { hasCitus, type CitusNode } from "../support/citusCluster.ts";
import { Follower } from "../support/follower.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";
import { tokenFor } from "../support/gateway.ts";
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
    // Patroni may make it first, where its configuration names it
    await query(
      `select portolan.run_on_node(groupid, format('select (pg_create_logical_replication_slot(%L, ''pgoutput'')).slot_name', portolan.shard_slot()))
       from pg_dist_node where groupid > 0 limit 1`,
    );
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
    await until(() => rows.filter(({ id }) => Number(id) >= 5000).length >= written, PATIENCE_MS);
    assert.deepEqual(
      rows.map(({ id }) => id).filter((id) => Number(id) >= 5000), // not what the test before has deleted
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
    const worker = town.cluster.workers[0]!.client;
    const slots = "from pg_replication_slots where slot_name like 'portolan_events%'";
    await until(async () => {
      try {
        return (await worker.query(`select pg_drop_replication_slot(slot_name) ${slots}`)).rows.length === 1;
      } catch (error) {
        if ((error as { code?: string }).code === "55006") return false; // the gateway reads it at this moment
        throw error;
      }
    }, PATIENCE_MS);
    await until(
      async () => (await worker.query(`select ${slots} and confirmed_flush_lsn is not null`)).rows.length === 1,
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
    await until(() => rows.filter(({ id }) => Number(id) > 100_000).length >= count, PATIENCE_MS);
    const toldMs = performance.now() - startedAtMs;
    console.log(
      `      ${count} rows were written in ${Math.round(writtenMs)} ms, and told ${Math.round(toldMs - writtenMs)} ms later`,
    );
    assert.equal(new Set(rows.map(({ id }) => id).filter((id) => Number(id) > 100_000)).size, count);
  });

  it("of a transaction that is too large to be read are a gap, and those after it come", async () => {
    const { rows, follower } = await follow("ann", "app", "points");
    const things = await follow("ann", "s1", "things");
    const before = follower.gaps;
    await query(
      "insert into app.points (tenant_id, id, name) select 1, 300000 + i, repeat('long ', 400) from generate_series(1, 30000) i",
    );
    await until(() => follower.gaps > before, PATIENCE_MS); // which may cover what is written just after
    await query("insert into app.points (tenant_id, id) select n, 5000 from generate_series(1, 10) n");
    await until(() => rows.filter(({ id }) => id === 5000).length === 10, PATIENCE_MS);
    assert.ok(!rows.some(({ id }) => Number(id) > 300000));
    assert.equal(things.follower.gaps, 0);
    await query("delete from app.points where id >= 300000");
    await query("delete from app.points where id = 5000");
  });

  it("of a column whose type was changed before they were read are a gap, and those after it come", async () => {
    await query("create table app.notes (tenant_id int primary key, value text)");
    await query("select create_distributed_table('app.notes', 'tenant_id')");
    await query("select portolan.set_privilege('app.notes', 'ann', 'read'), portolan.enable_events('app.notes')");
    const { rows, follower } = await follow("ann", "app", "notes");
    await query("insert into app.notes values (1, 'one')");
    await until(() => rows.length === 1, PATIENCE_MS);
    const before = follower.gaps;
    await query("begin");
    await query("set local citus.multi_shard_modify_mode = 'sequential'");
    await query("insert into app.notes values (2, 'no number')");
    await query("alter table app.notes alter value type integer using 0");
    await query("commit");
    await until(() => follower.gaps > before, PATIENCE_MS); // which may cover what is written just after
    await query("insert into app.notes values (3, '3')");
    await until(() => rows.some((row) => row["tenant_id"] === 3), PATIENCE_MS);
    assert.deepEqual(
      rows.map((row) => row["tenant_id"]),
      [1, 3],
    );
    assert.deepEqual([...follower.errors], []);
    await query("select portolan.disable_events('app.notes')");
  });

  it("of other nodes go on while a worker does not answer, which is told; its own come when it does again", async () => {
    const { rows, follower } = await follow("ann", "app", "tenants");
    const [silent, other] = town.cluster.workers as [CitusNode, CitusNode];
    const [here] = await query(
      "select n from generate_series(3000, 3100) n where get_shard_id_for_distribution_column('app.tenants', n) in (select shardid from pg_dist_placement join pg_dist_node using (groupid) where nodeport = $1) limit 1",
      [other.port],
    );
    const [there] = await query(
      "select n from generate_series(3000, 3100) n where get_shard_id_for_distribution_column('app.tenants', n) in (select shardid from pg_dist_placement join pg_dist_node using (groupid) where nodeport = $1) limit 1",
      [silent.port],
    );
    await query("insert into app.tenants values ($1, 'before')", [there!["n"]]);
    await until(() => rows.length === 1, PATIENCE_MS);
    process.kill(silent.cluster.pid, "SIGSTOP"); // it accepts connections, and says nothing
    try {
      await until(() => town.warned.some((said) => said.includes(`${silent.port}: it does not answer`)), PATIENCE_MS);
      for (let n = 0; n < 3; n++) {
        const toldAtMs = performance.now();
        await query("insert into app.tenants values ($1, 'meanwhile') on conflict (id) do update set name = 'again'", [
          here!["n"],
        ]);
        await until(() => rows.length === 2 + n, PATIENCE_MS);
        assert.ok(performance.now() - toldAtMs < 8000, "the silent node holds up the others");
      }
    } finally {
      process.kill(silent.cluster.pid, "SIGCONT");
    }
    await query("update app.tenants set name = 'after' where id = $1", [there!["n"]]);
    await until(() => rows.some(({ name }) => name === "after"), PATIENCE_MS);
    assert.equal(follower.gaps, 0);
    await query("delete from app.tenants where id >= 3000");
  });

  it("of a worker that needs longer for each answer than others wait come too", async () => {
    const { rows } = await follow("ann", "app", "tenants");
    const [slow] = town.cluster.workers as [CitusNode];
    const [there] = await query(
      "select n from generate_series(3000, 3100) n where get_shard_id_for_distribution_column('app.tenants', n) in (select shardid from pg_dist_placement join pg_dist_node using (groupid) where nodeport = $1) limit 1",
      [slow.port],
    );
    await query("insert into app.tenants values ($1, 'at once')", [there!["n"]]);
    await until(() => rows.some(({ name }) => name === "at once"), PATIENCE_MS);
    const before = town.warned.length;
    await slow.client.query("alter system set post_auth_delay = '3s'"); // for each new connection
    await slow.client.query("select pg_reload_conf()");
    try {
      const isSlow = (): boolean => town.warned.slice(before).some((said) => said.includes("it does not answer"));
      await until(isSlow, PATIENCE_MS);
      await query("update app.tenants set name = 'late' where id = $1", [there!["n"]]);
      await until(() => rows.some(({ name }) => name === "late"), PATIENCE_MS);
    } finally {
      await slow.client.query("alter system reset post_auth_delay");
      await slow.client.query("select pg_reload_conf()");
    }
    await query("delete from app.tenants where id >= 3000");
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
    const written = (): unknown[] => rows.map(({ id }) => id).filter((id) => Number(id) > 2000 && Number(id) <= 2040);
    await until(() => written().length === 40, PATIENCE_MS);
    assert.equal(new Set(written()).size, 40);
    assert.equal(follower.gaps, 0);
  });

  it("are switched off while a worker is down, which learns of it when it is back", async () => {
    await query("create table app.bells (tenant_id int primary key, name text)");
    await query("select create_distributed_table('app.bells', 'tenant_id')");
    await query("select portolan.enable_events('app.bells')");
    const published = async (node: CitusNode) =>
      (
        await node.client.query(
          "select from pg_publication_tables where pubname = 'portolan_events' and tablename = 'bells'",
        )
      ).rows.length;
    const worker = town.cluster.workers[1]!;
    assert.deepEqual([await published(town.cluster.coordinator), await published(worker)], [1, 1]);
    const up = await worker.crash();
    try {
      await query("select portolan.disable_events('app.bells')");
      assert.deepEqual(await query("select portolan.events_of('app.bells') as on"), [{ on: false }]);
      await assert.rejects(query("select portolan.enable_events('app.bells')"), {
        code: "PX503",
        message: `app.bells is kept by Citus, and the node 127.0.0.1:${worker.port} does not answer: try again when it does`,
      });
    } finally {
      await up();
    }
    await until(async () => (await published(town.cluster.coordinator)) + (await published(worker)) === 0, PATIENCE_MS);
    await query("select portolan.enable_events('app.bells'), portolan.disable_events('app.bells')");
  });

  it("drop the slots of a database that falls asleep, and are a gap then", async () => {
    await town.gateway.close();
    const { url, gatewayUrl } = town.cluster.database;
    const pattern = (one: string): string => one.replace(/town$/, "*");
    const gateway = await startGateway(
      makeConfig({
        databases: { "*": { url: pattern(gatewayUrl), ownerUrl: pattern(url) } },
        port: 0,
        idleDatabaseMs: 1500,
      }),
      createLog(process.env["TEST_LOG_LEVEL"] ?? "silent"),
    );
    try {
      assert.equal((await slots()).length, 3);
      const token = await tokenFor(town.cluster.database, gateway.baseUrl, "ann");
      const ask = async (): Promise<unknown> => {
        const { body } = (await (
          await import("supertest")
        )
          .default(gateway.baseUrl)
          .post("/api/graphql/schema/app")
          .set("Authorization", `Bearer ${token}`)
          .send({ query: "{ getKinds(limit: 1) { id } }" })) as { body: { data: unknown } };
        return body.data;
      };
      assert.ok(await ask());
      await until(async () => (await slots()).length === 0, PATIENCE_MS);
      assert.ok(await ask());
      await isFollowed();
      await until(async () => (await slots()).length === 0, PATIENCE_MS);
    } finally {
      await gateway.close();
    }
  });

  it("leave slots that nobody reads to doctor, which tells how to drop them", async () => {
    const admin = town.cluster.database.client;
    const gateway = await startGateway(
      makeConfig({
        databases: { town: { url: town.cluster.database.gatewayUrl, ownerUrl: town.cluster.database.url } },
        port: 0,
      }),
      createLog(process.env["TEST_LOG_LEVEL"] ?? "silent"),
    );
    await isFollowed();
    await gateway.close();
    assert.deepEqual(await query("select finding from portolan.cluster_findings()"), []);
    for (let n = 0; n < 8; n++)
      await admin.query("create table app.filler (); drop table app.filler; select pg_switch_wal()");
    const [found, ...more] = await query("select finding, remedy from portolan.cluster_findings()");
    assert.match(
      String(found?.["finding"]),
      /^nobody reads the events of the node 127\.0\.0\.1:\d+, .* keeps \d+ MB of its log$/,
    );
    assert.deepEqual(more, []);
    const remedy = /select portolan\.leave_shard\(0\);$/.exec(String(found?.["remedy"]))?.[0];
    await query(remedy!);
    assert.deepEqual((await slots()).length, 2);
    assert.deepEqual(await query("select finding from portolan.cluster_findings()"), []);
  });

  it("leave no slot and no publication when they are switched off, even if a slot is in use just then", async () => {
    const gateway = await startGateway(
      makeConfig({
        databases: { town: { url: town.cluster.database.gatewayUrl, ownerUrl: town.cluster.database.url } },
        port: 0,
      }),
      createLog(process.env["TEST_LOG_LEVEL"] ?? "silent"),
    );
    const [worker] = town.cluster.workers as [CitusNode];
    const { host, port, user, password, database } = worker.client;
    const holder = new pg.Client({
      host,
      port,
      user,
      password: password!,
      database: database!,
      replication: "database",
    } as pg.ClientConfig);
    holder.on("error", () => undefined);
    try {
      await isFollowed();
      await holder.connect();
      const [{ slot }] = (await query("select portolan.shard_slot() as slot")) as [{ slot: string }];
      const held = async (): Promise<number | null> => {
        const { rows } = await worker.client.query<{ pid: number | null }>(
          "select active_pid as pid from pg_replication_slots s join pg_stat_replication r on r.pid = s.active_pid where s.slot_name = $1",
          [slot],
        );
        return rows[0]?.pid ?? null;
      };
      await until(async () => {
        void holder
          .query(
            `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names 'portolan_events,portolan_truncations')`,
          )
          .catch(() => undefined);
        return (await held()) !== null;
      }, PATIENCE_MS);
      const tables = await query("select relation::text as name from portolan.event_tables where active");
      for (const { name } of tables) await query("select portolan.disable_events($1::text::regclass)", [name]);
      await until(async () => (await slots()).length === 1, PATIENCE_MS);
      await worker.client.query("select pg_terminate_backend($1::integer)", [await held()]);
      await until(async () => (await slots()).length === 0, PATIENCE_MS);
      await until(async () => (await query("select from portolan.shard_positions")).length === 0, PATIENCE_MS);
      for (const { client } of [town.cluster.coordinator, ...town.cluster.workers])
        assert.deepEqual((await client.query("select pubname from pg_publication")).rows, []);
    } finally {
      await holder.end().catch(() => undefined);
      await gateway.close();
    }
  });

  /** The slots of events on all nodes. */
  async function slots(): Promise<string[]> {
    const found = await Promise.all(
      [town.cluster.coordinator, ...town.cluster.workers].map(({ client }) =>
        client.query<{ name: string }>(
          "select slot_name as name from pg_replication_slots where slot_name like 'portolan_events%'",
        ),
      ),
    );
    return found.flatMap(({ rows }) => rows.map(({ name }) => name));
  }

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

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")(
  "events of a Citus cluster whose nodes fail over",
  function () {
    this.timeout(300_000);
    let town: Town;
    let follower: Follower;
    const rows: Readonly<Record<string, unknown>>[] = [];

    before(async () => {
      town = await startTown({
        settings: { wal_level: "logical", "citus.enable_change_data_capture": "on", max_wal_senders: "20" },
      });
      await town.query("select portolan.enable_events('app.tenants')");
      await until(
        async () => (await town.query("select from portolan.shard_positions where upto > '0/0'")).length === 3,
        PATIENCE_MS,
      );
      const token = await town.token("ann");
      follower = new Follower({
        url: () => town.gateway.baseUrl.replace(/^http/, "ws"),
        token: () => Promise.resolve(token),
        schema: "app",
        relation: "tenants",
        take: (some) => rows.push(...some),
      });
      await until(() => follower.isLive, PATIENCE_MS);
    });
    after(async () => {
      await follower?.stop();
      await town?.close();
    });

    /** Ids of tenants from `from` on that the node keeps. */
    async function idsOn(node: CitusNode, from: number, count: number): Promise<number[]> {
      const found = await town.query(
        `select n from generate_series($2::integer, $2 + 1000) n
       where get_shard_id_for_distribution_column('app.tenants', n) in (
         select shardid from pg_dist_placement join pg_dist_node using (groupid) where nodeport = $1) limit $3`,
        [node.port, from, count],
      );
      return found.map(({ n }) => Number(n));
    }
    const write = async (ids: readonly number[]): Promise<void> => {
      for (const id of ids) await town.query("insert into app.tenants values ($1, repeat('x', 500))", [id]);
    };
    const areTold = (ids: readonly number[]): boolean => ids.every((id) => rows.some((row) => row["id"] === id));

    /** The node fails over to a standby with its slots, as Patroni copies them. It has not got what is written `since`. */
    async function failOver(node: CitusNode, since: () => Promise<unknown>): Promise<void> {
      const data = join(node.cluster.directory, "cluster", "data");
      const standby = `${data}.standby`;
      const up = await node.crash();
      execFileSync("cp", ["-a", data, standby]); // with owners, which PostgreSQL insists on
      await up();
      await since();
      const again = await node.crash();
      rmSync(data, { recursive: true });
      renameSync(standby, data);
      writeFileSync(join(data, "standby.signal"), "");
      await again();
      await node.client.query("select pg_promote(true, 60)");
    }

    it("to a standby that had all of it go on without a gap", async () => {
      const [worker] = town.cluster.workers as [CitusNode];
      const [before, after] = [await idsOn(worker, 5000, 3), await idsOn(worker, 7000, 3)];
      await write(before);
      await until(() => areTold(before), PATIENCE_MS);
      await failOver(worker, () => Promise.resolve());
      await write(after);
      await until(() => areTold(after), PATIENCE_MS);
      assert.equal(follower.gaps, 0);
    });

    it("to a standby that lacks what was told are a gap, and those after it come", async () => {
      const [worker] = town.cluster.workers as [CitusNode];
      const [lost, after, later] = [
        await idsOn(worker, 10_000, 50),
        await idsOn(worker, 20_000, 100),
        await idsOn(worker, 30_000, 3),
      ];
      await failOver(worker, async () => {
        await write(lost);
        await until(() => areTold(lost), PATIENCE_MS);
      });
      assert.equal(follower.gaps, 0);
      await write(after);
      await until(() => follower.gaps > 0, PATIENCE_MS);
      await write(later);
      await until(() => areTold(later), PATIENCE_MS);
      assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, "one was told twice");
    });

    it("are a gap if more of the log of a node was read than the coordinator knows, as after its own failover", async () => {
      const [worker] = town.cluster.workers as [CitusNode];
      const before = follower.gaps;
      let [id] = (await idsOn(worker, 40_000, 1)) as [number];
      await until(async () => {
        await write([id]);
        [id] = (await idsOn(worker, id + 1, 1)) as [number];
        await worker.client
          .query(
            "select pg_replication_slot_advance(slot_name, pg_current_wal_flush_lsn()) from pg_replication_slots where slot_name like 'portolan_events%'",
          )
          .catch(() => undefined); // the gateway reads it at this moment
        return follower.gaps > before;
      }, PATIENCE_MS);
      const after = await idsOn(worker, 50_000, 3);
      await write(after);
      await until(() => areTold(after), PATIENCE_MS);
    });
  },
);
