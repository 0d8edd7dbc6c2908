/** A flat list of 50 rows and a nested one, against stock PostGraphile 5 with a role and against bare node and pg. */
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, PEER_ROLE, buildFixture } from "./support/fixture.ts";
import { measureInTurn } from "./support/load.ts";
import { startPeer } from "./support/peer.ts";

const CASES = [
  {
    name: "list of 50",
    statement: "flat",
    ours: "query ($id: JSON) { getCityParks(where: $id, limit: 50) { id name district_id visitors opened tags is_open } }",
    stock: "query { allCityParksList(first: 50, offset: 100) { id name districtId visitors opened tags isOpen } }",
    targets: ["1.8", "0.7"],
  },
  {
    name: "nested list",
    statement: "nested",
    ours: "query ($id: JSON) { getCityParks(where: $id, limit: 50) { id name districts { id name } park_trees: parkTrees { id species height } } }",
    stock:
      "query { allCityParksList(first: 50, offset: 100) { id name districtByDistrictId { id name } parkTreesByParkIdList { id species height } } }",
    targets: ["2.2", "0.8"],
  },
] as const;

export const benchmark: Benchmark = {
  name: "GraphQL lists",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    const peerEnv = { URL: database.gatewayUrl, ROLE: PEER_ROLE };
    const [gateway, stock, bare] = await Promise.all([
      GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0" }),
      startPeer("stock", peerEnv),
      startPeer("bare", peerEnv),
    ]);
    const rows: Row[] = [];
    try {
      const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, ACCOUNT)}`;
      for (const { name, statement, ours, stock: stockQuery, targets } of CASES) {
        const rates = await measureInTurn([
          {
            name: "portolan",
            url: `${gateway.baseUrl}/api/graphql/schema/city`,
            headers: { authorization },
            body: JSON.stringify({ query: ours, variables: { id: { id: { gt: 100 } } } }),
          },
          { name: "stock PostGraphile", url: stock.url, body: JSON.stringify({ query: stockQuery }) },
          { name: "bare node + pg", url: bare.url, body: JSON.stringify({ statement, id: 100 }) },
        ]);
        const mine = rates.get("portolan") ?? NaN;
        for (const [index, peer] of ["stock PostGraphile", "bare node + pg"].entries()) {
          const theirs = rates.get(peer) ?? NaN;
          rows.push({
            what: name,
            ours: `${Math.round(mine)} req/s`,
            peer: `${peer} ${Math.round(theirs)} req/s`,
            ratio: (mine / theirs).toFixed(2),
            target: `≥ ${targets[index]}`,
          });
        }
      }
    } finally {
      await Promise.all([gateway.stop(), stock.stop(), bare.stop()]);
      await database.drop();
    }
    return rows;
  },
};
