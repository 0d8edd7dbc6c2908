-- Exchanges a refresh token for the next one. The lock on the family decides between parallel requests. The same token
-- within 30 seconds gives the same next one (two tabs, a lost answer). A token that was rotated earlier ends the family: two
-- clients hold it, so one of them stole it (RFC 9700 section 4.14.2). `next`, `sealed`: the id of the next token, and the
-- token itself, encrypted under the old one. outcome: rotated, or repeated (successor is the one that was sealed before),
-- reused, other_client, ended.
create or replace function portolan.rotate_refresh_token(
  family uuid,
  token uuid,
  client_id text,
  next uuid,
  sealed text,
  access_seconds integer,
  refresh_seconds integer
) returns table (outcome text, user_name text, scope text, asked jsonb, successor text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read or write refresh tokens
as $$
#variable_conflict use_column
declare
  v_family portolan.token_families;
  v_token portolan.refresh_tokens;
  v_outcome text;
begin
  select f.* into v_family from portolan.token_families f where f.id = rotate_refresh_token.family for update;
  if not found or v_family.revoked_at is not null or v_family.expires_at <= clock_timestamp()
    or not exists (
      select from portolan.users u where u.name = v_family.user_name and u.token_version = v_family.token_version)
  then
    return query select 'ended', null::text, null::text, null::jsonb, null::text;
    return;
  end if;
  if v_family.client_id <> rotate_refresh_token.client_id then
    return query select 'other_client', null::text, null::text, null::jsonb, null::text;
    return;
  end if;
  select t.* into v_token from portolan.refresh_tokens t where t.id = token and t.family = v_family.id;
  v_outcome := portolan.refresh_outcome(v_family.id, token);
  if v_outcome = 'reused' then
    perform portolan.revoke_family(v_family.id, v_family.client_id);
  elsif v_outcome = 'rotated' then
    update portolan.refresh_tokens t
    set rotated_at = clock_timestamp(), successor = sealed
    where t.id = v_token.id and t.rotated_at is null;
    insert into portolan.refresh_tokens (id, family) values (next, v_family.id);
    update portolan.token_families f
    set expires_at = greatest(f.expires_at, clock_timestamp() + make_interval(secs => greatest(access_seconds, refresh_seconds)))
    where f.id = v_family.id;
  end if;
  return query
    select v_outcome, v_family.user_name, v_family.scope, v_family.asked, case v_outcome when 'repeated' then v_token.successor end;
end
$$;
