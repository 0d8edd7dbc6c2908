create table app.countries (code text primary key, name text not null);
create table app.cities (
  id int primary key,
  name text,
  country_code text references app.countries,
  people int,
  secret int
);
comment on table app.countries is '@limit 2 3';
create table app.pairs (a text, b int, at timestamptz, primary key (a, b));
create table app.keyless (id int);
create table app.quiet (id int primary key);
comment on table app.quiet is '@behavior -page';
create view app.towns as select * from app.cities;
comment on view app.towns is '@primaryKey id';

insert into app.countries values ('a', 'A'), ('b', 'B'), ('c', 'C'), ('d', 'D');
insert into app.cities select i, nullif(chr(96 + i % 3), '`'), chr(97 + i % 4), nullif(i % 2, 0), i from generate_series(1, 7) i;
insert into app.pairs values ('x,y', 1, '2024-01-01'), ('x', 2, null), ('x', 1, '2024-01-01'), ('ø %', 1, '2023-01-01');

grant select on app.countries, app.pairs, app.keyless, app.quiet, app.towns to caller;
grant select (id, name, country_code, people) on app.cities to caller;
