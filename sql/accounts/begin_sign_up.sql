-- Begins a sign-up. Returns the mail to send to the address, which the person who asked must not learn. kind: signUp,
-- with the token of a link that is valid for a day; hasAccount, where an account has the address already (its name is
-- in `account`) and does not only claim it; taken, where another account has the name. No row where a mail went to the
-- address in the last five minutes, or where 10,000 people have signed up in a day and not returned. Raises PX400 for a
-- name that no account can have. The gateway calls it.
create or replace function portolan.begin_sign_up(name text, email text, address text)
  returns table (kind text, account text, token text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read accounts
as $$
#variable_conflict use_column
declare
  v_name text := portolan.account_name(begin_sign_up.name);
  v_email constant text := lower(begin_sign_up.email);
begin
  perform from portolan.settings s where s.name = 'own_sql_secret' for update; -- one at a time
  if exists (
      select from portolan.sign_ups s where lower(s.email) = v_email and s.made_at > clock_timestamp() - interval '5 minutes')
    or (select count(*) >= 10000 from portolan.sign_ups)
  then
    return;
  end if;
  select u.name into account from portolan.users u where lower(u.email) = v_email and not u.email_claimed order by u.name limit 1;
  token := portolan.new_secret();
  kind := case
    when account is not null then 'hasAccount'
    when exists (select from portolan.users u where u.name = v_name) or to_regrole(quote_ident(portolan.role_name(v_name))) is not null
      or v_name in ('owner', 'anonymous') then 'taken'
    else 'signUp'
  end;
  -- also for a sign-up that leads nowhere, so that an address gets one mail in five minutes
  insert into portolan.sign_ups (hash, name, email, expires_at)
  values (encode(sha256(convert_to(token, 'UTF8')), 'hex'), v_name, begin_sign_up.email,
    clock_timestamp() + case kind when 'signUp' then interval '1 day' else interval '5 minutes' end);
  if kind <> 'signUp' then
    token := null;
  end if;
  insert into portolan.audit (event, account, address, details)
  values ('sign_up.asked', account, begin_sign_up.address, jsonb_build_object('outcome', kind));
  return next;
end
$$;
