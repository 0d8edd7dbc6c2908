/**
 * Small requests for features beside a bare server, beside pg_featureserv if `PG_FEATURESERV` names its program, and beside tipg
 * if `TIPG` does.
 */
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, PEER_ROLE } from "./support/fixture.ts";
import { comparison, measureInTurn, type Measured } from "./support/load.ts";
import { startOther, startTipg, type OtherServer } from "./support/otherServer.ts";
import { startPeer } from "./support/peer.ts";
import { postmasterOf } from "./support/processes.ts";

const POINTS = 1_000_000;
/** About five points. */
const BOX = [10, 40, 10.4, 40.4];

async function prepare({ client }: TestDatabase): Promise<void> {
  await client.query(`
create schema bench;
create table bench.points (id int primary key, owner int not null, name text not null, geom geometry(Point, 4326));
insert into bench.points
select i, i % 10, 'Point ' || i, st_setsrid(st_makepoint((i::int8 * 7919 % 360000) / 1000.0 - 180, (i::int8 * 104729 % 160000) / 1000.0 - 80), 4326)
from generate_series(1, ${POINTS}) i;
create index on bench.points using gist (geom);
select portolan.create_user('${ACCOUNT}', null);
select portolan.set_privilege('bench.points', '${ACCOUNT}', 'read');
do $$ begin create role ${PEER_ROLE} nologin; exception when duplicate_object then null; end $$;
grant ${PEER_ROLE} to gateway;
grant usage on schema bench to ${PEER_ROLE};
grant select on bench.points to ${PEER_ROLE}`);
  await client.query("vacuum analyze bench.points");
}

interface Case {
  readonly what: string;
  readonly ours: string;
  /** The request to the bare server, and the share of its rate to reach. */
  readonly bare: string;
  readonly target: string;
  /** The requests to servers of others, by their names. */
  readonly others?: { readonly pg_featureserv: string; readonly tipg: string };
}

const CASES: readonly Case[] = [
  {
    what: "one feature",
    ours: "items/4711",
    bare: "one?id=4711",
    target: "≥ 0.85",
    others: { pg_featureserv: "items/4711.json", tipg: "items/4711?f=geojson" },
  },
  {
    what: "box of a few of 1 M points",
    ours: `items?bbox=${BOX.join(",")}`,
    bare: `box?${BOX.map((at, i) => `b${i}=${at}`).join("&")}`,
    target: "≥ 0.75",
    others: {
      pg_featureserv: `items.json?bbox=${BOX.join(",")}&limit=10`,
      tipg: `items?bbox=${BOX.join(",")}&limit=10&f=geojson`,
    },
  },
  {
    what: "first 10 of 1 M points, with their exact number",
    ours: "items?limit=10",
    bare: "first",
    target: "≥ 0.75",
    others: { pg_featureserv: "items.json?limit=10", tipg: "items?limit=10&f=geojson" },
  },
  {
    what: "10 of 1 M points from offset 500,000",
    ours: "items?limit=10&offset=500000",
    bare: "offset?skip=500000",
    target: "≥ 0.77",
  },
];

const startFeatureserv = (database: TestDatabase): Promise<OtherServer | undefined> =>
  startOther(database, {
    named: "PG_FEATURESERV",
    readyAt: "collections.json",
    env: (port) => ({
      PGFS_SERVER_HTTPHOST: "127.0.0.1",
      PGFS_SERVER_HTTPPORT: String(port),
      PGFS_DATABASE_DBPOOLMAXCONNS: "100", // those of requests that were left at the end of a round do not come back
    }),
  });

/** What is to be reached beside others. */
const TARGETS: Readonly<Record<string, string>> = { pg_featureserv: "time ≤ 1.2 ×" };

/** By processor time, since the number of its connections is unknown, and it does not count. */
function ofTime(what: string, ours: Measured, its: Measured): Row {
  const { ratio, ...row } = comparison(what, ours, its, TARGETS[its.name] ?? "");
  const time = ({ service, postgres }: Measured): number => service + postgres;
  return { ...row, ratio: `${ratio}: ${(time(ours) / time(its)).toFixed(2)} × its time` };
}

export const benchmark: Benchmark = {
  name: "small requests for features",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await prepare(database);
    const [gateway, bare, featureserv, tipg] = await Promise.all([
      GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" }),
      startPeer("bareItems", { URL: database.gatewayUrl, ROLE: PEER_ROLE }),
      startFeatureserv(database),
      startTipg(database),
    ]);
    const others = { pg_featureserv: featureserv, tipg };
    const rows: Row[] = [];
    try {
      const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, ACCOUNT)}`;
      const postmaster = await postmasterOf(database.client);
      const collection = `${gateway.baseUrl}/api/v4/ogc/database/${database.name}/collections/bench.points/`;
      for (const { what, ours, bare: theirs, target, others: paths = {} } of CASES) {
        const beside = Object.entries(paths).flatMap(([name, path]) => {
          const other = others[name as keyof typeof others];
          return other ? [{ name, url: `${other.url}collections/bench.points/${path}`, pid: other.pid }] : [];
        });
        const [own, its, ...measured] = await measureInTurn(
          [
            { name: "Portolan", url: collection + ours, pid: gateway.pid, headers: { authorization } },
            { name: "bare node + pg", url: bare.url + theirs, pid: bare.pid },
            ...beside,
          ],
          postmaster,
        );
        rows.push(comparison(what, own!, its!, target), ...measured.map((each) => ofTime(what, own!, each)));
      }
    } finally {
      await Promise.all([gateway.stop(), bare.stop(), featureserv?.stop(), tipg?.stop()]);
      await database.drop();
    }
    return rows;
  },
};
