/** Countries, cities and rivers, with values of every kind and with nulls, for the tests of CQL2. */
import type pg from "pg";
import { sql } from "postgraphile/pg-sql2";
import { parseCql2, type Cql2Options } from "../../server/filter/cql2/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Column, Filter, Relation, Shape } from "../../server/filter/tree.ts";
import { testDatabase } from "../support/databases.ts";
import { arrayOf, builtIn, geometry, shapeOf, TYPES } from "./fixtures.ts";

const extensions = { postgis: "public", unaccent: "ext" };

export const countries: Shape = {
  ...shapeOf("geo", "countries", [
    { name: "id", type: TYPES.int4 },
    { name: "name", type: TYPES.text },
    { name: "pop_est", type: TYPES.int8 },
    { name: "geom", type: geometry(4326) },
  ]),
  extensions,
};
const inCountry: Relation = { name: "country", target: countries, on: [["country_id", "id"]] };

export const cityColumns: readonly Column[] = [
  { name: "id", type: TYPES.int4 },
  { name: "name", type: TYPES.text },
  { name: "kind", type: TYPES.mood },
  { name: "alias", type: TYPES.varchar },
  { name: "country_id", type: TYPES.int4 },
  { name: "pop_other", type: TYPES.int4 },
  { name: "big", type: TYPES.int8 },
  { name: "price", type: TYPES.numeric },
  { name: "share", type: TYPES.float8 },
  { name: "rank", type: TYPES.int2 },
  { name: "fee", type: TYPES.money },
  { name: "open", type: TYPES.bool },
  { name: "date", type: TYPES.date },
  { name: "until", type: TYPES.date },
  { name: "start", type: TYPES.timestamptz },
  { name: "end", type: TYPES.timestamptz },
  { name: "local", type: builtIn("datetime", "timestamp") },
  { name: "tags", type: arrayOf(TYPES.text) },
  { name: "other_tags", type: arrayOf(TYPES.varchar) },
  { name: "numbers", type: arrayOf(TYPES.int4) },
  { name: "span", type: TYPES.int4range },
  { name: "geom", type: geometry(4326) },
  { name: "utm", type: geometry(25832) },
  { name: "sphere", type: geometry(4326, "geography") },
  { name: "any", type: geometry(0) },
];
export const cities: Shape = { ...shapeOf("geo", "cities", cityColumns, () => [inCountry]), extensions };
export const rivers: Shape = {
  ...shapeOf("geo", "rivers", [
    { name: "id", type: TYPES.int4 },
    { name: "name", type: TYPES.text },
    { name: "geom", type: geometry(4326) },
  ]),
  extensions,
};

export const TABLES = `
create schema geo; create schema shop; create schema ext;
create extension if not exists unaccent with schema ext; alter extension unaccent set schema ext;
create type shop."Mood" as enum ('sad', 'so-so', 'happy');
create table geo.countries (id int primary key, name text, pop_est int8, geom geometry(Geometry, 4326));
insert into geo.countries values
  (1, 'Luxembourg', 594130, 'srid=4326;polygon((5.7 49.4, 6.5 49.4, 6.5 50.2, 5.7 50.2, 5.7 49.4))'),
  (2, 'Belgium', 11491346, 'srid=4326;polygon((2.5 49.5, 5.7 49.5, 5.7 51.5, 2.5 51.5, 2.5 49.5))'),
  (3, 'Germany', 80594017, 'srid=4326;polygon((6.5 47.3, 15 47.3, 15 55, 6.5 55, 6.5 47.3))'),
  (4, 'Fiji', 920938, 'srid=4326;multipolygon(((177 -19, 180 -19, 180 -16, 177 -16, 177 -19)), ((-180 -19, -179 -19, -179 -16, -180 -16, -180 -19)))'),
  (5, null, null, null), (6, 'Nowhere', 0, 'srid=4326;polygon empty');
create table geo.cities (
  id int primary key, name text collate "C", kind shop."Mood", alias varchar collate "de-x-icu", country_id int, pop_other int, big int8,
  price numeric, share float8, rank int2, fee money, open boolean, date date, until date, start timestamptz, "end" timestamptz,
  local timestamp, tags text[], other_tags varchar[], numbers int[], span int4range,
  geom geometry(Point, 4326), utm geometry(Point, 25832), sphere geography(Point, 4326), "any" geometry);
insert into geo.cities (id, name, kind, alias, country_id, pop_other, big, price, share, rank, fee, open, date, until, start, "end", tags, other_tags, numbers, span, geom)
values
  (1, 'Luxembourg', 'happy', 'Lëtzebuerg', 1, 106219, 9007199254740993, 1.5, 0.1, 1, 2.50, true, '2021-04-15', '2021-04-30', '2021-04-15T08:00:00Z', '2021-04-15T10:00:00Z', '{a,b}', '{b,a}', '{1,2}', '[1,5)', 'srid=4326;point(6.13 49.61)'),
  (2, 'Bruxelles', 'sad', 'Brüssel', 2, 1759840, 2, 2.25, 0.2, 2, 3, false, '2021-05-01', '2021-05-01', '2021-05-01T00:00:00Z', '2021-06-01T00:00:00Z', '{}', '{a}', '{2,3}', 'empty', 'srid=4326;point(4.33 50.83)'),
  (3, 'Straße', 'so-so', 'STRASSE', 3, -5, 3, 100, 3, 3, 4, null, '2022-01-01', '2022-12-31', '2022-01-01T00:00:00Z', '2022-12-31T23:59:59Z', '{c}', null, '{}', '(,3]', 'srid=4326;point(9 50)'),
  (4, 'København', null, 'Kobenhavn', null, 0, 0, 0, 0, 0, 0, true, null, '2022-12-31', null, '2022-12-31T23:59:59Z', null, '{}', null, null, 'srid=4326;point(12.5 55.6)'),
  (5, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
  (6, 'ΟΔΥΣΣΕΥΣ', 'sad', 'οδυσσευς', 4, 7, 7, 'NaN', 'Infinity', -7, 7, false, '2021-04-16', null, '2021-04-15T10:00:00Z', '2021-04-15T10:00:00Z', '{a,NULL}', '{c,d}', '{1,2,3}', '[5,6)', 'srid=4326;point(179.5 -17)'),
  (7, 'per%cent_\\', 'happy', 'x''y', 3, 2147483647, 9223372036854775807, 12345678901234567890.123, 1e300, 32767, 1000, true, '2021-04-15', '2021-04-15', '2021-04-15T08:00:00.5Z', '2021-04-15T09:00:00Z', '{x''y}', '{"x''y"}', '{7}', '[0,8)', 'srid=4326;point(8 49)');
update geo.cities set local = start at time zone 'UTC', utm = st_transform(geom, 25832), sphere = geom::geography, "any" = geom;
create table geo.rivers (id int primary key, name text, geom geometry(LineString, 4326));
insert into geo.rivers values (1, 'Rhein', 'srid=4326;linestring(8 47, 8 50, 6 52)'), (2, 'Sûre', 'srid=4326;linestring(5.5 49.8, 6.6 49.8)'), (3, null, null);
`;

export async function citiesDatabase(): Promise<{ client: pg.Client; drop(): Promise<void> }> {
  const database = await testDatabase({ kind: "portolan" });
  await database.client.query(TABLES);
  await database.client.query("set search_path to ''; set timezone to 'America/Caracas'");
  return database;
}

/** The ids of the rows that a filter keeps. `source`: in CQL2, or parsed already; undefined: every row. */
export async function kept(
  client: pg.Client,
  source: string | Filter | undefined,
  shape: Shape,
  options?: Cql2Options,
): Promise<number[]> {
  const filter = typeof source === "string" ? parseCql2(source, shape, options) : source;
  const alias = sql.identifier(Symbol("t"));
  const { text, values } = sql.compile(
    sql`select ${alias}.id from ${sql.identifier(shape.schema, shape.relation)} ${alias} where ${filter ? filterToSql(filter, alias) : sql.true} order by 1`,
  );
  return (await client.query<{ id: number }>(text, values)).rows.map(({ id }) => id);
}
