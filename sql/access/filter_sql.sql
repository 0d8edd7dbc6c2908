-- The filter of a rule as an expression for a policy of the table. PostgreSQL parses it, and writes it back with every name
-- qualified; each {{key}} becomes a value of the type that PostgreSQL infers, looked up once for each statement. Names that
-- are not columns of the table are looked up in pg_catalog and in the schema of PostGIS, unless an author may create there, or
-- another role that is no core owner while the filter has a text without a type (has_bare_text); others must be qualified. A
-- policy that is made and dropped again parses it, so the table is locked. Raises PX400 for a text that is no condition on
-- the table's own columns, or that may run code of others while PostgreSQL parses it.
create or replace function portolan.filter_sql(relation regclass, filter text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set standard_conforming_strings = on
as $$
declare
  v_filter record;
  v_condition text;
  v_types regtype[] := '{}';
  v_calls text[] := '{}';
  v_message text;
  v_path text := current_setting('search_path');
  -- Citus would make the policy on all shards, and refuse it before filter_problem can say what is wrong
  v_shipped text := portolan.ship_ddl('off');
begin
  v_filter := portolan.read_filter(filter);
  perform portolan.hold_table(relation, false);
  v_message := coalesce(
    portolan.code_in_filter(relation, v_filter.condition), portolan.names_in_filter(relation, v_filter.condition));
  if v_message is not null then
    raise exception 'the filter %', v_message using errcode = 'PX400';
  end if;
  begin
    perform set_config('search_path', concat_ws(', ', 'pg_catalog', (
      select quote_ident(n.nspname) from pg_namespace n
      where n.nspname = portolan.postgis_schema() and n.oid not in (select a from portolan.authors_schemas() a)
        and (portolan.is_core_schema(n.oid) or not portolan.has_bare_text(v_filter.condition))), 'pg_temp'), true);
    if cardinality(v_filter.keys) > 0 then
      if exists (select from pg_prepared_statements p where p.name = 'portolan_filter') then
        deallocate portolan_filter;
      end if;
      execute format(E'prepare portolan_filter as select from %s where (\n%s\n)', relation, v_filter.condition);
      select p.parameter_types into v_types from pg_prepared_statements p where p.name = 'portolan_filter';
      deallocate portolan_filter;
    end if;
    v_condition := v_filter.condition;
    for i in reverse cardinality(v_filter.keys)..1 loop
      v_calls[i] := format(
        'portolan.%s(%L)',
        case when (select t.typcategory from pg_type t where t.oid = v_types[i]) = 'A' then 'prop_list' else 'prop' end,
        v_filter.keys[i]);
      v_condition := replace(v_condition, '$' || i, format('(%s::%s)', v_calls[i], v_types[i]));
    end loop;
    -- elsewhere a text that closes our parenthesis and opens another is not an expression
    execute format(E'prepare portolan_filter as select case when\n%s\nthen true end from %s', v_condition, relation);
    deallocate portolan_filter;
    execute format(E'create policy portolan_filter on %s for select to public using (\n%s\n)', relation, v_condition);
    perform set_config('search_path', v_path, true);
  exception
    when insufficient_privilege or lock_not_available or deadlock_detected or query_canceled then
      raise;
    when others then
      get stacked diagnostics v_message = message_text;
      raise exception 'the filter does not fit %: %', relation, v_message using errcode = 'PX400';
  end;

  select pg_get_expr(p.polqual, p.polrelid), portolan.filter_problem(p.oid) into v_condition, v_message
  from pg_policy p
  where p.polrelid = relation and p.polname = 'portolan_filter';
  execute format('drop policy portolan_filter on %s', relation);
  perform portolan.ship_ddl(v_shipped);
  if v_message is not null then
    raise exception 'the filter %', v_message using errcode = 'PX400';
  end if;
  -- the parentheses and the cast keep `= any (…)` an array instead of a subquery
  for i in 1..cardinality(v_filter.keys) loop
    v_condition := replace(
      v_condition,
      format('portolan.%s(%L::text)', case when v_calls[i] like 'portolan.prop\_list(%' then 'prop_list' else 'prop' end,
        v_filter.keys[i]),
      format('((select %s)::%s)', v_calls[i], case when v_calls[i] like 'portolan.prop\_list(%' then 'text[]' else 'text' end));
  end loop;
  return v_condition;
end
$$;
