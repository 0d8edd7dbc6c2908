/** Pyramids by processor time: making one beside PostGIS' statement in the database alone. */
import { setTimeout } from "node:timers/promises";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { postmasterOf } from "./support/processes.ts";
import { alone, both, seconds, spent } from "./support/spent.ts";

const SPOTS = Number(process.env["BENCH_ROWS"] ?? 100_000);
const LAST_ZOOM = Number(process.env["BENCH_ZOOM"] ?? 8);

const prepare = ({ client }: TestDatabase): Promise<unknown> =>
  client.query(`
create schema bench;
create table bench.spots (id int primary key, name text not null, geom geometry(Point, 4326));
insert into bench.spots
select i, 'Point ' || i, st_setsrid(st_makepoint((i::int8 * 7919 % 360000) / 1000.0 - 180, (i::int8 * 104729 % 160000) / 1000.0 - 80), 4326)
from generate_series(1, ${SPOTS}) i;
create index on bench.spots using gist (geom);
select portolan.create_user('reader', null);
select portolan.set_privilege('bench.spots', 'reader', 'read');
select portolan.enable_events('bench.spots', wait => true)`);

/** To ask more often costs PostgreSQL a tenth of the work. */
const LOOK_MS = 500;

async function stateOf({ client }: TestDatabase): Promise<string> {
  const { rows } = await client.query<{ state: string }>(
    "select j.state from portolan.pyramids p join portolan.jobs j on j.id = p.job",
  );
  if (rows[0]!.state === "failed") throw new Error("the pyramid failed");
  return rows[0]!.state;
}

export const benchmark: Benchmark = {
  name: "pyramids",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await prepare(database);
    await database.client.query("vacuum analyze bench.spots");
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
    const rows: Row[] = [];
    try {
      const postmaster = await postmasterOf(database.client);
      const seeding = await spent(postmaster, gateway.pid, async () => {
        await database.client.query("select portolan.seed_tiles('bench.spots', $1, account => 'reader')", [LAST_ZOOM]);
        while ((await stateOf(database)) !== "done") await setTimeout(LOOK_MS);
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
