/** Maps through the gateway, against the same kind of worker asked directly, and against a process for each map. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MapWorker } from "../ogc/mapWorker.ts";
import { findMapserv } from "../server/programs.mjs";
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

const TABLES = `
create schema gis;
create table gis.polygons (id integer primary key, kind integer, geom geometry(Polygon, 4326));
insert into gis.polygons
  select i, i % 3, st_buffer(st_setsrid(st_makepoint((i % 40) * 0.05 + 10, (i / 40) * 0.08 + 50), 4326), 0.03)
  from generate_series(0, 999) i;
create index on gis.polygons using gist (geom);
create table gis.points (id integer primary key, geom geometry(Point, 4326));
select setseed(0.5);
insert into gis.points
  select i, st_setsrid(st_makepoint(10 + random() * 2, 50 + random() * 2), 4326) from generate_series(1, 100000) i;
create index on gis.points using gist (geom);
analyze gis.polygons, gis.points;
select portolan.create_user('reader', null);
select portolan.set_privilege('gis.polygons', 'reader', 'read');
select portolan.set_privilege('gis.points', 'reader', 'read');`;

const ROUNDS = 3;
const ROUND_MS = 1000;
const QUERY = "bbox=10,50,12,52&width=512&height=512";

type Draw = () => Promise<void>;

/** Maps per second of each side, in turn; `concurrency` at a time. */
async function rates(sides: Readonly<Record<string, readonly Draw[]>>): Promise<Record<string, number>> {
  const found: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, draws] of Object.entries(sides)) {
      const started = performance.now();
      let count = 0;
      await Promise.all(
        draws.map(async (draw) => {
          while (performance.now() - started < ROUND_MS) {
            await draw();
            count++;
          }
        }),
      );
      if (round > 0) (found[name] ??= []).push((count * 1000) / (performance.now() - started)); // the first warms up
    }
  return Object.fromEntries(Object.entries(found).map(([name, values]) => [name, median(values)]));
}

/** What the gateway would ask a worker, of the mapfile that it has written. */
function directQuery(directory: string, table: string, layer: string): { query: string; folder: string } {
  const folder = join(directory, readdirSync(directory).find((name) => name.startsWith("portolan-maps-")) ?? "");
  const file = readdirSync(folder)
    .filter((name) => name.endsWith(".map"))
    .map((name) => join(folder, name))
    .find((path) => readFileSync(path, "utf8").includes(`"gis"."${table}"`));
  const query = new URLSearchParams({
    map: file ?? "",
    ...{ SERVICE: "WMS", VERSION: "1.1.1", REQUEST: "GetMap", LAYERS: layer, STYLES: "", SRS: "EPSG:4326" },
    ...{ BBOX: "10,50,12,52", WIDTH: "512", HEIGHT: "512", FORMAT: "image/png", TRANSPARENT: "TRUE" },
    BGCOLOR: "0xffffff",
  });
  return { query: query.toString(), folder };
}

const megabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

export const benchmark: Benchmark = {
  name: "maps",
  async run() {
    const program = findMapserv();
    if (program === undefined) throw new Error("MapServer is not installed: node server/setup.mjs --test");
    const directory = mkdtempSync(join(tmpdir(), "portolan-bench-"));
    chmodSync(directory, 0o755);
    const database = await testDatabase({ kind: "portolan" });
    await database.client.query(TABLES);
    const gateway = await GatewayProcess.start({
      ...{
        DATABASE_URL: database.gatewayUrl,
        PORT: "0",
        LOG_LEVEL: "warn",
        MAP_DIRECTORY: directory,
        MAP_WORKERS: "2",
      },
    });
    const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, "reader")}`;
    const map = async (table: string): Promise<void> => {
      const response = await fetch(
        `${gateway.baseUrl}/api/v4/ogc/database/${database.name}/collections/gis.${table}/map?${QUERY}`,
        { headers: { authorization } },
      );
      if (response.status !== 200) throw new Error(`a map is ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    };
    const rows: Row[] = [];
    const workers: MapWorker[] = [];
    try {
      const started = performance.now();
      await map("polygons");
      rows.push({
        ...{ what: "first map after the start, 512², 1,000 polygons", peer: "", ratio: "", target: "" },
        ours: `${Math.round(performance.now() - started)} ms`,
      });
      await map("points");
      for (const [table, layer, what] of [
        ["polygons", "l0_polygon0", "1,000 polygons"],
        ["points", "l0_point0", "100,000 points"],
      ] as const) {
        const { query, folder } = directQuery(directory, table, layer);
        const env = { PATH: process.env["PATH"] ?? "", MAPSERVER_CONFIG_FILE: join(folder, "mapserver.conf") };
        const direct = Array.from(
          { length: 2 },
          () => new MapWorker({ program, directory, env, user: undefined, memoryBytes: 4e9 }),
        );
        workers.push(...direct);
        // as many requests at a time as there are clients; each worker answers its own one after the other
        const lines = direct.map(() => Promise.resolve());
        const ask = async (worker: MapWorker): Promise<void> => {
          const { contentType } = await worker.request({ REQUEST_METHOD: "GET", QUERY_STRING: query });
          if (contentType !== "image/png") throw new Error(`the worker gave ${contentType}`);
        };
        const directly = (client: number): Draw => {
          const index = client % direct.length;
          return () => (lines[index] = lines[index]!.then(() => ask(direct[index]!)));
        };
        const process_ = (): Promise<void> =>
          new Promise((resolve, reject) => {
            const child = spawn(program, [], {
              env: { ...env, REQUEST_METHOD: "GET", QUERY_STRING: query },
              stdio: ["ignore", "pipe", "ignore"],
            });
            child.stdout.resume();
            child.on("error", reject);
            child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`mapserv ended with ${code}`))));
          });
        for (const concurrency of [1, 4, 8]) {
          const each = (draw: (client: number) => Draw): Draw[] =>
            Array.from({ length: concurrency }, (_, n) => draw(n));
          const rate = await rates({
            ours: each(() => () => map(table)),
            direct: each(directly),
            ...(concurrency === 4 && { process: each(() => process_) }),
          });
          const { ours = NaN, direct: peer = NaN, process: single } = rate;
          rows.push({
            what: `map 512², ${what}, ${concurrency} at a time`,
            ours: `${ours.toFixed(1)} maps/s`,
            peer: `the same workers asked directly: ${peer.toFixed(1)} maps/s`,
            ratio: (ours / peer).toFixed(2),
            target: "≥ 0.95",
          });
          if (single !== undefined)
            rows.push({
              what: `map 512², ${what}, ${concurrency} at a time`,
              ours: `${ours.toFixed(1)} maps/s`,
              peer: `a process for each map: ${single.toFixed(1)} maps/s`,
              ratio: (ours / single).toFixed(2),
              target: "",
            });
        }
      }
      rows.push({
        ...{ what: "memory of the gateway after these maps", peer: "", ratio: "", target: "" },
        ours: `${Math.round(megabytes(gateway.pid))} MB`,
      });
    } finally {
      await Promise.all(workers.map((worker) => worker.kill()));
      await gateway.stop();
      await database.drop();
      rmSync(directory, { recursive: true, force: true });
    }
    return rows;
  },
};
