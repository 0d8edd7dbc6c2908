-- True while the history of a table has the rights of the table; otherwise an error, so that outdated mirrored rights
-- are never used. Runs once in each statement that reads history. Raises PX409.
create or replace function portolan.fresh_history(relation regclass) returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read versioned_tables
as $$
begin
  if not exists (
    select from portolan.versioned_tables v
    where v.relation = fresh_history.relation and v.active and not v.filling and v.problem is null
      and v.mirrored = portolan.rights_stamp(v.relation))
  then
    raise exception 'the history of % is being adapted to its rights: try again', relation using errcode = 'PX409';
  end if;
  return true;
end
$$;
