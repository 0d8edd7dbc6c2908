-- The statement that makes a view show its readers only rows that they may see beneath it. Before PostgreSQL 15 no view
-- reads as its caller, so that the statement revokes its grants.
create or replace function portolan.obedient_view(view regclass) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select case
    when current_setting('server_version_num')::int >= 150000 then format('alter view %s set (security_invoker = true);', view)
    else format('revoke select on %s from …;', view)
  end
$$;
