-- The kinds of things that accounts save and share: the word for one, its table in schema portolan, and the members
-- that its owner changes. They share their code: create_saved, update_saved, drop_saved, and the triggers and policies
-- of saved.trigger.sql.
create or replace function portolan.saved_kinds() returns table (noun text, relation name, members text[])
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  values
    ('map', 'maps'::name, '{title, view, layers, shared}'::text[]),
    ('query', 'queries', '{title, q, chart, shared}'),
    ('dashboard', 'dashboards', '{title, panels, shared}'),
    ('view', 'views', '{title, relation, kind, filter, sort, columns, fields, shared}')
$$;
