-- Gives an account an authenticator, in place of one that it has, and new recovery codes where it has none. `step`: of the
-- code that showed that the person has it. `codes`: hashes. Returns whether the recovery codes are new. The gateway calls it.
create or replace function portolan.add_totp(name text, secret text, step bigint, codes text[], address text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write factors
as $$
begin
  perform from portolan.users u where u.name = add_totp.name for no key update; -- one at a time
  delete from portolan.factors f where f.user_name = add_totp.name and f.kind = 'totp';
  insert into portolan.factors (user_name, kind, name, secret, last_step, used_at)
  values (add_totp.name, 'totp', 'Authenticator', secret, step, clock_timestamp());
  return portolan.note_factor(name, '{"kind": "totp"}', codes, address);
end
$$;
