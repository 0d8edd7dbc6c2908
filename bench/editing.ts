/** Features written in one request, against COPY of the same rows from a file. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPostgres } from "../server/setup/programs.mjs";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT } from "./support/fixture.ts";
import { median } from "./support/load.ts";
import { createParcels, firstParcels, POINT, POLYGON } from "./support/parcels.ts";

const FEATURES = 10_000;
const ROUNDS = 9;
/** Rounds before the code that runs often is compiled. */
const WARM_UP_ROUNDS = 10;

/** The shape of the geometry that is written, as SQL of `i`. */
const SHAPES = [
  ["points", "Point", POINT],
  ["polygons of 33 positions", "Polygon", POLYGON],
] as const;

async function prepare({ client }: TestDatabase, type: string, shape: string): Promise<string> {
  await client.query(`
drop schema if exists bench cascade;
create schema bench;${createParcels(type)}
create index on bench.parcels using gist (geom);
create table bench.given as ${firstParcels(FEATURES, shape)};
select portolan.set_privilege('bench.parcels', '${ACCOUNT}', 'all')`);
  const { rows } = await client.query<{ body: string }>(`
select json_build_object('type', 'FeatureCollection', 'features', json_agg(json_build_object(
  'type', 'Feature', 'geometry', st_asgeojson(geom, 9)::json,
  'properties', json_build_object('id', id, 'name', name, 'kind', kind, 'height', height, 'built', built)) order by id))::text as body
from bench.given`);
  return rows[0]!.body;
}

export const benchmark: Benchmark = {
  name: "editing",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    const folder = await mkdtemp(join(tmpdir(), "portolan-bench-"));
    const file = join(folder, "parcels.csv");
    await database.client.query(`select portolan.create_user('${ACCOUNT}', null)`);
    const psql = join(findPostgres()!.bin, "psql");
    const run = async (command: string): Promise<number> => {
      const started = performance.now();
      await promisify(execFile)(psql, [database.url, "-q", "-v", "ON_ERROR_STOP=1", "-c", command]);
      return performance.now() - started;
    };
    const rows: Row[] = [];
    try {
      for (const [what, type, shape] of SHAPES) {
        const body = await prepare(database, type, shape);
        await run(
          `\\copy (select id, name, kind, height, built, st_asewkt(geom, 9) from bench.given order by id) to '${file}' with csv`,
        );
        rows.push(
          await measure(database, { what, body, copy: () => run(`\\copy bench.parcels from '${file}' with csv`) }),
        );
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true });
      await database.drop();
    }
  },
};

interface Sides {
  readonly what: string;
  readonly body: string;
  /** Milliseconds. */
  readonly copy: () => Promise<number>;
}

async function measure(database: TestDatabase, { what, body, copy }: Sides): Promise<Row> {
  const gateway = await GatewayProcess.start({
    DATABASE_URL: database.gatewayUrl,
    PORT: "0",
    LOG_LEVEL: "warn",
    OGC_TRANSACTIONS: "true",
  });
  try {
    const headers = {
      authorization: `Bearer ${await tokenFor(database, gateway.baseUrl, ACCOUNT)}`,
      "content-type": "application/geo+json",
    };
    const address = `${gateway.baseUrl}/api/v4/ogc/database/${database.name}/collections/bench.parcels/items`;
    const post = async (): Promise<number> => {
      const started = performance.now();
      const response = await fetch(address, { method: "POST", headers, body });
      const answer = await response.text();
      if (response.status !== 201) throw new Error(answer.slice(0, 500));
      return performance.now() - started;
    };
    const times: [ours: number[], copies: number[]] = [[], []];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
      for (const [side, write] of [post, copy].entries()) {
        await database.client.query("truncate bench.parcels");
        const ms = await write();
        if (round >= 0) times[side]!.push(ms);
      }
    const [ours, copied] = times.map(median) as [number, number];
    return {
      what: `${FEATURES} ${what} in one POST`,
      ours: `${ours.toFixed(0)} ms`,
      peer: `psql COPY from a file ${copied.toFixed(0)} ms`,
      ratio: (copied / ours).toFixed(2),
      target: "≥ 0.5",
    };
  } finally {
    await gateway.stop();
  }
}
