/**
 * Files by processor time and by the clock: Parquet of five million rows beside COPY, and GML of 10,000 polygons beside COPY.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { download } from "./support/download.ts";
import { startMapserverItems } from "./support/mapserverItems.ts";
import { createParcels, firstParcels } from "./support/parcels.ts";
import { postmasterOf } from "./support/processes.ts";
import { alone, both, medianOf, seconds, spent, type Spent } from "./support/spent.ts";

const ROWS = Number(process.env["BENCH_ROWS"] ?? 5_000_000);
const POLYGONS = 10_000;
const ROUNDS = 19;
/** Answers before the first that counts: a gateway is not judged in its first second. */
const WARMING = 20;

const prepare = ({ client }: TestDatabase): Promise<unknown> =>
  client.query(`
create schema bench;
create table bench.points (id int primary key, owner int not null, name text not null, height float8, at timestamptz, geom geometry(Point, 4326));
insert into bench.points
select i, i % 10, 'Point ' || i, i % 1000 / 10.0, timestamptz '2020-01-01' + i * interval '1 s', st_setsrid(st_makepoint((i::int8 * 7919 % 360000) / 1000.0 - 180, (i::int8 * 104729 % 160000) / 1000.0 - 80), 4326)
from generate_series(1, ${ROWS}) i;${createParcels()}
insert into bench.parcels ${firstParcels(POLYGONS)};
select portolan.create_user('reader', null);
select portolan.set_privilege(r, 'reader', 'read') from unnest('{bench.points,bench.parcels}'::regclass[]) r`);

async function copy(url: string, query: string): Promise<void> {
  const psql = spawn("psql", [url, "-qc", `copy (${query}) to stdout`], { stdio: ["ignore", "pipe", "inherit"] });
  psql.stdout.resume();
  const [code] = (await once(psql, "close")) as [number];
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}

export const benchmark: Benchmark = {
  name: "files",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await prepare(database);
    await database.client.query("vacuum analyze bench.points, bench.parcels");
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
    const mapserver = startMapserverItems(database.url, [{ name: "bench.parcels", type: "POLYGON" }]);
    const rows: Row[] = [];
    try {
      const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, "reader")}`;
      const postmaster = await postmasterOf(database.client);
      const get = (path: string): Promise<unknown> => download(gateway.baseUrl + path, { authorization });

      const page = `/ows/${database.name}?service=WFS&version=2.0.0&request=GetFeature&typenames=bench.parcels&count=${POLYGONS}`;
      const [gml, copied, drawn]: [Spent[], Spent[], Spent[]] = [[], [], []];
      await mapserver.gml("bench.parcels", 1); // starts it
      for (let round = 0; round < WARMING; round++) await get(page);
      for (let round = 0; round < ROUNDS + 1; round++) {
        gml.push(await spent(postmaster, gateway.pid, () => get(page)));
        const query = `select id, name, kind, height, built, st_asgml(3, geom, 9, 5) from bench.parcels order by id limit ${POLYGONS}`;
        copied.push(await spent(postmaster, undefined, () => copy(database.url, query)));
        drawn.push(await spent(postmaster, mapserver.pid, () => mapserver.gml("bench.parcels", POLYGONS)));
      }
      const [own, its, another] = [gml, copied, drawn].map((all) => medianOf(all.slice(1))) as [Spent, Spent, Spent];
      const total = ({ postgres, own: self }: Spent): number => postgres + self;
      rows.push({
        what: `WFS 2.0, ${POLYGONS.toLocaleString("en")} polygons as GML 3.2, processor time`,
        ours: `${both(own)}, ${seconds(own.wall)} on the clock`,
        peer: `MapServer's own WFS ${seconds(another.own)}, PostgreSQL ${seconds(another.postgres)}, ${seconds(another.wall)} on the clock`,
        ratio: (total(another) / total(own)).toFixed(1),
        target: "≥ 5",
      });
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
    } finally {
      await gateway.stop();
      await mapserver.stop();
      await database.drop();
    }
    return rows;
  },
};
