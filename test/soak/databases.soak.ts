/** A thousand databases in one cluster that is served whole. Prints its figures. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { GATEWAY_LOGIN, testCluster, testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { GatewayProcess, megabytesOf } from "../support/process.ts";
import { until } from "../support/until.ts";

const ALL = Number(process.env["SOAK_DATABASES"] ?? 1000);
/** The number of databases that are migrated, and woken at once. */
const WOKEN = Number(process.env["SOAK_WOKEN"] ?? 200);
const TABLES = 20;
const BASE_URL = "http://127.0.0.1:17575";
const IDLE_SECONDS = 10;
/** The memory of a gateway that has woken up to 50 databases, when all sleep again. */
const MOST_ASLEEP_MB = 300;

describe(`${ALL} databases`, function () {
  this.timeout(1_800_000);
  let admin: pg.Client;
  let gateway: GatewayProcess;
  let url: string;
  let ownerUrl: string;
  const woken: { readonly name: string; readonly url: string; readonly gatewayUrl: string; readonly token: string }[] =
    [];
  const tell = (what: string, figure: string): void => console.log(`    ${what}: ${figure}`);

  before(async () => {
    const cluster = await testCluster();
    url = cluster.url("x", GATEWAY_LOGIN, "gateway").replace(/x$/, "*");
    ownerUrl = cluster.url("x").replace(/x$/, "*");
    admin = new pg.Client({ connectionString: cluster.url("postgres") });
    await admin.connect();
    for (let n = 0; n < WOKEN; n++) woken.push(await makeOne());
    for (let n = WOKEN; n < ALL; n++) {
      await admin.query(`create database sleeping${n} template template0`);
      await admin.query(`create role "anonymous@sleeping${n}"`);
    }
  });

  after(async () => {
    await gateway?.stop();
    for (const { name } of woken) await admin.query(`drop database ${name} with (force)`);
    for (let n = WOKEN; n < ALL; n++) {
      await admin.query(`drop database sleeping${n}`);
      await admin.query(`drop role "anonymous@sleeping${n}"`);
    }
    await admin.end();
  });

  async function makeOne(): Promise<Pick<TestDatabase, "name" | "url" | "gatewayUrl"> & { token: string }> {
    const { client, name, url, gatewayUrl } = await testDatabase({ kind: "portolan", keepsOwner: false });
    await client.query("create schema town; select portolan.create_user('ann', null)");
    for (let table = 0; table < TABLES; table++)
      await client.query(`
create table town.parks${table} (id int primary key, name text, parent int references town.parks${table});
insert into town.parks${table} values (1);
select portolan.set_privilege('town.parks${table}', 'ann', 'write')`);
    await client.end();
    return { name, url, gatewayUrl, token: await tokenFor({ name, url }, BASE_URL, "ann") };
  }

  const start = (env: Record<string, string>): Promise<GatewayProcess> =>
    GatewayProcess.start({ ...env, BASE_URL, PORT: "17575", LOG_LEVEL: "warn", IDLE_DATABASE_MS: "20000" });
  async function ask(token: string): Promise<void> {
    const response = await fetch(`${BASE_URL}/api/graphql/schema/town`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query: "{ getParks3 { id } }" }),
    });
    assert.deepEqual(await response.json(), { data: { getParks3: [{ id: "1" }] } });
  }
  /** Connections of the gateway to all databases, and the most to one of them without those of requests. */
  async function connections(): Promise<{ all: number; beside: number }> {
    const { rows } = await admin.query<{ all: number; beside: number }>(
      `
select coalesce(sum(n), 0)::integer as all, coalesce(max(beside), 0)::integer as beside
from (
  select count(*) as n, count(*) filter (where application_name <> 'portolan requests') as beside
  from pg_stat_activity
  where usename = $1 and datname <> 'postgres'
  group by datname
) as one`,
      [GATEWAY_LOGIN],
    );
    return rows[0]!;
  }
  const cpuSecondsOf = (pid: number): number => {
    const [, , , , , , , , , , , user = "0", system = "0"] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, ". ")
      .split(" ");
    return (Number(user) + Number(system)) / 100;
  };

  it("start in less than 5 s, sleep without a connection, and answer first within 500 ms", async () => {
    const [first] = woken;
    const alone = await start({ DATABASE_URL: first!.gatewayUrl, OWNER_DATABASE_URL: first!.url });
    await ask(first!.token);
    const megabytes = megabytesOf(alone.pid);
    await alone.stop();

    const started = performance.now();
    gateway = await start({ DATABASE_URL: url, OWNER_DATABASE_URL: ownerUrl });
    const startMs = performance.now() - started;
    tell("start", `${Math.round(startMs)} ms`);
    const cpu = cpuSecondsOf(gateway.pid);
    await setTimeout(IDLE_SECONDS * 1000); // the absence of cost must be watched for a while
    tell("processor asleep", `${(((cpuSecondsOf(gateway.pid) - cpu) / IDLE_SECONDS) * 100).toFixed(1)} %`);
    const asleep = await connections();
    tell("connections asleep", String(asleep.all));
    const times: number[] = [];
    for (const { token } of woken.slice(0, 10)) {
      const from = performance.now();
      await ask(token);
      times.push(performance.now() - from);
    }
    tell("first answers", times.map((ms) => `${Math.round(ms)}`).join(", ") + " ms");
    const one = megabytesOf(gateway.pid);
    tell(
      "memory",
      `${Math.round(one)} MB with ${times.length} awake, ${Math.round(megabytes)} MB of a gateway with one database`,
    );
    const awake = await connections();
    tell("connections with 10 awake", `${awake.all}, at most ${awake.beside} to one beside those of requests`);
    assert.ok(startMs < 5000);
    assert.equal(asleep.all, 0);
    assert.ok(times.toSorted((a, b) => a - b)[times.length >> 1]! < 500);
    assert.ok(one - megabytes < 100);
    assert.ok(awake.beside <= 3);
  });

  it(`${WOKEN} that are asked at once all answer, and fall asleep again`, async () => {
    const from = performance.now();
    await Promise.all(woken.map(({ token }) => ask(token)));
    const awake = megabytesOf(gateway.pid);
    tell(`${WOKEN} at once`, `${((performance.now() - from) / 1000).toFixed(1)} s, ${Math.round(awake)} MB`);
    const all = await connections();
    tell("connections with all awake", `${all.all}, at most ${all.beside} to one beside those of requests`);
    assert.ok(all.beside <= 3);
    await until(async () => (await connections()).all === 0, 120_000);
    tell("memory when the last has fallen asleep", `${Math.round(megabytesOf(gateway.pid))} MB`);
    await until(() => megabytesOf(gateway.pid) < awake * 0.75, 30_000); // it is collected a second later, and again after 12 s
    await setTimeout(5000); // and returned to the system piece by piece, which must be watched for a while
    const asleep = megabytesOf(gateway.pid);
    tell("memory asleep again", `${Math.round(asleep)} MB`);
    if (WOKEN <= 50) assert.ok(asleep <= MOST_ASLEEP_MB, `${asleep} MB`);
  });
});
