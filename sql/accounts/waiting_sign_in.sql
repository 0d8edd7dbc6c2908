-- The sign-in that waits for its next step under this id. No row where there is none, where ten minutes are over, or
-- where the password of the account has changed. `ends`: this call uses it up, so that only one of two answers is
-- valid. The gateway calls it.
create or replace function portolan.waiting_sign_in(hash text, ends boolean default false)
  returns table (account text, secret text, challenge text, upstream jsonb)
  language plpgsql volatile security definer rows 1
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read these
as $$
declare
  v_waiting portolan.sign_ins;
begin
  select s.* into v_waiting
  from portolan.sign_ins s
  where s.hash = waiting_sign_in.hash and s.expires_at > clock_timestamp()
    and s.token_version is not distinct from (select u.token_version from portolan.users u where u.name = s.user_name)
  for update;
  if not found then
    return;
  end if;
  if ends then
    delete from portolan.sign_ins s where s.hash = v_waiting.hash;
  end if;
  account := v_waiting.user_name;
  secret := v_waiting.secret;
  challenge := v_waiting.challenge;
  upstream := v_waiting.upstream;
  return next;
end
$$;
