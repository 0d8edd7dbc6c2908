-- Records what a table, view (catalogue: pg_class) or enum (pg_type) is like, for note_schema_change in the same transaction:
-- nobody can say that it was otherwise. Only for callers who own the object and may change it anyway. Raises 42501.
create or replace function portolan.hold_shape(catalogue regclass, object oid) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write what changes are compared with
as $$
#variable_conflict use_variable
begin
  perform portolan.check_shape_owner(catalogue, object);
  -- without a wait for others who do the same
  delete from portolan.held_shapes h
  where h.ctid = any (array(
    select g.ctid from portolan.held_shapes g where pg_xact_status(g.xid) is distinct from 'in progress' for update skip locked));
  insert into portolan.held_shapes (catalogue, object, shape)
  values (catalogue, object, portolan.schema_shape(catalogue, object))
  on conflict do nothing;
end
$$;
