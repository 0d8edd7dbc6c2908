-- The twin with the history of a table. Raises PX400 for a table without one, and for callers without any right on the table,
-- who are not told that it has one.
create or replace function portolan.history_of(relation regclass) returns regclass
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_history regclass;
begin
  select v.history into v_history from portolan.my_histories v where v.relation = history_of.relation;
  if v_history is null then
    raise exception '% is not versioned: a super user switches it on with select portolan.enable_versioning(''%'')',
      relation, relation using errcode = 'PX400';
  end if;
  return v_history;
end
$$;
