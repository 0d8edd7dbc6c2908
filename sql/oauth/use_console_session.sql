-- The account and the family of tokens of a browser's session, by the hash of the console's own cookie. `is_new`: the family was
-- made by this call. No row: the session has ended, its password has changed, or somebody has ended its tokens. Raises PX403
-- where the client of the console is disabled. The gateway calls it (server/oauth/endpoints/consoleToken.ts).
create or replace function portolan.use_console_session(
  hash text,
  out account text,
  out family uuid,
  out is_new boolean
) returns setof record
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write sessions and token families
as $$
declare
  v_session portolan.sessions;
begin
  select s.* into v_session
  from portolan.sessions s join portolan.users u on u.name = s.user_name and u.token_version = s.token_version
  where s.console_hash = use_console_session.hash and s.expires_at > now()
  for update of s;
  if not found then
    return;
  end if;
  if not exists (select from portolan.clients c where c.id = 'portolan-console' and not c.disabled) then
    raise exception 'the console is disabled' using errcode = 'PX403';
  end if;
  account := v_session.user_name;
  family := v_session.console_family;
  is_new := family is null;
  if is_new then
    family := gen_random_uuid();
    insert into portolan.token_families (id, client_id, user_name, token_version, asked, expires_at)
    values (
      family, 'portolan-console', account, v_session.token_version,
      jsonb_build_object(
        'sid', v_session.sid, 'amr', v_session.amr, 'auth_time', floor(extract(epoch from v_session.created_at)),
        'mfa', 'mfa' = any (v_session.amr)),
      v_session.expires_at);
    update portolan.sessions s set console_family = family where s.hash = v_session.hash;
  elsif not exists (select from portolan.token_families f where f.id = family and f.revoked_at is null) then
    return;
  end if;
  return next;
end
$$;
