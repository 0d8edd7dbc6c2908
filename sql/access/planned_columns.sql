-- True while the columns of a table are those that its history knows; otherwise an error, so that no value is lost.
-- Declared immutable, so that it is computed when the triggers' statements are planned and costs writers nothing; DDL
-- on the table invalidates the plan. Where an event trigger follows DDL, the history already has the columns. Raises
-- 40001: a retry can succeed.
create or replace function portolan.planned_columns(relation oid, stamp bigint) returns boolean
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if portolan.shape_stamp(relation) <> stamp then
    raise exception 'the history of % is being adapted to its columns: try again', relation::regclass
      using errcode = 'serialization_failure';
  end if;
  return true;
end
$$;
