-- several keys between two tables
create table app.owners (id int primary key, name text);
create table app.ships (
  id int primary key,
  owner_id int references app.owners,
  captain_id int references app.owners
);
comment on constraint ships_captain_id_fkey on app.ships is E'@deprecated Ships have crews.\nWho commands it.';
-- the name of the relation is the name of a column
create table app.ports (id int primary key, harbours text);
create table app.harbours (id int primary key, port_id int references app.ports);
-- self reference
create table app.employees (id int primary key, boss_id int references app.employees);
-- each refers to the other, by columns of one name
create table app.eggs (id int primary key, origin int);
create table app.hens (id int primary key, origin int references app.eggs);
alter table app.eggs add foreign key (origin) references app.hens;
-- composite key, and a key that refers to it
create table app.berths (port text, number int, primary key (port, number), depth numeric);
create table app.bookings (
  id int primary key,
  berth_port text,
  berth_number int,
  foreign key (berth_port, berth_number) references app.berths
);
-- one to one
create table app.passports (owner_id int primary key references app.owners, number text);
-- no key at all
create table app.logs (at timestamptz, message text);
-- two tables whose types want the same name
create table app.a_b (id int primary key);
create table app."aB" (id int primary key);
create table app.both_parents (id int primary key, x int references app.a_b, y int references app."aB");
-- a table of another schema, which has tables of its own
create schema other;
create table other.planets (id int primary key, name text);
create table other.moons (id int primary key, planet_id int references other.planets);
create table other.owners (id int primary key);
create table app.bases (id int primary key, planet_id int references other.planets, owner_id int references other.owners);

insert into app.owners values (1, 'Ann'), (2, 'Bo');
insert into app.ships values (1, 1, 2), (2, 1, null);
insert into app.ports values (1, 'x');
insert into app.harbours values (1, 1);
insert into app.employees values (1, null), (2, 1), (3, 1);
insert into app.eggs values (1, null);
insert into app.hens values (1, 1);
update app.eggs set origin = 1;
insert into app.berths values ('Aarhus, Ø', 1, 7.5), ('a/b', 2, 3);
insert into app.bookings values (1, 'Aarhus, Ø', 1), (2, 'a/b', null);
insert into app.passports values (1, 'P1');
insert into app.logs values ('2024-01-01T00:00:00Z', 'hello');
insert into app.a_b values (1);
insert into app."aB" values (2);
insert into app.both_parents values (1, 1, 2);
insert into other.planets values (1, 'Mars');
insert into other.owners values (7);
insert into app.bases values (1, 1, 7);

grant usage on schema other to caller;
grant all on all tables in schema app, other to caller;
