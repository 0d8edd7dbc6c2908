-- Writes to portolan.audit that an account, client or rule (the trigger's argument) was made, changed or removed: by
-- whom, which members, and their values before and after; for secrets only that they were changed.
create or replace function portolan.tg__audit_change() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: a writer of the table may not write the audit
as $$
declare
  v_old jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  v_new jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  v_subject jsonb;
  v_changed jsonb;
  v_secrets constant text[] := '{password,secret_hash,registration_hash,token_version,own_login_version,openid_sub,openid_seed}';
  v_before jsonb;
  v_after jsonb;
begin
  if tg_argv[0] = 'user' then -- its groups as the API shows them; the entry has its own time
    v_old := v_old - '{user_groups,further_groups,updated_at,email_claimed}'::text[]
      || jsonb_build_object('user_group', portolan.group_member(v_old -> 'user_groups'));
    v_new := v_new - '{user_groups,further_groups,updated_at,email_claimed}'::text[]
      || jsonb_build_object('user_group', portolan.group_member(v_new -> 'user_groups'));
  end if;
  v_subject := coalesce(v_new, v_old);
  if tg_op = 'UPDATE' then
    select coalesce(jsonb_agg(n.key order by n.key), '[]') into v_changed
    from jsonb_each(v_new) n
    where n.value is distinct from v_old -> n.key
      and n.key not in ('token_version', 'own_login_version')
      -- the same password under another hash
      and (n.key <> 'password' or v_new -> 'token_version' is distinct from v_old -> 'token_version');
    if v_changed = '[]' then
      return null;
    end if;
  end if;
  select jsonb_object_agg(k.key, v_old -> k.key), jsonb_object_agg(k.key, v_new -> k.key)
  into v_before, v_after
  from jsonb_object_keys(v_subject) k (key)
  where k.key <> all (v_secrets) and v_old -> k.key is distinct from v_new -> k.key;
  insert into portolan.audit (event, account, client_id, address, details)
  values (
    tg_argv[0] || case tg_op when 'INSERT' then '.created' when 'UPDATE' then '.changed' else '.removed' end,
    case tg_argv[0] when 'user' then v_subject ->> 'name' end,
    case tg_argv[0] when 'client' then v_subject ->> 'id' end,
    portolan.caller_address(),
    jsonb_strip_nulls(jsonb_build_object(
      'rule', case tg_argv[0] when 'rule' then v_subject -> 'id' end,
      'by', portolan.actor(),
      'changed', v_changed))
      || case
        when v_before is null and v_after is null then '{}' -- only a secret
        else jsonb_build_object(
          'before', case when tg_op <> 'INSERT' then v_before end, 'after', case when tg_op <> 'DELETE' then v_after end)
      end);
  return null;
end
$$;
