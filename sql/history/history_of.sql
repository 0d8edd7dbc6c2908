-- The twin with the history of a table. Raises PX400 for a table without one.
create or replace function portolan.history_of(relation regclass) returns regclass
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read versioned_tables
as $$
declare
  v_history regclass;
begin
  select v.history into v_history from portolan.versioned_tables v where v.relation = history_of.relation and v.active and not v.filling;
  if v_history is null then
    raise exception '% is not versioned: a super user switches it on with select portolan.enable_versioning(''%'')',
      relation, relation using errcode = 'PX400';
  end if;
  return v_history;
end
$$;
