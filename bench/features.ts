/** Features: large pages against COPY of the same text and MapServer's own, a deep page, a box under row security, a million rows. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPostgres } from "../server/setup/programs.mjs";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { download, type Download } from "./support/download.ts";
import { median } from "./support/load.ts";
import { startMapserverItems } from "./support/mapserverItems.ts";
import { createParcels, firstParcels } from "./support/parcels.ts";

const POLYGONS = 10_000;
const POINTS = 1_000_000;

/** The longest page. */
const PAGE = 10_000;
const FIRST_PAGE = 10;
/** Rounds before the code that runs often is compiled. */
const WARM_UP_ROUNDS = 5;
const COPIES_PER_RUN = 5;

/** The output of `items` for a polygon, as SQL that a person would write for it. */
const SAME_TEXT = `
select '{"type":"Feature","id":' || t.id || ',"geometry":' || st_asgeojson(t.geom, 9, 0) || ',"properties":'
  || row_to_json(p)::text || '}'
from bench.parcels t cross join lateral (select t.id, t.name, t.kind, t.height, t.built) p order by t.id limit ${POLYGONS}`;

/** The same features as SQL that a person would write for another format. */
const COPIES: readonly (readonly [format: string, statement: string])[] = [
  [
    "csv",
    `(select id, name, kind, height, built, st_astext(geom, 9) from bench.parcels order by id limit ${POLYGONS}) to stdout with csv header`,
  ],
  [
    "fgb",
    `(select st_asflatgeobuf(p, true, 'geom')
      from (select id, name, kind, height, built::text, geom from bench.parcels order by id limit ${POLYGONS}) p) to stdout`,
  ],
];

async function prepare({ client }: TestDatabase): Promise<void> {
  await client.query(`
create schema bench;${createParcels()}
insert into bench.parcels ${firstParcels(POLYGONS)};
create table bench.points (id int primary key, owner int not null, name text not null, geom geometry(Point, 4326));
insert into bench.points
select i, i % 10, 'Point ' || i, st_setsrid(st_makepoint((i::int8 * 7919 % 360000) / 1000.0 - 180, (i::int8 * 104729 % 160000) / 1000.0 - 80), 4326)
from generate_series(1, ${POINTS}) i;
create index on bench.points using gist (geom);
create table bench.guarded (like bench.points including all);
insert into bench.guarded select * from bench.points;
alter table bench.guarded enable row level security;
create policy visible on bench.guarded using (owner >= 0 and (select (portolan.request_context()).name) = 'reader');
select portolan.create_user('reader', null);
select portolan.set_privilege(r, 'reader', 'read') from unnest(array['bench.parcels', 'bench.points', 'bench.guarded']::regclass[]) r`);
  await client.query("vacuum analyze bench.parcels, bench.points, bench.guarded");
}

/** Each side several times in turn; the median of each. */
async function inTurn(rounds: number, sides: readonly (() => Promise<number>)[]): Promise<number[]> {
  const times = sides.map((): number[] => []);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) for (const side of sides) await side();
  for (let round = 0; round < rounds; round++)
    for (const [index, side] of sides.entries()) times[index]?.push(await side());
  return times.map(median);
}

export const benchmark: Benchmark = {
  name: "Features",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await prepare(database);
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
    const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, "reader")}`;
    const root = `${gateway.baseUrl}/api/v4/ogc/database/${database.name}/collections`;
    const get = (path: string): Promise<Download> => download(root + path, { authorization });
    async function bodyOf(path: string): Promise<string> {
      const response = await fetch(root + path, { headers: { authorization } });
      return response.text();
    }
    const mapserver = startMapserverItems(database.url, [
      { name: "bench.parcels", type: "POLYGON" },
      { name: "bench.points", type: "POINT" },
    ]);
    async function byMapserver(name: string, limit: number): Promise<number> {
      const started = performance.now();
      await mapserver.items(name, limit);
      return performance.now() - started;
    }
    const psql = join(findPostgres()!.bin, "psql");
    async function copy(statement = `(${SAME_TEXT}) to stdout`): Promise<number> {
      const commands = Array.from({ length: COPIES_PER_RUN }, () => ["-c", `copy ${statement}`]).flat();
      const started = performance.now();
      await promisify(execFile)(psql, [database.url, "-q", "-o", "/dev/null", ...commands], { maxBuffer: 1e9 });
      return (performance.now() - started) / COPIES_PER_RUN;
    }
    const row = ({ ratio, ...others }: Omit<Row, "ratio"> & { readonly ratio: number | string }): Row => ({
      ...others,
      ratio: typeof ratio === "number" ? ratio.toFixed(2) : ratio,
    });
    const rows: Row[] = [];
    try {
      const page = `/bench.parcels/items?limit=${POLYGONS}`;
      const [own = NaN, theirs = NaN] = await inTurn(15, [async () => (await get(page)).ms, () => copy()]);
      const rate = (ms: number): string => `${(POLYGONS / ms).toFixed(POLYGONS / ms < 10 ? 1 : 0)}k features/s`;
      rows.push(
        row({
          what: `items, ${POLYGONS} polygons`,
          ours: rate(own),
          peer: `psql COPY ${rate(theirs)}`,
          ratio: theirs / own,
          target: "≥ 0.8",
        }),
      );
      for (const [format, statement] of COPIES) {
        const ours = async (): Promise<number> => (await get(`${page}&f=${format}`)).ms;
        const [its = NaN, peer = NaN] = await inTurn(15, [ours, () => copy(statement)]);
        const what = `items, ${POLYGONS} polygons as ${format}`;
        rows.push(row({ what, ours: rate(its), peer: `psql COPY ${rate(peer)}`, ratio: peer / its, target: "≥ 0.8" }));
      }

      for (const [name, limit, what, rounds] of [
        ["bench.parcels", POLYGONS, `items, ${POLYGONS} polygons`, 3],
        ["bench.points", PAGE, `items, ${PAGE} of 1,000,000 points`, 3],
        ["bench.points", FIRST_PAGE, `items, the first ${FIRST_PAGE} of 1,000,000 points`, 9],
      ] as const) {
        const ours = async (): Promise<number> => (await get(`/${name}/items?limit=${limit}`)).ms;
        const [its = NaN, peer = NaN] = await inTurn(rounds, [ours, () => byMapserver(name, limit)]);
        const ms = (value: number): string => `${value.toFixed(value < 20 ? 1 : 0)} ms`;
        rows.push(
          row({ what, ours: ms(its), peer: `MapServer's OGC API Features ${ms(peer)}`, ratio: peer / its, target: "" }),
        );
      }

      const after = Buffer.from(JSON.stringify([0, "500000"])).toString("base64url");
      // the number of all is counted for both alike: in a tenth of a degree there is little to count
      const many = "/bench.points/items?limit=1000";
      const [first = NaN, deep = NaN, firstByte = NaN] = await inTurn(9, [
        async () => (await get(many)).ms,
        async () => (await get(`${many}&after=${after}`)).ms,
        async () => (await get(many)).firstByteMs,
      ]);
      rows.push(
        row({
          what: "items, a page 500,000 deep",
          ours: `${deep.toFixed(0)} ms`,
          peer: `first page ${first.toFixed(0)} ms`,
          ratio: deep / first,
          target: "≤ 1.3",
        }),
        row({
          what: "items of 1,000,000, first byte",
          ours: `${firstByte.toFixed(1)} ms`,
          peer: "",
          ratio: "",
          target: "",
        }),
      );

      const box = "items?limit=2000&bbox=10,40,15.7,50";
      const [guarded = NaN, open = NaN] = await inTurn(15, [
        async () => (await get(`/bench.guarded/${box}`)).ms,
        async () => (await get(`/bench.points/${box}`)).ms,
      ]);
      const hits = (JSON.parse(await bodyOf(`/bench.guarded/${box}`)) as { numberMatched: number }).numberMatched;
      rows.push(
        row({
          what: `bbox of ${hits} in 1,000,000 under row security`,
          ours: `${guarded.toFixed(1)} ms`,
          peer: `without ${open.toFixed(1)} ms`,
          ratio: guarded / open,
          target: "≤ 1.5",
        }),
      );
    } finally {
      await mapserver.stop();
      await gateway.stop();
      await database.drop();
    }
    return rows;
  },
};
