-- Makes the function that reads a table as it was at an instant: <schema>__history.as_of_<table>(instant), with the present
-- columns of the table; a domain becomes its base type, because old values need not pass the present check. PostgreSQL
-- inlines its body, so that indexes are used, and the caller's own rights on the twin decide.
create or replace function portolan.make_as_of(relation regclass, history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_function text := (
    select format('%I.%I', n.nspname, 'as_of_' || c.relname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = history);
  v_columns text;
  v_types text;
begin
  select
    string_agg(format('h.%I', a.attname), ', ' order by a.attnum),
    string_agg(format('%I %s', a.attname, b.name), ', ' order by a.attnum)
  into v_columns, v_types
  from pg_attribute a cross join portolan.base_type(a.atttypid, a.atttypmod) b
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  perform portolan.drop_as_of(history);
  execute format(
    'create function %s(timestamptz) returns table (%s) language sql stable parallel safe rows 1000 as %L', v_function, v_types,
    format('select %s from %s h where h.portolan_from <= $1 and h.portolan_to > $1 and (select portolan.fresh_history(%L::regclass))',
      v_columns, history, relation));
  execute format('comment on function %s(timestamptz) is %L', v_function, format('%s as it was at an instant.', relation));
  execute format('grant execute on function %s(timestamptz) to public', v_function);
end
$$;
