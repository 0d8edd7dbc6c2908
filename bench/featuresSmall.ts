/** Small requests for features beside a bare server. */
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, PEER_ROLE } from "./support/fixture.ts";
import { comparison, measureInTurn } from "./support/load.ts";
import { startPeer } from "./support/peer.ts";
import { postmasterOf } from "./support/processes.ts";

const POINTS = 1_000_000;
/** Some five points. */
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

/** What is asked, of us and of the bare server, and how much of its rate is wanted. */
const CASES = [
  ["one feature", "items/4711", "one?id=4711", "≥ 0.8"],
  [
    "box of a few of 1 M points",
    `items?bbox=${BOX.join(",")}`,
    `box?${BOX.map((at, i) => `b${i}=${at}`).join("&")}`,
    "≥ 0.8",
  ],
  ["first 10 of 1 M points, with their exact number", "items?limit=10", "first", "≥ 0.6"],
  ["10 of 1 M points from offset 500,000", "items?limit=10&offset=500000", "offset?skip=500000", "≥ 0.77"],
] as const;

export const benchmark: Benchmark = {
  name: "small requests for features",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await prepare(database);
    const [gateway, bare] = await Promise.all([
      GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" }),
      startPeer("bareItems", { URL: database.gatewayUrl, ROLE: PEER_ROLE }),
    ]);
    const rows: Row[] = [];
    try {
      const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, ACCOUNT)}`;
      const postmaster = await postmasterOf(database.client);
      const collection = `${gateway.baseUrl}/api/v4/ogc/database/${database.name}/collections/bench.points/`;
      for (const [what, ours, theirs, target] of CASES) {
        const [own, its] = await measureInTurn(
          [
            { name: "Portolan", url: collection + ours, pid: gateway.pid, headers: { authorization } },
            { name: "bare node + pg", url: bare.url + theirs, pid: bare.pid },
          ],
          postmaster,
        );
        rows.push(comparison(what, own!, its!, target));
      }
    } finally {
      await Promise.all([gateway.stop(), bare.stop()]);
      await database.drop();
    }
    return rows;
  },
};
