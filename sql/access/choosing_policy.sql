-- A policy of the team that chooses which rows of a table callers see: any other than `true` for everybody. Null where there is
-- none.
create or replace function portolan.choosing_policy(relation oid) returns name
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select p.polname
  from pg_policy p
  where p.polrelid = relation and p.polcmd in ('r', '*') and not portolan.is_own_policy(p.polname)
    and (p.polroles <> '{0}' or pg_get_expr(p.polqual, p.polrelid) is distinct from 'true')
  order by p.polname
  limit 1
$$;
