-- A token for a link with which an account sets its password once: the first password, or a forgotten one. The link is
-- BASE_URL/password?token=…. An older token of the account ends. Raises PX400, PX404.
create or replace function portolan.invite_user(name text, lifetime interval default '3 days') returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.one_time_links
as $$
declare
  v_user portolan.users := portolan.existing_account(name);
  v_token text;
begin
  if v_user.name = 'anonymous' then
    raise exception 'the account "anonymous" has no password' using errcode = 'PX400';
  end if;
  if lifetime is null or lifetime not between interval '1 minute' and interval '31 days' then
    raise exception 'a link must be valid for 1 minute to 31 days' using errcode = 'PX400';
  end if;
  v_token := portolan.new_link(v_user.name, 'password', lifetime);
  insert into portolan.audit (event, account, address, details)
  values ('user.invited', v_user.name, portolan.caller_address(),
    jsonb_build_object('by', portolan.actor()));
  return v_token;
end
$$;
