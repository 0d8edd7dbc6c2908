-- The stamp of a table's columns for the statements of its trigger function; null in an isolation level whose snapshot may
-- be older than they are. Declared immutable, so that it is computed when the statement is planned and not when it runs; DDL
-- on the table invalidates the plan. Records the shape too.
create or replace function portolan.planned_stamp(relation oid) returns bigint
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    return null;
  end if;
  perform portolan.note_shape(relation);
  return portolan.shape_stamp(relation);
end
$$;
