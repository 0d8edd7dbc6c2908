/** The delivery of change events: judged for ten roles, and from commit to the client's socket. */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { WebSocket } from "ws";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { testHub } from "../test/support/events.ts";
import { signInAs } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median, quantile } from "./support/load.ts";

const ROUNDS = 3;
const ROWS = 10_000;
const SECONDS = 3;
const SUBSCRIPTIONS_PER_SOCKET = 100;

export const benchmark: Benchmark = {
  name: "change events: subscribers",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    try {
      return [...(await judgements(database)), ...(await latencies(database))];
    } finally {
      await database.drop();
    }
  },
};

/** Events of many transactions, each judged for ten roles: with a policy that takes the whole row, and without. */
async function judgements({ client, ...database }: TestDatabase): Promise<Row[]> {
  const accounts = Array.from({ length: 10 }, (_, index) => `reader${index}`);
  await client.query(`
create schema town;
create table town.judged (id int primary key, owner text, kind int, t text);
create table town.granted (who text, kind int);
insert into town.granted select 'reader' || i % 10, i from generate_series(0, 99) i;
alter table town.judged enable row level security;
create policy own on town.judged using (owner = current_setting('portolan.user'));
create policy granted on town.judged using (exists (select from town.granted g where g.kind = judged.kind and g.who = current_setting('portolan.user')));
grant select on town.granted to public;
select portolan.enable_events('town.judged');`);
  for (const account of accounts)
    await client.query("select portolan.create_user($1, null), portolan.set_privilege('town.judged', $1, 'read')", [
      account,
    ]);
  const rows: Row[] = [];
  for (const [what, policy] of [
    ["policies that name their columns", ""],
    [
      "and one that takes the whole row",
      "create function town.fine(r town.judged) returns boolean language sql stable as 'select r.kind % 7 = 0'; create policy fine on town.judged using (town.fine(judged.*))",
    ],
  ] as const) {
    if (policy) await client.query(policy);
    const hub = await testHub(database);
    let last = 0;
    await Promise.all(
      accounts.map((account) =>
        hub.subscribe(account, "town.judged", { deliver: () => void (last = performance.now()) }),
      ),
    );
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await client.query("delete from town.judged");
      await setTimeout(500);
      // in many transactions, as applications write; the measurement begins with the first
      const before = performance.now();
      await client.query(`
do $$ begin for i in 1..200 loop
  insert into town.judged select i * 100 + k, 'reader' || k % 12, k % 100, repeat('x', 100) from generate_series(1, 100) k;
  commit;
end loop; end $$`);
      for (let seen = -1; seen !== last;) {
        seen = last;
        await setTimeout(300);
      }
      rates.push(20_000 / ((last - before) / 1000));
    }
    await hub.close();
    rows.push({
      what: `events judged for 10 roles, ${what}`,
      ours: `${Math.round(median(rates))} events/s`,
      peer: "",
      ratio: (median(rates) / 25_000).toFixed(2),
      target: "≥ 25,000 events/s",
    });
  }
  return rows;
}

interface Case {
  readonly subscribers: number;
  readonly writesPerSecond: number;
  /** Each subscribes to a thousandth of the rows, with its own filter. */
  readonly filters?: boolean;
}

/** As accounts connect: from several places, each with its own token. */
const SIGN_INS = 20;
const CASES: readonly Case[] = [
  { subscribers: 10, writesPerSecond: 100 },
  { subscribers: 100, writesPerSecond: 100 },
  { subscribers: 1000, writesPerSecond: 20 },
  { subscribers: 1000, writesPerSecond: 500, filters: true },
  { subscribers: 100, writesPerSecond: 1000 },
];

/**
 * The time from the answer to COMMIT to the message at the client, at a steady rate of writes, through a gateway of its
 * own.
 */
async function latencies(database: TestDatabase): Promise<Row[]> {
  await database.client.query(`
create table town.written (id int primary key, kind int, v int, name text);
insert into town.written select i, i % 1000, 0, 'name ' || i from generate_series(0, ${ROWS - 1}) i;
select portolan.create_user('reader', null), portolan.set_privilege('town.written', 'reader', 'read');
select portolan.enable_events('town.written');`);
  const gateway = await GatewayProcess.start({
    DATABASE_URL: database.gatewayUrl,
    PORT: "0",
    LOG_LEVEL: "error",
    MAX_SOCKETS_PER_ACCOUNT: "2000",
  });
  const writers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      return client;
    }),
  );
  try {
    const signIns = Array.from({ length: SIGN_INS }, () => signInAs(database, gateway.baseUrl, "reader"));
    const urls = (await Promise.all(signIns)).map(
      (token) => `${gateway.baseUrl.replace("http", "ws")}/?token=${token}`,
    );
    const rows: Row[] = [];
    for (const one of CASES) rows.push(await latency(one, urls, gateway.pid, writers));
    return rows;
  } finally {
    await Promise.all(writers.map((client) => client.end()));
    await gateway.stop();
  }
}

async function latency(
  { subscribers, writesPerSecond, filters = false }: Case,
  urls: readonly string[],
  pid: number,
  writers: readonly pg.Client[],
): Promise<Row> {
  const committed = new Float64Array(ROWS);
  /**
   * Ids and times of the messages. They are evaluated at the end, since a message may arrive before the answer to
   * COMMIT.
   */
  const ids: number[] = [];
  const arrivals: number[] = [];
  const perSocket = filters ? SUBSCRIPTIONS_PER_SOCKET : 1;
  const sockets = await Promise.all(
    Array.from({ length: subscribers / perSocket }, (_, index) =>
      subscribe(urls[index % SIGN_INS]!, { first: index * perSocket, count: perSocket, filters }, (text) => {
        const now = performance.now();
        for (const [, id] of text.matchAll(/"id":(\d+)/g)) {
          ids.push(Number(id));
          arrivals.push(now);
        }
      }),
    ),
  );
  const cpu = cpuMs(pid);
  const begin = performance.now();
  let next = 0;
  const write = async (client: pg.Client): Promise<void> => {
    for (;;) {
      const index = next++;
      const due = begin + (index * 1000) / writesPerSecond;
      if (due > begin + SECONDS * 1000) return;
      if (due > performance.now()) await setTimeout(due - performance.now());
      await client.query({ name: "w", text: "update town.written set v = v + 1 where id = $1", values: [index] });
      committed[index] = performance.now();
    }
  };
  await Promise.all(writers.map(write));
  const written = committed.findLastIndex((time) => time > 0) + 1;
  const expected = filters ? written : written * subscribers;
  for (let patience = 100; ids.length < expected && patience > 0; patience--) await setTimeout(100);
  const spent = cpuMs(pid) - cpu;
  for (const socket of sockets) socket.terminate();
  const times = arrivals.map((time, index) => Math.max(0, time - (committed[ids[index]!] ?? 0)));
  const at = (share: number): number => quantile(times, share);
  return {
    what: `commit to socket, ${writesPerSecond} writes/s × ${subscribers} ${filters ? "different filters" : "subscribers"}`,
    ours: `p50 ${at(0.5).toFixed(1)}, p95 ${at(0.95).toFixed(1)}, p99 ${at(0.99).toFixed(1)} ms`,
    peer: `${ids.length} of ${expected} deliveries, ${((spent * 1000) / ids.length).toFixed(0)} µs of CPU each`,
    ratio: (50 / at(0.95)).toFixed(1),
    target: writesPerSecond === 1000 ? "p95 < 50 ms, p99 < 250 ms" : "p95 < 50 ms",
  };
}

/** Processor time of a process, in milliseconds, in steps of 10. */
function cpuMs(pid: number): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ").slice(13, 15).map(Number);
  return (user + system) * 10;
}

/** Resolves when all subscriptions of the socket are live. */
async function subscribe(
  url: string,
  { first, count, filters }: { readonly first: number; readonly count: number; readonly filters: boolean },
  onBatch: (text: string) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const live = Promise.withResolvers<void>();
  let acks = 0;
  socket.on("message", (data) => {
    const text = (data as Buffer).toString("utf8");
    if (text.startsWith('{"type":"batch"')) onBatch(text.slice(text.indexOf('"full_data"')));
    else if (text.startsWith('{"type":"subscription_ack"') && ++acks === count) live.resolve();
    else if (text.startsWith('{"type":"error"')) live.reject(new Error(text));
  });
  for (let n = first; n < first + count; n++) {
    const where = filters ? { where: { kind: n } } : {};
    socket.send(
      JSON.stringify({ type: "subscription", id: `s${n}`, schema: "town", rel: "written", columns: ["id"], ...where }),
    );
  }
  await live.promise;
  return socket;
}
