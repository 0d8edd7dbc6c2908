-- Makes an initial access token (RFC 7591 section 3), with which a client registers itself: shown once, stored as a hash.
-- uses: how many clients it registers; members: members that each of them gets, as update_client takes them. Raises PX400.
create or replace function portolan.registration_token(
  uses integer default 1,
  lifetime interval default '1 day',
  members jsonb default '{}'
) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write registration tokens
as $$
declare
  v_token text := rtrim(translate(encode(convert_to(current_database(), 'UTF8'), 'base64'), E'+/\n', '-_'), '=')
    || '.' || portolan.new_secret();
begin
  if uses is null or uses not between 1 and 10000 then
    raise exception 'a registration token must be for 1 to 10000 clients' using errcode = 'PX400';
  end if;
  if lifetime is null or lifetime not between interval '1 minute' and interval '1 year' then
    raise exception 'a registration token must be valid for 1 minute to 1 year' using errcode = 'PX400';
  end if;
  perform portolan.check_client_members(members);
  insert into portolan.registration_tokens (hash, made_by, members, uses_left, expires_at)
  values (
    encode(sha256(convert_to(v_token, 'UTF8')), 'hex'), portolan.actor(), coalesce(members, '{}'), uses,
    clock_timestamp() + lifetime);
  insert into portolan.audit (event, address, details)
  values ('registration_token.created', portolan.caller_address(),
    jsonb_build_object('by', portolan.actor(), 'uses', uses, 'members', coalesce(members, '{}')));
  return v_token;
end
$$;
