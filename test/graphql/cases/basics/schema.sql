create table app.countries (
  code text primary key,
  name text not null,
  population bigint
);
comment on table app.countries is 'The countries of the world.';
comment on column app.countries.code is 'ISO 3166-1 alpha-2.';

create table app.city_districts (
  id serial primary key,
  name text not null,
  country_code text not null references app.countries,
  area float8,
  is_old boolean not null default false
);

create view app.large_districts as select * from app.city_districts where area > 10;


insert into app.countries values ('DK', 'Denmark', 5900000), ('DE', 'Germany', 83200000), ('FO', 'Faroe Islands', null);
insert into app.city_districts (name, country_code, area) values
  ('Nørrebro', 'DK', 4.1), ('Østerbro', 'DK', 9.8), ('Mitte', 'DE', 39.5), ('Pankow', 'DE', 103);

create materialized view app.totals as select country_code, count(*) from app.city_districts group by 1;

grant all on all tables in schema app to caller;
grant usage on all sequences in schema app to caller;
