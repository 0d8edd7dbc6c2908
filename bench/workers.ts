/** Two processes on one port against one: what a request takes of processors, and how evenly they share the work. */
import autocannon from "autocannon";
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, buildFixture } from "./support/fixture.ts";
import { median } from "./support/load.ts";
import { childrenOf, timeOf } from "./support/processes.ts";

const CONNECTIONS = 8;
const ROUNDS = 7;
/** For each process: until what is asked for most has been compiled. */
const WARM_UP_REQUESTS = 6000;
const REQUESTS = 2000;
const LIST = "{ getCityParks(limit: 50) { id name visitors } }";

export const benchmark: Benchmark = {
  name: "Workers",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    const start = (workers: number): Promise<GatewayProcess> =>
      GatewayProcess.start({
        DATABASE_URL: database.gatewayUrl,
        OWNER_DATABASE_URL: database.url,
        PORT: "0",
        WORKERS: String(workers),
        LOG_LEVEL: "error",
      });
    const [one, two] = [await start(1), await start(2)];
    try {
      const sides = await Promise.all(
        [one, two].map(async (gateway) => ({
          gateway,
          token: await tokenFor(database, gateway.baseUrl, ACCOUNT),
          spent: [] as number[],
          rates: [] as number[],
        })),
      );
      for (const [index, { gateway, token }] of sides.entries())
        await ask(gateway, token, (index + 1) * WARM_UP_REQUESTS);
      const [first = 0, second = 0] = childrenOf(two.pid);
      const before = [timeOf([first]), timeOf([second])] as const;
      for (let round = 0; round < ROUNDS; round++)
        for (const { gateway, token, spent, rates } of round % 2 === 0 ? sides : sides.toReversed()) {
          const pids = [gateway.pid, ...childrenOf(gateway.pid)];
          const from = timeOf(pids);
          rates.push(await ask(gateway, token, REQUESTS));
          spent.push((timeOf(pids) - from) / REQUESTS);
        }
      const [alone, shared] = sides.map(({ spent, rates }) => ({ spent: median(spent), rate: median(rates) }));
      const parts = [timeOf([first]) - before[0], timeOf([second]) - before[1]] as const;
      return rowsOf(alone!, shared!, parts);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
      await database.drop();
    }
  },
};

interface Figures {
  /** Time of the gateway's processes for a request, in ms. */
  readonly spent: number;
  /** Requests a second. */
  readonly rate: number;
}

function rowsOf(alone: Figures, shared: Figures, [first, second]: readonly [number, number]): Row[] {
  const share = first / (first + second);
  return [
    {
      what: "processor for each GraphQL list of 50 rows, two workers",
      ours: `${(shared.spent * 1000).toFixed(0)} µs`,
      peer: `one process ${(alone.spent * 1000).toFixed(0)} µs`,
      ratio: (shared.spent / alone.spent).toFixed(2),
      target: "≤ 1.1",
    },
    {
      what: "the work of two workers",
      ours: `${(share * 100).toFixed(0)} %`,
      peer: `${((1 - share) * 100).toFixed(0)} %`,
      ratio: (Math.abs(2 * share - 1) * 100).toFixed(0) + " % apart",
      target: "≤ 10 %",
    },
    {
      what: "requests a second, two workers, where the load and PostgreSQL have the same cores",
      ours: `${Math.round(shared.rate)}/s`,
      peer: `one process ${Math.round(alone.rate)}/s`,
      ratio: (shared.rate / alone.rate).toFixed(2),
      target: "≥ 1.6 where cores are free",
    },
  ];
}

/** Requests a second. Throws when an answer is not 200. */
async function ask({ baseUrl }: GatewayProcess, token: string, amount: number): Promise<number> {
  const { non2xx, errors, duration } = await autocannon({
    url: `${baseUrl}/api/graphql/schema/city`,
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: LIST }),
    connections: CONNECTIONS,
    amount,
    timeout: 60,
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx + errors} requests failed`);
  return amount / duration;
}
