-- Writes to portolan.audit that this transaction has made, changed or dropped a table, view or enum: the account, the members
-- that differ from what hold_shape has recorded, and its state after. A change without a difference is no entry. An object
-- that this transaction has made was not recorded. Only for callers who own the object and may change it anyway; of a dropped
-- one hold_shape has asked that. Raises 42501, and PX400 for an object of before that was not recorded.
create or replace function portolan.note_schema_change(catalogue regclass, object oid) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write the audit
as $$
#variable_conflict use_variable
declare
  v_subject constant text := case catalogue when 'pg_class'::regclass then 'table' else 'type' end;
  v_dropped constant boolean := not exists (
    select from pg_class c where c.oid = object and catalogue = 'pg_class'::regclass
    union all
    select from pg_type t where t.oid = object and catalogue = 'pg_type'::regclass);
  v_after jsonb := case when not v_dropped then portolan.schema_shape(catalogue, object) end;
  v_before jsonb;
  v_name text;
begin
  delete from portolan.held_shapes h
  where h.xid = pg_current_xact_id() and h.catalogue = catalogue and h.object = object
  returning h.shape into v_before;
  if not v_dropped then
    perform portolan.check_shape_owner(catalogue, object);
    insert into portolan.held_shapes (catalogue, object, shape) values (catalogue, object, v_after);
  end if;
  v_name := coalesce(v_after, v_before) ->> 'name';
  if v_before is null and (v_dropped or not portolan.is_new_object(catalogue, object)) then
    raise exception 'nobody has recorded what % was like before', coalesce(v_name, object::text) using errcode = 'PX400';
  elsif v_before is null or v_dropped then
    v_before := v_before - 'name';
    v_after := v_after - 'name';
  else
    select coalesce(jsonb_object_agg(k.key, v_before -> k.key) filter (where v_before ? k.key), '{}'),
      coalesce(jsonb_object_agg(k.key, v_after -> k.key) filter (where v_after ? k.key), '{}')
    into v_before, v_after
    from jsonb_object_keys(v_before || v_after) k (key)
    where v_before -> k.key is distinct from v_after -> k.key;
    if v_before = '{}' and v_after = '{}' then
      return;
    end if;
  end if;
  insert into portolan.audit (event, address, details)
  values (
    v_subject || case when v_dropped then '.removed' when v_before is null then '.created' else '.changed' end,
    portolan.caller_address(),
    jsonb_build_object(
      case v_subject when 'table' then 'relation' else 'type' end, v_name, 'by', portolan.actor(), 'before', v_before, 'after', v_after));
end
$$;

drop function if exists portolan.note_schema_change(regclass, oid, jsonb, boolean);
