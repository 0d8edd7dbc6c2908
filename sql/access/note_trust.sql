-- Records the options trustedOwners (names of roles) and trustedFunctions (functions with the types of their arguments), so
-- that SQL knows them. The gateway calls it at its start; in a fleet, the lists of the gateway that started last hold. The
-- audit has each change.
create or replace function portolan.note_trust(owners text[], functions text[]) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.settings
as $$
declare
  v_before jsonb := coalesce(
    (
      select jsonb_object_agg(s.name, s.value) from portolan.settings s
      where s.name in ('trusted_owners', 'trusted_functions')),
    '{}');
  v_after jsonb := jsonb_strip_nulls(jsonb_build_object(
    'trusted_owners', case when cardinality(owners) > 0 then to_jsonb(owners) end,
    'trusted_functions', case when cardinality(functions) > 0 then to_jsonb(functions) end));
begin
  if v_before = v_after then
    return;
  end if;
  delete from portolan.settings s
  where s.name in ('trusted_owners', 'trusted_functions') and not v_after ? s.name;
  insert into portolan.settings as s (name, value)
  select a.key, a.value from jsonb_each(v_after) a
  on conflict (name) do update set value = excluded.value;
  insert into portolan.audit (event, details)
  values ('trust.changed', jsonb_build_object('by', portolan.actor(), 'before', v_before, 'after', v_after));
end
$$;
