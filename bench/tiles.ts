/**
 * Vector tiles: freshly made, beside a bare server with PostGIS's own statement, beside pg_tileserv if `PG_TILESERV` names its
 * program, beside tipg if `TIPG` does, and beside Martin if `MARTIN` does; and kept.
 */
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess, megabytesOf } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, PEER_ROLE } from "./support/fixture.ts";
import { KeptConnection } from "./support/keptConnection.ts";
import { median } from "./support/load.ts";
import { startMartin, startOther, startTipg, type OtherServer } from "./support/otherServer.ts";
import { startPeer } from "./support/peer.ts";

const POINTS = 1_000_000;
const POLYGONS = 100_000;
const EMPTY = "of an empty place";
/** A rectangle of tiles, as level, columns and rows. Each tile has so many features. */
const CASES = [
  { table: "bench.points", what: "2,000 of 1 M points", zoom: 5, columns: [4, 28], rows: [8, 24] },
  { table: "bench.points", what: "30 of 1 M points", zoom: 8, columns: [40, 220], rows: [70, 190] },
  { table: "bench.parcels", what: "1,000 of 100k polygons", zoom: 9, columns: [268, 277], rows: [163, 172] },
  { table: "bench.points", what: EMPTY, zoom: 16, columns: [20_000, 45_000], rows: [20_000, 40_000] },
] as const;
/** Few enough to be kept, and to be made in the warm-up round. */
const KEPT = [
  { ...CASES[0], columns: [4, 8], rows: [8, 10] },
  { ...CASES[1], columns: [40, 50], rows: [70, 80] },
] as const;
const CLIENTS = 4;
/** For kept tiles: three browsers, each of which asks for six at once. */
const VIEWERS = 18;
const ROUNDS = 5;
const ROUND_MS = 2000;

async function prepare({ client }: TestDatabase): Promise<void> {
  await client.query(`
create schema bench;
create table bench.points (id int primary key, owner int not null, name text not null, geom geometry(Point, 4326));
insert into bench.points
select i, i % 10, 'Point ' || i, st_setsrid(st_makepoint((i::int8 * 7919 % 360000) / 1000.0 - 180, (i::int8 * 104729 % 160000) / 1000.0 - 80), 4326)
from generate_series(1, ${POINTS}) i;
create table bench.parcels (id int primary key, owner int not null, name text not null, geom geometry(Polygon, 4326));
insert into bench.parcels
select i, i % 10, 'Parcel ' || i, st_buffer(st_setsrid(st_makepoint(8 + (i % 400) * 0.02, 50 + (i / 400) * 0.02), 4326), 0.009, 4)
from generate_series(0, ${POLYGONS} - 1) i;
create index on bench.points using gist (geom);
create index on bench.parcels using gist (geom);
select portolan.create_user('${ACCOUNT}', null);
select portolan.set_privilege(t::regclass, '${ACCOUNT}', 'read'), portolan.enable_events(t::regclass, wait => true)
from unnest('{bench.points,bench.parcels}'::text[]) t;
do $$ begin create role ${PEER_ROLE} nologin; exception when duplicate_object then null; end $$;
grant ${PEER_ROLE} to gateway;
grant usage on schema bench to ${PEER_ROLE};
grant select on all tables in schema bench to ${PEER_ROLE}`);
  await client.query("vacuum analyze bench.points, bench.parcels");
}

interface Case {
  readonly table: string;
  readonly what: string;
  readonly zoom: number;
  readonly columns: readonly [number, number];
  readonly rows: readonly [number, number];
}
interface Place {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
}

/** The next tile of a case, after so many others. */
function placeOf({ zoom, columns, rows }: Case, number: number): Place {
  const [width, height] = [columns[1] - columns[0], rows[1] - rows[0]];
  return { zoom, column: columns[0] + (number % width), row: rows[0] + (Math.floor(number / width) % height) };
}

interface Side {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  path(place: Place): string;
}

/** Tiles a second, so many at a time, each different from the one before. */
async function rateOf({ url, headers, path }: Side, one: Case, clients: number): Promise<number> {
  const { port } = new URL(url);
  const started = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = new KeptConnection(Number(port));
      while (performance.now() - started < ROUND_MS) await connection.get(path(placeOf(one, count++)), headers);
      connection.close();
    }),
  );
  return (count / (performance.now() - started)) * 1000;
}

/** Both sides in turn, after a warm-up round. */
async function compared(sides: readonly Side[], one: Case, clients = CLIENTS): Promise<number[]> {
  const rates = sides.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++)
    for (const [index, side] of sides.entries()) {
      const rate = await rateOf(side, one, clients);
      if (round > 0) rates[index]!.push(rate);
    }
  return rates.map(median);
}

export const benchmark: Benchmark = {
  name: "vector tiles",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await prepare(database);
    const env = { DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" };
    const [making, keeping, bare, tileserv, tipg, martin, martinKeeping] = await Promise.all([
      GatewayProcess.start({ ...env, OGC_TILE_CACHE_BYTES: "0" }),
      GatewayProcess.start(env),
      startPeer("bareTiles", { URL: database.gatewayUrl, ROLE: PEER_ROLE }),
      startOther(database, {
        named: "PG_TILESERV",
        readyAt: "health",
        env: (port) => ({ TS_HTTPHOST: "127.0.0.1", TS_HTTPPORT: String(port) }),
      }),
      startTipg(database),
      startMartin(database, 0),
      startMartin(database, 512),
    ]);
    const sideOf = async ({ baseUrl }: GatewayProcess, { table }: Case): Promise<Side> => ({
      url: baseUrl,
      headers: {
        authorization: `Bearer ${await tokenFor(database, baseUrl, ACCOUNT)}`,
        ...(baseUrl === keeping.baseUrl && { "accept-encoding": "gzip" }), // as browsers ask
      },
      path: ({ zoom, column, row }) =>
        `/api/v4/ogc/database/${database.name}/collections/${table}/tiles/WebMercatorQuad/${zoom}/${row}/${column}`,
    });
    const peerOf = ({ table }: Case): Side => ({
      url: bare.url,
      headers: {},
      path: ({ zoom, column, row }) => `/${table}/${zoom}/${column}/${row}`,
    });
    const tileservOf = ({ url }: OtherServer, { table }: Case): Side => ({
      url,
      headers: {},
      path: ({ zoom, column, row }) => `/${table}/${zoom}/${column}/${row}.pbf`,
    });
    const tipgOf = ({ url }: OtherServer, { table }: Case): Side => ({
      url,
      headers: {},
      path: ({ zoom, column, row }) => `/collections/${table}/tiles/WebMercatorQuad/${zoom}/${column}/${row}`,
    });
    const martinOf = ({ url }: OtherServer, { table }: Case): Side => ({
      url,
      headers: { "accept-encoding": "gzip" },
      path: ({ zoom, column, row }) => `/${table.split(".")[1]}/${zoom}/${column}/${row}`,
    });
    const rows: Row[] = [];
    try {
      for (const one of CASES) {
        const others = [
          ...(tileserv ? [{ name: "pg_tileserv", side: tileservOf(tileserv, one) }] : []),
          ...(tipg ? [{ name: "tipg", side: tipgOf(tipg, one) }] : []),
          ...(martin ? [{ name: "Martin", side: martinOf(martin, one) }] : []),
        ];
        const sides = [await sideOf(making, one), peerOf(one), ...others.map(({ side }) => side)];
        const [own = NaN, its = NaN, ...rates] = await compared(sides, one);
        rows.push({
          what: `tile made, ${one.what}`,
          ours: `${Math.round(own)} tiles/s`,
          peer: `bare node + pg ${Math.round(its)} tiles/s`,
          ratio: (own / its).toFixed(2),
          target: "≥ 0.85",
        });
        for (const [index, { name }] of others.entries())
          rows.push({
            what: `tile made, ${one.what}`,
            ours: `${Math.round(own)} tiles/s`,
            peer: `${name} ${Math.round(rates[index]!)} tiles/s`,
            ratio: (own / rates[index]!).toFixed(2),
            target: one.what === EMPTY ? "≥ 0.7" : "≥ 0.8",
          });
      }
      for (const one of KEPT) {
        const sides = [await sideOf(keeping, one), ...(martinKeeping ? [martinOf(martinKeeping, one)] : [])];
        const [kept = NaN, its] = await compared(sides, one, VIEWERS);
        rows.push({
          what: `tile kept, ${one.what}, ${VIEWERS} at a time`,
          ours: `${Math.round(kept)} tiles/s`,
          peer: its === undefined ? "" : `Martin ${Math.round(its)} tiles/s`,
          ratio: its === undefined ? "" : (kept / its).toFixed(2),
          target: "≥ 25,000 tiles/s",
        });
      }
      const megabytes = Math.round(megabytesOf(keeping.pid));
      rows.push({
        what: "memory of the gateway after these tiles",
        ours: `${megabytes} MB`,
        peer: "",
        ratio: "",
        target: "",
      });
    } finally {
      await Promise.all([
        making.stop(),
        keeping.stop(),
        bare.stop(),
        tileserv?.stop(),
        tipg?.stop(),
        martin?.stop(),
        martinKeeping?.stop(),
      ]);
      await database.drop();
    }
    return rows;
  },
};
