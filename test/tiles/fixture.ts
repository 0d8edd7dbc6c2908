/** A gateway over tables whose tiles are known. */
import assert from "node:assert/strict";
import type pg from "pg";
import { testGateway, type TestGateway, type TestGatewayOptions } from "../support/gateway.ts";
import { readVectorTile, type TileFeature, type TileLayer } from "../support/vectorTile.ts";

/** Around 10° east, 50° north. */
const TABLES = `
create schema gis;
create table gis.squares (
  id integer primary key, kind text, height integer, price numeric(10, 2), open boolean, made date, seen timestamptz,
  big bigint, ratio double precision, note jsonb, tags text[], span int4range, raw bytea, ref uuid,
  geom geometry(Polygon, 4326));
create index on gis.squares using gist (geom);
insert into gis.squares values
  (1, 'park', 10, 1.50, true, '2024-05-06', '2024-05-06 07:08:09+00', 9007199254740993, 0.5, '{"a": 1}', '{x,y}',
    '[1,5)', '\\x00ff', '00000000-0000-4000-8000-000000000001', st_makeenvelope(10, 50, 11, 51, 4326)),
  (2, 'lake', 20, 2.50, false, null, null, null, null, null, null, null, null, null, st_makeenvelope(11, 50, 12, 51, 4326)),
  (3, 'park', 30, null, null, null, null, null, null, null, null, null, null, null, st_makeenvelope(10, 51, 11, 52, 4326)),
  (-4, null, null, null, null, null, null, null, null, null, null, null, null, null, st_makeenvelope(11, 51, 12, 52, 4326));
create table gis.points (id integer primary key, size integer, geom geometry(Point, 4326));
create index on gis.points using gist (geom);
insert into gis.points values (1, 10, 'srid=4326;point(10.5 50.5)'), (2, 20, 'srid=4326;point(11.5 51.5)');
create table gis.lines (id integer primary key, geom geometry(LineString, 4326));
insert into gis.lines values (1, 'srid=4326;linestring(10 51, 12 51)');
create table gis.mercator (id integer primary key, geom geometry(Point, 3857));
insert into gis.mercator select id, st_transform(geom, 3857) from gis.points;
create table gis.utm (id integer primary key, geom geometry(Polygon, 25832));
insert into gis.utm values (1, st_makeenvelope(500000, 5500000, 600000, 5600000, 25832));
create table gis.sphere (id integer primary key, geom geography(Point, 4326));
insert into gis.sphere select id, geom::geography from gis.points;
create table gis.mixed (id integer primary key, geom geometry);
insert into gis.mixed values
  (1, 'srid=4326;point(10.5 50.5)'), (2, st_transform('srid=4326;point(11.5 51.5)'::geometry, 25832)),
  (3, 'point(10.2 50.2)'), (4, null), (5, 'srid=4326;polygon empty');
create table gis.poles (id integer primary key, geom geometry(Geometry, 4326));
insert into gis.poles values
  (1, st_makeenvelope(-180, -90, 180, -60, 4326)), (2, 'srid=4326;point(0 90)'), (3, 'srid=4326;point(0 -90)'),
  (4, 'srid=4326;point(10 50)');
create table gis.pairs (a integer, b text, geom geometry(Point, 4326), primary key (a, b));
insert into gis.pairs values (1, 'x/y', 'srid=4326;point(10.5 50.5)');
create table gis.keyless (name text, geom geometry(Point, 4326));
insert into gis.keyless values ('one', 'srid=4326;point(10.5 50.5)');
create table gis.clash (gid integer primary key, id text, geom geometry(Point, 4326));
insert into gis.clash values (7, 'not the key', 'srid=4326;point(10.5 50.5)');
create table gis.nothing (id integer primary key, geom geometry(Point, 4326));
create view gis.parks as select id, kind, geom from gis.squares where kind = 'park';
comment on view gis.parks is '@primaryKey id';
create table gis.hidden (id integer primary key, geom geometry(Point, 4326));
insert into gis.hidden values (1, 'srid=4326;point(10.5 50.5)');
`;

const PUBLIC = `
select portolan.set_authentication(c.oid::regclass, 'None')
from pg_class c
where c.relnamespace = 'gis'::regnamespace and c.relkind in ('r', 'v') and c.relname <> 'hidden'`;

export interface TileGateway extends TestGateway {
  readonly client: pg.Client;
  readonly root: string;
  /** Sends a request below the database's OGC API, as an account or anonymously. */
  ask(
    path: string,
    asked?: { readonly as?: string; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Response>;
  /** The layers of a vector tile; none for 204. Asserts that it is one. */
  layers(path: string, as?: string): Promise<readonly TileLayer[]>;
  /** The features of the only layer. */
  features(path: string, as?: string): Promise<readonly TileFeature[]>;
}

/** Accounts: `captain` (super user), `guest` and `other`, passwords as their names. */
export async function tileGateway({ prepare, ...options }: TestGatewayOptions = {}): Promise<TileGateway> {
  const gateway = await testGateway({
    kind: "portolan",
    ...options,
    prepare: async (database) => {
      await database.client.query(TABLES);
      for (const name of ["captain", "guest", "other"])
        await database.client.query("select portolan.create_user($1, $1, superuser => $2)", [name, name === "captain"]);
      await database.client.query(PUBLIC);
      await prepare?.(database);
    },
  });
  const root = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}`;
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (account: string): Promise<string> => {
    const known = tokens.get(account) ?? gateway.token(account);
    tokens.set(account, known);
    return known;
  };
  const ask: TileGateway["ask"] = async (path, { as, headers = {} } = {}) =>
    fetch(path.startsWith("http") ? path : root + path, {
      headers: { ...headers, ...(as !== undefined && { authorization: `Bearer ${await tokenOf(as)}` }) },
    });
  const layers: TileGateway["layers"] = async (path, as) => {
    const response = await ask(path, { ...(as !== undefined && { as }) });
    if (response.status === 204) return [];
    const bytes = await response.arrayBuffer();
    assert.equal(response.status, 200, `${path}: ${new TextDecoder().decode(bytes).slice(0, 500)}`);
    assert.equal(response.headers.get("content-type"), "application/vnd.mapbox-vector-tile");
    return readVectorTile(bytes);
  };
  return {
    ...gateway,
    client: gateway.database.client,
    root,
    ask,
    layers,
    async features(path, as) {
      const all = await layers(path, as);
      assert.ok(all.length <= 1, `${all.length} layers`);
      return all[0]?.features ?? [];
    },
  };
}

/** The address of the tile of `zoom` in Web Mercator that contains a place. */
export function tileAt(zoom: number, longitude: number, latitude: number): string {
  const n = 2 ** zoom;
  const column = Math.floor(((longitude + 180) / 360) * n);
  const radians = (latitude * Math.PI) / 180;
  const row = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * n);
  return `WebMercatorQuad/${zoom}/${row}/${column}`;
}
