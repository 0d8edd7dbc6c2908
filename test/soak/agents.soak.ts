/**
 * 100 agents beside people: how long people wait with and without them, and streams that nobody reads. `SOAK_MINUTES` (10) is
 * the duration with agents, and that without. Agents that think take all of it, and greedy ones a third. Prints its figures.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { agentToken } from "../support/agent.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { GatewayProcess, megabytesOf } from "../support/process.ts";
import { until } from "../support/until.ts";

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
 * work of the machine is the same in both of a pair.
 */
const ROUND_MINUTES = 1 / 6;
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

const CALLS: readonly (readonly [tool: string, given: object])[] = [
  ["describe", {}],
  ["describe", { table: "world.cities" }],
  ["read", { table: "world.cities", limit: 50 }],
  ["read", { table: "world.cities", aggregate: { groupBy: ["country_code"] }, orderBy: { count: "desc" } }],
  ["sql", { sql: "select c.name, count(*) from world.countries c join world.cities t on t.country_code = c.code group by 1" }],
  ["sql", { sql: "select a.name, b.name, a.geom <-> b.geom as far from world.cities a, world.cities b where a.id < 20 order by 3 desc limit 20" }],
  ["features", { table: "world.cities", bbox: [-20, 30, 40, 70], limit: 100 }],
  ["insert", { table: "world.cities", rows: [{ name: "Nowhere" }], dryRun: true }],
  ["explain_denial", { table: "world.cities" }],
]; // oxfmt-ignore

interface AgentOptions {
  readonly token: string;
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? NaN;
}

describe(`${AGENTS} agents beside people`, function () {
  this.timeout((2 * MINUTES + 10) * 60_000);
  let database: TestDatabase;
  let gateway: GatewayProcess;
  const outcomes = new Map<string, number>();
  const sockets: Socket[] = [];

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
    await gateway.stop();
    await database.drop();
  });

  async function agent(n: number, { token, pauseMs, signal }: AgentOptions): Promise<void> {
    const pause = (times: number): Promise<void> => setTimeout(pauseMs * times, undefined, { signal });
    try {
      await pause(Math.random()); // together they do not call in step
      for (let at = n; ; at++) {
        await askOnce(at, { token, signal });
        await pause(0.5 + Math.random());
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async function askOnce(at: number, { token, signal }: Pick<AgentOptions, "token" | "signal">): Promise<void> {
    const [name, given] = CALLS[at % CALLS.length]!;
    const response = await fetch(`${gateway.baseUrl}/mcp/${database.name}`, {
      method: "POST",
      signal,
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: at,
        method: "tools/call",
        params: { name, arguments: given, _meta: ENVELOPE },
      }),
    });
    const [, code = response.status === 200 ? "done" : String(response.status)] =
      /\\"code\\":\\"(\w+)/.exec(await response.text()) ?? [];
    outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
  }

  /** The milliseconds that each request of people took within these minutes. */
  async function people(minutes: number): Promise<readonly number[]> {
    const token = await tokenFor(database, gateway.baseUrl, "captain");
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const until = performance.now() + minutes * 60_000;
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
        durations.push(performance.now() - began);
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
      outcomes.clear();
      const beside = async (minutes: number): Promise<readonly number[]> => {
        const controller = new AbortController();
        const { signal } = controller;
        const agents = tokens.map((token, n) => agent(n, { token, pauseMs, signal }));
        const durations = await people(minutes);
        controller.abort();
        await Promise.all(agents);
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
      const grown = megabytesOf(gateway.pid) - megabytes;
      const [alone, together] = [quantile(durations.alone, 0.95), quantile(durations.beside, 0.95)];
      const times = quantile(ratios, 0.5);
      process.stdout.write(
        `      people's p95: ${alone.toFixed(1)} ms alone, ${together.toFixed(1)} ms beside ${who} (× ${(together / alone).toFixed(2)}; ` +
          `median of ${ratios.length} pairs × ${times.toFixed(2)}, quartiles ${quantile(ratios, 0.25).toFixed(2)} and ${quantile(ratios, 0.75).toFixed(2)}); ` +
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
