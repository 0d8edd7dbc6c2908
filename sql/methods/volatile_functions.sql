-- The functions among these that may do more than read: those that PostgreSQL marks as volatile and that are not known
-- to be harmless, and those that run a text. As text, each once, by name.
create or replace function portolan.volatile_functions(functions oid[]) returns setof text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
  set plan_cache_mode = force_generic_plan -- planning takes longer too
  set enable_hashjoin = off -- a statement calls few functions: they are found by index, and no catalogue is read whole
  set enable_mergejoin = off
  set enable_hashagg = off
  set enable_material = off
as $$
begin
  return query
  with harmless (schema, name) as materialized (
    select 'pg_catalog', unnest('{
      random, random_normal, clock_timestamp, timeofday, gen_random_uuid, uuidv4, uuidv7, pg_relation_size,
      pg_total_relation_size, pg_table_size, pg_indexes_size, pg_database_size}'::text[])
  ), refused (name) as materialized (
    -- stable, but they assign a transaction number for good, or run the checks of a domain that only their values name
    select unnest('{
      txid_current, pg_current_xact_id, domain_in, domain_recv, array_in, array_recv, record_in, record_recv,
      pg_input_is_valid, pg_input_error_info}'::text[])
  ), harmless_of_extensions (name) as materialized (
    select unnest(portolan.harmless_of_extensions())
  )
  select distinct case when n.nspname = 'pg_catalog' then p.proname::text else format('%s.%s', n.nspname, p.proname) end
  from unnest(volatile_functions.functions) c (function)
    join pg_proc p on p.oid = c.function
    join pg_namespace n on n.oid = p.pronamespace
  where p.proname = any (portolan.text_runners())
    or n.nspname = 'pg_catalog' and p.proname in (select r.name from refused r)
    or p.provolatile = 'v'
      and not exists (select from harmless h where h.schema = n.nspname and h.name = p.proname)
      and not exists (
        select from harmless_of_extensions h join pg_depend d on h.name = p.proname
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by 1;
end
$$;
