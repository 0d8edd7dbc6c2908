/**
 * A checkout of Portolan with the data of `bench/checkouts.ts`, in its own cluster and process. It reports its
 * addresses to the parent.
 */
import { join } from "node:path";
import type * as databases from "../../test/support/databases.ts";
import type * as gateways from "../../test/support/gateway.ts";
import type * as processes from "../../test/support/process.ts";
import type * as fixtures from "../support/fixture.ts";
import { createParcels, firstParcels } from "../support/parcels.ts";
import { postmasterOf } from "../support/processes.ts";

/** Sent when it serves. */
export interface Served {
  readonly url: string;
  readonly database: string;
  readonly token: string;
  /** Process id of the gateway. */
  readonly pid: number;
  /** Process id of the server process whose children are the backends. */
  readonly postmaster: number;
}

const HOURS = 10;
const SOME_ROWS =
  "select n as id, 'Park ' || n as name, n * 1.5 as size, date '2000-01-01' + n % 9000 as opened from generate_series(1, 100000) n";
const METHODS = [
  [
    "fifty",
    "select id, name, district_id, visitors, opened, tags, is_open from city.city_parks where id > :id order by id limit 50",
    "json",
  ],
  ["one", "select id, name from city.city_parks where id = :id", "json"],
  ["csv", SOME_ROWS, "csv"],
  ["ndjson", SOME_ROWS, "ndjson"],
];

/** `account` may read all tables, and write notes. */
function dataFor(account: string): string {
  return `
create table city.notes (id bigint generated always as identity primary key, text text, n int);
select portolan.set_privilege('city.notes', '${account}', 'write');
create schema bench;${createParcels()}
insert into bench.parcels ${firstParcels(10_000)};
create table bench.points (id int primary key, name text not null, geom geometry(Point, 4326));
insert into bench.points
select i, 'Point ' || i, st_setsrid(st_makepoint((i::int8 * 7919 % 360000) / 1000.0 - 180, (i::int8 * 104729 % 160000) / 1000.0 - 80), 4326)
from generate_series(1, 200000) i;
create index on bench.points using gist (geom);
create table bench.polygons (id integer primary key, kind integer, geom geometry(Polygon, 4326));
insert into bench.polygons
select i, i % 3, st_buffer(st_setsrid(st_makepoint((i % 40) * 0.05 + 10, (i / 40) * 0.08 + 50), 4326), 0.03)
from generate_series(0, 999) i;
create index on bench.polygons using gist (geom);
select portolan.set_privilege(r, '${account}', 'read')
from unnest(array['bench.parcels', 'bench.points', 'bench.polygons']::regclass[]) r`;
}

const [checkout = ""] = process.argv.slice(2);
const of = async <Module>(file: string): Promise<Module> => (await import(join(checkout, file))) as Module;
const { testDatabase, stopTestCluster } = await of<typeof databases>("test/support/databases.ts");
const { tokenFor } = await of<typeof gateways>("test/support/gateway.ts");
const { GatewayProcess } = await of<typeof processes>("test/support/process.ts");
const { ACCOUNT, buildFixture } = await of<typeof fixtures>("bench/support/fixture.ts");

const database = await testDatabase({ kind: "portolan" });
await buildFixture(database);
for (const [name, q, format] of METHODS)
  await database.client.query("select portolan.create_method($1, $2, output_format => $3)", [name, q, format]);
await database.client.query(dataFor(ACCOUNT));
await database.client.query("vacuum analyze");
const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
process.once("disconnect", () => {
  void (async () => {
    await gateway.stop();
    await database.drop();
    await stopTestCluster();
    process.exit();
  })();
});
process.send!({
  url: gateway.baseUrl,
  database: database.name,
  token: await tokenFor(database, gateway.baseUrl, ACCOUNT, HOURS * 3600),
  pid: gateway.pid,
  postmaster: await postmasterOf(database.client),
} satisfies Served);
