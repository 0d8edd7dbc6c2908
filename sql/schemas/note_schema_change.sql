-- Writes to portolan.audit that change_schema has made or changed a table, view or enum, or is about to drop it: the
-- account, the members that differ (`before`: its schema_shape before the change; null: it did not exist), and its
-- state after the change. A change without a difference gets no entry. The entry is about the given object, under its
-- present name, even if `before` has another. Only for callers who own the object, and so may change it anyway. Raises
-- 42501.
create or replace function portolan.note_schema_change(
  catalogue regclass, object oid, before jsonb, dropped boolean default false
) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write the audit
as $$
#variable_conflict use_variable
declare
  v_subject text := case catalogue when 'pg_class'::regclass then 'table' else 'type' end;
  v_owner oid := case v_subject
    when 'table' then (select c.relowner from pg_class c where c.oid = object)
    else (select t.typowner from pg_type t where t.oid = object) end;
  v_now jsonb := portolan.schema_shape(catalogue, object);
  v_after jsonb := case when not dropped then v_now end;
begin
  -- in a security definer function the caller is the role that the login has changed to, or the login
  if not coalesce(pg_has_role(coalesce(nullif(current_setting('role'), 'none'), session_user), v_owner, 'member'), false) then
    raise exception 'must be owner of % %', v_subject, v_now ->> 'name' using errcode = 'insufficient_privilege';
  end if;
  if before is null or dropped then
    before := case when dropped then v_now - 'name' end;
    v_after := v_after - 'name';
  else
    select coalesce(jsonb_object_agg(k.key, before -> k.key) filter (where before ? k.key), '{}'),
      coalesce(jsonb_object_agg(k.key, v_after -> k.key) filter (where v_after ? k.key), '{}')
    into before, v_after
    from jsonb_object_keys(before || v_after) k (key)
    where before -> k.key is distinct from v_after -> k.key;
    if before = '{}' and v_after = '{}' then
      return;
    end if;
  end if;
  insert into portolan.audit (event, address, details)
  values (
    v_subject || case when dropped then '.removed' when before is null then '.created' else '.changed' end,
    portolan.caller_address(),
    jsonb_build_object(
      case v_subject when 'table' then 'relation' else 'type' end, v_now ->> 'name', 'by', portolan.actor(), 'before', before, 'after', v_after));
end
$$;
