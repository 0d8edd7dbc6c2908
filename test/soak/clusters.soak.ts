/** Three clusters of 300 databases each, served whole by one gateway. Prints its figures. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { median } from "../../bench/support/load.ts";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { GATEWAY_LOGIN, SETTINGS } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { GatewayProcess, megabytesOf } from "../support/process.ts";
import { until } from "../support/until.ts";

const CLUSTERS = Number(process.env["SOAK_CLUSTERS"] ?? 3);
const EACH = Number(process.env["SOAK_DATABASES"] ?? 300);
/** Of each cluster: migrated, with a table, and woken. The others are empty. */
const WOKEN = 10;
const TABLES = 20;
const PORT = "17576";
const BASE_URL = `http://127.0.0.1:${PORT}`;
const IDLE_SECONDS = 10;

interface Server {
  readonly cluster: LocalCluster;
  /** In database `postgres`. */
  readonly client: pg.Client;
  readonly woken: { readonly name: string; readonly token: string }[];
}

describe(`${CLUSTERS} clusters of ${EACH} databases`, function () {
  this.timeout(1_800_000);
  const parent = mkdtempSync(join(tmpdir(), "portolan-clusters-"));
  const servers: Server[] = [];
  let gateway: GatewayProcess | undefined;
  const tell = (what: string, figure: string): void => console.log(`    ${what}: ${figure}`);

  before(async () => {
    chmodSync(parent, 0o755); // as root, PostgreSQL runs as another user
    for (let n = 0; n < CLUSTERS; n++) servers.push(await makeServer(`north${n}`));
  });

  after(async () => {
    await gateway?.stop();
    for (const { cluster, client } of servers) {
      await client.end();
      await cluster.stop();
    }
    rmSync(parent, { recursive: true, force: true });
  });

  async function run(url: string, ...texts: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const text of texts) await client.query(text);
    await client.end();
  }

  async function makeServer(name: string): Promise<Server> {
    const cluster = await startLocalCluster({ directory: join(parent, name), durable: false, settings: SETTINGS });
    const client = new pg.Client({ connectionString: cluster.url("postgres") });
    await client.connect();
    await client.query(`create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
    await client.query("create database model");
    await run(cluster.url("model"), "create extension postgis");
    await migrate({ ownerUrl: cluster.url("model"), gatewayLogin: GATEWAY_LOGIN });
    await run(
      cluster.url("model"),
      "create schema town",
      ...Array.from({ length: TABLES }, (_, n) => `create table town.parks${n} (id int primary key, name text)`),
      `insert into town.parks3 values (1, '${name}')`,
    );
    const woken: { name: string; token: string }[] = [];
    for (let n = 0; n < EACH; n++) {
      const database = `${name}_${n}`;
      if (n < WOKEN) {
        const url = cluster.url(database);
        await client.query(`create database ${database} template model`);
        await run(
          url,
          "select portolan.repair_roles()",
          "select portolan.create_user('ann', null), portolan.set_privilege('town.parks3', 'ann', 'read')",
        );
        woken.push({ name: database, token: await tokenFor({ name: database, url }, BASE_URL, "ann") });
      } else {
        await client.query(`create database ${database} template template0`);
        await client.query(`create role "anonymous@${database}"`);
      }
    }
    return { cluster, client, woken };
  }

  async function ask(token: string): Promise<unknown> {
    const response = await fetch(`${BASE_URL}/api/graphql/schema/town`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query: "{ getParks3 { name } }" }),
    });
    return response.json();
  }

  /** Connections of the gateway to all databases but `postgres`, where it looks for new ones. */
  async function connections(): Promise<number> {
    let all = 0;
    for (const { client } of servers) {
      const { rows } = await client.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where usename = $1 and datname <> 'postgres'",
        [GATEWAY_LOGIN],
      );
      all += rows[0]!.n;
    }
    return all;
  }

  it("hold no connection while they sleep, wake within 500 ms, and sleep again", async () => {
    const whole = (url: string): string => url.replace(/x$/, "*");
    const databases = Object.fromEntries(
      servers.map(({ cluster }, n) => [
        `north${n}/*`,
        { url: whole(cluster.url("x", GATEWAY_LOGIN, "gateway")), ownerUrl: whole(cluster.url("x")) },
      ]),
    );
    const startedMs = performance.now();
    gateway = await GatewayProcess.start({
      DATABASES: JSON.stringify(databases),
      BASE_URL,
      PORT,
      LOG_LEVEL: "warn",
      IDLE_DATABASE_MS: "20000",
    });
    tell("start", `${Math.round(performance.now() - startedMs)} ms`);
    await setTimeout(IDLE_SECONDS * 1000); // the absence of connections must be watched for a while
    assert.equal(await connections(), 0);
    const times: number[] = [];
    for (const [n, { woken }] of servers.entries())
      for (const { token } of woken) {
        const fromMs = performance.now();
        assert.deepEqual(await ask(token), { data: { getParks3: [{ name: `north${n}` }] } });
        times.push(performance.now() - fromMs);
      }
    const sorted = times.toSorted((a, b) => a - b);
    tell("first answers", `median ${Math.round(median(times))} ms, longest ${Math.round(sorted.at(-1)!)} ms`);
    tell("memory", `${Math.round(megabytesOf(gateway.pid))} MB with ${times.length} awake`);
    assert.ok(median(times) <= 500);
    await until(async () => (await connections()) === 0, 120_000);
  });
});
