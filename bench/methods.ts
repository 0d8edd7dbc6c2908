/** Stored methods: many rows, one row and a batch beside a bare server; a million rows beside COPY. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, PEER_ROLE, buildFixture } from "./support/fixture.ts";
import { comparison, measureInTurn } from "./support/load.ts";
import { startPeer } from "./support/peer.ts";
import { postmasterOf } from "./support/processes.ts";

const MILLION =
  "select n as id, 'Park ' || n as name, n * 1.5 as size, date '2000-01-01' + n % 9000 as opened from generate_series(1, 1000000) n";
const METHODS = {
  fifty:
    "select id, name, district_id, visitors, opened, tags, is_open from city.city_parks where id > :id order by id limit 50",
  one: "select id, name from city.city_parks where id = :id",
  csv: MILLION,
  ndjson: MILLION,
};

export const benchmark: Benchmark = {
  name: "stored methods",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    for (const [name, q] of Object.entries(METHODS))
      await database.client.query("select portolan.create_method($1, $2, output_format => $3)", [
        name,
        q,
        name === "csv" || name === "ndjson" ? name : "json",
      ]);
    const [gateway, bare] = await Promise.all([
      GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" }),
      startPeer("bare", { URL: database.gatewayUrl, ROLE: PEER_ROLE }),
    ]);
    const rows: Row[] = [];
    try {
      const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, ACCOUNT)}`;
      const postmaster = await postmasterOf(database.client);
      const url = `${gateway.baseUrl}/api/v4/call`;
      const call = (method: string, id: number): object => ({ jsonrpc: "2.0", method, params: { id }, id });
      for (const [what, message, peer, target] of [
        ["method, 50 rows", call("fifty", 100), { statement: "flat", id: 100 }, "≥ 0.9"],
        ["method, one row by key", call("one", 100), { statement: "one", id: 100 }, "≥ 0.85"],
        [
          "batch of 100 calls",
          Array.from({ length: 100 }, (_, n) => call("one", n + 1)),
          { statement: "one", id: 1, times: 100 },
          "≥ 0.85",
        ],
      ] as const) {
        const [own, its] = await measureInTurn(
          [
            { name: "Portolan", url, pid: gateway.pid, headers: { authorization }, body: JSON.stringify(message) },
            { name: "bare node + pg", url: bare.url, pid: bare.pid, body: JSON.stringify(peer) },
          ],
          postmaster,
        );
        rows.push(comparison(what, own!, its!, target));
      }
      for (const [name, accept] of [
        ["csv", "text/csv"],
        ["ndjson", "application/x-ndjson"],
      ] as const) {
        const ours = await rowsPerSecond(() => download(url, { authorization, accept }, call(name, 0)));
        const copied = name === "csv" ? MILLION : `select row_to_json(t) from (${MILLION}) t`;
        const theirs = await rowsPerSecond(() => copy(database.url, copied));
        rows.push({
          what: `1 M rows as ${name}`,
          ours: `${Math.round(ours)} rows/s, peak ${Math.round(gateway.peakMegabytes)} MB`,
          peer: `psql COPY ${Math.round(theirs)} rows/s`,
          ratio: (ours / theirs).toFixed(2),
          target: "≥ 0.9",
        });
      }
    } finally {
      await Promise.all([gateway.stop(), bare.stop()]);
      await database.drop();
    }
    return rows;
  },
};

async function rowsPerSecond(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return 1_000_000 / ((performance.now() - started) / 1000);
}

/** Reads to the end and keeps nothing. */
async function download(url: string, headers: Record<string, string>, message: object): Promise<void> {
  const sent = request(url, { method: "POST", headers: { ...headers, "content-type": "application/json" } });
  sent.end(JSON.stringify({ ...message, params: {} }));
  const [response] = await once(sent, "response");
  response.resume();
  await once(response, "end");
}

async function copy(url: string, query: string): Promise<void> {
  const psql = spawn("psql", [url, "-c", `copy (${query}) to stdout csv`], { stdio: ["ignore", "pipe", "inherit"] });
  psql.stdout.resume();
  const [code] = await once(psql, "close");
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}
