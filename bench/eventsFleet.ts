/**
 * The time from commit to the client's socket: four gateways over NATS against one with all of their subscribers,
 * written to in turn, ten groups of equal rights.
 */
import { setTimeout } from "node:timers/promises";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { freePort } from "../test/support/freePort.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { NatsServer } from "../test/support/nats.ts";
import { GatewayProcess } from "../test/support/process.ts";
import { Follower } from "../test/support/follower.ts";
import { until } from "../test/support/until.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { quantile } from "./support/load.ts";
import { familyOf, queuedMs, stopwatch } from "./support/processes.ts";

const GATEWAYS = 4;
const GROUPS = 10;
/** Writes before the gateway's code for a write is compiled. */
const WARM_UP = 300;
const WRITES = 300;
const PAUSE_MS = 20;
const BASE_URL = "http://portolan.test";

interface Fleet {
  readonly write: (id: number) => Promise<void>;
  /** The time from the answer to COMMIT to each socket, in ms. */
  readonly times: number[];
  /** The time until now that its gateways have run on processors, and waited for one, in ms. */
  readonly spent: () => { readonly run: number; readonly queued: number };
  readonly stop: () => Promise<void>;
}

export const benchmark: Benchmark = {
  name: "Change events: four gateways",
  async run() {
    await using nats = await NatsServer.start();
    const [one, four] = [await startFleet(1, nats.url), await startFleet(GATEWAYS, nats.url)];
    try {
      let before = [one, four].map(({ spent }) => spent());
      for (let id = 0; id < WARM_UP + WRITES; id++) {
        if (id === WARM_UP) before = [one, four].map(({ spent }) => spent());
        for (const { write } of id % 2 === 0 ? [one, four] : [four, one]) await write(id);
        await setTimeout(PAUSE_MS);
      }
      const [alone, together] = [one.times, four.times];
      const show = (times: readonly number[]): string =>
        `p50 ${quantile(times, 0.5).toFixed(1)}, p95 ${quantile(times, 0.95).toFixed(1)} ms`;
      const costs = [one, four].map(({ spent }, index) => {
        const [from, to] = [before[index]!, spent()];
        const of = (member: "run" | "queued"): string => ((to[member] - from[member]) / WRITES).toFixed(1);
        return `${of("run")} ms, ${of("queued")} in line for a processor`;
      });
      return [
        {
          what: `commit to socket, ${GROUPS} groups, four gateways over NATS`,
          ours: show(together),
          peer: `one gateway ${show(alone)}`,
          ratio: (quantile(together, 0.95) / quantile(alone, 0.95)).toFixed(2),
          target: "p95 ≤ 1.5",
        },
        { what: "processor of the gateways for each write", ours: costs[1]!, peer: costs[0]!, ratio: "", target: "" },
      ];
    } finally {
      await Promise.all([one.stop(), four.stop()]);
    }
  },
};

/** Gateways of their own database, with `GATEWAYS` subscribers of each group in all. */
async function startFleet(count: number, natsUrl: string): Promise<Fleet> {
  const database = await testDatabase({ kind: "portolan" });
  const accounts = Array.from({ length: GROUPS }, (_, index) => `reader${index}`);
  await prepare(database, accounts);
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const gateways = await Promise.all(
    ports.map((port) =>
      GatewayProcess.start({
        DATABASE_URL: database.gatewayUrl,
        PORT: String(port),
        BASE_URL,
        NATS_URL: natsUrl,
        LOG_LEVEL: "error",
      }),
    ),
  );
  const pids = gateways.map(({ pid }) => pid);
  const service = stopwatch(() => pids.flatMap(familyOf));
  const tokens = await Promise.all(accounts.map((account) => tokenFor(database, BASE_URL, account)));
  const times: number[] = [];
  /** When the last written row reached each subscriber. */
  const arrivals: number[] = [];
  const followers = Array.from({ length: GATEWAYS }, (_, index) => ports[index % count]).flatMap((port) =>
    tokens.map(
      (token) =>
        new Follower({
          url: () => `ws://127.0.0.1:${port}`,
          token: () => Promise.resolve(token),
          schema: "town",
          relation: "rows",
          take: () => void arrivals.push(performance.now()),
        }),
    ),
  );
  await until(() => followers.every(({ isLive }) => isLive));
  return {
    times,
    spent: () => ({ run: service(), queued: pids.reduce((sum, pid) => sum + queuedMs(pid), 0) }),
    async write(id) {
      arrivals.length = 0;
      await database.client.query("insert into town.rows values ($1)", [id]);
      const committedAt = performance.now();
      await until(() => arrivals.length === followers.length);
      if (id >= WARM_UP) times.push(...arrivals.map((at) => Math.max(0, at - committedAt)));
    },
    async stop() {
      await Promise.all(followers.map((follower) => follower.stop()));
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await database.drop();
    },
  };
}

async function prepare({ client }: TestDatabase, accounts: readonly string[]): Promise<void> {
  await client.query(`
create schema town; create table town.rows (id int primary key);
alter table town.rows enable row level security;
create policy own on town.rows using (id >= 0 and current_setting('portolan.user') <> '');
select portolan.enable_events('town.rows')`);
  for (const account of accounts)
    await client.query("select portolan.create_user($1, null), portolan.set_privilege('town.rows', $1, 'read')", [
      account,
    ]);
}
