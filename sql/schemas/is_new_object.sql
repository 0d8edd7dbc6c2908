-- Whether this transaction made a table, view (catalogue: pg_class) or enum (pg_type). PostgreSQL writes that a type belongs to
-- its table, and an array to its type, once, when it makes them.
create or replace function portolan.is_new_object(catalogue regclass, object oid) returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_own constant bigint := pg_current_xact_id()::text::bigint;
  v_made bigint;
begin
  -- with 64 bits, of which the row has the lower 32; a savepoint has a number of its own, after that of its transaction
  select v_own + ((d.xmin::text::bigint - v_own) % 4294967296 + 6442450944) % 4294967296 - 2147483648
  into v_made
  from pg_depend d
  where d.refclassid = catalogue and d.refobjid = object and d.refobjsubid = 0
    and d.classid = 'pg_type'::regclass and d.objsubid = 0 and d.deptype = 'i';
  return coalesce(v_made >= v_own, false) and pg_xact_status(v_made::text::xid8) = 'in progress';
exception
  when invalid_parameter_value then
    return false; -- a row so old that its number seems to be yet to come
end
$$;
