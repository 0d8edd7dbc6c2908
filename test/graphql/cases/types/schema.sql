create type app.mood as enum ('sad', 'ok-ish', 'happy');
create domain app.positive as int check (value > 0);
create domain app.emails as text[];
create type app.address as (street text, number int, since date);
create type app.float_span as range (subtype = float8);
create extension citext schema public;
create extension hstore schema public;

create table app.everything (
  id uuid primary key,
  a_int2 int2, a_int4 int4, a_int8 int8, a_numeric numeric, a_money money,
  a_float4 float4, a_float8 float8, a_bool bool,
  a_text text, a_varchar varchar(20), a_char char(4), a_name name, a_citext public.citext,
  a_mood app.mood, a_positive app.positive, a_inet inet, a_cidr cidr, a_macaddr macaddr,
  a_bytea bytea, a_bit bit(3), a_xml xml, a_tsvector tsvector, a_hstore public.hstore, a_regclass regclass,
  a_json json, a_jsonb jsonb,
  a_date date, a_time time, a_timetz timetz, a_timestamp timestamp, a_timestamptz timestamptz, a_interval interval,
  a_point point, a_line line, a_lseg lseg, a_box box, a_circle circle, a_path path, a_polygon polygon,
  a_int4range int4range, a_int8range int8range, a_numrange numrange,
  a_tsrange tsrange, a_tstzrange tstzrange, a_daterange daterange, a_float_span app.float_span,
  a_int4multirange int4multirange,
  a_ints int[], a_bigints int8[], a_texts text[], a_dates date[], a_moods app.mood[], a_ranges daterange[],
  a_points point[], a_boxes box[], a_jsons jsonb[], a_byteas bytea[], a_emails app.emails,
  a_matrix int[][], a_big_matrix int8[][], a_date_matrix date[][],
  a_address app.address, a_addresses app.address[],
  a_geography public.geography(point), a_geometry public.geometry
);
comment on column app.everything.a_int2 is E'@deprecated Use a_int4';

grant all on all tables in schema app to caller;
