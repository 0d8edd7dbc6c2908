-- Whether PostgreSQL would use an index for a statement, and the estimated costs without and with it: `index` (SQL that makes
-- it) is created hypothetically by the extension hypopg, and the statement explained. No row without that extension. The plan
-- is the generic one, for `statement` has parameters ($1) without values; PREPARE and EXPLAIN EXECUTE plan it on each version
-- alike. `problem`: the reason why it could not be tried. Planning runs functions with the rights of the caller; so it is not
-- tried where that could be an author's: `names` are all that the statement names, `relations` its tables, and `path` the
-- search_path of both. GET /statements/top, `portolan statement top`.
create or replace function portolan.try_index(statement text, index text, names text[], relations text[], path text)
  returns table (used boolean, cost_before double precision, cost_after double precision, problem text)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set standard_conforming_strings = on -- the statement has been read so
  set lock_timeout = '1s'
as $$
declare
  v_schema text := (
    select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'hypopg');
  v_relations regclass[];
  v_index oid;
  v_name text;
  v_parameters integer;
  v_plan jsonb;
  v_is_canceled boolean := false;
begin
  if v_schema is null then
    return;
  end if;
  perform set_config('search_path', path, true);
  v_relations := array(
    select pg_catalog.to_regclass(r) from pg_catalog.unnest(relations) r where pg_catalog.to_regclass(r) is not null);
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  problem := case
    when exists (
      select from (
        select 'pg_proc'::regclass as class, p.oid, p.proname as name, p.pronamespace as namespace from pg_proc p
        union all
        select 'pg_operator'::regclass, o.oid, o.oprname, o.oprnamespace from pg_operator o
        union all
        select 'pg_type'::regclass, t.oid, t.typname, t.typnamespace from pg_type t
      ) x
      where x.name = any (names) and x.oid >= 16384 and x.namespace <> 'portolan'::regnamespace
        and not exists (
          select from pg_depend d where d.classid = x.class and d.objid = x.oid and d.refclassid = 'pg_extension'::regclass and d.deptype = 'e'))
      then 'it names functions, operators or types that are neither of PostgreSQL nor of an extension'
    when exists (
      select from unnest(v_relations) r cross join lateral portolan.code_owners(r) o where r is not null)
      then 'a table of it runs code of its author'
    end;
  if problem is null then
    begin
      for v_step in 1..2 loop
        if v_step = 2 then
          execute format('select indexrelid, indexname from %s.hypopg_create_index($1)', v_schema) into v_index, v_name using index;
        end if;
        perform set_config('search_path', path, true);
        execute pg_catalog.concat('prepare portolan_try_index as ', statement);
        v_parameters := (
          select pg_catalog.cardinality(s.parameter_types)
          from pg_catalog.pg_prepared_statements s where s.name operator(pg_catalog.=) 'portolan_try_index');
        execute pg_catalog.concat(
          'explain (format json) execute portolan_try_index(', pg_catalog.rtrim(pg_catalog.repeat('null,', v_parameters), ','), ')')
          into v_plan;
        deallocate portolan_try_index;
        perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
        if v_step = 1 then
          cost_before := v_plan #> '{0,Plan,Total Cost}';
        else
          cost_after := v_plan #> '{0,Plan,Total Cost}';
          used := v_plan @? format('$.**."Index Name" ? (@ == %s)', to_json(v_name))::jsonpath;
        end if;
      end loop;
    exception
      when query_canceled then
        v_is_canceled := true;
      when others then
        problem := sqlerrm;
        cost_before := null;
    end;
    if exists (select from pg_prepared_statements s where s.name = 'portolan_try_index') then
      deallocate portolan_try_index; -- which no rollback does
    end if;
    if v_index is not null then
      execute format('select %s.hypopg_drop_index($1)', v_schema) using v_index;
    end if;
    if v_is_canceled then
      raise query_canceled using message = 'canceling statement due to user request';
    end if;
  end if;
  return next;
end
$$;
