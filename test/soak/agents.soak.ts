/**
 * 100 agents beside people: how long people wait with and without them, and streams that nobody reads. `SOAK_MINUTES` (10) is
 * the duration with agents, and as long without. Agents that think take all of it, and greedy ones a third. Prints its figures.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { agentToken } from "../support/agent.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { GatewayProcess, megabytesOf } from "../support/process.ts";
import { until } from "../support/until.ts";
import type { AgentsOptions } from "./agents.worker.ts";

const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 10);
const MOST_TIMES = 1.3;
const ACCOUNTS = 10;
const AGENTS = 100;
const PEOPLE = 8;
/** A model takes so long to read an answer and to write the next call. */
const THINK_MS = 10_000;
const PERSON_PAUSE_MS = 100;
const WARM_MINUTES = 0.3;
/**
 * People are alone for as long as agents are beside them, in turn, each first every other time. Rounds are short, so that other
 * work of the machine is the same in both.
 */
const ROUND_MINUTES = 4 / 60;
/** That a hundred agents begin or leave at once is no part of it. */
const SETTLE_MS = 1500;
/** Agents that ask again as soon as they are answered: for this part of the duration. */
const GREEDY_PART = 1 / 3;
/** Of people at the OGC API and at GraphQL, in turn. */
const PATHS = ["ogc", "graphql"] as const;
const STALLED = 20;
/** Tables that each of those follows. Their names are long when they are written as an address, which fills its buffers sooner. */
const FOLLOWED = 100;
const LONG = "%".repeat(50);
const MOST_GROWN_MB = 150;

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "soak", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? NaN;
}

describe(`${AGENTS} agents beside people`, function () {
  this.timeout((2 * MINUTES + 10) * 60_000);
  let database: TestDatabase;
  let gateway: GatewayProcess;
  const sockets: Socket[] = [];
  const workers: Worker[] = [];

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      PORT: "0",
      MCP: "true",
      LOG_LEVEL: "error",
    });
    for (let n = 0; n < ACCOUNTS; n++)
      await database.client.query(`
select portolan.create_user('agent${n}', null);
grant usage on schema world to "agent${n}@${database.name}";
grant select on all tables in schema world to "agent${n}@${database.name}"`);
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    for (const worker of workers) await worker.terminate();
    await gateway.stop();
    await database.drop();
  });

  /** The milliseconds that each request of people took within these minutes. */
  async function people(minutes: number): Promise<readonly number[]> {
    const token = await tokenFor(database, gateway.baseUrl, "captain");
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const from = performance.now() + SETTLE_MS;
    const until = from + minutes * 60_000;
    const durations: number[] = [];
    const ask = {
      ogc: (n: number) =>
        fetch(`${gateway.baseUrl}/api/v4/ogc/database/${database.name}/collections/world.cities/items?limit=${20 + (n % 30)}`, { headers }),
      graphql: (n: number) =>
        fetch(`${gateway.baseUrl}/api/graphql/schema/world`, {
          method: "POST",
          headers,
          body: JSON.stringify({ query: `{ getCities(limit: ${20 + (n % 30)}) { id name countries { name } } }` }),
        }),
    }; // oxfmt-ignore
    const person = async (first: number): Promise<void> => {
      for (let n = first; performance.now() < until; n++) {
        const began = performance.now();
        const response = await ask[PATHS[n % PATHS.length]!](n);
        await response.arrayBuffer();
        assert.equal(response.status, 200);
        if (began >= from) durations.push(performance.now() - began);
        await setTimeout(PERSON_PAUSE_MS * (0.5 + Math.random())); // people are not a benchmark
      }
    };
    await Promise.all(Array.from({ length: PEOPLE }, (_, n) => person(n)));
    return durations;
  }

  for (const { who, pauseMs, minutes } of [
    { who: "agents that think", pauseMs: THINK_MS, minutes: MINUTES },
    { who: "greedy agents", pauseMs: 0, minutes: MINUTES * GREEDY_PART },
  ])
    it(`has people wait at most ${MOST_TIMES} times as long beside ${who}, at the 95th percentile`, async () => {
      const tokens = await Promise.all(
        Array.from({ length: AGENTS }, (_, n) =>
          agentToken({ database, baseUrl: gateway.baseUrl } as never, `agent${n % ACCOUNTS}`),
        ),
      );
      const workerData: AgentsOptions = { url: `${gateway.baseUrl}/mcp/${database.name}`, tokens, pauseMs };
      const agents = new Worker(join(import.meta.dirname, "agents.worker.ts"), { workerData });
      workers.push(agents);
      const outcomes = new Map<string, number>();
      const beside = async (minutes: number): Promise<readonly number[]> => {
        agents.postMessage("begin");
        const durations = await people(minutes);
        agents.postMessage("end");
        const [counts] = (await once(agents, "message")) as [Readonly<Record<string, number>>];
        for (const [code, count] of Object.entries(counts)) outcomes.set(code, (outcomes.get(code) ?? 0) + count);
        return durations;
      };
      await people(WARM_MINUTES);
      await beside(WARM_MINUTES);
      outcomes.clear();
      const megabytes = megabytesOf(gateway.pid);
      const durations = { alone: [] as number[], beside: [] as number[] };
      const ratios: number[] = [];
      for (let round = 0; round < minutes / ROUND_MINUTES; round++) {
        const pair = { alone: [] as readonly number[], beside: [] as readonly number[] };
        for (const part of round % 2 === 0 ? (["alone", "beside"] as const) : (["beside", "alone"] as const)) {
          pair[part] = await (part === "alone" ? people(ROUND_MINUTES) : beside(ROUND_MINUTES));
          durations[part].push(...pair[part]);
        }
        ratios.push(quantile(pair.beside, 0.95) / quantile(pair.alone, 0.95));
      }
      await agents.terminate();
      const grown = megabytesOf(gateway.pid) - megabytes;
      const [alone, together] = [quantile(durations.alone, 0.95), quantile(durations.beside, 0.95)];
      const times = together / alone;
      process.stdout.write(
        `      people's p95: ${alone.toFixed(1)} ms alone, ${together.toFixed(1)} ms beside ${who} (× ${times.toFixed(2)}; ` +
          `median of ${ratios.length} pairs × ${quantile(ratios, 0.5).toFixed(2)}, quartiles ${quantile(ratios, 0.25).toFixed(2)} and ${quantile(ratios, 0.75).toFixed(2)}); ` +
          `medians ${quantile(durations.alone, 0.5).toFixed(1)} and ${quantile(durations.beside, 0.5).toFixed(1)} ms; ` +
          `agents: ${JSON.stringify(Object.fromEntries(outcomes))}; ${grown.toFixed(0)} MB more\n`,
      );
      assert.deepEqual(
        [...outcomes.keys()].filter((code) => !["done", "FORBIDDEN", "ACCOUNT_BUSY", "UNAVAILABLE"].includes(code)),
        [],
      );
      assert.ok(grown < MOST_GROWN_MB, `${grown} MB more`);
      assert.ok(times <= MOST_TIMES, `× ${times}`);
    });

  it(`is not filled by ${STALLED} streams that nobody reads, and ends them`, async () => {
    const schema = `s${LONG}`;
    const tables = Array.from({ length: FOLLOWED }, (_, n) => `t${n}${LONG}`);
    await database.client.query(`create schema "${schema}"`);
    for (const table of tables)
      await database.client.query(`
create table "${schema}"."${table}" (id int primary key, n int);
insert into "${schema}"."${table}" values (1, 0);
select portolan.enable_events('"${schema}"."${table}"')`);
    const listeners = async (): Promise<number> =>
      Number(/portolan_mcp_listeners (\d+)/.exec(await (await fetch(`${gateway.baseUrl}/metrics`)).text())?.[1]);
    const token = await agentToken({ database, baseUrl: gateway.baseUrl } as never, "captain");
    const uris = tables.map(
      (table) => `portolan://${[database.name, schema, table].map(encodeURIComponent).join("/")}`,
    );
    await until(async () => {
      const answer = await fetch(`${gateway.baseUrl}/api/v4/schemas/${encodeURIComponent(schema)}/tables`, {
        headers: { Authorization: `Bearer ${await tokenFor(database, gateway.baseUrl, "captain")}` },
      });
      return answer.status === 200;
    });
    for (let n = 0; n < STALLED; n++) {
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: n,
        method: "subscriptions/listen",
        params: { notifications: { resourceSubscriptions: uris }, _meta: ENVELOPE },
      });
      const { hostname, port, host } = new URL(gateway.baseUrl);
      const socket = connect(Number(port), hostname);
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.write(
        `POST /mcp/${database.name} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
          `Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      await once(socket, "data");
      socket.pause();
      sockets.push(socket);
    }
    assert.equal(await listeners(), STALLED);
    const megabytes = megabytesOf(gateway.pid);
    let peak = 0;
    const changes = tables.map((table) => `update "${schema}"."${table}" set n = n + 1`).join(";");
    const began = performance.now();
    while ((await listeners()) > 0 && performance.now() - began < 240_000) {
      await database.client.query(changes);
      peak = Math.max(peak, megabytesOf(gateway.pid));
      await setTimeout(150); // more often than streams are told
    }
    const grown = peak - megabytes;
    process.stdout.write(
      `      ended after ${((performance.now() - began) / 1000).toFixed(0)} s, ${grown.toFixed(0)} MB more at most\n`,
    );
    assert.equal(await listeners(), 0);
    assert.ok(grown < MOST_GROWN_MB, `${grown} MB more`);
  });
});
