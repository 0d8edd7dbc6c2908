-- Stores a client that has registered itself (RFC 7591). The gateway calls it. initial: the hash of its registration
-- token, or null where it has none; registration: the hash of the token with which it can change itself; network: of
-- the caller. outcome: registered, token (no such token, or one that is used up), or flood (too many from that
-- network). Raises PX400.
create or replace function portolan.register_client(
  id text,
  members jsonb,
  metadata jsonb,
  initial text,
  registration text,
  network text
) returns table (outcome text, secret text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.clients
as $$
#variable_conflict use_column
declare
  v_members jsonb := '{}';
  v_secret text;
begin
  if initial is not null then
    update portolan.registration_tokens t
    set uses_left = t.uses_left - 1
    where t.hash = initial and t.uses_left > 0 and t.expires_at > clock_timestamp()
    returning t.members into v_members;
    if not found then
      return query select 'token', null::text;
      return;
    end if;
  elsif (
    select count(*) filter (where c.registered_from = network) >= 50 or count(*) >= 50 * 16
    from portolan.clients c
    where (c.registered_from = network or portolan.site_of(c.registered_from) = portolan.site_of(network))
      and c.created_at > now() - interval '1 hour')
  then
    return query select 'flood', null::text;
    return;
  end if;
  if not (members ->> 'public')::boolean and members ->> 'token_endpoint_auth_method' <> 'private_key_jwt' then
    v_secret := portolan.new_secret();
  end if;
  insert into portolan.clients (id, name, public, grants, origin, metadata, registration_hash, registered_from, secret_hash)
  values (
    register_client.id, register_client.id, (members ->> 'public')::boolean, '{}', 'registration', register_client.metadata,
    registration, case when initial is null then network end, encode(sha256(convert_to(v_secret, 'UTF8')), 'hex'));
  perform portolan.put_client(register_client.id, members || v_members, imposed => v_members);
  return query select 'registered', v_secret;
end
$$;
