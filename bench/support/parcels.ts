/** `bench.parcels`: features like those of users. */

export const POINT = "st_setsrid(st_makepoint(i % 300 - 150 + 0.123456789, i / 300 - 40 + 0.987654321), 4326)";
/** Polygons of 33 positions. */
export const POLYGON = `st_buffer(${POINT}, 0.4, 8)`;

/** SQL that makes the table. */
export const createParcels = (geometryType = "Polygon"): string => `
create table bench.parcels (
  id int primary key, name text not null, kind text not null, height float8, built date,
  geom geometry(${geometryType}, 4326));`;

/** A query of the first so many, each with a shape that is SQL of its number `i`. */
export const firstParcels = (count: number, shape = POLYGON): string => `
select i as id, 'Parcel ' || i as name, 'kind ' || i % 9 as kind, i % 40 + 0.5 as height, date '1950-01-01' + i as built,
  ${shape} as geom
from generate_series(1, ${count}) i`;
