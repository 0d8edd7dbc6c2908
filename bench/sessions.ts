/**
 * Sessions that stay an account's: many accounts in turn beside one, also if they call a function of a trusted owner, and a
 * table with an author's trigger beside the same without.
 */
import autocannon, { type Request } from "autocannon";
import { openDatabase } from "../server/kernel/database/database.ts";

import { CLI_CLIENT, findAccount, signAccessToken } from "../server/kernel/identity/tokens.ts";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";
import { childrenOf, familyOf, postmasterOf, stopwatch } from "./support/processes.ts";

const ACCOUNTS = 1000;
const CONNECTIONS = 8;
const SECONDS = 3;
const ROUNDS = 5;

async function prepare({ client, name }: TestDatabase): Promise<void> {
  await client.query(`
create schema town;
create table town.parks (id int primary key, name text not null);
insert into town.parks select i, 'Park ' || i from generate_series(1, 10000) i;
create table town.plain (id int generated always as identity primary key, text text);
create table town.watched (id int generated always as identity primary key, text text, seen text);
create function town.see() returns trigger language plpgsql as $$ begin new.seen := new.text; return new; end $$;
do $$ begin create role bench_author nologin; exception when duplicate_object then null; end $$;
grant usage, create on schema town to bench_author;
alter function town.see() owner to bench_author;
create trigger see before insert on town.watched for each row execute function town.see();
create schema hall;
create table hall.rooms (id int primary key);
insert into hall.rooms select generate_series(1, 100);
create function hall.size() returns int language plpgsql stable set search_path = pg_catalog as $$ begin return (select count(*) from hall.rooms); end $$;
select portolan.create_user('team', null);
select portolan.set_privilege(r, 'team', 'write') from unnest(array['town.parks', 'town.plain', 'town.watched', 'hall.rooms']::regclass[]) r;
select portolan.create_user('account' || i, null) from generate_series(1, ${ACCOUNTS}) i;
do $$ begin execute (select string_agg(format('grant "team@${name}" to %I;', 'account' || i || '@${name}'), '') from generate_series(1, ${ACCOUNTS}) i); end $$`);
  await client.query("vacuum analyze town.parks, pg_auth_members, pg_authid");
}

/** Requests of all accounts, which take about a second. */
async function tokensOf({ name, url }: TestDatabase, issuer: string): Promise<readonly string[]> {
  const opened = openDatabase({ name, url, poolSize: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 });
  try {
    const tokens: string[] = [];
    for (let n = 1; n <= ACCOUNTS; n++) {
      const account = await findAccount(opened, `account${n}`);
      tokens.push(await signAccessToken(opened, account!, { issuer, clientId: CLI_CLIENT, lifetimeSeconds: 3600 }));
    }
    return tokens;
  } finally {
    await opened.close();
  }
}

const asked = (query: string): string => JSON.stringify({ query });
const ONE = asked("{ getParks(id: 4711) { id name } }");
const SIZE = asked("{ size }");
const insertInto = (table: string): string => asked(`mutation { insert${table}(data: { text: "x" }) { id } }`);

export const benchmark: Benchmark = {
  name: "sessions of accounts",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await prepare(database);
    const gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      PORT: "0",
      LOG_LEVEL: "warn",
      TRUSTED_FUNCTIONS: "hall.size()",
    });
    try {
      const url = `${gateway.baseUrl}/api/graphql/schema/town`;
      const tokens = await tokensOf(database, gateway.baseUrl);
      const as = (token: string, body: string): Request => ({
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body,
      });
      const side = { url, pid: gateway.pid, postmaster: await postmasterOf(database.client) };
      const everybody = tokens.map((token) => as(token, ONE));
      return [
        await beside(
          side,
          [`row by id, ${ACCOUNTS} accounts in turn`, everybody],
          ["one account", [everybody[0]!]],
          "≤ 1.3",
        ),
        await beside(
          { ...side, url: `${gateway.baseUrl}/api/graphql/schema/hall` },
          [`function of a trusted owner, ${ACCOUNTS} accounts in turn`, tokens.map((token) => as(token, SIZE))],
          ["one account", [as(tokens[0]!, SIZE)]],
          "",
        ),
        await beside(
          side,
          ["insert into a table with an author's trigger", [as(tokens[0]!, insertInto("Watched"))]],
          ["without it", [as(tokens[0]!, insertInto("Plain"))]],
          "≤ 1.5",
        ),
      ];
    } finally {
      await gateway.stop();
      await database.drop();
    }
  },
};

interface Side {
  readonly url: string;
  readonly pid: number;
  readonly postmaster: number;
}

interface Spent {
  readonly rate: number;
  /** Processor time of service and PostgreSQL for one request, in ms. */
  readonly ms: number;
}

async function shoot({ url, pid, postmaster }: Side, requests: readonly Request[]): Promise<Spent> {
  const service = stopwatch(() => familyOf(pid));
  const postgres = stopwatch(() => childrenOf(postmaster));
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, requests: [...requests] });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  return { rate: result.requests.average, ms: (service() + postgres()) / result.requests.total };
}

/** Both sides in turn. The ratio is of processor time, which other work on the machine does not change. */
async function beside(
  side: Side,
  ours: readonly [what: string, requests: readonly Request[]],
  theirs: readonly [what: string, requests: readonly Request[]],
  target: string,
): Promise<Row> {
  const all: [Spent[], Spent[]] = [[], []];
  for (let round = -2; round < ROUNDS; round++)
    for (const [index, requests] of [ours[1], theirs[1]].entries()) {
      const spent = await shoot(side, requests);
      if (round >= 0) all[index]!.push(spent);
    }
  const [own, its] = all.map((spent) => ({
    rate: median(spent.map(({ rate }) => rate)),
    ms: median(spent.map(({ ms }) => ms)),
  })) as [Spent, Spent];
  const shown = ({ rate, ms }: Spent): string => `${Math.round(rate)} req/s, ${ms.toFixed(2)} ms`;
  return {
    what: ours[0],
    ours: shown(own),
    peer: `${theirs[0]} ${shown(its)}`,
    ratio: `${(its.rate / own.rate).toFixed(2)}, of time ${(own.ms / its.ms).toFixed(2)}`,
    target,
  };
}
