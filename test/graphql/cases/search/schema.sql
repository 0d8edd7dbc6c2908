create schema ext;
grant usage on schema ext to caller;
create extension pg_trgm schema ext;
create extension if not exists unaccent schema ext;
create table app.notes (
  id int primary key,
  title text,
  body varchar,
  words tsvector,
  doc jsonb,
  plain json,
  spot geometry(point, 3857),
  place geography(point),
  secret text
);
comment on table app.notes is '@search english';
comment on column app.notes.body is '@search simple';
create table app.bare (id int primary key, title text);
comment on table app.bare is '@search nonsense';
insert into app.notes values
  (1, 'Running ships', 'Running ships', to_tsvector('english', 'Running ships'), '{"a": 1, "b": [1, 2]}', '{"a": 1}', 'srid=3857;point(0 0)', 'point(0 0)', 's'),
  (2, 'The quick brown fox', 'ships run', to_tsvector('english', 'fox'), '{"a": "x", "b": []}', '{"a": 2}', 'srid=3857;point(222638.98 0)', 'point(2 0)', 's'),
  (3, null, 'Oslo', null, null, null, null, null, 's'),
  (4, 'Bergen', 'Olso', to_tsvector('simple', 'Bergen'), '[1, 5]', '[]', 'srid=3857;point(111319.49 0)', 'point(1 0)', 's');
grant select (id, title, body, words, doc, plain, spot, place) on app.notes to caller;
grant select on app.bare to caller;
