/** Maps through the gateway, against the same kind of worker asked directly, MapServer's own WMS, and a process for each map. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FastcgiConnection, type FastcgiAnswer } from "../ogc/maps/mapFastcgi.ts";
import { MapWorker } from "../ogc/maps/mapWorker.ts";
import { findMapserv, findSpawnFcgi } from "../server/setup/programs.mjs";
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess, megabytesOf } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { KeptConnection } from "./support/keptConnection.ts";
import { median } from "./support/load.ts";

/** At the same time. */
const CLIENTS = [1, 4, 8];

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
select portolan.create_user('reader' || n, null) from generate_series(0, ${Math.max(...CLIENTS) - 1}) n;
select portolan.set_privilege(r, 'reader' || n, 'read')
  from unnest('{gis.polygons,gis.points}'::regclass[]) r, generate_series(0, ${Math.max(...CLIENTS) - 1}) n;`;

const ROUNDS = 5;
const ROUND_MS = 2000;
const QUERY = "bbox=10,50,12,52&width=512&height=512";
/** Maps before the most used code is compiled: a small map, almost empty. */
const WARM_UP_QUERY = "bbox=10,50,10.01,50.01&width=16&height=16";
const WARM_UP_MAPS = 3000;
/** URLs of the gateway, of the workers asked directly, and of MapServer's own WMS. */
const WORKERS = 2;
const LAYERS = {
  polygons: { what: "1,000 polygons", name: "l0_polygon0", type: "POLYGON" },
  points: { what: "100,000 points", name: "l0_point0", type: "POINT" },
} as const;
type Table = keyof typeof LAYERS;

/** Draws one map for the client of that number. */
type Draw = (client: number) => Promise<void>;
type Sides = Readonly<Record<string, Draw>>;

/** Maps per second of each side in each round, the sides in turn; `concurrency` clients at a time. */
async function rates(sides: Sides, concurrency: number): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, draw] of Object.entries(sides)) {
      const rate = await rateOf(draw, concurrency);
      if (round > 0) found[name]?.push(rate); // the first warms up
    }
  return found;
}

async function rateOf(draw: Draw, concurrency: number): Promise<number> {
  const started = performance.now();
  let count = 0;
  const clients = Array.from({ length: concurrency }, async (_, client) => {
    for (; performance.now() - started < ROUND_MS; count++) await draw(client);
  });
  await Promise.all(clients);
  return (count * 1000) / (performance.now() - started);
}

/** If there are more clients than workers, the others wait. */
function inLines(ask: (worker: number) => Promise<void>): Draw {
  const lines = Array.from({ length: WORKERS }, () => Promise.resolve());
  return (client) => (lines[client % WORKERS] = lines[client % WORKERS]!.then(() => ask(client % WORKERS)));
}

const BOX = "10,50,12,52";
/** As the gateway requests it, so that MapServer does the same work. */
const BOX_ASKED = "9.99998,50,12.00002,52";

const getMap = (map: string, layer: string, bbox = BOX): string =>
  new URLSearchParams({
    map,
    ...{ SERVICE: "WMS", VERSION: "1.1.1", REQUEST: "GetMap", LAYERS: layer, STYLES: "", SRS: "EPSG:4326" },
    ...{ BBOX: bbox, WIDTH: "512", HEIGHT: "512", FORMAT: "image/png", TRANSPARENT: "TRUE" },
    BGCOLOR: "0xffffff",
  }).toString();

/** The mapfile that the gateway has written for a table. */
function writtenMapfile(directory: string, table: Table): { file: string; folder: string } {
  const folder = join(directory, readdirSync(directory).find((name) => name.startsWith("portolan-maps-")) ?? "");
  const file = readdirSync(folder)
    .filter((name) => name.endsWith(".map"))
    .map((name) => join(folder, name))
    .find((path) => readFileSync(path, "utf8").includes(`"gis"."${table}"`));
  return { file: file ?? "", folder };
}

/**
 * A mapfile as a person would write it for MapServer alone: no account, one login, the same table and colours. `url`:
 * connection URI of PostgreSQL.
 */
function plainMapfile(url: string, table: Table): string {
  const { type } = LAYERS[table];
  const style =
    table === "points"
      ? 'STYLE SYMBOL "circle" SIZE 7 COLOR "#d1495b" END'
      : 'STYLE COLOR "#a6c8e0" OPACITY 80 END STYLE OUTLINECOLOR "#3f6f95" WIDTH 1 OPACITY 80 END';
  return `
MAP
  NAME "plain" SIZE 256 256 EXTENT -180 -90 180 90 UNITS DD IMAGETYPE "png"
  PROJECTION "init=epsg:4326" END
  SYMBOL NAME "circle" TYPE ELLIPSE FILLED TRUE POINTS 1 1 END END
  WEB METADATA "ows_title" "plain" "ows_onlineresource" "http://localhost/?" "ows_srs" "EPSG:4326" "ows_enable_request" "*" END END
  LAYER
    NAME "${table}" TYPE ${type} STATUS ON
    CONNECTIONTYPE POSTGIS CONNECTION "${url}" PROCESSING "CLOSE_CONNECTION=DEFER"
    DATA "geom from gis.${table} using unique id using srid=4326"
    PROJECTION "init=epsg:4326" END
    CLASS NAME "All" ${style} END
  END
END`;
}

interface SpawnFcgi {
  /** Over a new connection each time, as a web server does it. */
  ask(worker: number, query: string): Promise<void>;
  stop(): Promise<void>;
}

/** `mapserv` as it is usually run: by spawn-fcgi. Undefined if that is not installed. */
async function startSpawnFcgi(mapserv: string, directory: string): Promise<SpawnFcgi | undefined> {
  const program = findSpawnFcgi();
  if (program === undefined) return undefined;
  const config = join(directory, "plain.conf");
  writeFileSync(config, 'CONFIG\n  ENV\n    MS_MAP_PATTERN "."\n  END\nEND\n');
  const sockets = Array.from({ length: WORKERS }, (_, n) => join(directory, `plain-${n}.sock`));
  const children: ChildProcess[] = sockets.map((socket) =>
    spawn(program, ["-n", "-s", socket, "--", mapserv], {
      env: { PATH: process.env["PATH"] ?? "", MAPSERVER_CONFIG_FILE: config },
      stdio: "ignore",
    }),
  );
  while (!sockets.every((socket) => existsSync(socket))) await sleep(10);
  return {
    async ask(worker, query) {
      const connection = new FastcgiConnection(sockets[worker] ?? "");
      const answer = await connection.request({ REQUEST_METHOD: "GET", QUERY_STRING: query });
      connection.close();
      drop(answer);
    },
    async stop() {
      const ended = children.map((child) => once(child, "exit"));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(ended);
    },
  };
}

function drop({ contentType, body, release }: FastcgiAnswer): void {
  if (contentType !== "image/png") throw new Error(`MapServer gave ${contentType}: ${Buffer.concat([...body])}`);
  release();
}

/** Runs `mapserv` once, as CGI. */
async function runOnce(program: string, env: Record<string, string>): Promise<void> {
  const child = spawn(program, [], { env, stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`mapserv ended with ${code}`);
}

/** The requests for the same picture. */
const DOORS = { ours: "map", getMap: "GetMap" } as const;
const PEERS: Readonly<Record<string, string>> = {
  direct: "the same workers asked directly",
  wms: "MapServer's own WMS by spawn-fcgi",
  process: "a process for each map",
};

async function compare(table: Table, sides: Sides, concurrency: number): Promise<Row[]> {
  const { ours = [], getMap: classic = [], ...peers } = await rates(sides, concurrency);
  return Object.entries(peers).flatMap(([name, theirs]) =>
    Object.entries({ ours, getMap: classic }).map(([door, own]) => ({
      what: `${DOORS[door as keyof typeof DOORS]} 512², ${LAYERS[table].what}, ${concurrency} at a time`,
      ours: `${median(own).toFixed(1)} maps/s`,
      peer: `${PEERS[name]}: ${median(theirs).toFixed(1)} maps/s`,
      // by rounds, so that other work on the machine affects both alike
      ratio: median(own.map((rate, round) => rate / (theirs[round] ?? NaN))).toFixed(2),
      target: name === "direct" ? "≥ 0.95" : "",
    })),
  );
}

export const benchmark: Benchmark = {
  name: "maps",
  async run() {
    const program = findMapserv();
    if (program === undefined) throw new Error("MapServer is not installed: node server/setup/setup.mjs --test");
    const directory = mkdtempSync(join(tmpdir(), "portolan-bench-"));
    chmodSync(directory, 0o755);
    const database = await testDatabase({ kind: "portolan" });
    await database.client.query(TABLES);
    const gateway = await GatewayProcess.start({
      ...{ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" },
      ...{ MAP_DIRECTORY: directory, MAP_WORKERS: String(WORKERS) },
    });
    const { port } = new URL(gateway.baseUrl);
    const clients = Array.from({ length: Math.max(...CLIENTS) }, () => new KeptConnection(Number(port)));
    // an account for each client: one alone has no more than its share of the workers (accountShare)
    const headers: { authorization: string }[] = [];
    for (const number of clients.keys()) {
      headers.push({ authorization: `Bearer ${await tokenFor(database, gateway.baseUrl, `reader${number}`)}` });
    }
    const root = `/api/v4/ogc/database/${database.name}/collections`;
    const map = (table: Table, client = 0, query = QUERY): Promise<void> =>
      clients[client]!.get(`${root}/gis.${table}/map?${query}`, headers[client]!);
    const classic = `/ows/${database.name}?service=WMS&version=1.1.1&request=GetMap&styles=&srs=EPSG:4326&bbox=${BOX}&width=512&height=512&format=image/png&transparent=true`;
    const rows: Row[] = [];
    const workers: MapWorker[] = [];
    const plain = await startSpawnFcgi(program, directory);
    try {
      const started = performance.now();
      await map("polygons");
      rows.push({
        ...{ what: "first map after the start, 512², 1,000 polygons", peer: "", ratio: "", target: "" },
        ours: `${Math.round(performance.now() - started)} ms`,
      });
      if (!plain)
        rows.push({
          ...{ what: "maps of MapServer's own WMS", ours: "", ratio: "", target: "" },
          peer: "not measured: spawn-fcgi is not installed",
        });
      await map("points");
      for (let n = 0; n < WARM_UP_MAPS; n++) await map("polygons", 0, WARM_UP_QUERY);
      for (const table of ["polygons", "points"] as const) {
        const { file, folder } = writtenMapfile(directory, table);
        const query = getMap(file, LAYERS[table].name, BOX_ASKED);
        const env = { PATH: process.env["PATH"] ?? "", MAPSERVER_CONFIG_FILE: join(folder, "mapserver.conf") };
        const direct = Array.from(
          { length: WORKERS },
          () => new MapWorker({ program, directory, env, user: undefined, memoryBytes: 4e9 }),
        );
        workers.push(...direct);
        const plainFile = join(directory, `${table}.map`);
        writeFileSync(plainFile, plainMapfile(database.url, table));
        const sides: Sides = {
          ours: (client) => map(table, client),
          getMap: (client) => clients[client]!.get(`${classic}&layers=gis.${table}`, headers[client]!),
          direct: inLines(async (worker) =>
            drop(await direct[worker]!.request({ REQUEST_METHOD: "GET", QUERY_STRING: query })),
          ),
          ...(plain && { wms: inLines((worker) => plain.ask(worker, getMap(plainFile, table))) }),
        };
        for (const concurrency of CLIENTS) {
          const once = { process: () => runOnce(program, { ...env, REQUEST_METHOD: "GET", QUERY_STRING: query }) };
          rows.push(...(await compare(table, { ...sides, ...(concurrency === 4 && once) }, concurrency)));
        }
      }
      rows.push({
        ...{ what: "memory of the gateway after these maps", peer: "", ratio: "", target: "" },
        ours: `${Math.round(megabytesOf(gateway.pid))} MB`,
      });
    } finally {
      await Promise.all([...workers.map((worker) => worker.kill()), plain?.stop()]);
      for (const client of clients) client.close();
      await gateway.stop();
      await database.drop();
      rmSync(directory, { recursive: true, force: true });
    }
    return rows;
  },
};
