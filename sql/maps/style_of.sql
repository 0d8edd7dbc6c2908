-- A style that set_style has set, by its name, or null.
create or replace function portolan.style_of(relation regclass, name text default 'default') returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: styles are the owner's
as $$
  select s.style from portolan.styles s where s.relation = style_of.relation and s.name = style_of.name
$$;
