-- Gives an account a passkey, and recovery codes where it has none. `codes`: hashes. Returns whether the codes are new; null
-- where the passkey is one that is there already. The gateway calls it.
create or replace function portolan.add_passkey(
  name text, label text, credential text, public_key text, counter bigint, transports text[], codes text[], address text
) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write factors
as $$
declare
  v_has_codes boolean := exists (select from portolan.recovery_codes r where r.user_name = name);
begin
  perform from portolan.users u where u.name = add_passkey.name for no key update; -- one at a time
  insert into portolan.factors (user_name, kind, name, credential, public_key, counter, transports)
  values (add_passkey.name, 'passkey', label, credential, public_key, counter, transports)
  on conflict do nothing;
  if not found then
    return null;
  end if;
  insert into portolan.audit (event, account, address, details)
  values ('factor.added', add_passkey.name, address, jsonb_build_object('kind', 'passkey', 'name', label));
  if v_has_codes then
    return false;
  end if;
  perform portolan.set_recovery_codes(add_passkey.name, codes, address);
  return true;
end
$$;
