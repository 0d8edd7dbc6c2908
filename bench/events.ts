/** The cost of change events for writers, against no events, and against a row trigger with NOTIFY. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { findPostgres } from "../server/setup/programs.mjs";
import type { TestDatabase } from "../test/support/databases.ts";
import { testHub } from "../test/support/events.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { ownCluster } from "../test/support/ownCluster.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

const ROUNDS = 3;
const WRITE_SECONDS = 1;
const KINDS = ["plain", "events", "notify"] as const;
type Kind = (typeof KINDS)[number];
type Rates = Readonly<Record<Kind, readonly number[]>>;

export const benchmark: Benchmark = {
  name: "change events: writers",
  async run() {
    // synced to disk: NOTIFY holds its lock while it waits for the disk, and that is the effect to measure
    const cluster = await ownCluster();
    const { database } = cluster;
    await database.client.query(`
create schema town;
create table town.plain (id int primary key, name text, v int, at timestamptz default now(), area numeric) with (fillfactor = 50);
insert into town.plain select i, 'name ' || i, 0, now(), i * 1.5 from generate_series(1, 10000) i;
create table town.events (like town.plain including all) with (fillfactor = 50);
create table town.notify (like town.plain including all) with (fillfactor = 50);
insert into town.events select * from town.plain; insert into town.notify select * from town.plain;
create function town.stock() returns trigger language plpgsql as $$
begin perform pg_notify('stock', json_build_object('op', tg_op, 'new', to_json(new))::text); return null; end $$;
create trigger stock after insert or update or delete on town.notify for each row execute function town.stock();
select portolan.create_user('writer', null);
select portolan.set_privilege(r, 'writer', 'write') from unnest('{town.plain,town.events,town.notify}'::regclass[]) r;
select portolan.enable_events('town.events');
`);
    await database.client.query("vacuum analyze");
    const listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
    await listener.query("listen stock");
    try {
      return [...(await rawWrites(database)), ...(await mutations(database))];
    } finally {
      await listener.end();
      await cluster.stop();
    }
  },
};

/**
 * Updates by key with pgbench, which leaves the machine to PostgreSQL. A hub and a listener follow, as in production.
 */
async function rawWrites(database: TestDatabase): Promise<Row[]> {
  const hub = await testHub(database);
  const folder = mkdtempSync(join(tmpdir(), "portolan-bench-"));
  const rows: Row[] = [];
  try {
    for (const kind of KINDS)
      writeFileSync(
        join(folder, kind),
        `\\set id random(1, 10000)\nupdate town.${kind} set v = v + 1 where id = :id;\n`,
      );
    for (const clients of [1, 8, 32]) {
      const rates = await inTurn((kind) => pgbench(database.url, join(folder, kind), clients));
      const label = `one-row updates, ${clients} client${clients > 1 ? "s" : ""}`;
      rows.push(toRow(label, rates, ["plain", "without events"], clients === 32 ? "≥ 0.75" : "≥ 0.8"));
      rows.push(toRow(label, rates, ["notify", "row trigger + NOTIFY"], clients === 8 ? "≥ 2.5" : ""));
    }
    const bulk = await inTurn(async (kind) => {
      const before = performance.now();
      await database.client.query(`update town.${kind} set v = v + 1`);
      return 10_000 / ((performance.now() - before) / 1000);
    });
    rows.push(toRow("update of 10,000 rows (rows/s)", bulk, ["plain", "without events"], ""));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
    await hub.close();
  }
}

/** Transactions per second of the script over so many connections. */
async function pgbench(url: string, script: string, clients: number): Promise<number> {
  const program = join(findPostgres()?.bin ?? "", "pgbench");
  const options = ["-n", "-M", "prepared", "-c", String(clients), "-j", String(Math.min(clients, 2))];
  const child = spawn(program, [...options, "-T", String(WRITE_SECONDS), "-f", script, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const rate = /tps = ([\d.]+) \(without initial/.exec(output)?.[1];
  if (rate === undefined) throw new Error(`pgbench said ${output}`);
  return Number(rate);
}

/** GraphQL mutations of one row each, over 8 connections. */
async function mutations(database: TestDatabase): Promise<Row[]> {
  const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "error" });
  try {
    const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, "writer")}`;
    const url = `${gateway.baseUrl}/api/graphql/schema/town`;
    const update = async (kind: Kind, id: number): Promise<void> => {
      const type = kind.charAt(0).toUpperCase() + kind.slice(1);
      const query = `mutation ($id: ID, $data: JSON) { update${type}(id: $id, data: $data) { id } }`;
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ query, variables: { id, data: { v: id } } }),
      });
      const { errors } = (await response.json()) as { errors?: unknown };
      if (errors) throw new Error(JSON.stringify(errors));
    };
    const rates = await inTurn(async (kind) => {
      const end = performance.now() + WRITE_SECONDS * 1000;
      let count = 0;
      const client = async (): Promise<void> => {
        for (; performance.now() < end; count++) await update(kind, 1 + ((count * 7919) % 10_000));
      };
      await Promise.all(Array.from({ length: 8 }, client));
      return count / WRITE_SECONDS;
    });
    return [toRow("GraphQL mutations of one row", rates, ["plain", "without events"], "≥ 0.85")];
  } finally {
    await gateway.stop();
  }
}

/**
 * Runs each kind once to warm up, then all of them in every round, so that a change of the machine's speed affects them
 * all.
 */
async function inTurn(measure: (kind: Kind) => Promise<number>): Promise<Rates> {
  const rates: Record<Kind, number[]> = { plain: [], events: [], notify: [] };
  for (const kind of KINDS) await measure(kind);
  for (let round = 0; round < ROUNDS; round++) for (const kind of KINDS) rates[kind].push(await measure(kind));
  return rates;
}

/** The ratio is the median of the rounds' own ratios. */
function toRow(what: string, rates: Rates, [peer, name]: readonly [peer: Kind, name: string], target: string): Row {
  const ratios = rates.events.map((rate, round) => rate / (rates[peer][round] ?? NaN));
  return {
    what,
    ours: `${Math.round(median(rates.events))}/s`,
    peer: `${name} ${Math.round(median(rates[peer]))}/s`,
    ratio: median(ratios).toFixed(2),
    target,
  };
}
