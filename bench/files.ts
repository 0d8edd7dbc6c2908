/**
 * Files and pyramids by processor time, which holds on a busy machine too: Parquet of five million rows beside COPY, GML of
 * 10,000 polygons beside COPY and MapServer's own WFS, and a pyramid beside PostGIS' statement in the database alone.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import { until } from "../test/support/until.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { download } from "./support/download.ts";
import { median } from "./support/load.ts";
import { createParcels, firstParcels } from "./support/parcels.ts";
import { postmasterOf } from "./support/processes.ts";

const ROWS = Number(process.env["BENCH_ROWS"] ?? 5_000_000);
const POLYGONS = 10_000;
const SPOTS = 100_000;
const LAST_ZOOM = 8;
const ROUNDS = 5;

const prepare = ({ client }: TestDatabase): Promise<unknown> =>
  client.query(`
create schema bench;
create table bench.points (id int primary key, owner int not null, name text not null, height float8, at timestamptz, geom geometry(Point, 4326));
insert into bench.points
select i, i % 10, 'Point ' || i, i % 1000 / 10.0, timestamptz '2020-01-01' + i * interval '1 s', st_setsrid(st_makepoint((i::int8 * 7919 % 360000) / 1000.0 - 180, (i::int8 * 104729 % 160000) / 1000.0 - 80), 4326)
from generate_series(1, ${ROWS}) i;${createParcels()}
insert into bench.parcels ${firstParcels(POLYGONS)};
create table bench.spots (id int primary key, name text not null, geom geometry(Point, 4326));
insert into bench.spots select id, name, geom from bench.points where id <= ${SPOTS};
create index on bench.spots using gist (geom);
select portolan.create_user('reader', null);
select portolan.set_privilege(r, 'reader', 'read') from unnest('{bench.points,bench.parcels,bench.spots}'::regclass[]) r;
select portolan.enable_events('bench.spots', wait => true)`);

/** Clock ticks of processes, of 10 ms: those of the process and of what it started and has ended. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15)
      .map(Number)
      .reduce((sum, each) => sum + each, 0);
  } catch {
    return 0; // it has ended
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      try {
        const stat = readFileSync(`/proc/${each}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid;
      } catch {
        return false;
      }
    });
}

interface Spent {
  /** Milliseconds of processor time. */
  readonly postgres: number;
  readonly own: number;
}

/** Processor time of PostgreSQL, with its backends, and of another process. */
async function spent(postmaster: number, pid: number | undefined, run: () => Promise<unknown>): Promise<Spent> {
  const all = (): number => [postmaster, ...childrenOf(postmaster)].reduce((sum, each) => sum + ticksOf(each), 0);
  const before = [all(), pid === undefined ? 0 : ticksOf(pid)] as const;
  await run();
  return { postgres: (all() - before[0]) * 10, own: (pid === undefined ? 0 : ticksOf(pid) - before[1]) * 10 };
}

async function copy(url: string, query: string): Promise<void> {
  const psql = spawn("psql", [url, "-qc", `copy (${query}) to stdout`], { stdio: ["ignore", "pipe", "inherit"] });
  psql.stdout.resume();
  const [code] = (await once(psql, "close")) as [number];
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}

/** The longer of the two, since they work at the same time: what a machine with processors for both would take. */
const alone = ({ postgres, own }: Spent): number => Math.max(postgres, own);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const both = (one: Spent): string => `gateway ${seconds(one.own)}, PostgreSQL ${seconds(one.postgres)}`;
const medianOf = (all: readonly Spent[]): Spent => ({
  postgres: median(all.map(({ postgres }) => postgres)),
  own: median(all.map(({ own }) => own)),
});

export const benchmark: Benchmark = {
  name: "files and pyramids",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await prepare(database);
    await database.client.query("vacuum analyze bench.points, bench.parcels, bench.spots");
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
    const rows: Row[] = [];
    try {
      const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, "reader")}`;
      const postmaster = await postmasterOf(database.client);
      const get = (path: string): Promise<unknown> => download(gateway.baseUrl + path, { authorization });

      const page = `/ows/${database.name}?service=WFS&version=2.0.0&request=GetFeature&typenames=bench.parcels&count=${POLYGONS}`;
      const [gml, copied]: [Spent[], Spent[]] = [[], []];
      for (let round = 0; round < ROUNDS + 1; round++) {
        gml.push(await spent(postmaster, gateway.pid, () => get(page)));
        const query = `select id, name, kind, height, built, st_asgml(3, geom, 9, 5) from bench.parcels order by id limit ${POLYGONS}`;
        copied.push(await spent(postmaster, undefined, () => copy(database.url, query)));
      }
      const [own, its] = [medianOf(gml.slice(1)), medianOf(copied.slice(1))];
      rows.push({
        what: `WFS 2.0, ${POLYGONS.toLocaleString("en")} polygons as GML 3.2, processor time`,
        ours: both(own),
        peer: `COPY of st_asgml ${seconds(its.postgres)}`,
        ratio: (its.postgres / alone(own)).toFixed(2),
        target: "≥ 0.5",
      });

      const before = gateway.peakMegabytes;
      const parquet = await spent(postmaster, gateway.pid, () =>
        get("/api/v4/schemas/bench/tables/points/rows?format=parquet"),
      );
      const peak = gateway.peakMegabytes;
      const text = await spent(postmaster, undefined, () =>
        copy(database.url, "select * from bench.points order by id"),
      );
      rows.push({
        what: `Parquet of ${ROWS.toLocaleString("en")} rows, processor time`,
        ours: `${both(parquet)}; ${Math.round(before)} → ${Math.round(peak)} MB`,
        peer: `COPY ${seconds(text.postgres)}`,
        ratio: (text.postgres / alone(parquet)).toFixed(2),
        target: "≥ 0.8",
      });

      const seeding = await spent(postmaster, gateway.pid, async () => {
        await database.client.query("select portolan.seed_tiles('bench.spots', $1, account => 'reader')", [LAST_ZOOM]);
        await until(async () => {
          const { rows: found } = await database.client.query<{ state: string }>(
            "select j.state from portolan.pyramids p join portolan.jobs j on j.id = p.job", // list_pyramids counts the tiles
          );
          return found[0]!.state === "done";
        }, 600_000);
      });
      const { rows: tiles } = await database.client.query<{ n: number }>(
        "select count(*)::int as n from portolan.pyramid_tiles",
      );
      const alike = await spent(postmaster, undefined, () =>
        database.client.query(`
select count(*) from (
  select (select st_asmvt(s, 'bench.spots', 4096, 'g', 'id') from (
    select st_asmvtgeom(st_transform(p.geom, 3857), st_tileenvelope(t.z, t.x, t.y), 4096, 64, true) as g, p.id, p.name
    from bench.spots p where p.geom && st_transform(st_tileenvelope(t.z, t.x, t.y, margin => 64.0 / 4096), 4326)) s) as tile
  from portolan.pyramid_tiles t) m where length(tile) >= 0`),
      );
      rows.push({
        what: `pyramid of ${tiles[0]!.n.toLocaleString("en")} tiles, processor time`,
        ours: both(seeding),
        peer: `st_asmvt in the database ${seconds(alike.postgres)}`,
        ratio: (alike.postgres / alone(seeding)).toFixed(2),
        target: "≥ 0.9",
      });
    } finally {
      await gateway.stop();
      await database.drop();
    }
    return rows;
  },
};
