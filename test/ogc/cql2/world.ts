/**
 * Tables with the names, columns and types of the data for the abstract tests of CQL2 (OGC 21-065r2, annex A). The rows
 * are invented so that each predicate of the annex keeps as many rows as the annex says.
 */

/** `count` rows; the values depend on the `index` of each. */
const rows = (count: number): string => `generate_series(0, ${count - 1}) index`;

/** Squares of a tenth of a degree, side by side, from a lower left corner. */
const squares = (count: number, x: number, y: number): string =>
  `select st_makeenvelope(${x} + index * 0.2, ${y}, ${x} + index * 0.2 + 0.1, ${y} + 0.1, 4326) from ${rows(count)}`;

/** The corners of the polygon that the annex has for Luxembourg. */
const [NORTH, EAST, SOUTH_EAST, SOUTH, WEST, NORTH_WEST] = [
  "6.043073357781111 50.128051662794235",
  "6.242751092156993 49.90222565367873",
  "6.186320428094177 49.463802802114515",
  "5.897759230176348 49.44266714130711",
  "5.674051954784829 49.529483547557504",
  "5.782417433300907 50.09032786722122",
] as const;
const polygon = (...corners: readonly string[]): string =>
  `select 'srid=4326;polygon((${[...corners, corners[0]].join(",")}))'::geometry`;
export const LUXEMBOURG = [NORTH, EAST, SOUTH_EAST, SOUTH, WEST, NORTH_WEST, NORTH].join(",");

const COUNTRIES = [
  polygon(NORTH, EAST, SOUTH_EAST, SOUTH, WEST, NORTH_WEST),
  // its neighbours in the east, the west and the south
  polygon(NORTH, EAST, SOUTH_EAST, "9 49.2", "9 52", "6.5 52"),
  polygon(NORTH, NORTH_WEST, WEST, "4 49.8", "4 51", "6 51"),
  polygon(WEST, SOUTH, SOUTH_EAST, "7 48", "4 42", "2 44", "3 49.5"),
  ...["1 41, 1.5 41, 1.5 41.5", "2 42, 2.5 42, 2.5 42.5", "8 48, 8.5 48, 8.5 48.5", "1 48, 1.5 48, 1.5 48.5"].map(
    (corners) => polygon(...corners.split(", ")),
  ),
  squares(11, 20, 44.95), // on 45° north
  squares(7, 160, -5),
  squares(3, -170, -20),
  squares(5, -110, 20),
  squares(2, -70, -45.05), // on 45° south
  squares(2, -75, 45),
  squares(32, -40, -10),
  squares(7, 5, 5),
  `select st_makeenvelope(-1, -30, 1, -29, 4326) from ${rows(11)}`, // on the first meridian
  squares(89, 100, -60),
].join("\nunion all ");

const RIVERS = [
  ...["-61 0, -59 0", "-61 1, -59 1", "-100 0, -99 0", "-100 1, -99 1", "5 45, 5 55"],
  ...Array.from({ length: 8 }, (_, index) => `100 ${index}, 101 ${index}`),
];

/** [name, ascii, pop_other, date, start, end, boolean, x, y]: the places that the predicates name. */
const PLACES = [
  "('København', 'Kobenhavn', 1038288, '2021-04-16', '2021-04-16T10:15:59Z', '2022-04-16T10:16:06Z', true, 12.5, 55.7)",
  "('Athens', 'Athens', 5000000, '2023-04-16', '2022-04-16T10:13:19Z', '2024-02-22T09:37:52Z', true, 23.7, 38)",
  "('Chișinău', 'Chisinau', 635994, '2022-04-16', '2022-04-16T10:15:10Z', '2022-12-16T10:14:53Z', false, 28.9, 47)",
  "('Luxembourg', 'Luxembourg', 106219, null, null, null, null, 6.1300028, 49.6116604)",
  "('Kiev', 'Kiev', 1611692, null, null, null, null, 30.5, 50.4)",
  "('Berlin', 'Berlin', 3013258, null, null, null, null, 13.4, 52.5)",
  "('Bern', 'Bern', 275329, null, null, null, null, 7.5, 46.9)",
  "('Burg', 'Burg', 5000001, null, null, null, null, 20, 10)",
  "('Chisley', 'Chisley', 5000002, null, null, null, null, 20, 10)",
];

/** The number of further rows, by `name` and `pop_other`, beside those of Copenhagen. */
const MORE = [
  `select 'A' || index, 1000 + index from ${rows(41)}`,
  `select 'A' || index, case when index < 36 then 2000000 else 6000000 end + index from ${rows(58)}`,
  `select 'W' || index, case when index < 2 then 1000000 else 2000 end + index from ${rows(76)}`,
  `select 'W' || index, case when index < 35 then 2100000 else 7000000 end + index from ${rows(59)}`,
].join("\nunion all ");

/**
 * SQL of schema `ats`. Of the 243 places 13 have an accent, 7 lie in the box of 0–10° east and 40–50° north, 74 in the
 * west.
 */
export const WORLD = `
create extension if not exists pg_trgm;
create schema ats;
create table ats.ne_110m_admin_0_countries (
  fid int generated always as identity primary key, "NAME" text, "POP_EST" float8, geom geometry(Geometry, 4326));
with shapes (geom) as (${COUNTRIES}), numbered as (select geom, row_number() over () as number from shapes)
insert into ats.ne_110m_admin_0_countries ("NAME", "POP_EST", geom)
select
  case when number = 1 then 'Luxembourg' when number <= 94 then 'C' || number else 'X' || number end,
  case when number = 100 then 37589262 when number <= 38 then 40000000 else 1000 end + case when number = 100 then 0 else number end,
  geom
from numbered;

create table ats.ne_110m_populated_places_simple (
  fid int generated always as identity primary key, name text, nameascii text, pop_max int8, pop_min int8, pop_other int8,
  date date, start timestamptz, "end" timestamptz, boolean boolean, tags text[], geom geometry(Point, 4326));
insert into ats.ne_110m_populated_places_simple (name, nameascii, pop_other, date, start, "end", boolean, geom)
select name, ascii, pop_other, date::date, start::timestamptz, stop::timestamptz, truth, st_setsrid(st_makepoint(x, y), 4326)
from (values ${PLACES.join(",\n  ")}) as named (name, ascii, pop_other, date, start, stop, truth, x, y);
with more (name, pop_other) as (${MORE}), numbered as (select name, pop_other, row_number() over () as number from more)
insert into ats.ne_110m_populated_places_simple (name, nameascii, pop_other, geom)
select
  name || case when number <= 11 then 'é' else 'e' end, name || 'e', pop_other,
  case
    when number <= 5 then st_setsrid(st_makepoint(number, 45), 4326)
    when number <= 79 then st_setsrid(st_makepoint(-number, 0), 4326)
    else st_setsrid(st_makepoint(100, -30), 4326)
  end
from numbered;
update ats.ne_110m_populated_places_simple
set pop_min = pop_other + case when fid between 28 and 121 then -1 else 1 end,
  pop_max = pop_other + case when fid <= 27 then 1 else 2 end,
  tags = case fid % 3 when 0 then null when 1 then '{foo}' else '{foo,bar}' end::text[];

create table ats.ne_110m_rivers_lake_centerlines (
  fid int generated always as identity primary key, name text, geom geometry(LineString, 4326));
insert into ats.ne_110m_rivers_lake_centerlines (name, geom)
select 'river', ('srid=4326;linestring(' || line || ')')::geometry from unnest(array[${RIVERS.map((line) => `'${line}'`).join(", ")}]) line;

select portolan.set_authentication(c.oid::regclass, 'None') from pg_class c where c.relnamespace = 'ats'::regnamespace and c.relkind = 'r';
`;
