/** The agents' door: `read` of 50 rows beside the same list by GraphQL, and the list of tools over 500 tables. */
import { setTimeout } from "node:timers/promises";
import { agentToken } from "../test/support/agent.ts";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";

const TIMES = 200;
/** The requests of one side in a row, before the other side's turn. */
const BLOCK = 20;
/** After requests of other doors agents rest between their calls for half a second, which does not count. */
const QUIET_MS = 600;
const TABLES = 500;
const MOST_OVER_MS = 2;
const MOST_LISTED_MS = 50;
const MOST_LISTED_BYTES = 20_000;

type Ask = () => Promise<string>;

/** In a process of its own, so that the client's work does not count. */
interface Served {
  readonly database: TestDatabase;
  readonly baseUrl: string;
}

/** The median of each, asked in turn by blocks; the first block does not count. */
async function medians(asks: readonly Ask[]): Promise<readonly number[]> {
  const durations: number[][] = asks.map(() => []);
  for (let done = -BLOCK; done < TIMES; done += BLOCK)
    for (const [index, ask] of asks.entries()) {
      await setTimeout(QUIET_MS);
      for (let n = 0; n < BLOCK; n++) {
        const started = performance.now();
        await ask();
        if (done >= 0) durations[index]!.push(performance.now() - started);
      }
    }
  return durations.map((each) => each.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)]!);
}

async function agentOf(gateway: Served): Promise<(method: string, params: object) => Promise<string>> {
  const token = await agentToken(gateway, "captain");
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return async (method, params) => {
    const response = await fetch(`${gateway.baseUrl}/mcp/${gateway.database.name}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        ...("name" in params && { "Mcp-Name": String(params.name) }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    });
    const text = await response.text();
    if (response.status !== 200 || text.includes('"isError":true')) throw new Error(`${response.status} ${text}`);
    return text;
  };
}

async function reading(gateway: Served): Promise<Row> {
  const agent = await agentOf(gateway);
  const authorization = `Bearer ${await tokenFor(gateway.database, gateway.baseUrl, "captain")}`;
  const columns = ["id", "name", "zone", "country_code", "area_id"];
  const query = `query ($id: JSON) { getCities(where: $id, limit: 50) { ${columns.join(" ")} } }`;
  const where = { id: { gt: 100 } };
  const byGraphql: Ask = async () => {
    const response = await fetch(`${gateway.baseUrl}/api/graphql/schema/world`, {
      method: "POST",
      headers: { Authorization: authorization, "Content-Type": "application/json" },
      body: JSON.stringify({ query, variables: { id: where } }),
    });
    return response.text();
  };
  const byAgent: Ask = () =>
    agent("tools/call", { name: "read", arguments: { table: "world.cities", columns, where, limit: 50 } });
  const [mine = NaN, theirs = NaN] = await medians([byAgent, byGraphql]);
  return {
    what: "an agent's read of 50 rows",
    ours: `${mine.toFixed(2)} ms`,
    peer: `GraphQL ${theirs.toFixed(2)} ms`,
    ratio: `+${(mine - theirs).toFixed(2)} ms`,
    target: `≤ +${MOST_OVER_MS} ms`,
  };
}

async function listing(gateway: Served): Promise<Row> {
  const agent = await agentOf(gateway);
  const [median = NaN] = await medians([() => agent("tools/list", {})]);
  const bytes = Buffer.byteLength(await agent("tools/list", {}));
  return {
    what: `the tools of an agent over ${TABLES} tables`,
    ours: `${median.toFixed(1)} ms, ${(bytes / 1000).toFixed(1)} kB`,
    peer: "",
    ratio: "",
    target: `≤ ${MOST_LISTED_MS} ms, ≤ ${MOST_LISTED_BYTES / 1000} kB`,
  };
}

export const benchmark: Benchmark = {
  name: "agents",
  async run() {
    const database = await testDatabase({ kind: "demo" });
    await database.client.query(`
create schema many;
do $$ begin
  for i in 1..${TABLES} loop
    execute format('create table many.t%s (id int primary key, name text, at timestamptz)', i);
    execute format('comment on table many.t%s is %L', i, 'Table number ' || i || ' of the bench');
  end loop;
end $$;`);
    const gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      PORT: "0",
      LOG_LEVEL: "warn",
      MCP: "true",
    });
    const served = { database, baseUrl: gateway.baseUrl };
    try {
      return [await reading(served), await listing(served)];
    } finally {
      await gateway.stop();
      await database.drop();
    }
  },
};
