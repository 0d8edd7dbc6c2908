/** Methods over every kind of statement and type. Their declared types are compared with their results. */

export const FIXTURE = `
create schema lab;
create type lab.mood as enum ('calm', 'storm "1"', 'fog''s');
create type lab.berth as (pier text, number int);
create domain lab.positive as int check (value > 0);
create table lab.ships (
  id int primary key, name text not null, mood lab.mood not null, captain_id int, weight numeric not null,
  crew int8, launched date not null, seen timestamptz, tags text[] not null, log jsonb not null, raw bytea,
  draught float8 not null, berth lab.berth, span int4range not null, stay interval not null, place public.geometry(Point, 4326) not null,
  track public.geometry(LineString, 25832), spot point, size lab.positive not null, at time, flags bool[]);
create table lab.captains (id int primary key, name text not null, ship_id int);
insert into lab.captains values (1, 'Ada', 1), (2, 'Bo', null);
insert into lab.ships values
  (1, 'Argo', 'calm', 1, 12.50, 9007199254740993, '2020-02-29', '2024-05-06 07:08:09.5+02', '{a,"b,c",NULL}', '{"a": [1, null]}', '\\x00ff',
   1.5, row('A', 3), '[1,5)', '1 year 2 mons -3 days 04:05:06.7', 'SRID=4326;POINT(10 50)', 'SRID=25832;LINESTRING(500000 5500000, 500100 5500100)', '(1,2)', 7, '10:11:12', '{t,f}'),
  (2, 'Beagle', 'storm "1"', null, 3, null, '1999-12-31', null, '{}', 'null', null,
   'NaN', null, 'empty', '0', 'SRID=4326;POINT(0 0)', null, null, 1, null, null);
create view lab.named as select id, name from lab.ships;
create function lab.twice(n int) returns int language sql immutable as 'select n * 2';
create function lab.maybe(n int) returns int language sql stable as 'select nullif(n, 1)';
select portolan.set_privilege(r, 'guest', 'write') from unnest(array['lab.ships', 'lab.captains', 'lab.named']::regclass[]) r;
grant usage on schema lab to public;
`;

export interface Case {
  readonly method: string;
  readonly q: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** The declaration, if it is the subject. */
  readonly declared?: string;
  readonly type_hints?: Readonly<Record<string, string>>;
  readonly type_formats?: Readonly<Record<string, string>>;
  readonly output_format?: string;
}

export const CORPUS: readonly Case[] = [
  { method: "one", q: "select 1 as n", declared: "one(params?: Record<string, never>): Promise<{ n: number }[]>;" },
  {
    method: "new",
    q: "select :new::int as new",
    params: { new: 1 },
    declared: '"new"(params: { new: number }): Promise<{ new: number | null }[]>;',
  },
  {
    method: "nothing",
    q: "select null::int as n",
    declared: "nothing(params?: Record<string, never>): Promise<{ n: number | null }[]>;",
  },
  { method: "all_columns", q: "select * from lab.ships" },
  {
    method: "not_null",
    q: "select id, name, captain_id from lab.ships",
    declared:
      "not_null(params?: Record<string, never>): Promise<{ id: number; name: string; captain_id: number | null }[]>;",
  },
  {
    method: "left_join",
    q: "select s.name, c.name as captain from lab.ships s left join lab.captains c on c.id = s.captain_id",
    declared: "left_join(params?: Record<string, never>): Promise<{ name: string; captain: string | null }[]>;",
  },
  {
    method: "right_join",
    q: "select s.name, c.name as captain from lab.ships s right join lab.captains c on c.id = s.captain_id",
    declared: "right_join(params?: Record<string, never>): Promise<{ name: string | null; captain: string }[]>;",
  },
  {
    method: "full_join",
    q: "select s.name, c.name as captain from lab.ships s full join lab.captains c on c.ship_id = s.id",
  },
  {
    method: "inner_join",
    q: "select s.name, c.name as captain from lab.ships s join lab.captains c on c.id = s.captain_id",
    declared: "inner_join(params?: Record<string, never>): Promise<{ name: string; captain: string }[]>;",
  },
  {
    method: "join_using",
    q: "select id, s.name, c.name as other, c.id as cid from lab.ships s left join lab.captains c using (id)",
    declared:
      "join_using(params?: Record<string, never>): Promise<{ id: number; name: string; other: string | null; cid: number | null }[]>;",
  },
  { method: "using_star", q: "select * from lab.captains c left join lab.named n using (id)" },
  {
    method: "nested_join",
    q: "select a.id, b.id as b, c.id as c from lab.ships a left join (lab.captains b join lab.ships c on c.id = b.id) on b.id = a.id",
  },
  { method: "natural", q: "select * from lab.captains natural left join lab.named" },
  {
    method: "lateral",
    q: "select s.id, l.n from lab.ships s left join lateral (select c.name as n from lab.captains c where c.id = s.captain_id) l on true",
  },
  {
    method: "cross_lateral",
    q: "select s.id, l.n from lab.ships s cross join lateral (select count(*) as n from lab.captains c where c.id = s.captain_id) l",
    declared: "cross_lateral(params?: Record<string, never>): Promise<{ id: number; n: number }[]>;",
  },
  {
    method: "aggregates",
    q: "select count(*) as n, max(id) as most, sum(crew) as crew, avg(draught) as d, array_agg(name) as names from lab.ships",
  },
  { method: "empty_aggregate", q: "select max(id) as most, count(*) as n from lab.ships where false" },
  {
    method: "group_by",
    q: "select mood, count(*) as n from lab.ships group by mood",
    declared:
      'group_by(params?: Record<string, never>): Promise<{ mood: "calm" | "storm \\"1\\"" | "fog\'s"; n: number }[]>;',
  },
  { method: "rollup", q: "select mood, count(*) as n from lab.ships group by rollup (mood)" },
  {
    method: "windows",
    q: "select id, row_number() over (order by id) as n, lag(name) over (order by id) as before from lab.ships",
  },
  {
    method: "coalesced",
    q: "select coalesce(captain_id, 0) as c, coalesce(captain_id, crew) as d from lab.ships",
    declared: "coalesced(params?: Record<string, never>): Promise<{ c: number; d: number | null }[]>;",
  },
  {
    method: "cases",
    q: "select case when id = 1 then 'a' else 'b' end as a, case when id = 1 then 'a' end as b from lab.ships",
    declared: "cases(params?: Record<string, never>): Promise<{ a: string; b: string | null }[]>;",
  },
  {
    method: "expressions",
    q: "select id + 1 as a, id + captain_id as b, name || '!' as c, upper(name) as d, id > 1 as e, name like 'A%' as f from lab.ships",
    declared:
      "expressions(params?: Record<string, never>): Promise<{ a: number; b: number | null; c: string; d: string; e: boolean; f: boolean }[]>;",
  },
  {
    method: "casts",
    q: "select id::text as a, crew::text as b, '5'::int as c from lab.ships",
    declared: "casts(params?: Record<string, never>): Promise<{ a: string; b: string | null; c: number }[]>;",
  },
  {
    method: "null_tests",
    q: "select captain_id is null as a, exists (select 1) as b, array[1, null] as c from lab.ships",
  },
  {
    method: "scalar_subquery",
    q: "select (select name from lab.captains where id = s.captain_id) as n from lab.ships s",
  },
  {
    method: "in_list",
    q: "select captain_id in (1, 2) as a, captain_id = any (array[1]) as b, nullif(id, 1) as c from lab.ships",
  },
  { method: "unioned", q: "select id, name from lab.ships union all select captain_id, null from lab.ships" },
  {
    method: "union_sound",
    q: "select id from lab.ships union select id from lab.captains",
    declared: "union_sound(params?: Record<string, never>): Promise<{ id: number }[]>;",
  },
  { method: "excepted", q: "select id from lab.ships except select captain_id from lab.ships" },
  {
    method: "valued",
    q: "values (1, 'a'), (2, null)",
    declared: "valued(params?: Record<string, never>): Promise<{ column1: number; column2: string | null }[]>;",
  },
  {
    method: "with_query",
    q: "with c as (select id, captain_id from lab.ships) select * from c",
    declared: "with_query(params?: Record<string, never>): Promise<{ id: number; captain_id: number | null }[]>;",
  },
  {
    method: "recursive",
    q: "with recursive t as (select 1 as n union all select n + 1 from t where n < 3) select n from t",
  },
  { method: "through_view", q: "select id, name from lab.named" },
  {
    method: "series",
    q: "select n, n * 2 as twice from generate_series(1, 3) n",
    declared: "series(params?: Record<string, never>): Promise<{ n: number; twice: number }[]>;",
  },
  {
    method: "functions",
    q: "select lab.twice(id) as a, lab.maybe(id) as b, now() as c, lower('X') as d from lab.ships",
  },
  {
    method: "json_made",
    q: "select json_build_object('a', id) as a, row_to_json(s) as b, '3'::jsonb as c, 'null'::jsonb as d from lab.captains s",
  },
  {
    method: "json_parts",
    q: "select log -> 'a' as a, log ->> 'a' as b, jsonb_array_length('[1]') as c from lab.ships",
  },
  {
    method: "arrays",
    q: "select tags, flags, array(select id from lab.ships order by 1) as ids, '{{1,2},{3,4}}'::int[] is not null as many from lab.ships",
  },
  {
    method: "ranges",
    q: "select span, numrange(1.5, null) as n, tstzrange('2024-01-01', '2024-02-01') as t, '[2024-01-01,2024-01-05)'::daterange as d from lab.ships",
  },
  { method: "multiranges", q: "select '{[1,3),[7,9)}'::int4multirange as m" },
  {
    method: "times",
    q: "select launched, seen, at, stay, '10:11:12+02'::timetz as z, timestamp '2024-01-01 00:00:00' as ts from lab.ships",
  },
  { method: "infinite", q: "select 'infinity'::timestamp as a, '-infinity'::date as b, '0044-03-15 BC'::date as c" },
  {
    method: "geometric",
    q: "select spot, line '{1,2,3}' as l, lseg '[(1,2),(3,4)]' as s, box '(3,4),(1,2)' as b, path '[(1,2),(3,4)]' as o, path '((1,2),(3,4))' as c, polygon '((1,2),(3,4),(5,6))' as p, circle '<(1,2),3>' as r from lab.ships",
  },
  {
    method: "geometries",
    q: "select place, track, st_collect(array[place]) as c, place::geography as g from lab.ships",
  },
  { method: "geometry_arrays", q: "select array_agg(place) as places from lab.ships" },
  { method: "whole_rows", q: "select s, array[s, null] as ss from lab.ships s" },
  { method: "composites", q: "select berth, array_agg(berth) over () as berths from lab.ships" },
  {
    method: "others",
    q: "select weight, crew, raw, size, 'a'::char(3) as c, gen_random_uuid() as u, '1.2.3.4'::inet as i, '12.5'::money as m, to_tsvector('a b') as v, 5::oid as o from lab.ships",
  },
  {
    method: "floats",
    q: "select draught, 1e300::float8 as big, 1.5::real as small, '-Infinity'::real as least, array[1, 'Infinity'::float8] as many from lab.ships",
    declared:
      "floats(params?: Record<string, never>): Promise<{ draught: Float; big: Float; small: Float; least: Float; many: (Float | null)[] }[]>;",
  },
  {
    method: "float_parameters",
    q: "select :x::float8 as x, :p::point as p, :c::circle as c, :l::line as l",
    params: {
      x: 1.5,
      p: { x: "NaN", y: "-Infinity" },
      c: { center: { x: 1, y: "Infinity" }, radius: 2 },
      l: { A: 1, B: "Infinity", C: 0 },
    },
    declared:
      "float_parameters(params: { x: number; p: Point; c: Circle; l: Line }): Promise<{ x: Float | null; p: Point | null; c: Circle | null; l: Line | null }[]>;",
  },
  {
    method: "float_geometric",
    q: "select point '(NaN,Infinity)' as p, '{1,-Infinity,3}'::line as l, '[(1,NaN),(2,3)]'::lseg as s, '<(Infinity,1),NaN>'::circle as c",
  },
  { method: "booleans", q: "select true as t, not (id = 1) as n, bool_and(id > 0) over () as w from lab.ships" },
  {
    method: "parameters",
    q: "select * from lab.captains where id = :id and name like :name",
    params: { id: 1, name: "A%" },
    declared:
      "parameters(params: { id: number; name: string }): Promise<{ id: number; name: string; ship_id: number | null }[]>;",
  },
  {
    method: "parameter_types",
    q: "select :a::int4 as a, :b::text as b, :c::numeric as c, :d::bool as d, :e::jsonb as e, :f::date as f, :g::int[] as g, :h::int4range as h, :i::interval as i, :j::bytea as j, :k::point as k, :l::int8 as l, :m::lab.mood as m, :n::lab.berth as n, :o::public.geometry as o, :p::timestamptz as p, :q::uuid as q",
    params: {
      a: 1,
      b: "x",
      c: "1.50",
      d: true,
      e: { x: [1] },
      f: "2024-01-01",
      g: [1, null, 3],
      h: { lower: 1, upper: 5, lowerInclusive: true, upperInclusive: false },
      i: { y: 1, m: 0, d: 0, h: 2, i: 0, s: 0.5 },
      j: "AP8=",
      k: { x: 1, y: 2 },
      l: "9007199254740993",
      m: "fog's",
      n: { pier: "B", number: null },
      o: { type: "Point", coordinates: [1, 2] },
      p: "2024-01-01T00:00:00Z",
      q: "00000000-0000-4000-8000-000000000000",
    },
  },
  {
    method: "untyped",
    q: "select :x as x, :y::int as y",
    params: { x: { a: "b" }, y: 1 },
    declared:
      "untyped(params: { x: Record<string, unknown>; y: number }): Promise<{ x: string | null; y: number | null }[]>;",
  },
  {
    method: "hinted",
    q: "select :x as x",
    type_hints: { x: "int4[]" },
    params: { x: [1, 2] },
    declared: "hinted(params: { x: (number | null)[] }): Promise<{ x: (number | null)[] | null }[]>;",
  },
  {
    method: "hinted_column",
    q: "select weight from lab.ships",
    type_hints: { weight: "float8" },
    declared: "hinted_column(params?: Record<string, never>): Promise<{ weight: Float }[]>;",
  },
  {
    method: "formatted",
    q: "select launched from lab.ships where launched > :since",
    type_formats: { launched: "d/m/Y", since: "d.m.y" },
    params: { since: "01.01.00" },
  },
  {
    method: "limited",
    q: "select id from lab.ships order by id limit :count offset :skip",
    params: { count: 1, skip: 0 },
    declared: "limited(params: { count: number | string; skip: number | string }): Promise<{ id: number }[]>;",
  },
  {
    method: "inserted",
    q: "insert into lab.captains (id, name) values (:id, :name) returning *",
    params: { id: 9, name: "Cy" },
    declared:
      "inserted(params: { id: number; name: string }): Promise<{ id: number; name: string; ship_id: number | null }[]>;",
  },
  {
    method: "inserted_silently",
    q: "insert into lab.captains (id, name) values (:id, :name)",
    params: { id: 10, name: "Di" },
    declared: "inserted_silently(params: { id: number; name: string }): Promise<Record<string, never>[]>;",
  },
  {
    method: "updated",
    q: "update lab.captains c set ship_id = s.id from lab.ships s where s.captain_id = c.id returning c.id, s.name, c.ship_id",
  },
  {
    method: "deleted",
    q: "delete from lab.captains where id = :id returning id",
    params: { id: 2 },
    declared: "deleted(params: { id: number }): Promise<{ id: number }[]>;",
  },
  {
    method: "changed_and_read",
    q: "with c as (update lab.captains set name = name || '.' returning id, name) select * from c",
  },
  { method: "odd.name-1", q: 'select 1 as "a b", 2 as "c""d", 3 as "class", 4 as "é", 5 as "*/ \\ ${x}"' },
  { method: "twins", q: "select 1 as a, 2 as a, 3 as a" },
  { method: "unnamed", q: "select 1, 'x', 1 + 1, true and false, now() is not null" },
  {
    method: "default_names",
    q: "select count(*), coalesce(1, 2), exists (select 1), array[1], case when true then 1 else 2 end, 'a'::text, current_date, greatest(1, 2), (select 5) from lab.ships",
  },
  {
    method: "as_csv",
    q: "select id, name from lab.ships where id = :id",
    params: { id: 1 },
    output_format: "csv",
    declared: "as_csv(params: { id: number }): Promise<string>;",
  },
  { method: "as_tsv", q: "select id, place from lab.ships", output_format: "tsv" },
  { method: "as_excel", q: "select id, place from lab.ships", output_format: "excel" },
  { method: "as_geojson", q: "select id, place from lab.ships where false", output_format: "geojson" },
  { method: "nothing_as_ndjson", q: "update lab.ships set id = id where false", output_format: "ndjson" },
  { method: "no_columns", q: "select from lab.ships" },
  { method: "no_rows", q: "select id from lab.ships where false" },
];
