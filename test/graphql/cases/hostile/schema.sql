create table app."Weird Table" (
  "Id" int primary key,
  "first name" text,
  first_name text,
  t text,
  __x text,
  "schema" text,
  "where" text,
  "größe" int,
  "1st" int,
  "__proto__" text,
  constructor text,
  "a""b" text
);
create type app.grade as enum ('ok-ish', '', '1st', 'true', 'a b');
create table app.graded (id int primary key, grade app.grade default 'ok-ish', grades app.grade[]);
-- names of GraphQL's own, and of types of ours
create table app.query (id int primary key, mutation int);
create table app."Query" (id int primary key);
create table app.mutation (id int primary key);
create table app."String" (id int primary key, json json);
create table app.json (id int primary key);
create table app.point (id int primary key, at point);
create table app.cities (id int primary key);
create table app.cities_input (id int primary key);
create table app.cities_connection (id int primary key);
create table app."node" (id int primary key, "nodeId" int);
-- names that only differ in what GraphQL has no letters for
create table app.a_b (id int primary key);
create table app."a-b" (id int primary key);
create table app."1000 rows" (id int primary key);
create table app."北京" (id int primary key, "街道" text);
create table app."🚲" (id int primary key);
-- 63 bytes
create table app.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa (
  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb int primary key,
  ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc int
    references app.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
);
-- kinds of tables
create unlogged table app.unlogged (id int primary key);
create table app.measurements (id int, at date, primary key (id, at)) partition by range (at);
create table app.measurements_2024 partition of app.measurements for values from ('2024-01-01') to ('2025-01-01');
create table app.no_columns ();
create table app.parents (id int primary key);
create table app.heirs (more int) inherits (app.parents);
-- two keys over the same columns
create table app.twice (id int primary key references app.parents, foreign key (id) references app.parents);
-- smart comments
create table app.hidden (id int primary key);
comment on table app.hidden is '@omit';
create table app.renamed_table (id int primary key, old_name text, secret text, fixed text);
comment on table app.renamed_table is E'@name newName\n@omit delete\nWith a name of its own.';
comment on column app.renamed_table.old_name is '@name newField';
comment on column app.renamed_table.secret is '@omit';
comment on column app.renamed_table.fixed is '@omit update';
create view app.keyed_view as select id, old_name from app.renamed_table;
comment on view app.keyed_view is E'@primaryKey id\n@foreignKey (id) references renamed_table (id)|@fieldName original|@foreignFieldName copies\n@limit 1 2';
create view app.wrong_view as select 1 as id;
-- nothing to do with tables
create function app.overloaded(a int) returns int language sql stable return a;
create function app.overloaded(a text) returns text language sql stable return a;
create function app.any_of(a anyelement) returns anyelement language sql stable as 'select a';
create function app.many(variadic a int[]) returns int language sql stable return 1;
create function app.__hidden() returns int language sql stable return 1;
create function app.get_cities() returns int language sql stable return 1;
create function app.trigger_function() returns trigger language plpgsql as 'begin return new; end';
create procedure app.a_procedure() language sql as 'select 1';
create aggregate app.my_sum(int) (sfunc = int4pl, stype = int);

insert into app."Weird Table" values (1, 'a', 'b', 'c', 'd', 'e', 'f', 1, 2, 'p', 'con', 'q');
insert into app.graded values (1, 'ok-ish', '{"","1st"}');
insert into app.query values (1, 2);
insert into app."Query" values (2);
insert into app.measurements values (1, '2024-05-05');
insert into app.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa values (1, 1);
insert into app."北京" values (1, 'x');
insert into app.parents values (1), (2);
insert into app.renamed_table values (1, 'old', 'secret', 'fixed'), (2, 'old', 'secret', 'fixed'), (3, 'old', 'secret', 'fixed');

grant all on all tables in schema app to caller;
