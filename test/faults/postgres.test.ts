import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { Follower } from "../support/follower.ts";
import { tokenFor } from "../support/gateway.ts";
import { Way } from "../support/nats.ts";
import { mountsTmpfs, onlyIf } from "../support/onlyIf.ts";
import { GatewayProcess } from "../support/process.ts";
import { ready } from "../support/ready.ts";
import { until } from "../support/until.ts";

const CLIENTS = 12;

describe("PostgreSQL stopped and started under load", () => {
  let parent: string;
  let cluster: LocalCluster;
  let gateway: GatewayProcess;
  let token: string;

  const start = () => startLocalCluster({ directory: join(parent, "cluster"), durable: false });
  const url = (database: string) => cluster.url(database);

  before(async () => {
    parent = mkdtempSync(join(tmpdir(), "portolan-fault-"));
    chmodSync(parent, 0o755);
    cluster = await start();
    await run("postgres", "create database city");
    await migrate({ ownerUrl: url("city") });
    await run(
      "city",
      "create schema town; create table town.parks (id int primary key); insert into town.parks values (1); select portolan.create_user('ann', null); select portolan.set_privilege('town.parks', 'ann', 'write')",
    );
    gateway = await GatewayProcess.start({ DATABASE_URL: url("city"), PORT: "0", CONNECT_TIMEOUT_MS: "1000" });
    token = await tokenFor({ name: "city", url: url("city") }, gateway.baseUrl, "ann");
  });

  after(async () => {
    await gateway.stop();
    await cluster.stop();
    rmSync(parent, { recursive: true });
  });

  async function run(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url(database) });
    await client.connect();
    try {
      return (await client.query(text)).rows ?? [];
    } finally {
      await client.end();
    }
  }

  async function ask(
    query: string,
    { baseUrl = gateway.baseUrl, bearer = token } = {},
  ): Promise<{ status: number; code: string | undefined }> {
    const response = await fetch(`${baseUrl}/api/graphql/schema/town`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${bearer}`,
        Accept: "application/graphql-response+json",
      },
      body: JSON.stringify({ query }),
    });
    const body = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    return { status: response.status, code: body.errors?.[0]?.extensions.code };
  }

  it("is UNAVAILABLE while it is down, answers again without a restart, and loses no connection", async () => {
    const seen = new Map<string, number>();
    let going = true;
    const working = Promise.all(
      Array.from({ length: CLIENTS }, async (_, n) => {
        while (going) {
          const { status, code = "ok" } = await ask(
            n % 3 === 0 ? "mutation { updateParks(id: 1, data: {id: 1}) { id } }" : "{ getParks { id } }",
          );
          assert.equal(status, code === "ok" ? 200 : 503);
          seen.set(code, (seen.get(code) ?? 0) + 1);
          await setTimeout(5); // leaves PostgreSQL some of the processor
        }
      }),
    );
    const orFails = (so: () => boolean): Promise<unknown> => Promise.race([until(so), working]);
    await orFails(() => (seen.get("ok") ?? 0) > 100);
    for (let round = 0; round < 2; round++) {
      await cluster.stop();
      const { UNAVAILABLE: before = 0 } = Object.fromEntries(seen);
      await orFails(() => (seen.get("UNAVAILABLE") ?? 0) > before + 20);
      assert.equal((await fetch(`${gateway.baseUrl}/readyz`)).status, 503);
      cluster = await start();
      await until(async () => (await ask("{ getParks { id } }")).code === undefined);
      assert.deepEqual(await ask("{ getParks { id } }"), { status: 200, code: undefined });
    }
    going = false;
    await working;
    const { ok = 0, UNAVAILABLE: unavailable = 0, ...others } = Object.fromEntries(seen);
    assert.ok(ok > 100 && unavailable > 10, JSON.stringify({ ok, unavailable }));
    assert.deepEqual(others, {}, "no other failure is told");
    // the gateway itself reads the catalogue now and then
    await until(async () => {
      const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
      return ["busy", "waiting"].every((state) =>
        metrics.includes(`portolan_pool_connections{database="city",state="${state}"} 0\n`),
      );
    });
    await ready(gateway.baseUrl);
    const idle = await run("city", "select from pg_stat_activity where state like 'idle in transaction%'");
    assert.equal(idle.length, 0);
  });

  it("hanging connections are given up: 503, then answers, and an account whose password was changed is signed out", async () => {
    await using way = await Way.toPostgres(url("city"));
    await run("city", "select portolan.create_user('eve', null), portolan.set_privilege('town.parks', 'eve', 'read')");
    await using other = await GatewayProcess.start({
      DATABASE_URL: way.leadsTo(url("city")),
      PORT: "0",
      CONNECT_TIMEOUT_MS: "1000",
    });
    const { baseUrl } = other;
    const [bearer, eves] = [
      await tokenFor({ name: "city", url: url("city") }, baseUrl, "ann"),
      await tokenFor({ name: "city", url: url("city") }, baseUrl, "eve"),
    ];
    const read = "{ getParks { id } }";
    const asAnn = () => ask(read, { baseUrl, bearer });
    await ready(baseUrl);
    assert.equal((await ask(read, { baseUrl, bearer: eves })).status, 200);
    await Promise.all(Array.from({ length: CLIENTS }, asAnn)); // so many connections are kept for requests
    way.stall(); // is noticed after three times CONNECT_TIMEOUT_MS
    await run("city", "select portolan.set_password('eve', 'another one')");
    // two fields are a transaction; a read on a session that is the account's is run again in one
    const two = "{ a: getParks { id } b: getParks { id } }";
    const [refused, again] = await Promise.all([ask(two, { baseUrl, bearer }), asAnn()]);
    assert.deepEqual(refused, { status: 503, code: "UNAVAILABLE" });
    assert.ok(again.status === 200 || again.code === "UNAVAILABLE", JSON.stringify(again)); // if the second one is dead too
    await until(async () => (await asAnn()).status === 200);
    await until(async () => (await ask(read, { baseUrl, bearer: eves })).status === 401);
    await ready(baseUrl);
    await until(() => /the database has not answered for a while/.test(other.stderr)); // it is read as it comes
  });

  onlyIf(mountsTmpfs(), "a system where it may mount")(
    "where the disk is full a write is 503 and leaves nothing, reads are answered, and events go on where they were when there is room",
    async () => {
      const small = join(parent, "small");
      mkdirSync(small);
      const mount = (options: string) => execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", small]);
      mount("size=4m");
      const { uid, gid } = statSync(join(cluster.directory, "cluster", "data"));
      chownSync(small, uid, gid);
      await run("city", `create tablespace small location '${small}'`);
      await run("city", "alter table portolan.outbox set tablespace small");
      await run(
        "city",
        "create table town.logs (id int primary key, v text) tablespace small; select portolan.set_privilege('town.logs', 'ann', 'write'), portolan.enable_events('town.logs')",
      );
      const got: unknown[] = [];
      const follower = new Follower({
        url: () => gateway.baseUrl.replace(/^http/, "ws"),
        token: () => Promise.resolve(token),
        schema: "town",
        relation: "logs",
        take: (rows) => got.push(...rows.map(({ id }) => id)),
      });
      const kept: number[] = [];
      const write = async (id: number) => {
        const answer = await ask(
          `mutation { insertLogs(data: {id: ${id}, v: "${randomBytes(20_000).toString("hex")}"}) { id } }`,
        );
        if (answer.status === 200 && answer.code === undefined) kept.push(id);
        return answer;
      };
      const rows = async () => (await run("city", "select id from town.logs order by id")).map(({ id }) => id);
      try {
        await until(async () => (await ask("{ getLogs { id } }")).code === undefined);
        await until(() => follower.isLive);
        let answer = await write(0);
        while (answer.status === 200 && kept.length < 1000) answer = await write(kept.length);
        assert.deepEqual(answer, { status: 503, code: "UNAVAILABLE" });
        assert.ok(kept.length > 0);
        assert.deepEqual(await ask("{ getLogs { id } }"), { status: 200, code: undefined });
        assert.deepEqual(await rows(), kept);
        mount("remount,size=100m");
        assert.deepEqual(await write(kept.length), { status: 200, code: undefined });
        await until(() => got.length === kept.length);
        assert.deepEqual([got, await rows(), follower.gaps], [kept, kept, 0]);
      } finally {
        await follower.stop();
        mount("remount,size=100m");
        await run("city", "alter table portolan.outbox set tablespace pg_default");
        await run("city", "drop table town.logs");
        await run("city", "drop tablespace small");
        execFileSync("umount", ["--lazy", small]);
      }
    },
  );
});
