-- The functions that a statement calls, itself or through views, and that may do more than read: see `volatile_functions`. The
-- arguments: as of `called_functions`; where a name means several functions, one of them is enough.
create or replace function portolan.volatile_calls(calls jsonb, relations regclass[], path name[]) returns setof text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.volatile_functions(array(
    select portolan.called_functions(volatile_calls.calls, volatile_calls.relations, volatile_calls.path)))
$$;
