/** The tables of the GraphQL benchmarks: parks in districts, with trees. */
import type { TestDatabase } from "../../test/support/databases.ts";

/** Name of the account, and of the plain role that the peers change to. */
export const ACCOUNT = "reader";
export const PEER_ROLE = "peer_reader";

export async function buildFixture({ client }: TestDatabase): Promise<void> {
  await client.query(`
create schema city;
create table city.districts (id int primary key, name text not null);
create table city.city_parks (
  id int primary key, name text not null, district_id int not null references city.districts,
  visitors bigint not null, opened date not null, tags text[] not null, is_open boolean not null);
create table city.park_trees (
  id int primary key, park_id int not null references city.city_parks, species text not null, height float8 not null);
create index on city.city_parks (district_id);
create index on city.park_trees (park_id);
insert into city.districts select i, 'District ' || i from generate_series(1, 20) i;
insert into city.city_parks
  select i, 'Park ' || i, i % 20 + 1, i * 1000003::bigint, date '2000-01-01' + i, array['a' || i % 7, 'b'], i % 3 = 0
  from generate_series(1, 5000) i;
insert into city.park_trees select i, i % 5000 + 1, 'Species ' || i % 30, i % 40 + 0.5 from generate_series(1, 20000) i;
analyze city.districts, city.city_parks, city.park_trees;
select portolan.create_user('${ACCOUNT}', null);
select portolan.set_privilege(r, '${ACCOUNT}', 'read')
  from unnest(array['city.districts', 'city.city_parks', 'city.park_trees']::regclass[]) r;
do $$ begin create role ${PEER_ROLE} nologin; exception when duplicate_object then null; end $$;
grant ${PEER_ROLE} to gateway;
grant usage on schema city to ${PEER_ROLE};
grant select on all tables in schema city to ${PEER_ROLE};`);
}
