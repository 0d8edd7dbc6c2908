-- The styles of a table or view by name: those that set_style has set, and `default`, which always exists. is_default:
-- requests that name none use it. classes: how many it has; null if it is the comment @style or made for the geometry.
create or replace function portolan.list_styles(relation regclass)
  returns table (name text, title text, is_default boolean, classes integer)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: styles are the owner's
as $$
  select n.name, s.title,
    coalesce(s.is_default, false)
      or n.name = 'default' and not exists (
        select from portolan.styles d where d.relation = list_styles.relation and d.is_default),
    jsonb_array_length(s.style)
  from (
      select s.name from portolan.styles s where s.relation = list_styles.relation
      union
      select 'default'
    ) n
    left join portolan.styles s on s.relation = list_styles.relation and s.name = n.name
  order by n.name collate "C"
$$;
