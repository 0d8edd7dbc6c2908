create table app.countries (
  code text primary key,
  name text not null,
  founded date,
  hidden text
);
create table app.cities (
  id int primary key,
  name text not null,
  country_code text references app.countries,
  people int,
  big bigint,
  area float8,
  price numeric,
  capital boolean,
  made timestamptz,
  seen timestamp,
  stay interval,
  tags text[],
  doc jsonb,
  geom geometry(point, 3857),
  secret int
);
comment on table app.countries is '@limit 3 4';
create table app.quiet (id int primary key);
comment on table app.quiet is '@behavior -aggregate';
-- names that ours meet
create table app.period (id int primary key, "count" int, "sum.people" int, "made.month" int);
create table app.cities_aggregate (id int primary key, city_id int references app.cities);
create function app.cities_cities_aggregate_aggregate(c app.cities) returns int language sql stable as 'select 7';

create table app.huge (id int primary key, whole bigint, n numeric, f float8, small float4, stay interval, cash money);

insert into app.huge select i, 9223372036854775807, case i when 1 then 1 else '1e130000'::numeric end, '1e308', '3e38', '178000000 years', 9e16::numeric::money from generate_series(1, 2) i;
insert into app.countries values ('no', 'Norway', '1814-05-17', 'h1'), ('se', 'Sweden', '1523-06-06', 'h2'), ('xx', 'Nowhere', null, null);
insert into app.cities values
  (1, 'Oslo', 'no', 700000, 9223372036854775807, 1.5, 0.1, true, '2024-01-31 23:30:00+00', '2024-01-31 23:30:00', '1 day', '{a}', '{"a":1}', 'srid=3857;point(0 0)', 1),
  (2, 'Bergen', 'no', 290000, 9223372036854775807, 2.5, 0.2, false, '2024-02-01 00:10:00+00', '2024-02-29 00:10:00', '2 days', '{b}', null, 'srid=3857;point(111319.490793 0)', 2),
  (3, 'Stockholm', 'se', 980000, 1, null, null, true, '2024-02-05 12:00:00+00', null, null, null, null, null, 3),
  (4, 'Nowhere', null, null, null, 4, 10.5, null, null, null, null, null, null, null, 4);
insert into app.cities_aggregate values (1, 1), (2, 1);

grant select on app.huge, app.countries, app.quiet, app.period, app.cities_aggregate to caller;
revoke select on app.countries from caller;
grant select (code, name, founded) on app.countries to caller;
grant select (id, name, country_code, people, big, area, price, capital, made, seen, stay, tags, doc, geom) on app.cities to caller;
