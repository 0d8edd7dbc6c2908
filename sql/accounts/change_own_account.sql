-- Changes the email or password of the caller's own account. A new address is one that the account claims (email_claimed) until
-- it verifies it. Every account may call it over REST (change_account), on the
-- gateway's own connections only: SQL that an account wrote could hold the row for as long as it runs. A new password and
-- another email need `verified`, the stored hash, or the empty text for an account without a password. Only the gateway can
-- read that hash, and it passes it after it has verified the current password against it; for an email alone, also after a
-- recent sign-in. A hash that was replaced meanwhile verifies nothing. In a security definer function current_user is
-- the owner: the caller is the role that the login has changed to. Raises PX400, 42501.
create or replace function portolan.change_own_account(name text, changes jsonb, verified text default null) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may write portolan.users
as $$
declare
  v_user portolan.users;
  v_member text;
begin
  select u.* into v_user
  from portolan.users u
  where u.name = lower(change_own_account.name)
    and u.name <> 'anonymous'
    and u.role = current_setting('role')
    and u.name = coalesce(nullif(current_setting('portolan.user', true), ''), u.name)
    and exists (select from portolan.logins l where l.role = session_user and l.kind in ('gateway', 'pool'))
  for no key update;
  if not found then
    raise exception 'an account may only change itself' using errcode = 'insufficient_privilege';
  end if;
  if v_user.default_user then
    raise exception 'everybody may use the account "%", so only a super user may change it', v_user.name
      using errcode = 'insufficient_privilege';
  end if;
  select c.key into v_member from jsonb_object_keys(changes) c (key) where c.key not in ('email', 'password') limit 1;
  if v_member is not null then
    raise exception 'an account may change its password and email; only super users may change "%"', v_member
      using errcode = 'insufficient_privilege';
  end if;
  if changes ? 'email' and changes ->> 'email' is distinct from v_user.email then
    if verified is null then
      raise exception 'another email needs current_password, or a sign-in of the last ten minutes' using errcode = 'PX400';
    end if;
    if verified is distinct from coalesce(v_user.password, '') then
      raise exception 'current_password is wrong' using errcode = 'insufficient_privilege';
    end if;
    update portolan.users u
    set
      email = changes ->> 'email',
      email_verified = false,
      email_claimed = changes ->> 'email' is not null
    where u.name = v_user.name;
  end if;
  if changes ? 'password' then
    if verified is null then
      raise exception 'a new password needs current_password' using errcode = 'PX400';
    end if;
    if verified is distinct from v_user.password then
      raise exception 'current_password is wrong' using errcode = 'insufficient_privilege';
    end if;
    perform portolan.set_password(v_user.name, changes ->> 'password');
  end if;
end
$$;
