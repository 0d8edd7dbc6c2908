/** Change events: what they cost writers, against none and against a row trigger with NOTIFY; judgements; latency. */
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { testHub } from "../test/support/events.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

const ROUNDS = 3;
const WRITE_SECONDS = 1.5;
const KINDS = ["none", "events", "notify"] as const;
type Kind = (typeof KINDS)[number];

export const benchmark: Benchmark = {
  name: "change events",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
create schema town;
create table town.none (id int primary key, name text, v int, at timestamptz default now(), area numeric) with (fillfactor = 50);
insert into town.none select i, 'name ' || i, 0, now(), i * 1.5 from generate_series(1, 10000) i;
create table town.events (like town.none including all) with (fillfactor = 50);
create table town.notify (like town.none including all) with (fillfactor = 50);
insert into town.events select * from town.none; insert into town.notify select * from town.none;
create function town.stock() returns trigger language plpgsql as $$
begin perform pg_notify('stock', json_build_object('op', tg_op, 'new', to_json(new))::text); return null; end $$;
create trigger stock after insert or update or delete on town.notify for each row execute function town.stock();
select portolan.enable_events('town.events');`);
    try {
      return [...(await writes(database)), ...(await judgements(database)), ...(await latency(database))];
    } finally {
      await database.drop();
    }
  },
};

/** One-row updates by key over sockets, and bulk updates; a hub and a listener follow, as they would. */
async function writes(database: TestDatabase): Promise<Row[]> {
  const hub = await testHub(database);
  const listener = await connect(database);
  await listener.query("listen stock");
  const rows: Row[] = [];
  try {
    for (const clients of [1, 8]) {
      const connections = await Promise.all(Array.from({ length: clients }, () => connect(database)));
      const rates = await inTurn(async (kind) => {
        const end = performance.now() + WRITE_SECONDS * 1000;
        const counts = await Promise.all(
          connections.map(async (client, index) => {
            let count = 0;
            for (; performance.now() < end; count++)
              await client.query({
                name: kind,
                text: `update town.${kind} set v = v + 1 where id = $1`,
                values: [1 + ((index * 1237 + count * 31) % 10000)],
              });
            return count;
          }),
        );
        return counts.reduce((sum, count) => sum + count, 0) / WRITE_SECONDS;
      });
      const label = `one-row updates, ${clients} client${clients > 1 ? "s" : ""}`;
      rows.push(toRow(label, rates, "none", "without events", "≥ 0.6"));
      rows.push(toRow(label, rates, "notify", "row trigger + NOTIFY", clients > 1 ? "≥ 2.5" : ""));
      await Promise.all(connections.map((client) => client.end()));
    }
    const client = await connect(database);
    const bulk = await inTurn(async (kind) => {
      const before = performance.now();
      await client.query(`update town.${kind} set v = v + 1`);
      return 10_000 / ((performance.now() - before) / 1000);
    });
    rows.push(toRow("update of 10,000 rows (rows/s)", bulk, "none", "without events", ""));
    await client.end();
    return rows;
  } finally {
    await listener.end();
    await hub.close();
  }
}

async function inTurn(measure: (kind: Kind) => Promise<number>): Promise<Record<Kind, number>> {
  const rates: Record<Kind, number[]> = { none: [], events: [], notify: [] };
  for (let round = 0; round < ROUNDS; round++) for (const kind of KINDS) rates[kind].push(await measure(kind));
  return { none: median(rates.none), events: median(rates.events), notify: median(rates.notify) };
}

function toRow(what: string, rates: Record<Kind, number>, peer: Kind, name: string, target: string): Row {
  return {
    what,
    ours: `${Math.round(rates.events)}/s`,
    peer: `${name} ${Math.round(rates[peer])}/s`,
    ratio: (rates.events / rates[peer]).toFixed(2),
    target,
  };
}

/** Events of a bulk insert, each judged for ten roles by policies: with one that takes the whole row, and without. */
async function judgements(database: TestDatabase): Promise<Row[]> {
  const accounts = Array.from({ length: 10 }, (_, index) => `reader${index}`);
  await database.client.query(`
create table town.judged (id int primary key, owner text, kind int, t text);
create table town.granted (who text, kind int);
insert into town.granted select 'reader' || i % 10, i from generate_series(0, 99) i;
alter table town.judged enable row level security;
create policy own on town.judged using (owner = current_setting('portolan.user'));
create policy granted on town.judged using (exists (select from town.granted g where g.kind = judged.kind and g.who = current_setting('portolan.user')));
grant select on town.granted to public;
select portolan.enable_events('town.judged');`);
  for (const account of accounts)
    await database.client.query(
      "select portolan.create_user($1, null), portolan.set_privilege('town.judged', $1, 'read')",
      [account],
    );
  const rows: Row[] = [];
  for (const [what, policy] of [
    ["policies that name their columns", ""],
    [
      "and one that takes the whole row",
      "create function town.fine(r town.judged) returns boolean language sql stable as 'select r.kind % 7 = 0'; create policy fine on town.judged using (town.fine(judged.*))",
    ],
  ] as const) {
    if (policy) await database.client.query(policy);
    const hub = await testHub(database);
    const counts = accounts.map(() => 0);
    let last = 0;
    await Promise.all(
      accounts.map((account, index) =>
        hub.subscribe(account, "town.judged", {
          deliver({ changes }) {
            counts[index] = (counts[index] ?? 0) + changes.length;
            last = performance.now();
          },
        }),
      ),
    );
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await database.client.query("delete from town.judged");
      await setTimeout(500);
      // in many transactions, as applications write; the clock begins when all are written
      const before = performance.now();
      await database.client.query(`
do $$ begin for i in 1..200 loop
  insert into town.judged select i * 100 + k, 'reader' || k % 12, k % 100, repeat('x', 100) from generate_series(1, 100) k;
  commit;
end loop; end $$`);
      const written = performance.now();
      for (let seen = -1; seen !== last;) {
        seen = last;
        await setTimeout(300);
      }
      rates.push(20_000 / ((last - before) / 1000));
      process.stderr.write(
        `  written in ${Math.round(written - before)} ms, delivered after ${Math.round(last - before)} ms\n`,
      );
    }
    await hub.close();
    rows.push({
      what: `events judged for 10 roles, ${what}`,
      ours: `${Math.round(median(rates))} events/s`,
      peer: "",
      ratio: String(Math.round(median(rates))),
      target: "≥ 25,000",
    });
  }
  return rows;
}

/** Commit to `deliver`, from one process to another's subscriber, at a paced rate of writes. */
async function latency(database: TestDatabase): Promise<Row[]> {
  await database.client.query(
    "select portolan.create_user('reader', null), portolan.set_privilege('town.events', 'reader', 'read')",
  );
  const hub = await testHub(database);
  const rows: Row[] = [];
  try {
    for (const [rate, subscribers] of [
      [20, 1],
      [1000, 100],
    ] as const) {
      const sent = new Map<string, number>();
      const times: number[] = [];
      const all = await Promise.all(
        Array.from({ length: subscribers }, () =>
          hub.subscribe("reader", "town.events", {
            deliver({ changes }) {
              const now = performance.now();
              for (const { key } of changes) times.push(now - (sent.get(key) ?? now));
            },
          }),
        ),
      );
      const clients = await Promise.all(Array.from({ length: 8 }, () => connect(database)));
      const cpu = process.cpuUsage();
      const begin = performance.now();
      const seconds = 3;
      let next = 0;
      await Promise.all(
        clients.map(async (client) => {
          for (;;) {
            const index = next++;
            const due = begin + (index * 1000) / rate;
            if (due > begin + seconds * 1000) return;
            if (due > performance.now()) await setTimeout(due - performance.now());
            const id = 1 + (index % 10_000);
            await client.query({ name: "u", text: "update town.events set v = v + 1 where id = $1", values: [id] });
            sent.set(String(id), performance.now());
          }
        }),
      );
      await setTimeout(300);
      const { user, system } = process.cpuUsage(cpu);
      times.sort((a, b) => a - b);
      const at = (share: number): string => (times[Math.floor(times.length * share)] ?? NaN).toFixed(1);
      rows.push({
        what: `commit to delivery, ${rate} writes/s × ${subscribers} subscriber${subscribers > 1 ? "s" : ""}`,
        ours: `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`,
        peer: `${times.length} deliveries; ${Math.round((user + system) / 10_000 / seconds)} % CPU with the load`,
        ratio: at(0.95),
        target: "p95 < 50 ms, p99 < 250 ms",
      });
      for (const { subscription } of all) subscription.close();
      await Promise.all(clients.map((client) => client.end()));
    }
    return rows;
  } finally {
    await hub.close();
  }
}

async function connect({ url }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
