-- Records that an account has got a second factor, and gives it recovery codes where it has none. `codes`: hashes.
-- Returns whether they are new. For add_totp and add_passkey, which have locked the account.
create or replace function portolan.note_factor(name text, factor jsonb, codes text[], address text) returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into portolan.audit (event, account, address, details) values ('factor.added', name, address, factor);
  if exists (select from portolan.recovery_codes r where r.user_name = name) then
    return false;
  end if;
  perform portolan.set_recovery_codes(name, codes, address);
  return true;
end
$$;
