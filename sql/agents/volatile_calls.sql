-- The functions that a statement calls, itself or through views, and that may do more than read: those that PostgreSQL marks
-- as volatile and that are not known to be harmless, and those that run a text. In words, each once, by name. `calls`: what
-- the statement names, {"functions": [{"schema", "name", "arguments"}], "fields": [name], "operators": [{"schema", "name"}],
-- "types": [{"schema", "name"}]}; `schema` is null where it names none, `arguments` null for any number. A field may be a
-- function of a row. `relations`: the tables and views that it names; `path`: the schemas in which its names are looked up.
-- Where a name means several functions, one of them is enough. Policies are not looked at: they are rights.
create or replace function portolan.volatile_calls(calls jsonb, relations regclass[], path name[]) returns setof text
  language sql stable
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
  set enable_hashjoin = off -- a statement calls few functions: they are found by index, and no catalogue is read whole
  set enable_mergejoin = off
  set enable_hashagg = off
  set enable_material = off
as $$
  with recursive harmless (schema, name) as materialized (
    select 'pg_catalog', unnest('{
      random, random_normal, clock_timestamp, timeofday, gen_random_uuid, uuidv4, uuidv7, pg_relation_size,
      pg_total_relation_size, pg_table_size, pg_indexes_size, pg_database_size}'::text[])
  ), refused (name) as materialized (
    -- stable, and yet they take a transaction's number for good, or run the checks of a domain that only their values name
    select unnest('{
      txid_current, pg_current_xact_id, domain_in, domain_recv, array_in, array_recv, record_in, record_recv,
      pg_input_is_valid, pg_input_error_info}'::text[])
  ), harmless_of_extensions (name) as materialized (
    select unnest('{st_generatepoints, uuid_generate_v1, uuid_generate_v1mc, uuid_generate_v4}'::text[])
  ), views (relation) as (
    select r::oid from unnest(volatile_calls.relations) r
    union
    select m.match[1]::oid
    from views v
      join pg_class c on c.oid = v.relation and c.relkind = 'v'
      join pg_rewrite w on w.ev_class = c.oid and w.ev_type = '1'
      cross join lateral regexp_matches(w.ev_action::text, ':relid (\d+)', 'g') m (match)
  ), types (type) as (
    select t.oid
    from jsonb_to_recordset(calls -> 'types') f (schema name, name name)
      join pg_type t on t.typname = f.name
    union
    select x.type
    from types y
      join pg_type t on t.oid = y.type
      left join pg_attribute a on a.attrelid = t.typrelid and t.typrelid <> 0 and a.attnum > 0 and not a.attisdropped
      cross join lateral unnest(array[t.typbasetype, t.typelem, a.atttypid]) x (type)
    where x.type <> 0
  ), direct (function) as (
    select p.oid
    from jsonb_to_recordset(calls -> 'functions') f (schema name, name name, arguments integer)
      join pg_proc p on p.proname = f.name
      join pg_namespace n on n.oid = p.pronamespace
    where case when f.schema is null then n.nspname = any (path) else n.nspname = f.schema end
      and (f.arguments is null or p.provariadic <> 0 or p.prokind = 'a'
        or f.arguments between p.pronargs - p.pronargdefaults and p.pronargs)
    union
    select p.oid
    from jsonb_array_elements_text(calls -> 'fields') f (name)
      join pg_proc p on p.proname = f.name and p.pronargs - p.pronargdefaults <= 1 and p.pronargs >= 1
      join pg_namespace n on n.oid = p.pronamespace and n.nspname = any (path)
      join pg_type t on t.oid = p.proargtypes[0] and t.typtype in ('c', 'd', 'p')
    union
    select o.oprcode::oid
    from jsonb_to_recordset(calls -> 'operators') f (schema name, name name)
      join pg_operator o on o.oprname = f.name
      join pg_namespace n on n.oid = o.oprnamespace
    where case when f.schema is null then n.nspname = any (path) else n.nspname = f.schema end
    union
    select c.castfunc
    from types t join pg_cast c on t.type in (c.castsource, c.casttarget) and c.castfunc <> 0
    union
    select d.refobjid
    from types t
      join pg_constraint k on k.contypid = t.type
      join pg_depend d on d.classid = 'pg_constraint'::regclass and d.objid = k.oid and d.refclassid = 'pg_proc'::regclass
    union
    select m.match[1]::oid
    from views v
      join pg_class c on c.oid = v.relation and c.relkind = 'v'
      join pg_rewrite w on w.ev_class = c.oid and w.ev_type = '1'
      cross join lateral regexp_matches(w.ev_action::text, ':(?:funcid|opfuncid|aggfnoid|winfnoid) (\d+)', 'g') m (match)
  ), called (function) as (
    select d.function from direct d
    union
    select x.function
    from direct d join pg_aggregate a on a.aggfnoid = d.function
      cross join lateral unnest(array[
        a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn]::oid[]) x (function)
  )
  select distinct case when n.nspname = 'pg_catalog' then p.proname::text else format('%s.%s', n.nspname, p.proname) end
  from called c
    join pg_proc p on p.oid = c.function
    join pg_namespace n on n.oid = p.pronamespace
  where p.proname = any (portolan.text_runners())
    or n.nspname = 'pg_catalog' and p.proname in (select r.name from refused r)
    or p.provolatile = 'v'
      and not exists (select from harmless h where h.schema = n.nspname and h.name = p.proname)
      and not exists (
        select from harmless_of_extensions h join pg_depend d on h.name = p.proname
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by 1
$$;
