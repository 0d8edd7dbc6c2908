-- Makes the account of a sign-up whose link was opened, with this password, as a member of `user_group` (null: of none). Its
-- address counts as verified. Returns the account; null where the link is unknown, used or expired, or the name was taken meanwhile.
-- The gateway calls it.
create or replace function portolan.finish_sign_up(hash text, password_hash text, user_group text, address text) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may make accounts
as $$
declare
  v_waiting portolan.sign_ups;
begin
  delete from portolan.sign_ups s
  where s.hash = finish_sign_up.hash and s.expires_at > clock_timestamp()
  returning s.* into v_waiting;
  if not found or exists (
      select from portolan.users u
      where u.name = v_waiting.name or (lower(u.email) = lower(v_waiting.email) and not u.email_claimed))
  then
    return null;
  end if;
  perform set_config('portolan.user', v_waiting.name, true); -- the account that the audit must name
  perform portolan.create_user(v_waiting.name, password_hash, v_waiting.email, user_group);
  update portolan.users u set email_verified = true where u.name = v_waiting.name;
  insert into portolan.audit (event, account, address) values ('sign_up.done', v_waiting.name, finish_sign_up.address);
  return v_waiting.name;
end
$$;
