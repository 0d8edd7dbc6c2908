/** Two processes on one port against one: the processor time of a request, and how evenly they share the work. */
import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import autocannon from "autocannon";
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, buildFixture } from "./support/fixture.ts";
import { median } from "./support/load.ts";
import { childrenOf, familyOf, postmasterOf, stopwatch } from "./support/processes.ts";

const CONNECTIONS = 8;
const ROUNDS = 7;
/** Requests of each process before the most used code is compiled. */
const WARM_UP_REQUESTS = 6000;
const REQUESTS = 2000;
/** Requests a second of each process, at which the cores are idle most of the time. */
const PER_SECOND = 200;
const PACED_SECONDS = 4;
const LIST = "{ getCityParks(limit: 50) { id name visitors } }";

interface Side {
  readonly gateway: GatewayProcess;
  readonly workers: number;
  readonly token: string;
}
/** Processor time for a request, in µs. */
type Spent = readonly [service: number, postgres: number];

export const benchmark: Benchmark = {
  name: "Workers",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    const postmaster = await postmasterOf(database.client);
    const sides: Side[] = [];
    for (const workers of [1, 2]) {
      const gateway = await GatewayProcess.start({
        DATABASE_URL: database.gatewayUrl,
        OWNER_DATABASE_URL: database.url,
        PORT: "0",
        WORKERS: String(workers),
        LOG_LEVEL: "error",
      });
      sides.push({ gateway, workers, token: await tokenFor(database, gateway.baseUrl, ACCOUNT) });
    }
    const [one, two] = sides as [Side, Side];
    const spentBy = async ({ gateway: { pid } }: Side, amount: number, ask: () => Promise<unknown>): Promise<Spent> => {
      const service = stopwatch(() => familyOf(pid));
      const postgres = stopwatch(() => childrenOf(postmaster));
      await ask();
      return [(service() / amount) * 1000, (postgres() / amount) * 1000];
    };
    try {
      for (const side of sides) await ask(side, side.workers * WARM_UP_REQUESTS);
      const [first = 0, second = 0] = childrenOf(two.gateway.pid);
      const times = [stopwatch(() => [first]), stopwatch(() => [second])] as const;
      const pacedAt = (ofEach: number) =>
        inTurn(sides, (side) => {
          const amount = PACED_SECONDS * ofEach * side.workers;
          return spentBy(side, amount, () => pace(side, ofEach * side.workers, amount));
        });
      const paced = await pacedAt(PER_SECOND);
      const halved = await pacedAt(PER_SECOND / 2);
      const rates = new Map<Side, number[]>(sides.map((side) => [side, []]));
      const full = await inTurn(sides, (side) =>
        spentBy(side, REQUESTS, async () => rates.get(side)?.push(await ask(side, REQUESTS))),
      );
      const parts = [times[0](), times[1]()] as const;
      const rateOf = (side: Side): number => median(rates.get(side) ?? []);
      const perSecond = `${PER_SECOND} requests a second`;
      return [
        spentRow(`two workers, ${perSecond} for each process`, paced.get(two)!, paced.get(one)!, "≤ 1.1"),
        spentRow(`two workers, ${perSecond} in all`, halved.get(two)!, paced.get(one)!, "≤ 1.1"),
        spentRow(`one process, half of the ${perSecond}`, halved.get(one)!, paced.get(one)!, ""),
        spentRow("two workers, as many as they answer", full.get(two)!, full.get(one)!, ""),
        shareRow(parts),
        {
          what: "requests a second, two workers, where the load and PostgreSQL have the same cores",
          ours: `${Math.round(rateOf(two))}/s`,
          peer: `one process ${Math.round(rateOf(one))}/s`,
          ratio: (rateOf(two) / rateOf(one)).toFixed(2),
          target: "≥ 1.6 where cores are free",
        },
      ];
    } finally {
      await Promise.all(sides.map(({ gateway }) => gateway.stop()));
      await database.drop();
    }
  },
};

/** Medians of the processor time of each side, measured in turn. */
async function inTurn(
  sides: readonly Side[],
  measure: (side: Side) => Promise<Spent>,
): Promise<ReadonlyMap<Side, Spent>> {
  const all = new Map<Side, Spent[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) all.get(side)?.push(await measure(side));
  const at = (spent: readonly Spent[], index: 0 | 1): number => median(spent.map((one) => one[index]));
  return new Map([...all].map(([side, spent]) => [side, [at(spent, 0), at(spent, 1)]]));
}

/** Against one process at the whole rate. */
function spentRow(when: string, [shared, postgres]: Spent, [alone, alonePostgres]: Spent, target: string): Row {
  const show = (service: number, database: number): string =>
    `${service.toFixed(0)} µs, PostgreSQL ${database.toFixed(0)} µs`;
  return {
    what: `processor for each GraphQL list of 50 rows, ${when}`,
    ours: show(shared, postgres),
    peer: `one process ${show(alone, alonePostgres)}`,
    ratio: (shared / alone).toFixed(2),
    target,
  };
}

function shareRow([first, second]: readonly [number, number]): Row {
  const share = first / (first + second);
  return {
    what: "the work of two workers",
    ours: `${(share * 100).toFixed(0)} %`,
    peer: `${((1 - share) * 100).toFixed(0)} %`,
    ratio: (Math.abs(2 * share - 1) * 100).toFixed(0) + " % apart",
    target: "≤ 10 %",
  };
}

function requestOf({ gateway, token }: Side) {
  return {
    url: `${gateway.baseUrl}/api/graphql/schema/city`,
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: LIST }),
  } as const;
}

/** Sends requests as fast as they are answered; gives requests a second. Throws when an answer is not 200. */
async function ask(side: Side, amount: number): Promise<number> {
  const from = performance.now();
  const { non2xx, errors } = await autocannon({
    ...requestOf(side),
    connections: CONNECTIONS,
    amount,
    timeout: 60,
    sampleInt: 50, // it ends with a sample
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx + errors} requests failed`);
  return (amount / (performance.now() - from)) * 1000;
}

/** Sends so many requests a second, evenly, on connections that take turns. Throws when an answer is not 200. */
async function pace(side: Side, perSecond: number, amount: number): Promise<void> {
  const { url, body, ...options } = requestOf(side);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: "fifo" });
  const send = async (): Promise<void> => {
    const sent = request(url, { ...options, agent }).end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    await once(response.resume(), "end");
    if (response.statusCode !== 200) throw new Error(`answered with ${response.statusCode}`);
  };
  const from = performance.now();
  const sent: Promise<void>[] = [];
  while (sent.length < amount) {
    const due = Math.min(amount, ((performance.now() - from) / 1000) * perSecond);
    while (sent.length < due) sent.push(send());
    await setTimeout(1);
  }
  await Promise.all(sent);
  agent.destroy();
}
