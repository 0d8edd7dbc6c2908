-- Makes rows of a table drafted, reviewed or published: all of them or none. rows: [{key, version?}]. With the version
-- from waiting_rows, a row is moved only if it has not changed since it was shown. Security invoker: the trigger of the
-- workflow decides who may do this. Returns the number of rows. Raises PX400, PX409 if a row is gone, hidden or
-- changed, and 42501 with the name of the required role.
create or replace function portolan.move_rows(relation regclass, rows jsonb, state text) returns bigint
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_status integer := array_position('{drafted,reviewed,published}', state);
  v_moved bigint;
  v_count bigint := (select count(distinct r ->> 'key') from jsonb_array_elements(rows) r);
begin
  if v_status is null then
    raise exception 'a row can only be drafted, reviewed or published' using errcode = 'PX400';
  elsif not portolan.has_workflow(relation) then
    raise exception '% has no workflow', relation using errcode = 'PX400';
  end if;
  execute format('update %s t set portolan_status = %s where %s', relation, -v_status, (
    select coalesce(string_agg(
      format('(%s%s)', portolan.key_condition(relation, r ->> 'key', 't'),
        ' and md5(' || portolan.readable_record(relation, relation, 't') || '::text) = ' || quote_literal(r ->> 'version')),
      ' or '), 'false')
    from jsonb_array_elements(rows) r));
  get diagnostics v_moved = row_count;
  if v_moved <> v_count then
    raise exception '% of % rows have changed meanwhile: none is %', v_count - v_moved, v_count, state
      using errcode = 'PX409';
  end if;
  return v_moved;
end
$$;
