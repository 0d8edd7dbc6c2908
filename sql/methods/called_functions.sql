-- The functions that a statement may call, itself or through views, with their aggregates' parts: where a name means several
-- functions, all of them. `calls`: what the statement names, {"functions": [{"schema", "name", "arguments"}], "fields": [name],
-- "operators": [{"schema", "name"}], "types": [{"schema", "name"}]}; `schema` is null where it names none, `arguments` null for
-- any number. A field may be a function of a row. `relations`: the tables and views that it names; `path`: the schemas in which
-- its names are looked up. PostgreSQL's own operators are left out. Policies are not looked at: they are rights.
create or replace function portolan.called_functions(calls jsonb, relations regclass[], path name[]) returns setof oid
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
  set plan_cache_mode = force_generic_plan -- planning takes longer too
  set enable_hashjoin = off -- a statement calls few functions: they are found by index, and no catalogue is read whole
  set enable_mergejoin = off
  set enable_hashagg = off
  set enable_material = off
as $$
#variable_conflict use_column
begin
  return query
  with recursive views (relation) as (
    select r::oid from unnest(called_functions.relations) r
    union
    select m.match[1]::oid
    from views v
      join pg_class c on c.oid = v.relation and c.relkind = 'v'
      join pg_rewrite w on w.ev_class = c.oid and w.ev_type = '1'
      cross join lateral regexp_matches(w.ev_action::text, ':relid (\d+)', 'g') m (match)
  ), types (type) as (
    select t.oid
    from jsonb_to_recordset(called_functions.calls -> 'types') f (schema name, name name)
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
    from jsonb_to_recordset(called_functions.calls -> 'functions') f (schema name, name name, arguments integer)
      join pg_proc p on p.proname = f.name
      join pg_namespace n on n.oid = p.pronamespace
    where case when f.schema is null then n.nspname = any (called_functions.path) else n.nspname = f.schema end
      and (f.arguments is null or p.provariadic <> 0 or p.prokind = 'a'
        or f.arguments between p.pronargs - p.pronargdefaults and p.pronargs)
    union
    select p.oid
    from jsonb_array_elements_text(called_functions.calls -> 'fields') f (name)
      join pg_proc p on p.proname = f.name and p.pronargs - p.pronargdefaults <= 1 and p.pronargs >= 1
      join pg_namespace n on n.oid = p.pronamespace and n.nspname = any (called_functions.path)
      join pg_type t on t.oid = p.proargtypes[0] and t.typtype in ('c', 'd', 'p')
    union
    select o.oprcode::oid
    from jsonb_to_recordset(called_functions.calls -> 'operators') f (schema name, name name)
      join pg_operator o on o.oprname = f.name
      join pg_namespace n on n.oid = o.oprnamespace
    where o.oid >= 16384 -- PostgreSQL's own only read, and = alone is sixty of them
      and case when f.schema is null then n.nspname = any (called_functions.path) else n.nspname = f.schema end
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
  select c.function from called c;
end
$$;
