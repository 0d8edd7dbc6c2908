/** A Citus cluster: reads by the distribution column against a local table, and events by change data capture. */
import autocannon from "autocannon";
import { citusCluster, hasCitus, type CitusCluster } from "../test/support/citusCluster.ts";
import { Follower } from "../test/support/follower.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import { until } from "../test/support/until.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";
import { childrenOf, familyOf, stopwatch } from "./support/processes.ts";

const ROUNDS = 5;
const CONNECTIONS = 4;
const WARM_UP_REQUESTS = 3000;
const REQUESTS = 2000;
const TENANTS = 20;
const EVENTS = 100_000;
const EVENT_ROUNDS = 3;
const PATIENCE_MS = 300_000;

const TABLES = ["near", "far"].map(
  (table) => `
create table app.${table} (tenant int, id int, name text, visitors int, primary key (tenant, id));
insert into app.${table} select i % ${TENANTS}, i, 'row ' || i, i % 100 from generate_series(1, 100000) i;
select portolan.set_privilege('app.${table}', 'ann', 'read');`,
);

export const benchmark: Benchmark = {
  name: "Citus",
  async run() {
    if (!hasCitus()) {
      process.stderr.write("skipped: Citus is not installed (test/citus/build.sh)\n");
      return [];
    }
    const cluster = await citusCluster({
      settings: { wal_level: "logical", "citus.enable_change_data_capture": "on", max_wal_senders: "20" },
    });
    const { database } = cluster;
    await database.client.query(`create schema app; select portolan.create_user('ann', null); ${TABLES.join("")}
create table app.news (tenant int, id int, name text, primary key (tenant, id))`);
    for (const table of ["far", "news"])
      await database.client.query(`select create_distributed_table('app.${table}', 'tenant')`);
    await database.client.query("select portolan.set_privilege('app.news', 'ann', 'read')");
    for (const table of ["near", "far"]) await database.client.query(`vacuum analyze app.${table}`);
    const gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      OWNER_DATABASE_URL: database.url,
      PORT: "0",
      LOG_LEVEL: "error",
    });
    try {
      const token = await tokenFor(database, gateway.baseUrl, "ann");
      return [await reads(cluster, gateway, token), await bareReads(cluster), await events(cluster, gateway, token)];
    } finally {
      await gateway.stop();
      await cluster.stop();
    }
  },
};

/** Processor time for a list of 50 rows of one tenant: of the gateway, and of PostgreSQL on all nodes. */
async function reads(cluster: CitusCluster, gateway: GatewayProcess, token: string): Promise<Row> {
  const servers = [cluster.coordinator, ...cluster.workers];
  const ask = async (table: string, amount: number): Promise<void> => {
    const query = `{ get${table}(where: {tenant: {eq: 7}}, orderBy: [{id: "asc"}], limit: 50) { id name visitors } }`;
    const { non2xx, errors } = await autocannon({
      url: `${gateway.baseUrl}/api/graphql/schema/app`,
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query }),
      connections: CONNECTIONS,
      amount,
      timeout: 60,
      sampleInt: 50, // it ends with a sample
      verifyBody: (body) => String(body).includes('"visitors"'),
    });
    if (non2xx > 0 || errors > 0) throw new Error(`${non2xx + errors} requests failed`);
  };
  const spent = new Map<string, (readonly [service: number, postgres: number])[]>();
  for (const table of ["Near", "Far"]) await ask(table, WARM_UP_REQUESTS);
  for (let round = 0; round < ROUNDS; round++)
    for (const table of round % 2 === 0 ? ["Near", "Far"] : ["Far", "Near"]) {
      const service = stopwatch(() => familyOf(gateway.pid));
      const postgres = stopwatch(() => servers.flatMap(({ cluster: { pid } }) => childrenOf(pid)));
      await ask(table, REQUESTS);
      const each = [service(), postgres()].map((ms) => (ms / REQUESTS) * 1000) as [number, number];
      spent.set(table, [...(spent.get(table) ?? []), each]);
    }
  const of = (table: string, index: 0 | 1): number => median(spent.get(table)!.map((one) => one[index]));
  const all = (table: string): number => of(table, 0) + of(table, 1);
  const show = (table: string): string => `${of(table, 0).toFixed(0)} + ${of(table, 1).toFixed(0)} µs`;
  return {
    what: "processor of the service + PostgreSQL for a list of 50 rows by the distribution column, Citus on three nodes",
    ours: show("Far"),
    peer: `a local table ${show("Near")}`,
    ratio: (all("Far") / all("Near")).toFixed(2),
    target: "≤ 1.5",
  };
}

/** The statement of such a list, in a transaction as the gateway runs it: what Citus takes itself. */
async function bareReads({ database: { client }, coordinator, workers }: CitusCluster): Promise<Row> {
  const spent = new Map<string, number[]>();
  const ask = async (table: string, amount: number): Promise<void> => {
    for (let at = 0; at < amount; at++) {
      await client.query({ name: "begin", text: "begin read only" });
      await client.query({
        name: table,
        text: `select (select coalesce(json_agg(r), '[]') from (
          select t.id::text as id, t.name, t.visitors from app.${table} t where t.tenant = $1::int order by t.id limit 50) r)::text`,
        values: [7],
      });
      await client.query({ name: "commit", text: "commit" });
    }
  };
  await client.query("set jit = off");
  for (const table of ["near", "far"]) await ask(table, WARM_UP_REQUESTS / 6);
  for (let round = 0; round < ROUNDS; round++)
    for (const table of round % 2 === 0 ? ["near", "far"] : ["far", "near"]) {
      const postgres = stopwatch(() => [coordinator, ...workers].flatMap(({ cluster: { pid } }) => childrenOf(pid)));
      await ask(table, REQUESTS / 2);
      spent.set(table, [...(spent.get(table) ?? []), (postgres() / (REQUESTS / 2)) * 1000]);
    }
  const [near, far] = [median(spent.get("near")!), median(spent.get("far")!)];
  return {
    what: "processor of PostgreSQL for the same statement without Portolan, Citus on three nodes",
    ours: `${far.toFixed(0)} µs`,
    peer: `a local table ${near.toFixed(0)} µs`,
    ratio: (far / near).toFixed(2),
    target: "",
  };
}

/** Rows that are written at once, until a subscriber has them all. */
async function events({ database, workers }: CitusCluster, gateway: GatewayProcess, token: string): Promise<Row> {
  const { client } = database;
  await client.query("select portolan.enable_events('app.news')");
  await until(
    async () =>
      (await client.query("select from portolan.shard_positions where upto > '0/0'")).rows.length ===
      1 + workers.length,
    PATIENCE_MS,
  );
  let told = 0;
  const follower = new Follower({
    url: () => gateway.baseUrl.replace(/^http/, "ws"),
    token: () => Promise.resolve(token),
    schema: "app",
    relation: "news",
    take: (rows) => (told += rows.length),
  });
  const rates: number[] = [];
  try {
    await until(() => follower.isLive, PATIENCE_MS);
    for (let round = 1; round <= EVENT_ROUNDS; round++) {
      const fromMs = performance.now();
      for (let part = 0; part < 10; part++)
        await client.query(
          "insert into app.news select i % 20, $1 + i, 'news ' || i from generate_series(1, $2::int) i",
          [round * 1_000_000 + part * EVENTS, EVENTS / 10],
        );
      await until(() => told >= round * EVENTS, PATIENCE_MS);
      rates.push((EVENTS / (performance.now() - fromMs)) * 1000);
    }
  } finally {
    await follower.stop();
  }
  const rate = median(rates);
  return {
    what: "events of a distributed table on two workers, from the first insert to the subscriber",
    ours: `${Math.round(rate)} events/s`,
    peer: "",
    ratio: (rate / 10_000).toFixed(2),
    target: "≥ 10,000 events/s",
  };
}
