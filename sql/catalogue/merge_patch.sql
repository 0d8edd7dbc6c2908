-- JSON Merge Patch (RFC 7396 §2): members of an object are merged one by one, null removes one, and everything else is
-- replaced. The gateway calls it to update features, under the caller's role.
create or replace function portolan.merge_patch(target jsonb, patch jsonb) returns jsonb
  language plpgsql immutable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_result jsonb := case when jsonb_typeof(target) = 'object' then target else '{}' end;
  v_name text;
  v_value jsonb;
begin
  if patch is null or jsonb_typeof(patch) <> 'object' then
    return patch;
  end if;
  for v_name, v_value in select m.key, m.value from jsonb_each(patch) m loop
    v_result := case
      when v_value = 'null' then v_result - v_name
      else v_result || jsonb_build_object(v_name, portolan.merge_patch(v_result -> v_name, v_value))
    end;
  end loop;
  return v_result;
end
$$;
