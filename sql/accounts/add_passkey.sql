-- Gives an account a passkey, and recovery codes where it has none. `codes`: hashes. Returns whether the codes are new;
-- null if the passkey exists already. The gateway calls it.
create or replace function portolan.add_passkey(
  name text, label text, credential text, public_key text, counter bigint, transports text[], codes text[], address text
) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write factors
as $$
begin
  perform from portolan.users u where u.name = add_passkey.name for no key update; -- one at a time
  insert into portolan.factors (user_name, kind, name, credential, public_key, counter, transports)
  values (add_passkey.name, 'passkey', label, credential, public_key, counter, transports)
  on conflict do nothing;
  if not found then
    return null;
  end if;
  return portolan.note_factor(add_passkey.name, jsonb_build_object('kind', 'passkey', 'name', label), codes, address);
end
$$;
