/** A flat list of 50 rows, a nested one and one row, against stock PostGraphile 5 with a role and against bare node and pg. */
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, PEER_ROLE, buildFixture } from "./support/fixture.ts";
import { comparison, measureInTurn } from "./support/load.ts";
import { startPeer } from "./support/peer.ts";
import { postmasterOf } from "./support/processes.ts";

interface Case {
  readonly name: string;
  /** The request to the bare server. */
  readonly statement: string;
  readonly ours: string;
  readonly variables: object;
  /** Set if stock PostGraphile gives the same answer too. */
  readonly stock?: string;
  /** The share of each peer's rate to reach. */
  readonly targets: readonly string[];
}

const FROM = { id: { id: { gt: 100 } } };
const CASES: readonly Case[] = [
  {
    name: "list of 50",
    statement: "flat",
    ours: "query ($id: JSON) { getCityParks(where: $id, limit: 50) { id name district_id visitors opened tags is_open } }",
    variables: FROM,
    stock: "query { allCityParksList(first: 50, offset: 100) { id name districtId visitors opened tags isOpen } }",
    targets: ["1.8", "0.95"],
  },
  {
    name: "nested list",
    statement: "nested",
    ours: "query ($id: JSON) { getCityParks(where: $id, limit: 50) { id name districts { id name } park_trees: parkTrees { id species height } } }",
    variables: FROM,
    stock:
      "query { allCityParksList(first: 50, offset: 100) { id name districtByDistrictId { id name } parkTreesByParkIdList { id species height } } }",
    targets: ["2.2", "0.95"],
  },
  {
    name: "one row by id",
    statement: "one",
    ours: "query ($id: ID) { getCityParks(id: $id) { id name } }",
    variables: { id: 100 },
    targets: ["0.85"],
  },
];

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
      const postmaster = await postmasterOf(database.client);
      for (const { name, statement, variables, ours, stock: stockQuery, targets } of CASES) {
        const [mine, ...others] = await measureInTurn(
          [
            {
              name: "Portolan",
              url: `${gateway.baseUrl}/api/graphql/schema/city`,
              pid: gateway.pid,
              headers: { authorization },
              body: JSON.stringify({ query: ours, variables }),
            },
            ...(stockQuery === undefined
              ? []
              : [
                  {
                    name: "stock PostGraphile",
                    url: stock.url,
                    pid: stock.pid,
                    body: JSON.stringify({ query: stockQuery }),
                  },
                ]),
            { name: "bare node + pg", url: bare.url, pid: bare.pid, body: JSON.stringify({ statement, id: 100 }) },
          ],
          postmaster,
        );
        for (const [index, peer] of others.entries()) rows.push(comparison(name, mine!, peer, `≥ ${targets[index]}`));
      }
    } finally {
      await Promise.all([gateway.stop(), stock.stop(), bare.stop()]);
      await database.drop();
    }
    return rows;
  },
};
