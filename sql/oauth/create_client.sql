-- Registers an OAuth client. The secret is stored as a hash; the returned secret is shown once. Raises PX400 for a bad id,
-- redirect URI, grant or account, PX409 when the client exists. more: further members, as update_client takes them.
create or replace function portolan.create_client(
  id text,
  name text,
  redirect_uri text[],
  public boolean default false,
  confirm boolean default true,
  grants text[] default '{authorization_code,refresh_token,device_code}',
  homepage text default null,
  description text default null,
  refresh_reuse text default 'refuse',
  account text default null,
  more jsonb default null
) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.clients
as $$
declare
  v_secret text;
begin
  if id is null or id !~ '^[A-Za-z0-9._~:@-]{1,100}$' then
    raise exception 'a client id must be 1 to 100 of A-Z, a-z, 0-9 and ._~:@-' using errcode = 'PX400';
  end if;
  if 'client_credentials' = any (grants) and account is null then
    raise exception 'the grant client_credentials needs the account that the client acts as' using errcode = 'PX400';
  end if;
  if coalesce(refresh_reuse, 'refuse') not in ('refuse', 'allow') then
    raise exception 'refresh_reuse must be refuse or allow' using errcode = 'PX400';
  end if;
  if exists (select from portolan.clients c where c.id = create_client.id) then
    raise exception 'the client "%" exists', id using errcode = 'PX409';
  end if;
  if not coalesce(public, false) and more ->> 'token_endpoint_auth_method' is distinct from 'private_key_jwt' then
    v_secret := portolan.new_secret();
  end if;
  insert into portolan.clients (id, name, redirect_uri, public, confirm, grants, homepage, description, refresh_reuse, account, secret_hash)
  values (
    id, name, redirect_uri, coalesce(public, false), coalesce(confirm, true),
    coalesce(grants, '{authorization_code,refresh_token,device_code}'), homepage, description,
    coalesce(refresh_reuse, 'refuse'), account, encode(sha256(convert_to(v_secret, 'UTF8')), 'hex'));
  if more is not null then
    perform portolan.update_client(id, more);
  end if;
  return v_secret;
end
$$;
