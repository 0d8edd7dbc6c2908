/** What rules, history and workflow cost: reads of a box in a million rows, writes of one row and of many. */
import pg from "pg";
import { GATEWAY_LOGIN, testDatabase, type TestDatabase } from "../test/support/databases.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

const ROUNDS = 5;
const READS = 30;
const WRITE_SECONDS = 1;

/** About a thousand points of a million. */
const BOX = "geom && st_makeenvelope(0, 0, 8, 8, 4326)";

export const benchmark: Benchmark = {
  name: "rules, history and workflow",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
create schema town;
create table town.plain (id int primary key, name text, kind int, geom geometry(Point, 4326));
insert into town.plain select i, 'name ' || i, i % 10, st_setsrid(st_makepoint((i::bigint * 7919 % 3600000) / 10000.0 - 180, (i::bigint * 104729 % 1800000) / 10000.0 - 90), 4326) from generate_series(1, 1000000) i;
create index on town.plain using gist (geom);
create table town.ruled as table town.plain; alter table town.ruled add primary key (id); create index on town.ruled using gist (geom);
select portolan.create_user('reader', null, properties => '{"kind": 3}');
select portolan.set_privilege('town.plain', 'reader', 'read'), portolan.set_privilege('town.ruled', 'reader', 'read');
select portolan.create_rule('{"schema": "t*", "table": "ruled", "username": "b*", "access": "deny", "priority": 1}'),
  portolan.create_rule('{"schema": "town", "table": "ruled", "service": "ogc", "iprange": "10.0.0.0/8", "access": "allow", "priority": 2}'),
  portolan.create_rule('{"schema": "t*", "table": "r*", "username": "r*", "access": "limit", "filter": "kind <> {{kind}}", "priority": 3}');
create table town.small (id int primary key, name text, v int, geom geometry(Point, 4326));
insert into town.small select i, 'name ' || i, 0, st_setsrid(st_makepoint(i % 180, i % 90), 4326) from generate_series(1, 10000) i;
create index on town.small using gist (geom);
create table town.kept (like town.small including all); insert into town.kept table town.small;
select portolan.enable_versioning('town.kept');`);
    await database.client.query("vacuum analyze town.plain");
    await database.client.query("vacuum analyze town.ruled");
    try {
      return [...(await reads(database)), ...(await writes(database)), ...(await instants(database))];
    } finally {
      await database.drop();
    }
  },
};

/** Sends statements as the gateway does: on its login, with the account's role for one transaction. */
async function asGateway(client: pg.Client, name: string, text: string): Promise<number> {
  const before = performance.now();
  await client.query(
    `begin; select set_config('role', 'reader@${name}', true), set_config('portolan.user', 'reader', true), set_config('portolan.service', 'graphql', true), set_config('portolan.ip', '192.0.2.1', true)`,
  );
  await client.query({ name: text.slice(0, 50), text });
  await client.query("commit");
  return performance.now() - before;
}

async function reads(database: TestDatabase): Promise<Row[]> {
  const client = await connect(database, GATEWAY_LOGIN);
  const rows: Row[] = [];
  for (const [what, columns, condition] of [
    ["bbox of 1k in 1M rows, row security and three rules", "id, name, st_asbinary(geom)", BOX],
    ["one row by key of 1M, the same", "id, name", "id = 4711"],
  ] as const) {
    const times = await inTurn(["plain", "ruled"], READS, (table) =>
      asGateway(
        client,
        database.name,
        `/* ${table} ${condition.length} */ select ${columns} from town.${table} where ${condition}`,
      ),
    );
    rows.push(compare(what, times.ruled!, ["without", times.plain!], what.startsWith("bbox") ? "≤ 1.5" : ""));
  }
  await client.end();
  return rows;
}

async function writes(database: TestDatabase): Promise<Row[]> {
  const client = await connect(database);
  const rates: Record<string, number[]> = { small: [], kept: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const table of ["small", "kept"]) {
      const end = performance.now() + WRITE_SECONDS * 200;
      const before = performance.now();
      let count = 0;
      for (; performance.now() < end; count++)
        await client.query({
          name: table,
          text: `update town.${table} set v = v + 1 where id = $1`,
          values: [1 + ((count * 31 + round * 7) % 10_000)],
        });
      rates[table]?.push((count * 1000) / (performance.now() - before));
    }
  const [plain, kept] = [median(rates["small"]!), median(rates["kept"]!)];
  const rows: Row[] = [
    {
      what: "one-row updates with history (over a socket)",
      ours: `${Math.round(kept)}/s`,
      peer: `without ${Math.round(plain)}/s`,
      ratio: (kept / plain).toFixed(2),
      target: "≥ 0.25",
    },
  ];
  const inside = await inTurn(["small", "kept"], 1, async (table) => {
    await client.query(`
do $$ declare t timestamptz := clock_timestamp(); begin
  for i in 1..1000 loop update town.${table} set v = v + 1 where id = 1 + i * 7 % 10000; commit; end loop;
  perform set_config('bench.ms', (extract(epoch from clock_timestamp() - t) * 1000)::text, false); end $$`);
    const { rows: measured } = await client.query("select current_setting('bench.ms')::float8 as ms");
    return Number(measured[0].ms);
  });
  rows.push(
    compare("one-row update with history, in the database (µs)", inside.kept!, ["without", inside.small!], "≤ 4"),
  );
  const bulk = await inTurn(["small", "kept"], 1, async (table) => {
    const before = performance.now();
    await client.query(`update town.${table} set v = v + 1`);
    return performance.now() - before;
  });
  rows.push(compare("update of 10,000 rows with history", bulk.kept!, ["without", bulk.small!], "≤ 10"));
  await client.end();
  return rows;
}

/** A million rows with two versions each. */
async function instants(database: TestDatabase): Promise<Row[]> {
  const { client } = database;
  await client.query("select portolan.enable_versioning('town.ruled')");
  const { rows: found } = await client.query("select clock_timestamp()::text as at");
  await client.query(`
insert into town__history.ruled (id, name, kind, geom, portolan_from, portolan_to, portolan_tx, portolan_version)
select id, name, kind, geom, portolan_from - interval '1 year', portolan_from, portolan_tx, 0 from town__history.ruled`);
  await client.query("vacuum analyze town__history.ruled");
  const gateway = await connect(database, GATEWAY_LOGIN);
  const sources: Record<string, string> = {
    now: "town.ruled",
    then: `town__history.as_of_ruled('${found[0].at}')`,
    earlier: `town__history.as_of_ruled('${found[0].at}'::timestamptz - interval '1 day')`,
  };
  const times = await inTurn(["now", "then", "earlier"], READS, (source) =>
    asGateway(
      gateway,
      database.name,
      `/* ${source} */ select id, name, st_asbinary(geom) from ${sources[source]} where ${BOX}`,
    ),
  );
  await gateway.end();
  return [
    compare("bbox of 1k as of an instant, 2M versions, three rules", times.then!, ["the table now", times.now!], "≤ 2"),
    compare("the same, of earlier versions", times.earlier!, ["the table now", times.now!], "≤ 2"),
  ];
}

async function inTurn(
  names: readonly string[],
  times: number,
  measure: (name: string) => Promise<number>,
): Promise<Record<string, number>> {
  const all: Record<string, number[]> = {};
  for (const name of names) await measure(name); // plans and pages
  for (let round = 0; round < ROUNDS; round++)
    for (const name of names) for (let i = 0; i < times; i++) (all[name] ??= []).push(await measure(name));
  return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, median(values)]));
}

function compare(what: string, ours: number, [peer, theirs]: readonly [name: string, ms: number], target: string): Row {
  const unit = what.includes("µs") ? "µs" : "ms";
  return {
    what: what.replace(" (µs)", ""),
    ours: `${ours.toFixed(unit === "ms" ? 2 : 0)} ${unit}`,
    peer: `${peer} ${theirs.toFixed(unit === "ms" ? 2 : 0)} ${unit}`,
    ratio: `${(ours / theirs).toFixed(2)}×`,
    target,
  };
}

async function connect({ url, gatewayUrl }: TestDatabase, login?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: login === undefined ? url : gatewayUrl });
  client.on("error", () => undefined); // dropping the database ends it
  await client.connect();
  return client;
}
