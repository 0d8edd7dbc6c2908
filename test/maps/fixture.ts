/** A gateway over tables whose maps are known pixel by pixel. */
import assert from "node:assert/strict";
import type pg from "pg";
import { testGateway, type TestGateway, type TestGatewayOptions } from "../support/gateway.ts";
import { picture, type Picture } from "./pixels.ts";

export const EPSG = "http://www.opengis.net/def/crs/EPSG/0";
export const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";

/** A little more than a square degree around 10° east, 50° north, in every kind of geometry and several systems. */
const TABLES = `
create schema gis;
create table gis.squares (id integer primary key, kind text, height integer, tint text, geom geometry(Polygon, 4326));
insert into gis.squares values
  (1, 'park', 10, '#ff8000', st_makeenvelope(10, 50, 11, 51, 4326)),
  (2, 'lake', 20, '#0080ff', st_makeenvelope(11, 50, 12, 51, 4326)),
  (3, 'park', 30, '#80ff00', st_makeenvelope(10, 51, 11, 52, 4326)),
  (4, null, null, null, st_makeenvelope(11, 51, 12, 52, 4326));
create table gis.lines (id integer primary key, geom geometry(LineString, 4326));
insert into gis.lines values (1, 'srid=4326;linestring(10 51, 12 51)');
create table gis.points (id integer primary key, size integer, geom geometry(Point, 4326));
insert into gis.points values (1, 10, 'srid=4326;point(10.5 50.5)'), (2, 20, 'srid=4326;point(11.5 51.5)');
create table gis.mixed (id integer primary key, geom geometry);
alter table gis.mixed alter geom type geometry(Geometry, 4326) using st_setsrid(geom, 4326);
insert into gis.mixed values
  (1, st_makeenvelope(10, 50, 11, 51, 4326)), (2, 'srid=4326;linestring(10 51.5, 12 51.5)'),
  (3, 'srid=4326;point(11.5 50.5)'),
  (4, 'srid=4326;geometrycollection(point(11.75 51.75), polygon((11 51, 11.2 51, 11.2 51.2, 11 51)))'),
  (5, null), (6, 'srid=4326;polygon empty'), (7, 'srid=4326;tin(((11.9 50, 12 50, 12 50.1, 11.9 50)))');
create table gis.utm (id integer primary key, geom geometry(Polygon, 25832));
insert into gis.utm values (1, st_makeenvelope(500000, 5500000, 600000, 5600000, 25832));
create table gis.geog (id integer primary key, geog geography(Polygon, 4326));
insert into gis.geog values (1, st_makeenvelope(10, 50, 11, 51, 4326)::geography);
create table gis.curves (id integer primary key, geom geometry(CurvePolygon, 4326));
insert into gis.curves values (1, 'srid=4326;curvepolygon(circularstring(10 51, 11 52, 12 51, 11 50, 10 51))');
create table gis.tin (id integer primary key, geom geometry(TinZ, 4326));
insert into gis.tin values (1, 'srid=4326;tin z(((10 50 0, 12 50 1, 12 52 2, 10 50 0)))'), (2, 'srid=4326;tin z empty'), (3, null);
create table gis.triangle (id integer primary key, geom geometry(Triangle, 4326));
insert into gis.triangle values (1, 'srid=4326;triangle((10 50, 12 50, 12 52, 10 50))');
create table gis.surface (id integer primary key, geom geometry(PolyhedralSurfaceZ, 4326));
insert into gis.surface values (1, 'srid=4326;polyhedralsurface z(((10 50 0, 12 50 1, 12 52 2, 10 50 0)))');
create table gis.nested (id integer primary key, geom geometry(GeometryCollection, 4326));
insert into gis.nested values
  (1, 'srid=4326;geometrycollection(tin(((10 50, 12 50, 12 52, 10 50))), polygon((10 52, 10 51.5, 10.5 51.5, 10.5 52, 10 52)))');
create table gis.empty (id integer primary key, geom geometry(Polygon, 4326));
create view gis.parks as select id, geom from gis.squares where kind = 'park';
create schema other;
create table other.squares (id integer primary key, geom geometry(Polygon, 4326));
`;

export interface MapGateway extends TestGateway {
  readonly client: pg.Client;
  /** Sends a request below the database's OGC API, as an account or anonymously. */
  ask(path: string, account?: string): Promise<Response>;
  /** The picture of a PNG map. Asserts that it is one. */
  map(path: string, account?: string): Promise<Picture>;
}

export interface MapGatewayOptions extends TestGatewayOptions {
  /** Name → a copy, in `gis`, of the table `of` there, with a style. */
  readonly styled?: Readonly<Record<string, { readonly of: string; readonly style: unknown }>>;
}

/** Accounts: `captain` (super user), `guest` and `other`, all without rights of their own; passwords as their names. */
export async function mapGateway({ prepare, styled = {}, ...options }: MapGatewayOptions = {}): Promise<MapGateway> {
  const gateway = await testGateway({
    kind: "portolan",
    ...options,
    prepare: async (database) => {
      await database.client.query(TABLES);
      for (const name of ["captain", "guest", "other"])
        await database.client.query("select portolan.create_user($1, $1, superuser => $2)", [name, name === "captain"]);
      for (const [name, { of, style }] of Object.entries(styled)) {
        await database.client.query(`create table gis.${name} (like gis.${of} including all)`);
        await database.client.query(`insert into gis.${name} select * from gis.${of}`);
        await database.client.query("select portolan.set_style($1::regclass, $2::jsonb)", [
          `gis.${name}`,
          JSON.stringify(style),
        ]);
      }
      await prepare?.(database);
    },
  });
  const root = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}`;
  const { client } = gateway.database;
  const tokens = new Map<string, Promise<string>>();
  async function ask(path: string, account?: string): Promise<Response> {
    if (account === undefined) return fetch(root + path);
    const token = tokens.get(account) ?? gateway.token(account);
    tokens.set(account, token);
    return fetch(root + path, { headers: { Authorization: `Bearer ${await token}` } });
  }
  async function map(path: string, account = "captain"): Promise<Picture> {
    const response = await ask(path, account);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200, `${path}: ${bytes.toString().slice(0, 500)}`);
    assert.equal(response.headers.get("content-type"), "image/png");
    return picture(bytes);
  }
  return {
    ...gateway,
    client,
    ask,
    map,
  };
}
